"""Simulated transactions on the sandbox's Ethereum, and on nodes that cannot, or answer nonsense."""

from typing import Any

import httpx
import pytest
from eth_abi.abi import encode
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import PATIENCE
from tests.services import node as nodes
from tests.services.node import Node
from tests.services.real_chains import ethereum
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.transfers.simulation import NOT_SIMULATED, REFUSED, Moved, Simulation
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.chains.eip155.reverts import MAX_REASON, revert_reason
from walletmodal.services.chains.registry import Chains
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport, RpcEndpoints
from walletmodal.services.simulations import Simulations

__all__ = ["ethereum"]

MAINNET = parse_chain_id("eip155:1")
WORLD = worlds()["eip155:1"]
SENDER, RECEIVER = WORLD.accounts[0], "0x1111111111111111111111111111111111111111"
USDC, USDT, DAI, WETH = (WORLD.token(symbol) for symbol in ("USDC", "USDT", "DAI", "WETH"))
ODD = "0x2222222222222222222222222222222222222222"
ETHER = 10**18


@pytest.fixture
def simulations(client: httpx.AsyncClient, ethereum: AnvilNode) -> Simulations:
    return Simulations(Chains(RpcEndpoints(client, overrides={str(MAINNET): ethereum.url}).unjoined))


@pytest.fixture
def doubtful(client: httpx.AsyncClient, node: Node) -> Simulations:
    """Those of a node that does as it is told, asked once."""
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    return Simulations(Chains(lambda _chain: transport))


def prepared(to: str | None, data: bytes = b"", value: int = 0, **fields: str) -> PreparedTransfer:
    request = {"from": SENDER, "to": to, "value": hex(value), "data": f"0x{data.hex()}", **fields}
    return PreparedTransfer(MAINNET, "eth_sendTransaction", [request], fee=0)


def paying(token: Any, amount: int, receiver: str = RECEIVER) -> PreparedTransfer:
    return prepared(token.address, call_data("transfer(address,uint256)", receiver, amount))


def to_usdc(signature: str, *arguments: object) -> PreparedTransfer:
    assert USDC is not None
    return prepared(USDC.address, call_data(signature, *arguments))


def batch(*calls: PreparedTransfer) -> PreparedTransfer:
    """Those as one batch of the sender's."""
    params: Any = [call.params for call in calls]
    return PreparedTransfer(MAINNET, "wallet_sendCalls", [{"calls": [one for (one,) in params]}], fee=0)


async def on_node(node: AnvilNode, method: str, *params: object) -> Any:
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as direct:
        answer = await direct.post(node.url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert "error" not in answer.json(), answer.text
    return answer.json()["result"]


async def test_the_native_coin_leaves_and_arrives(simulations: Simulations) -> None:
    found = await simulations.simulate(prepared(RECEIVER, value=ETHER), SENDER, RECEIVER)
    assert found == Simulation(ran=True, leaves=(Moved(None, ETHER),), arrives=(Moved(None, ETHER),))


async def test_the_calls_of_a_batch_are_run_one_after_the_other(simulations: Simulations) -> None:
    allow = to_usdc("approve(address,uint256)", SENDER, 5)
    take = to_usdc("transferFrom(address,address,uint256)", SENDER, RECEIVER, 5)
    found = await simulations.simulate(batch(allow, take, prepared(RECEIVER, value=ETHER)), SENDER)
    assert (found.leaves, found.arrives, found.failure) == (
        (Moved(None, ETHER), Moved(str(USDC and USDC.address), 5)),
        (),
        "",
    )
    assert found.gas > 3 * 21_000


async def test_the_call_of_a_batch_that_fails_is_named(simulations: Simulations) -> None:
    take = to_usdc("transferFrom(address,address,uint256)", RECEIVER, SENDER, 5)
    found = await simulations.simulate(batch(prepared(RECEIVER, value=1), take), SENDER)
    assert (found.ran, found.failure.partition(":")[0]) == (True, "Call 2 of 2")


async def test_a_batch_that_pays_more_than_there_is_would_fail(simulations: Simulations) -> None:
    found = await simulations.simulate(batch(*(prepared(RECEIVER, value=2**100) for _ in range(2))), SENDER)
    assert found.failure


@pytest.mark.parametrize("params", [[], [{}], [{"calls": []}], [{"calls": [5]}], "calls"])
async def test_what_is_no_batch_is_not_simulated(simulations: Simulations, params: Any) -> None:
    assert (
        await simulations.simulate(PreparedTransfer(MAINNET, "wallet_sendCalls", params, fee=0), SENDER)
        == NOT_SIMULATED
    )


@pytest.mark.parametrize("token", [USDC, USDT, DAI])
async def test_a_token_leaves_and_arrives(simulations: Simulations, token: Any) -> None:
    found = await simulations.simulate(paying(token, 1_500_000), SENDER, RECEIVER)
    moved = (Moved(token.address, 1_500_000),)
    assert found == Simulation(ran=True, leaves=moved, arrives=moved)


async def test_a_swap_tells_what_the_sender_gives_and_gets(simulations: Simulations) -> None:
    assert DAI is not None
    assert WETH is not None
    data = call_data(
        "swapExactETHForTokens(uint256,address[],address,uint256)", 0, [WETH.address, DAI.address], SENDER, 2**40
    )
    found = await simulations.simulate(prepared(WORLD.router, data, ETHER), SENDER)
    assert found.leaves == (Moved(None, ETHER),)
    assert [one.token for one in found.arrives] == [DAI.address]


async def test_a_picture_leaves_by_its_number(simulations: Simulations) -> None:
    birds = next(one for one in WORLD.collections if one.standard == "ERC721")
    data = call_data("transferFrom(address,address,uint256)", SENDER, RECEIVER, birds.ids[0])
    found = await simulations.simulate(prepared(birds.address, data), SENDER, RECEIVER)
    assert found.leaves == found.arrives == (Moved(birds.address, 1, birds.ids[0]),)


async def test_a_payment_to_oneself_moves_nothing(simulations: Simulations) -> None:
    assert await simulations.simulate(prepared(SENDER, value=5), SENDER, SENDER) == Simulation(ran=True)


async def test_nothing_of_it_is_left_on_the_chain(simulations: Simulations, ethereum: AnvilNode) -> None:
    before = await on_node(ethereum, "eth_getBalance", RECEIVER, "latest")
    await simulations.simulate(prepared(RECEIVER, value=ETHER), SENDER, RECEIVER)
    assert await on_node(ethereum, "eth_getBalance", RECEIVER, "latest") == before


async def test_a_contract_that_refuses_is_told_with_its_reason(simulations: Simulations) -> None:
    found = await simulations.simulate(paying(USDC, 10**40), SENDER, RECEIVER)
    assert (found.ran, found.leaves) == (True, ())
    assert found.failure == "The receiver, or the token's contract, refuses it: ERC20: transfer amount exceeds balance."


async def test_who_has_too_little_is_told_so(simulations: Simulations) -> None:
    found = await simulations.simulate(prepared(RECEIVER, value=10**30), SENDER, RECEIVER)
    assert found.ran
    assert "exceeds the balance" in found.failure


async def test_too_little_gas_is_a_failure(simulations: Simulations) -> None:
    found = await simulations.simulate(prepared(WORLD.router, b"\1\2\3\4", gas=hex(21_200)), SENDER, RECEIVER)
    assert found.failure or not found.ran


# The code of contracts that lie: each is called for `transfer` and for `balanceOf` alike.
SAYS_NO = "0x60206000f3"  # returns a word of zero
TELLS_MUCH = (
    # Emits Transfer(caller → receiver of the call, 7) and answers 1, whatever it is asked.
    "0x6007600052600435337f"
    "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
    "60206000a3600160005260206000f3"
)


async def test_a_token_that_only_answers_no_has_refused(simulations: Simulations, ethereum: AnvilNode) -> None:
    await on_node(ethereum, "anvil_setCode", ODD, SAYS_NO)
    found = await simulations.simulate(
        prepared(ODD, call_data("transfer(address,uint256)", RECEIVER, 5)), SENDER, RECEIVER
    )
    assert found == Simulation(ran=True, failure=REFUSED)


async def test_balances_are_believed_where_logs_say_something_else(
    simulations: Simulations, ethereum: AnvilNode
) -> None:
    await on_node(ethereum, "anvil_setCode", ODD, TELLS_MUCH)
    found = await simulations.simulate(
        prepared(ODD, call_data("transfer(address,uint256)", RECEIVER, 7)), SENDER, RECEIVER
    )
    assert found == Simulation(ran=True)


def said(**fields: object) -> dict[str, object]:
    return {"status": "0x1", "returnData": "0x", "logs": [], "gasUsed": "0x5208", **fields}


def block(outcome: object, *around: object) -> nodes.Behaviour:
    return nodes.answer(result=[{"calls": [*around, outcome, *around]}])


NO_METHOD = {"code": -32601, "message": "the method eth_simulateV1 does not exist/is not available"}


def unable(call_answer: dict[str, object]) -> nodes.Behaviour:
    """A node that knows nothing of simulations, and answers calls like this."""
    return nodes.each(lambda call: call_answer if call["method"] == "eth_call" else {"error": NO_METHOD})


async def test_a_node_that_cannot_simulate_says_nothing_of_what_moves(doubtful: Simulations, node: Node) -> None:
    node.behaviour = unable({"result": "0x"})
    assert await doubtful.simulate(prepared(RECEIVER, value=1), SENDER, RECEIVER) == NOT_SIMULATED


async def test_a_node_that_cannot_simulate_can_still_tell_of_a_failure(doubtful: Simulations, node: Node) -> None:
    data = "0x08c379a0" + encode(["string"], ["not today"]).hex()
    node.behaviour = unable({"error": {"code": 3, "message": "execution reverted", "data": data}})
    found = await doubtful.simulate(prepared(RECEIVER, b"\1\2\3\4"), SENDER, RECEIVER)
    assert found == Simulation(ran=False, failure="The receiver, or the token's contract, refuses it: not today.")


@pytest.mark.parametrize(
    "error",
    [
        {"code": -38014, "message": "insufficient funds for gas * price + value: address 0x1"},
        {"code": -32003, "message": "Insufficient funds for gas * price + value"},
        {"code": -32000, "message": "err: insufficient funds for gas * price + value"},
    ],
)
async def test_each_nodes_words_for_too_little_are_understood(doubtful: Simulations, node: Node, error: object) -> None:
    node.behaviour = nodes.answer(error=error)
    found = await doubtful.simulate(prepared(RECEIVER, value=1), SENDER, RECEIVER)
    assert found.ran
    assert "exceeds the balance" in found.failure


@pytest.mark.parametrize(
    "behaviour",
    [
        nodes.answer(result=None),
        nodes.answer(result=[]),
        nodes.answer(result=[{"calls": []}]),
        nodes.answer(result=[{"calls": [said(), said()]}]),
        nodes.answer(result=[{"calls": {}}]),
        block(None),
        block(said(status="0x2")),
        block(said(status=None)),
        block(said(logs=None)),
        block(said(logs=[{}] * 3_000)),
        block(said(returnData="0x1")),
        block(said(returnData=5)),
        nodes.answer(error={"code": -32603, "message": "internal error"}),
        nodes.send(nodes.http(b"", status="401 Unauthorized")),
        nodes.send(nodes.http(b"<html>")),
    ],
)
async def test_nonsense_is_not_simulated(doubtful: Simulations, node: Node, behaviour: nodes.Behaviour) -> None:
    node.behaviour = behaviour
    assert await doubtful.simulate(prepared(RECEIVER, value=1), SENDER, RECEIVER) == NOT_SIMULATED


@pytest.mark.parametrize(
    "log",
    [
        None,
        5,
        {},
        {"address": 5, "topics": [], "data": "0x"},
        {"address": USDC and USDC.address, "topics": "zz", "data": "0x"},
        {"address": "0x12", "topics": ["0xddf252ad"], "data": "0x"},
        {"address": USDC and USDC.address, "topics": [], "data": "zz"},
    ],
)
async def test_logs_that_cannot_be_read_are_left_out(doubtful: Simulations, node: Node, log: object) -> None:
    node.behaviour = block(said(logs=[log]))
    assert await doubtful.simulate(prepared(RECEIVER), SENDER, RECEIVER) == Simulation(ran=True)


async def test_a_node_that_does_not_trace_payments_still_runs_the_transactions_own(
    doubtful: Simulations, node: Node
) -> None:
    node.behaviour = block(said())
    found = await doubtful.simulate(prepared(RECEIVER, value=7), SENDER, RECEIVER)
    assert found == Simulation(ran=True, leaves=(Moved(None, 7),), arrives=(Moved(None, 7),))


async def test_a_node_that_keeps_silent_is_not_waited_for(client: httpx.AsyncClient, node: Node) -> None:
    node.behaviour = nodes.silence
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    impatient = Simulations(Chains(lambda _chain: transport), seconds=0.05)
    assert await impatient.simulate(prepared(RECEIVER, value=1), SENDER, RECEIVER) == NOT_SIMULATED


@pytest.mark.parametrize(
    "transaction",
    [
        PreparedTransfer(MAINNET, "wallet_sendCalls", [{}], fee=0),
        PreparedTransfer(MAINNET, "eth_sendTransaction", [], fee=0),
        PreparedTransfer(MAINNET, "eth_sendTransaction", ["0x"], fee=0),
        PreparedTransfer(parse_chain_id("bip122:000000000019d6689c085ae165831e93"), "sendTransfer", {}, fee=0),
    ],
)
async def test_what_is_no_transaction_is_not_simulated(doubtful: Simulations, transaction: PreparedTransfer) -> None:
    assert await doubtful.simulate(transaction, SENDER, RECEIVER) == NOT_SIMULATED


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", ""),
        (bytes.fromhex("08c379a0") + encode(["string"], ["a\u202e\nb"]), "a b"),
        (bytes.fromhex("08c379a0") + b"\xff" * 40, ""),
        (bytes.fromhex("4e487b71") + encode(["uint256"], [0x11]), "an amount is out of range"),
        (bytes.fromhex("4e487b71") + encode(["uint256"], [0x99]), ""),
        (bytes.fromhex("e450d38c") + bytes(96), "the account has too few tokens"),
        (bytes.fromhex("ec442f05") + bytes(32), "the token does not accept the receiver"),
        (bytes.fromhex("deadbeef"), ""),
    ],
)
def test_reasons_are_read_from_what_contracts_answer(answer: bytes, reason: str) -> None:
    assert revert_reason(answer) == reason


@given(st.binary(max_size=300))
def test_whatever_a_contract_answers_is_a_short_reason(answer: bytes) -> None:
    for selector in (b"", bytes.fromhex("08c379a0"), bytes.fromhex("4e487b71")):
        reason = revert_reason(selector + answer)
        assert len(reason) <= MAX_REASON
        assert reason.isprintable()
