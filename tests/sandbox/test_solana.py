"""Solana, asked by solana-py as any client would."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from solana.rpc.async_api import AsyncClient
from solana.rpc.core import RPCException
from solana.rpc.models import TokenAccountOpts
from solana.rpc.websocket_api import SolanaWsClientProtocol, connect
from solders.hash import Hash
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import TransferParams, transfer
from solders.token.associated import get_associated_token_address
from solders.transaction import VersionedTransaction
from spl.token.constants import TOKEN_PROGRAM_ID
from spl.token.instructions import (
    create_idempotent_associated_token_account,
    transfer_checked,
)
from spl.token.models import TransferCheckedParams

from tests.patience import PATIENCE
from tests.ports import sandbox_settings
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN, COLLECTION, GENESIS_HASH, TOKENS, account_keys, tokens

pytestmark = pytest.mark.asyncio(loop_scope="session")

USDC = next(token for token in TOKENS if token.symbol == "USDC")
SOL = 10**9


@pytest_asyncio.fixture(loop_scope="session")
async def client(http: httpx.AsyncClient, sandbox: Sandbox) -> AsyncIterator[AsyncClient]:
    """solana-py at the node of a sandbox that was just reset."""
    async with AsyncClient(sandbox.node_url(CHAIN)) as connected:
        yield connected


@pytest.fixture
def alice() -> Keypair:
    return account_keys()[0]


async def _send(client: AsyncClient, payer: Keypair, instructions: Sequence[Instruction]) -> Signature:
    blockhash = (await client.get_latest_blockhash()).value.blockhash
    message = MessageV0.try_compile(payer.pubkey(), instructions, [], blockhash)
    return (await client.send_transaction(VersionedTransaction(message, [payer]))).value


async def _received(socket: SolanaWsClientProtocol) -> Any:
    (message,) = await asyncio.wait_for(socket.recv(), PATIENCE)
    return message


def _payment(payer: Keypair, to: Pubkey, lamports: int) -> Instruction:
    return transfer(TransferParams(from_pubkey=payer.pubkey(), to_pubkey=to, lamports=lamports))


def _token_payment(payer: Keypair, to: Pubkey, amount: int) -> list[Instruction]:
    mint = Pubkey.from_string(USDC.mint)
    source, destination = (get_associated_token_address(owner, mint) for owner in (payer.pubkey(), to))
    return [
        create_idempotent_associated_token_account(payer.pubkey(), to, mint),
        transfer_checked(
            TransferCheckedParams(
                program_id=TOKEN_PROGRAM_ID,
                source=source,
                mint=mint,
                dest=destination,
                owner=payer.pubkey(),
                amount=amount,
                decimals=USDC.decimals,
            )
        ),
    ]


async def test_it_calls_itself_mainnet(client: AsyncClient, sandbox: Sandbox) -> None:
    async with AsyncClient(sandbox.rpc_url(CHAIN)) as through_gateway:
        for one in (client, through_gateway):
            assert str((await one.get_genesis_hash()).value) == GENESIS_HASH
    assert f"solana:{GENESIS_HASH[:32]}" == CHAIN


async def test_known_accounts_have_sol_every_token_and_nfts(client: AsyncClient) -> None:
    for key in account_keys():
        assert (await client.get_balance(key.pubkey())).value == 100 * SOL
        options = TokenAccountOpts(program_id=TOKEN_PROGRAM_ID)
        found = (await client.get_token_accounts_by_owner_json_parsed(key.pubkey(), options)).value
        infos: list[Any] = [one.account.data.parsed["info"] for one in found]
        held = {info["mint"]: info for info in infos}
        amounts = {mint: int(info["tokenAmount"]["amount"]) for mint, info in held.items()}
        nfts = {mint: amount for mint, amount in amounts.items() if mint not in tokens()}
        assert {mint: amounts[mint] for mint in tokens()} == {token.mint: token.granted for token in TOKENS}
        assert list(nfts.values()) == [1] * COLLECTION.granted
        assert {info["owner"] for info in held.values()} == {str(key.pubkey())}


async def test_mints_have_the_decimals_of_the_world(client: AsyncClient) -> None:
    for token in TOKENS:
        supply = (await client.get_token_supply(Pubkey.from_string(token.mint))).value
        assert (supply.decimals, int(supply.amount)) == (token.decimals, token.granted * len(account_keys()))


async def test_a_payment_arrives_and_the_fee_is_paid(client: AsyncClient, alice: Keypair) -> None:
    bob = Keypair().pubkey()
    signature = await _send(client, alice, [_payment(alice, bob, SOL)])
    await client.confirm_transaction(signature)
    assert (await client.get_balance(bob)).value == SOL
    assert (await client.get_balance(alice.pubkey())).value == 99 * SOL - 5000
    (status,) = (await client.get_signature_statuses([signature])).value
    assert status is not None
    assert status.err is None


async def test_a_token_payment_shows_its_change_of_balances(client: AsyncClient, alice: Keypair) -> None:
    bob = Keypair().pubkey()
    signature = await _send(client, alice, _token_payment(alice, bob, 1_500_000))
    told = (await client.get_transaction(signature, max_supported_transaction_version=0)).value
    assert told is not None
    meta = told.transaction.meta
    assert meta is not None
    before, after = meta.pre_token_balances or [], meta.post_token_balances or []
    amounts = [
        {str(one.owner): int(one.ui_token_amount.amount) for one in balances if str(one.mint) == USDC.mint}
        for balances in (before, after)
    ]
    assert amounts == [
        {str(alice.pubkey()): USDC.granted},
        {str(alice.pubkey()): USDC.granted - 1_500_000, str(bob): 1_500_000},
    ]
    assert meta.pre_balances[0] - meta.post_balances[0] > meta.fee
    mint = Pubkey.from_string(USDC.mint)
    balance = (await client.get_token_account_balance(get_associated_token_address(bob, mint))).value
    assert balance.ui_amount_string == "1.5"


async def test_instructions_are_read_into_their_meaning(
    client: AsyncClient, alice: Keypair, http: httpx.AsyncClient, sandbox: Sandbox
) -> None:
    bob = Keypair().pubkey()
    signature = await _send(client, alice, [_payment(alice, bob, SOL), *_token_payment(alice, bob, 7)])
    config = {"encoding": "jsonParsed", "maxSupportedTransactionVersion": 0}
    body = {"jsonrpc": "2.0", "id": 1, "method": "getTransaction", "params": [str(signature), config]}
    told = (await http.post(sandbox.rpc_url(CHAIN), json=body)).json()["result"]
    read = [one["parsed"]["type"] for one in told["transaction"]["message"]["instructions"]]
    assert read == ["transfer", "createIdempotent", "transferChecked"]
    paid = told["transaction"]["message"]["instructions"][0]["parsed"]["info"]
    assert paid == {"source": str(alice.pubkey()), "destination": str(bob), "lamports": SOL}
    first = told["transaction"]["message"]["accountKeys"][0]
    assert first == {"pubkey": str(alice.pubkey()), "signer": True, "source": "transaction", "writable": True}
    assert told["meta"]["innerInstructions"][0]["index"] == 1


async def test_too_little_money_is_refused_in_the_words_of_a_validator(client: AsyncClient, alice: Keypair) -> None:
    with pytest.raises(RPCException, match="custom program error: 0x1"):
        await _send(client, alice, [_payment(alice, Keypair().pubkey(), 1000 * SOL)])
    assert (await client.get_balance(alice.pubkey())).value == 100 * SOL


async def test_an_unknown_blockhash_is_refused(client: AsyncClient, alice: Keypair) -> None:
    message = MessageV0.try_compile(alice.pubkey(), [_payment(alice, Keypair().pubkey(), 1)], [], Hash.new_unique())
    with pytest.raises(RPCException, match="Blockhash not found"):
        await client.send_transaction(VersionedTransaction(message, [alice]))


async def test_a_wrong_signature_is_refused(client: AsyncClient, alice: Keypair) -> None:
    blockhash = (await client.get_latest_blockhash()).value.blockhash
    message = MessageV0.try_compile(alice.pubkey(), [_payment(alice, Keypair().pubkey(), 1)], [], blockhash)
    with pytest.raises(RPCException, match="SignatureVerificationFailure"):
        await client.send_transaction(VersionedTransaction.populate(message, [Signature.new_unique()]))


async def test_a_transaction_lands_once(client: AsyncClient, alice: Keypair) -> None:
    blockhash = (await client.get_latest_blockhash()).value.blockhash
    message = MessageV0.try_compile(alice.pubkey(), [_payment(alice, Keypair().pubkey(), SOL)], [], blockhash)
    transaction = VersionedTransaction(message, [alice])
    await client.send_transaction(transaction)
    with pytest.raises(RPCException, match="already been processed"):
        await client.send_transaction(transaction)


async def test_a_simulation_needs_no_signature_and_changes_nothing(client: AsyncClient, alice: Keypair) -> None:
    blockhash = (await client.get_latest_blockhash()).value.blockhash
    bob = Keypair().pubkey()
    message = MessageV0.try_compile(alice.pubkey(), [_payment(alice, bob, SOL)], [], blockhash)
    told = (await client.simulate_transaction(VersionedTransaction.populate(message, [Signature.default()]))).value
    assert told.err is None
    assert told.units_consumed == 150
    assert (await client.get_balance(bob)).value == 0


async def test_history_is_newest_first_and_pages(client: AsyncClient, alice: Keypair) -> None:
    bob = Keypair().pubkey()
    sent = [await _send(client, alice, [_payment(alice, bob, SOL + number)]) for number in range(3)]
    first = (await client.get_signatures_for_address(bob, limit=2)).value
    assert [one.signature for one in first] == [sent[2], sent[1]]
    rest = (await client.get_signatures_for_address(bob, before=sent[1])).value
    assert [one.signature for one in rest] == [sent[0]]


async def test_an_airdrop_comes_from_a_test_node_alone(client: AsyncClient, sandbox: Sandbox) -> None:
    someone = Keypair().pubkey()
    await client.request_airdrop(someone, 3 * SOL)
    assert (await client.get_balance(someone)).value == 3 * SOL
    async with AsyncClient(sandbox.rpc_url(CHAIN)) as through_gateway:
        with pytest.raises(RPCException, match="not available"):
            await through_gateway.request_airdrop(someone, SOL)


async def test_a_subscriber_is_told_of_a_signature_before_and_after_it_landed(
    client: AsyncClient, sandbox: Sandbox, alice: Keypair
) -> None:
    blockhash = (await client.get_latest_blockhash()).value.blockhash
    message = MessageV0.try_compile(alice.pubkey(), [_payment(alice, Keypair().pubkey(), SOL)], [], blockhash)
    transaction = VersionedTransaction(message, [alice])
    for lands in (True, False):
        async with connect(sandbox.solana_websocket_url) as socket:
            await socket.signature_subscribe(transaction.signatures[0])
            opened = await _received(socket)
            if lands:
                await client.send_transaction(transaction)
            told = await _received(socket)
            assert told.subscription == opened.result
            assert told.result.value.err is None


async def test_a_subscriber_is_told_of_an_account(client: AsyncClient, sandbox: Sandbox, alice: Keypair) -> None:
    bob = Keypair().pubkey()
    async with connect(sandbox.solana_websocket_url) as socket:
        await socket.account_subscribe(bob)
        await _received(socket)
        await _send(client, alice, [_payment(alice, bob, 2 * SOL)])
        told = await _received(socket)
        assert told.result.value.lamports == 2 * SOL


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("getBalance", []),
        ("getBalance", [7]),
        ("getBalance", ["0x1"]),
        ("getBalance", ["1" * 200]),
        ("getBalance", [USDC.mint, 5]),
        ("getBalance", [USDC.mint, {"commitment": "soon"}]),
        ("getBalance", {"address": USDC.mint}),
        ("getAccountInfo", [USDC.mint, {"encoding": "xml"}]),
        ("getMultipleAccounts", [[USDC.mint] * 101]),
        ("getTokenAccountsByOwner", [USDC.mint, {}]),
        ("getTokenAccountsByOwner", [USDC.mint, {"programId": USDC.mint}]),
        ("getTokenSupply", [str(account_keys()[0].pubkey())]),
        ("getTransaction", ["x"]),
        ("getSignaturesForAddress", [USDC.mint, {"limit": 0}]),
        ("getSignaturesForAddress", [USDC.mint, {"limit": 1001}]),
        ("getMinimumBalanceForRentExemption", [-1]),
        ("requestAirdrop", [USDC.mint, 2**64]),
        ("requestAirdrop", [USDC.mint, True]),
        ("sendTransaction", ["AAAA"]),
        ("sendTransaction", ["=", {"encoding": "base64"}]),
        ("sendTransaction", ["1" * 3000]),
        ("simulateTransaction", ["", {"encoding": "base64"}]),
        ("getProgramAccounts", [USDC.mint, {"filters": [{"memcmp": {"bytes": "0"}}]}]),
    ],
)
async def test_wrong_parameters_are_refused(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox, method: str, params: object
) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = (await unchanging_http.post(sandbox.node_url(CHAIN), json=body)).json()
    assert answer["error"]["code"] == -32602, answer


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"7", b'[{"jsonrpc":"1.0","id":1,"method":"getSlot"}]', b"[" * 90_000]
)
async def test_what_is_no_request_is_refused(unchanging_http: httpx.AsyncClient, sandbox: Sandbox, body: bytes) -> None:
    answer = (await unchanging_http.post(sandbox.node_url(CHAIN), content=body)).json()
    error = answer[0] if isinstance(answer, list) else answer
    assert error["error"]["code"] in (-32700, -32600)


@asynccontextmanager
async def _node(port: int, folder: Path, say: Callable[[str], None] = print) -> AsyncIterator[SolanaNode]:
    node = SolanaNode(port, say, folder)
    await node.start()
    try:
        yield node
    finally:
        await node.stop()


async def test_what_landed_survives_a_sudden_end_and_goes_with_a_reset(tmp_path: Path, alice: Keypair) -> None:
    port = sandbox_settings().solana_port
    bob = Keypair().pubkey()
    async with _node(port, tmp_path) as before, AsyncClient(before.url) as client:
        signature = await _send(client, alice, [_payment(alice, bob, SOL)])
        blockhash = (await client.get_latest_blockhash()).value.blockhash
    spent = MessageV0.try_compile(alice.pubkey(), [_payment(alice, bob, SOL)], [], blockhash)
    journal = tmp_path / "solana.journal"
    journal.write_bytes(journal.read_bytes() + b'{"record":{"signature":"tor')
    async with _node(port, tmp_path) as after, AsyncClient(after.url) as client:
        assert (await client.get_balance(bob)).value == SOL
        assert (await client.get_transaction(signature, max_supported_transaction_version=0)).value is not None
        assert after.balance(str(alice.pubkey()), USDC) == USDC.granted
        await client.send_transaction(VersionedTransaction(spent, [alice]))
        after.reset()
        assert (await client.get_balance(bob)).value == 0
        assert (await client.get_transaction(signature, max_supported_transaction_version=0)).value is None


async def test_a_journal_of_another_world_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "solana.journal").write_bytes(b"solana journal 1 0000\n{}\n")
    told: list[str] = []
    async with _node(sandbox_settings().solana_port, tmp_path, told.append) as node:
        assert node.balance(str(account_keys()[0].pubkey())) == 100 * SOL
    assert told == ["Solana has other tokens or accounts than before; it begins anew"]
