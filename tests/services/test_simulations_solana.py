"""Simulated transactions and fees on the sandbox's Solana, and on nodes that answer nonsense."""

import base64
from typing import Any

import httpx
import pytest
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from tests.patience import PATIENCE
from tests.services import node as nodes
from tests.services.node import Node
from tests.services.real_chains import solana
from walletmodal.core.accounts.tokens import parse_token_balance
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.decoding.solana_message import LAMPORTS_PER_SIGNATURE
from walletmodal.core.transfers.fees import SPEEDS, Speed, spendable
from walletmodal.core.transfers.send import Transfer
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Moved, Simulation
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN, TOKENS, account_keys
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.chains.registry import Chains
from walletmodal.services.chains.solana import SolanaAdapter
from walletmodal.services.chains.solana.transaction_simulation import failure_words
from walletmodal.services.chains.solana.transfers import MAX_UNIT_PRICE
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport, RpcEndpoints
from walletmodal.services.simulations import Simulations

__all__ = ["solana"]

SOLANA = parse_chain_id(CHAIN)
PAYER, SECOND, THIRD = account_keys()
SENDER, RECEIVER = str(PAYER.pubkey()), str(SECOND.pubkey())
USDC = TOKENS[0]


@pytest.fixture
def chains(client: httpx.AsyncClient, solana: SolanaNode) -> Chains:
    return Chains(RpcEndpoints(client, overrides={CHAIN: solana.url}).unjoined)


@pytest.fixture
def adapter(chains: Chains) -> SolanaAdapter:
    adapter = chains.adapter("solana")
    assert isinstance(adapter, SolanaAdapter)
    return adapter


@pytest.fixture
def doubtful(client: httpx.AsyncClient, node: Node) -> Chains:
    """Those of a node that does as it is told, asked once."""
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    return Chains(lambda _chain: transport)


def wanted(amount: int, receiver: str, mint: str | None = None) -> Transfer:
    decimals = USDC.decimals if mint else 9
    token = parse_token_balance(
        {
            "name": "x",
            "symbol": "X",
            "chainId": CHAIN,
            "address": f"{CHAIN}:{mint}" if mint else None,
            "quantity": {"decimals": str(decimals), "numeric": "1"},
        }
    )
    return Transfer(SOLANA, token, amount, receiver)


def unsigned(*instructions: Any) -> PreparedTransfer:
    message = Message.new_with_blockhash(list(instructions), PAYER.pubkey(), Hash.default())
    raw = bytes(VersionedTransaction.populate(message, [Signature.default()]))
    params = {"transaction": base64.b64encode(raw).decode()}
    return PreparedTransfer(SOLANA, "solana_signAndSendTransaction", params, fee=0)


def pays(lamports: int) -> Any:
    return transfer(TransferParams(from_pubkey=PAYER.pubkey(), to_pubkey=SECOND.pubkey(), lamports=lamports))


async def send(url: str, prepared: PreparedTransfer, key: Keypair) -> None:
    """What a wallet would do with it."""
    assert isinstance(prepared.params, dict)
    message = VersionedTransaction.from_bytes(base64.b64decode(prepared.params["transaction"])).message
    signed = base64.b64encode(bytes(VersionedTransaction(message, [key]))).decode()
    body = {"jsonrpc": "2.0", "id": 1, "method": "sendTransaction", "params": [signed, {"encoding": "base64"}]}
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as direct:
        answer = await direct.post(url, json=body)
    assert "error" not in answer.json(), answer.text


async def test_sol_leaves_and_arrives_without_the_fee(chains: Chains, adapter: SolanaAdapter) -> None:
    prepared = await adapter.build_transfer(SENDER, wanted(10**9, RECEIVER), "fast")
    found = await Simulations(chains).simulate(prepared, SENDER, RECEIVER)
    assert found == Simulation(ran=True, leaves=(Moved(None, 10**9),), arrives=(Moved(None, 10**9),))


async def test_a_token_leaves_and_arrives_in_an_account_that_is_opened_for_it(
    chains: Chains, adapter: SolanaAdapter
) -> None:
    stranger = str(Keypair().pubkey())
    prepared = await adapter.build_transfer(SENDER, wanted(5, stranger, USDC.mint))
    moved = (Moved(USDC.mint, 5),)
    assert await Simulations(chains).simulate(prepared, SENDER, stranger) == Simulation(
        ran=True, leaves=moved, arrives=moved
    )
    assert prepared.fee > LAMPORTS_PER_SIGNATURE + 2_000_000


async def test_what_is_paid_besides_is_told(chains: Chains) -> None:
    drained = transfer(TransferParams(from_pubkey=PAYER.pubkey(), to_pubkey=THIRD.pubkey(), lamports=7))
    found = await Simulations(chains).simulate(unsigned(pays(10**6), drained), SENDER, RECEIVER)
    assert (found.leaves, found.arrives) == ((Moved(None, 10**6 + 7),), (Moved(None, 10**6),))


async def test_who_has_too_little_is_told_so(chains: Chains) -> None:
    found = await Simulations(chains).simulate(unsigned(pays(10**15)), SENDER, RECEIVER)
    assert found == Simulation(ran=True, failure="The account has too little for this.")


@pytest.mark.parametrize("speed", SPEEDS)
async def test_all_that_an_account_has_can_be_sent(adapter: SolanaAdapter, solana: SolanaNode, speed: Speed) -> None:
    purse = Keypair()
    filling = await adapter.build_transfer(SENDER, wanted(10**8, str(purse.pubkey())))
    await send(solana.url, filling, PAYER)
    # The amount is reckoned with one fee, and the speed chosen afterwards.
    fee = (await adapter.transfer_fee(SOLANA, str(purse.pubkey()))).of("normal")
    everything = spendable(10**8, fee.most)
    prepared = await adapter.build_transfer(str(purse.pubkey()), wanted(everything, RECEIVER), speed)
    assert prepared.fee == 10**8 - everything
    await send(solana.url, prepared, purse)
    assert await adapter.native_balance(SOLANA, str(purse.pubkey())) == 0


async def test_mints_token_accounts_and_programs_are_no_accounts_of_anybody(adapter: SolanaAdapter) -> None:
    assert await adapter.is_token(SOLANA, USDC.mint)
    assert await adapter.is_token(SOLANA, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
    assert not await adapter.is_token(SOLANA, RECEIVER)
    assert not await adapter.is_token(SOLANA, str(Keypair().pubkey()))


def bidding(*fees: int) -> nodes.Behaviour:
    return nodes.answer(result=[{"slot": place, "prioritizationFee": fee} for place, fee in enumerate(fees)])


@pytest.mark.parametrize(
    ("fees", "prices"),
    [
        ((), (0, 0, 10_000)),
        ((0, 0, 0, 0), (0, 0, 10_000)),
        ((10_000, 20_000, 30_000, 40_000), (20_000, 20_000, 40_000)),
        ((4 * 10**9,) * 4, (MAX_UNIT_PRICE,) * 3),
    ],
)
async def test_speeds_follow_what_others_bid(
    doubtful: Chains, node: Node, fees: tuple[int, ...], prices: tuple[int, ...]
) -> None:
    node.behaviour = bidding(*fees)
    quote = await doubtful.adapter("solana").transfer_fee(SOLANA, SENDER)
    assert [one.most for one in quote.options] == [5_000 + -(-1_540 * price // 10**6) for price in prices]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("BlockhashNotFound", "The transaction is too old."),
        (
            {"InsufficientFundsForRent": {"account_index": 0}},
            "An account would be left with less than the network asks for.",
        ),
        ({"InstructionError": [2, {"Custom": 1}]}, "The account has too little for this."),
        (
            {"InstructionError": [0, {"Custom": 6_001}]},
            "The network would refuse it: {'InstructionError': [0, {'Custom': 6001}]}",
        ),
        ({}, "The network would refuse it: {}"),
        ({"InstructionError": 5}, "The network would refuse it: {'InstructionError': 5}"),
    ],
)
def test_errors_are_put_into_words(error: object, words: str) -> None:
    assert failure_words(error) == words


def telling(accounts: object, outcome: object) -> nodes.Behaviour:
    def say(call: dict[str, Any]) -> dict[str, Any]:
        value = accounts if call["method"] == "getMultipleAccounts" else outcome
        return {"result": {"context": {"slot": 1}, "value": value}}

    return nodes.each(say)


HERE = {"lamports": 5, "owner": "11111111111111111111111111111111", "data": ["", "base64"], "executable": False}


@pytest.mark.parametrize(
    ("before", "outcome"),
    [
        (None, {"err": None, "accounts": [HERE, HERE]}),
        ([HERE], {"err": None, "accounts": [HERE, HERE]}),
        ([HERE, HERE], None),
        ([HERE, HERE], {}),
        ([HERE, HERE], {"err": None, "accounts": None}),
        ([HERE, HERE], {"err": None, "accounts": [HERE]}),
        ([HERE, 5], {"err": None, "accounts": [HERE, HERE]}),
        ([HERE, {**HERE, "lamports": -1}], {"err": None, "accounts": [HERE, HERE]}),
        ([HERE, {**HERE, "lamports": "5"}], {"err": None, "accounts": [HERE, HERE]}),
        ([HERE, {**HERE, "data": "x"}], {"err": None, "accounts": [HERE, HERE]}),
        ([HERE, {**HERE, "data": ["§", "base64"]}], {"err": None, "accounts": [HERE, HERE]}),
    ],
)
async def test_nonsense_is_not_simulated(doubtful: Chains, node: Node, before: object, outcome: object) -> None:
    node.behaviour = telling(before, outcome)
    assert await Simulations(doubtful).simulate(unsigned(pays(1)), SENDER, RECEIVER) == NOT_SIMULATED


@pytest.mark.parametrize("params", [{}, {"transaction": 5}, {"transaction": "§"}, {"transaction": "AAAA"}, []])
async def test_what_is_no_transaction_is_not_simulated(doubtful: Chains, params: Any) -> None:
    prepared = PreparedTransfer(SOLANA, "solana_signAndSendTransaction", params, fee=0)
    assert await Simulations(doubtful).simulate(prepared, SENDER, RECEIVER) == NOT_SIMULATED


async def test_a_transaction_that_writes_to_more_than_can_be_read_is_not_simulated(doubtful: Chains) -> None:
    crowd = (Pubkey.new_unique() for _ in range(80))
    paid = (transfer(TransferParams(from_pubkey=PAYER.pubkey(), to_pubkey=one, lamports=1)) for one in crowd)
    assert await Simulations(doubtful).simulate(unsigned(*paid), SENDER, RECEIVER) == NOT_SIMULATED
