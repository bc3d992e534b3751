"""ERC-20 tokens and transfers on the sandbox's Ethereum, and on nodes that answer nonsense."""

import asyncio
from dataclasses import replace
from decimal import Decimal

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import PATIENCE, patience
from tests.services import node as nodes
from tests.services.node import Node
from tests.services.real_chains import ethereum
from walletmodal.core.accounts.tokens import parse_token_balance
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import AddressError, AmountError, NetworkError, TransportError, WalletModalError
from walletmodal.core.errors.nodes import ExecutionRevertedError, InsufficientFundsError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.transfers.send import Transfer
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services.chains.adapter import PreparedTransfer, Token
from walletmodal.services.chains.eip155 import Eip155Adapter
from walletmodal.services.chains.eip155.tokens import MAX_TEXT
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport, RpcEndpoints

__all__ = ["ethereum"]

MAINNET, POLYGON = parse_chain_id("eip155:1"), parse_chain_id("eip155:137")
WORLD = worlds()["eip155:1"]
SENDER, POOR = WORLD.accounts[0], "0x000000000000000000000000000000000000dEaD"
RECEIVER = "0x1111111111111111111111111111111111111111"
TOKENS = tuple(Token(one.address, one.name, one.symbol, one.decimals) for one in WORLD.tokens)
USDC, USDT, DAI = (next(one for one in TOKENS if one.symbol == symbol) for symbol in ("USDC", "USDT", "DAI"))


@pytest.fixture
def adapter(client: httpx.AsyncClient, ethereum: AnvilNode) -> Eip155Adapter:
    return Eip155Adapter(RpcEndpoints(client, overrides={str(MAINNET): ethereum.url}).transport)


@pytest.fixture
def doubtful(client: httpx.AsyncClient, node: Node) -> Eip155Adapter:
    """The adapter of a node that does as it is told, asked once."""
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    return Eip155Adapter(lambda _chain: transport)


async def on_node(node: AnvilNode, method: str, *params: object) -> object:
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as direct:
        answer = await direct.post(node.url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert "error" not in answer.json(), answer.text
    return answer.json()["result"]


async def send(node: AnvilNode, prepared: PreparedTransfer) -> None:
    """What a wallet would do with it; returns once it is in a block."""
    sent = await on_node(node, prepared.method, *prepared.params)
    async with patience():
        while await on_node(node, "eth_getTransactionReceipt", sent) is None:
            await asyncio.sleep(0.01)


def transfer(
    amount: int,
    token: Token | None = None,
    receiver: str = RECEIVER,
    *,
    token_address: str | None = None,
    token_chain: str = str(MAINNET),
) -> Transfer:
    decimals = token.decimals if token else 18
    balance = parse_token_balance(
        {
            "name": "x",
            "symbol": "X",
            "chainId": token_chain,
            "address": token_address or (f"{MAINNET}:{token.address}" if token else None),
            "quantity": {"decimals": str(decimals), "numeric": "1"},
        }
    )
    return Transfer(MAINNET, balance, amount, receiver)


def request_of(prepared: PreparedTransfer) -> dict[str, str]:
    (request,) = prepared.params
    assert isinstance(request, dict)
    return request


async def test_balances_of_all_tokens_are_read(adapter: Eip155Adapter) -> None:
    held = await adapter.token_balances(MAINNET, WORLD.accounts[9], TOKENS)
    granted = {"USDC": "12500", "USDT": "800", "DAI": "2500.75", "WBTC": "0.35", "UNI": "120", "LINK": "64.5"}
    named = {one.symbol: to_decimal(held[one.address], one.decimals) for one in TOKENS}
    assert {symbol: named[symbol] for symbol in granted} == {key: Decimal(text) for key, text in granted.items()}


async def test_balances_of_a_hundred_tokens_are_one_request(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = nodes.answer(result="0x" + f"{7:064x}")
    tokens = [Token(f"0x{place:040x}", "", "", 18) for place in range(100)]
    held = await doubtful.token_balances(MAINNET, SENDER, tokens)
    assert (set(held.values()), len(held), node.sizes) == ({7}, 100, [100])


async def test_what_is_no_contract_has_no_balance(adapter: Eip155Adapter) -> None:
    assert await adapter.token_balances(MAINNET, SENDER, [Token(RECEIVER, "", "", 18)]) == {}


@pytest.mark.parametrize("result", [None, 5, "", "0x", "0x01", "zz", ["0x1"], "0x" + "00" * 100_000])
async def test_a_nonsensical_balance_is_left_out(doubtful: Eip155Adapter, node: Node, result: object) -> None:
    node.behaviour = nodes.answer(result=result)
    assert await doubtful.token_balances(MAINNET, SENDER, [USDC]) == {}


async def test_a_node_that_cannot_be_asked_is_no_empty_account(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = nodes.send(nodes.http(b"", status="401 Unauthorized"))
    with pytest.raises(TransportError):
        await doubtful.token_balances(MAINNET, SENDER, [USDC])


async def test_a_refusal_of_the_node_is_no_empty_account(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = nodes.answer(error={"code": -32000, "message": "header not found"})
    with pytest.raises(TransportError):
        await doubtful.token_balances(MAINNET, SENDER, [USDC])


async def test_a_contract_says_what_token_it_is(adapter: Eip155Adapter) -> None:
    assert [await adapter.read_token(MAINNET, one.address.lower()) for one in (USDC, USDT, DAI)] == [USDC, USDT, DAI]


async def test_what_is_no_token_is_said_to_be_none(adapter: Eip155Adapter) -> None:
    for address in (RECEIVER, WORLD.router):
        with pytest.raises(NetworkError):
            await adapter.read_token(MAINNET, address)


def telling(decimals: str, text: str) -> nodes.Behaviour:
    """A node whose contract tells these."""
    return nodes.each(lambda call: {"result": decimals if call["params"][0]["data"] == "0x313ce567" else text})


async def test_the_oldest_tokens_tell_their_names_in_32_bytes(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = telling("0x" + f"{18:064x}", "0x" + b"MKR".hex().ljust(64, "0"))
    assert await doubtful.read_token(MAINNET, RECEIVER) == Token(RECEIVER, "MKR", "MKR", 18)


@pytest.mark.parametrize("decimals", [37, 2**255])
async def test_decimals_beyond_reason_are_no_token(doubtful: Eip155Adapter, node: Node, decimals: int) -> None:
    node.behaviour = telling("0x" + f"{decimals:064x}", "0x")
    with pytest.raises(NetworkError):
        await doubtful.read_token(MAINNET, RECEIVER)


@given(raw=st.binary(max_size=300))
async def test_whatever_a_contract_calls_itself_is_a_short_clean_text(raw: bytes) -> None:
    class Contract:
        async def request(self, _method: str, params: list[dict[str, str]]) -> object:
            return "0x" + (f"{6:064x}" if params[0]["data"] == "0x313ce567" else raw.hex())

    token = await Eip155Adapter(lambda _chain: Contract()).read_token(MAINNET, RECEIVER)  # type: ignore[arg-type, return-value]  # a double with the one method that is called
    assert len(token.name) <= MAX_TEXT
    assert token.name.isprintable()


async def test_a_native_transfer_arrives(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    before = await adapter.native_balance(MAINNET, RECEIVER)
    prepared = await adapter.build_transfer(SENDER, transfer(10**15))
    assert prepared.method == "eth_sendTransaction"
    await send(ethereum, prepared)
    assert await adapter.native_balance(MAINNET, RECEIVER) - before == 10**15


@pytest.mark.parametrize("token", [USDC, USDT, DAI])
async def test_a_token_transfer_arrives(adapter: Eip155Adapter, ethereum: AnvilNode, token: Token) -> None:
    before = (await adapter.token_balances(MAINNET, RECEIVER, [token]))[token.address]
    prepared = await adapter.build_transfer(SENDER, transfer(1_500_000, token))
    await send(ethereum, prepared)
    assert (await adapter.token_balances(MAINNET, RECEIVER, [token]))[token.address] - before == 1_500_000


async def test_the_sender_never_pays_more_than_was_said(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    before = await adapter.native_balance(MAINNET, SENDER)
    prepared = await adapter.build_transfer(SENDER, transfer(5, DAI))
    await send(ethereum, prepared)
    assert 0 < before - await adapter.native_balance(MAINNET, SENDER) <= prepared.fee


async def test_a_request_says_all_that_a_wallet_needs(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    request = request_of(await adapter.build_transfer(SENDER.lower(), transfer(5)))
    nonce = await on_node(ethereum, "eth_getTransactionCount", SENDER, "pending")
    assert {key: request[key] for key in ("from", "to", "value", "data", "chainId", "gas", "nonce")} == {
        "from": SENDER,
        "to": RECEIVER,
        "value": "0x5",
        "data": "0x",
        "chainId": "0x1",
        "gas": "0x5208",
        "nonce": nonce,
    }
    assert int(request["maxFeePerGas"], 16) >= int(request["maxPriorityFeePerGas"], 16) >= 0


async def test_what_stands_for_the_native_coin_is_sent_as_it(adapter: Eip155Adapter) -> None:
    native = f"{MAINNET}:0x{'e' * 40}"
    assert request_of(await adapter.build_transfer(SENDER, transfer(5, token_address=native)))["to"] == RECEIVER


async def test_who_has_too_little_is_told_so(adapter: Eip155Adapter) -> None:
    with pytest.raises(InsufficientFundsError):
        await adapter.build_transfer(POOR, transfer(10**30))


async def test_all_that_an_account_has_can_be_sent(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    account = "0x" + "5a" * 20
    await on_node(ethereum, "anvil_setBalance", account, hex(10**18))
    fees = request_of(await adapter.build_transfer(account, transfer(1)))
    spare = int(fees["maxFeePerGas"], 16) * 21_000 - 1
    tight = request_of(await adapter.build_transfer(account, transfer(10**18 - spare)))
    assert int(tight["maxFeePerGas"], 16) * 21_000 <= spare < int(fees["maxFeePerGas"], 16) * 21_000


async def test_a_token_that_refuses_is_told_so(adapter: Eip155Adapter) -> None:
    with pytest.raises(ExecutionRevertedError):
        await adapter.build_transfer(SENDER, transfer(10**40, USDC))


@pytest.mark.parametrize(
    ("sender", "given"),
    [
        ("nonsense", transfer(1)),
        (SENDER, transfer(1, receiver="0x12")),
        (SENDER, transfer(1, receiver=SENDER.replace("f39F", "F39F"))),
        (SENDER, transfer(1, token_address=f"{POLYGON}:{USDC.address}")),
        (SENDER, transfer(1, token_address=f"{MAINNET}:nonsense")),
        (SENDER, transfer(1, token_address="cosmos:1:x")),
        (SENDER, transfer(1, token_chain=str(POLYGON))),
    ],
)
async def test_no_transfer_is_built_from_what_is_no_address(
    doubtful: Eip155Adapter, node: Node, sender: str, given: Transfer
) -> None:
    with pytest.raises(AddressError):
        await doubtful.build_transfer(sender, given)
    assert node.requests == []


@pytest.mark.parametrize(
    "token", [replace(USDC, decimals=18), replace(DAI, decimals=6), replace(USDC, address="0x" + "e" * 40)]
)
async def test_an_amount_that_was_read_with_other_decimals_is_not_sent(adapter: Eip155Adapter, token: Token) -> None:
    with pytest.raises(SendError) as raised:
        await adapter.build_transfer(SENDER, transfer(10, token))
    assert "decimals" in raised.value.details


async def test_a_token_that_is_none_is_not_sent(adapter: Eip155Adapter) -> None:
    with pytest.raises(NetworkError):
        await adapter.build_transfer(SENDER, transfer(10, replace(USDC, address=RECEIVER)))


async def test_no_transfer_carries_more_than_a_word(doubtful: Eip155Adapter) -> None:
    with pytest.raises(AmountError):
        await doubtful.build_transfer(SENDER, transfer(2**256, USDC))


def chain_of(**answers: object) -> nodes.Behaviour:
    """A node with these answers by method; a `dict` is an error."""
    usual: dict[str, object] = {
        "eth_estimateGas": "0x5208",
        "eth_getTransactionCount": "0x3",
        "eth_getBalance": hex(10**18),
        "eth_gasPrice": "0x77359400",
        "eth_feeHistory": {"oldestBlock": "0x1", "baseFeePerGas": ["0x3b9aca00", "0x3b9aca00"], "gasUsedRatio": [0.5]},
    }
    usual |= answers

    def say(call: dict[str, object]) -> dict[str, object]:
        answer = usual[str(call["method"])]
        return {"error": answer} if isinstance(answer, dict) and "code" in answer else {"result": answer}

    return nodes.each(say)


async def test_everything_is_asked_in_one_request(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = chain_of()
    await doubtful.build_transfer(SENDER, transfer(5))
    assert len(node.bodies) == 1


async def test_a_token_is_asked_for_its_decimals_in_the_same_request(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = chain_of(eth_call="0x" + f"{USDC.decimals:064x}")
    await doubtful.build_transfer(SENDER, transfer(5, USDC))
    assert len(node.bodies) == 1


async def test_a_chain_without_base_fees_gets_a_gas_price(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = chain_of(eth_feeHistory={"code": -32601, "message": "the method does not exist"})
    prepared = await doubtful.build_transfer(SENDER, transfer(5))
    assert request_of(prepared)["gasPrice"] == "0x77359400"
    assert "maxFeePerGas" not in request_of(prepared)
    assert prepared.fee == 21_000 * 2_000_000_000


async def test_where_nobody_paid_a_tip_the_nodes_own_is_offered(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = chain_of()
    request = request_of(await doubtful.build_transfer(SENDER, transfer(5)))
    assert (request["maxPriorityFeePerGas"], request["maxFeePerGas"]) == (hex(10**9), hex(3 * 10**9))


async def test_the_tip_is_what_others_pay(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = chain_of(
        eth_feeHistory={
            "oldestBlock": "0x1",
            "baseFeePerGas": ["0x3", "0x3", "0x3", "0xa"],
            "gasUsedRatio": [0.5, 0.5, 0.5],
            "reward": [["0x5"], ["0x0"], ["0x9"]],
        }
    )
    request = request_of(await doubtful.build_transfer(SENDER, transfer(5)))
    assert (request["maxPriorityFeePerGas"], request["maxFeePerGas"]) == ("0x5", hex(25))


@pytest.mark.parametrize("method", ["eth_estimateGas", "eth_getTransactionCount", "eth_gasPrice", "eth_getBalance"])
@pytest.mark.parametrize("result", [None, "zz", [], {"a": 1}, -5, 1.5, "", "0x" + "f" * 80, True])
async def test_a_nonsensical_answer_is_an_error_that_says_so(
    doubtful: Eip155Adapter, node: Node, method: str, result: object
) -> None:
    node.behaviour = chain_of(**{method: result, "eth_feeHistory": {"code": -32601, "message": "no"}})
    with pytest.raises(TransportError):
        await doubtful.build_transfer(SENDER, transfer(5))


@pytest.mark.parametrize(
    "history", [None, 5, [], {}, {"baseFeePerGas": []}, {"baseFeePerGas": ["zz"]}, {"baseFeePerGas": ["0x1"] * 2000}]
)
async def test_without_a_sound_history_the_gas_price_is_taken(
    doubtful: Eip155Adapter, node: Node, history: object
) -> None:
    node.behaviour = chain_of(eth_feeHistory=history)
    assert "gasPrice" in request_of(await doubtful.build_transfer(SENDER, transfer(5)))


@given(
    answers=st.fixed_dictionaries(
        dict.fromkeys(
            ("eth_estimateGas", "eth_getTransactionCount", "eth_gasPrice", "eth_feeHistory", "eth_getBalance"),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.from_regex(r"0x[0-9a-f]{1,6}"),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(st.sampled_from(["baseFeePerGas", "reward", "oldestBlock"]), inner, max_size=3)
                ),
                max_leaves=6,
            ),
        )
    )
)
async def test_whatever_a_node_answers_a_typed_error_or_a_sound_request_comes_of_it(
    answers: dict[str, object],
) -> None:
    class Whoever:
        async def request(self, method: str, _params: object = ()) -> object:
            return answers[method]

    try:
        prepared = await Eip155Adapter(lambda _chain: Whoever()).build_transfer(SENDER, transfer(5))
    except WalletModalError:
        return
    assert all(isinstance(text, str) and text.startswith("0x") for text in request_of(prepared).values())
