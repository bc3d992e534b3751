"""Balances and transfers on the sandbox's Solana, and on nodes that answer nonsense."""

import base64
import struct
from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.system_program import CreateAccountParams, create_account
from solders.transaction import Transaction, VersionedTransaction
from spl.token.instructions import create_idempotent_associated_token_account, get_associated_token_address

from tests.patience import PATIENCE
from tests.services import node as nodes
from tests.services.node import Node
from tests.services.real_chains import solana
from walletmodal.core.accounts.tokens import parse_token_balance
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import AddressError, AmountError, NetworkError, TransportError, WalletModalError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.transfers.send import Transfer
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN, TOKENS, account_keys
from walletmodal.services.chains.adapter import PreparedTransfer, Token
from walletmodal.services.chains.solana import SolanaAdapter
from walletmodal.services.chains.solana.reads import TOKEN_2022_PROGRAM
from walletmodal.services.chains.solana.transfers import NOT_ENOUGH, TOO_LITTLE_LEFT
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport, RpcEndpoints

__all__ = ["solana"]

SOLANA = parse_chain_id(CHAIN)
PAYER, SECOND, THIRD = account_keys()
SENDER = str(PAYER.pubkey())
LISTED = tuple(Token(one.mint, one.name, one.symbol, one.decimals) for one in TOKENS)
USDC, BONK = LISTED[0], LISTED[3]
TOKEN_2022 = Pubkey.from_string(TOKEN_2022_PROGRAM)


@pytest.fixture
def adapter(client: httpx.AsyncClient, solana: SolanaNode) -> SolanaAdapter:
    return SolanaAdapter(RpcEndpoints(client, overrides={CHAIN: solana.url}).transport)


@pytest.fixture
def doubtful(client: httpx.AsyncClient, node: Node) -> SolanaAdapter:
    """The adapter of a node that does as it is told, asked once."""
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    return SolanaAdapter(lambda _chain: transport)


def transfer(
    amount: int,
    token: str | None = None,
    receiver: str = "",
    *,
    chain: str = CHAIN,
    decimals: int | None = None,
    token_chain: str = CHAIN,
) -> Transfer:
    usual = {None: 9, BONK.address: BONK.decimals}.get(token, USDC.decimals)
    balance = parse_token_balance(
        {
            "name": "x",
            "symbol": "X",
            "chainId": token_chain,
            "address": f"{chain}:{token}" if token else None,
            "quantity": {"decimals": str(usual if decimals is None else decimals), "numeric": "1"},
        }
    )
    return Transfer(SOLANA, balance, amount, receiver or str(Keypair().pubkey()))


async def on_node(url: str, method: str, *params: object) -> Any:
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as direct:
        answer = await direct.post(url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert "error" not in answer.json(), answer.text
    return answer.json()["result"]


async def send(url: str, prepared: PreparedTransfer, key: Keypair = PAYER) -> None:
    """What a wallet would do with it."""
    assert isinstance(prepared.params, dict)
    unsigned = VersionedTransaction.from_bytes(base64.b64decode(prepared.params["transaction"]))
    await submit(url, VersionedTransaction(unsigned.message, [key]))


async def submit(url: str, transaction: VersionedTransaction | Transaction) -> None:
    await on_node(url, "sendTransaction", base64.b64encode(bytes(transaction)).decode(), {"encoding": "base64"})


async def run(url: str, instructions: Sequence[Instruction], *keys: Keypair) -> None:
    """A transaction of our own, the first key pays."""
    blockhash = (await on_node(url, "getLatestBlockhash"))["value"]["blockhash"]
    message = Message.new_with_blockhash(instructions, keys[0].pubkey(), Hash.from_string(blockhash))
    await submit(url, Transaction(list(keys), message, message.recent_blockhash))


async def new_token(url: str, amount: int, *, decimals: int = 2) -> str:
    """A mint of Token-2022 of which the payer has some."""
    mint = Keypair()
    rent = await on_node(url, "getMinimumBalanceForRentExemption", 82)
    made = create_account(
        CreateAccountParams(
            from_pubkey=PAYER.pubkey(), to_pubkey=mint.pubkey(), lamports=rent, space=82, owner=TOKEN_2022
        )
    )
    begun = Instruction(
        TOKEN_2022,
        struct.pack("<BB32sB", 20, decimals, bytes(PAYER.pubkey()), 0),
        [AccountMeta(mint.pubkey(), is_signer=False, is_writable=True)],
    )
    account = get_associated_token_address(PAYER.pubkey(), mint.pubkey(), TOKEN_2022)
    filled = Instruction(
        TOKEN_2022,
        struct.pack("<BQ", 7, amount),
        [
            AccountMeta(mint.pubkey(), is_signer=False, is_writable=True),
            AccountMeta(account, is_signer=False, is_writable=True),
            AccountMeta(PAYER.pubkey(), is_signer=True, is_writable=False),
        ],
    )
    opened = create_idempotent_associated_token_account(PAYER.pubkey(), PAYER.pubkey(), mint.pubkey(), TOKEN_2022)
    await run(url, [made, begun, opened, filled], PAYER, mint)
    return str(mint.pubkey())


async def test_the_balance_is_read_in_lamports(adapter: SolanaAdapter) -> None:
    assert await adapter.native_balance(SOLANA, str(THIRD.pubkey())) == 100 * 10**9


async def test_who_has_nothing_has_zero(adapter: SolanaAdapter) -> None:
    assert await adapter.native_balance(SOLANA, str(Keypair().pubkey())) == 0


async def test_balances_of_all_tokens_are_read(adapter: SolanaAdapter) -> None:
    held = await adapter.token_balances(SOLANA, str(THIRD.pubkey()), LISTED)
    assert held == {one.mint: one.granted for one in TOKENS}


async def test_tokens_of_the_second_program_are_read(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    mint = await new_token(solana.url, 700)
    held = await adapter.token_balances(SOLANA, SENDER, [USDC, Token(mint, "", "", 2)])
    assert held[mint] == 700


async def test_no_tokens_need_no_question(doubtful: SolanaAdapter, node: Node) -> None:
    assert await doubtful.token_balances(SOLANA, SENDER, []) == {}
    assert node.requests == []


async def test_a_mint_says_its_decimals(adapter: SolanaAdapter) -> None:
    assert (await adapter.read_token(SOLANA, BONK.address)).decimals == 5


async def test_what_is_no_mint_is_said_to_be_none(adapter: SolanaAdapter) -> None:
    for address in (SENDER, str(Keypair().pubkey())):
        with pytest.raises(NetworkError):
            await adapter.read_token(SOLANA, address)


async def test_sol_arrives(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    given = transfer(5_000_000)
    prepared = await adapter.build_transfer(SENDER, given)
    assert prepared.method == "solana_signAndSendTransaction"
    await send(solana.url, prepared)
    assert await adapter.native_balance(SOLANA, given.receiver) == 5_000_000


async def test_tokens_arrive_where_none_were_before(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    given = transfer(1_250_000, USDC.address)
    await send(solana.url, await adapter.build_transfer(SENDER, given))
    assert (await adapter.token_balances(SOLANA, given.receiver, [USDC]))[USDC.address] == 1_250_000


async def test_tokens_arrive_where_some_were_before(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    receiver = str(SECOND.pubkey())
    before = (await adapter.token_balances(SOLANA, receiver, [USDC]))[USDC.address]
    await send(solana.url, await adapter.build_transfer(SENDER, transfer(7, USDC.address, receiver)))
    assert (await adapter.token_balances(SOLANA, receiver, [USDC]))[USDC.address] - before == 7


async def test_tokens_of_the_second_program_arrive(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    mint = await new_token(solana.url, 700)
    given = transfer(300, mint, decimals=2)
    await send(solana.url, await adapter.build_transfer(SENDER, given))
    assert (await adapter.token_balances(SOLANA, given.receiver, [Token(mint, "", "", 2)]))[mint] == 300


async def test_tokens_sent_to_a_token_account_go_into_it(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    owner, mint = SECOND.pubkey(), Pubkey.from_string(USDC.address)
    account = get_associated_token_address(
        owner, mint, Pubkey.from_string("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
    )
    before = (await adapter.token_balances(SOLANA, str(owner), [USDC]))[USDC.address]
    await send(solana.url, await adapter.build_transfer(SENDER, transfer(9, USDC.address, str(account))))
    assert (await adapter.token_balances(SOLANA, str(owner), [USDC]))[USDC.address] - before == 9


@pytest.mark.parametrize("token", [None, BONK.address])
async def test_what_a_token_account_would_swallow_is_not_sent(adapter: SolanaAdapter, token: str | None) -> None:
    mint = Pubkey.from_string(USDC.address)
    account = get_associated_token_address(
        SECOND.pubkey(), mint, Pubkey.from_string("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
    )
    for receiver in (str(account), USDC.address):
        with pytest.raises(SendError):
            await adapter.build_transfer(SENDER, transfer(10**6, token, receiver))


@pytest.mark.parametrize("token", [None, USDC.address])
async def test_the_sender_never_pays_more_than_was_said(
    adapter: SolanaAdapter, solana: SolanaNode, token: str | None
) -> None:
    before = await adapter.native_balance(SOLANA, SENDER)
    prepared = await adapter.build_transfer(SENDER, transfer(2_000_000, token))
    await send(solana.url, prepared)
    paid = before - await adapter.native_balance(SOLANA, SENDER) - (0 if token else 2_000_000)
    assert 0 < paid <= prepared.fee


@pytest.mark.parametrize(
    "given",
    [transfer(10**18), transfer(10**15, USDC.address), transfer(1)],
    ids=["too much SOL", "too many tokens", "less than an account must have"],
)
async def test_what_would_fail_is_told_before_a_wallet_is_asked(adapter: SolanaAdapter, given: Transfer) -> None:
    with pytest.raises(SendError):
        await adapter.build_transfer(SENDER, given)


async def test_dust_for_a_new_account_is_told_with_the_least_that_it_takes(adapter: SolanaAdapter) -> None:
    with pytest.raises(SendError, match=r"none with less than 0\.00089088 SOL"):
        await adapter.build_transfer(SENDER, transfer(1))


async def test_who_would_keep_too_little_is_told_what_to_do(adapter: SolanaAdapter) -> None:
    left = 300_000
    with pytest.raises(SendError, match=TOO_LITTLE_LEFT):
        await adapter.build_transfer(SENDER, transfer(await adapter.native_balance(SOLANA, SENDER) - left))


async def test_who_has_no_sol_for_the_fee_is_told_so(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    poor = Keypair().pubkey()
    await send(solana.url, await adapter.build_transfer(SENDER, transfer(10**6, USDC.address, str(poor))))
    with pytest.raises(SendError, match=NOT_ENOUGH):
        await adapter.build_transfer(str(poor), transfer(10, USDC.address))


@pytest.mark.parametrize(
    ("sender", "given"),
    [
        ("nonsense", transfer(1)),
        (SENDER, transfer(1, receiver="0x1111111111111111111111111111111111111111")),
        (SENDER, transfer(1, "nonsense")),
        (SENDER, transfer(1, USDC.address, chain="solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1")),
        (SENDER, transfer(1, token_chain="solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1")),
    ],
)
async def test_no_transfer_is_built_from_what_is_no_address(
    doubtful: SolanaAdapter, node: Node, sender: str, given: Transfer
) -> None:
    with pytest.raises(AddressError):
        await doubtful.build_transfer(sender, given)
    assert node.requests == []


async def test_no_transfer_carries_more_than_64_bits(doubtful: SolanaAdapter) -> None:
    with pytest.raises(AmountError):
        await doubtful.build_transfer(SENDER, transfer(2**64))


@pytest.mark.parametrize(("token", "decimals"), [(None, 6), (USDC.address, 9), (BONK.address, 6)])
async def test_an_amount_that_was_read_with_other_decimals_is_not_sent(
    adapter: SolanaAdapter, token: str | None, decimals: int
) -> None:
    with pytest.raises(SendError) as raised:
        await adapter.build_transfer(SENDER, transfer(10, token, decimals=decimals))
    assert "decimals" in raised.value.details


async def test_a_token_that_is_none_is_said_to_be_none(adapter: SolanaAdapter) -> None:
    with pytest.raises((NetworkError, TransportError)):
        await adapter.build_transfer(SENDER, transfer(1, str(Keypair().pubkey())))


@pytest.mark.parametrize("result", [None, 5, {}, {"value": "5"}, {"value": -1}, {"value": 2**64}, {"value": True}, []])
async def test_what_is_no_amount_is_refused(doubtful: SolanaAdapter, node: Node, result: object) -> None:
    node.behaviour = nodes.answer(result=result)
    with pytest.raises(TransportError):
        await doubtful.native_balance(SOLANA, SENDER)


@pytest.mark.parametrize(
    "rows",
    [
        None,
        {},
        [None],
        [{}],
        [{"pubkey": SENDER, "account": None}],
        [{"pubkey": 5, "account": {"owner": SENDER, "data": ["", "base64"]}}],
        [{"pubkey": SENDER, "account": {"owner": SENDER, "data": ["AAAA", "base64"]}}],
        [{"pubkey": SENDER, "account": {"owner": SENDER, "data": ["*", "base64"]}}],
        [{"pubkey": SENDER, "account": {"owner": SENDER, "data": ["AAAA", "base58"]}}],
        [{"pubkey": SENDER, "account": {"owner": SENDER, "data": ["AAAA"]}}],
    ],
)
async def test_what_are_no_token_accounts_is_refused(doubtful: SolanaAdapter, node: Node, rows: object) -> None:
    node.behaviour = nodes.answer(result={"value": rows})
    with pytest.raises(TransportError):
        await doubtful.token_balances(SOLANA, SENDER, [USDC])


async def test_token_accounts_of_others_are_not_counted(doubtful: SolanaAdapter, node: Node) -> None:
    data = bytes(Pubkey.from_string(USDC.address)) + bytes(SECOND.pubkey()) + struct.pack("<Q", 9) + bytes(37)
    row = {"pubkey": SENDER, "account": {"owner": SENDER, "data": [base64.b64encode(data).decode(), "base64"]}}
    node.behaviour = nodes.answer(result={"value": [row]})
    assert await doubtful.token_balances(SOLANA, SENDER, [USDC]) == {USDC.address: 0}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just(SENDER),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["value", "blockhash", "err", "unitsConsumed", "data", "owner", "prioritizationFee"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(
    answers=st.dictionaries(
        st.sampled_from(
            [
                "getAccountInfo",
                "getLatestBlockhash",
                "getMinimumBalanceForRentExemption",
                "getRecentPrioritizationFees",
                "getTokenAccountsByOwner",
                "simulateTransaction",
            ]
        ),
        _JSON,
        max_size=6,
    ),
    token=st.sampled_from([None, USDC.address]),
)
async def test_whatever_a_node_answers_a_typed_error_comes_of_it(answers: dict[str, object], token: str | None) -> None:
    class Whoever:
        async def request(self, method: str, _params: object = ()) -> object:
            return answers.get(method)

    with pytest.raises(WalletModalError):
        await SolanaAdapter(lambda _chain: Whoever()).build_transfer(SENDER, transfer(5, token, SENDER))


def test_the_adapter_tells_what_is_no_address(doubtful: SolanaAdapter) -> None:
    assert [doubtful.address_fault(text) for text in (SENDER, "nonsense", "0" * 40)] == [None, "malformed", "malformed"]
