"""The client of bundlers: prices of each provider, lies, and bundlers that are away."""

import pytest

from tests.services.rpc_double import TransportDouble, rpc_error, status
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import HttpRequestError, MalformedResponseError, RpcRequestError, TransportError
from walletmodal.core.errors.operations import OperationHashError, OperationNonceError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.core.smart_accounts.answers import GasPrice
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.services.rpc import rpc_http_client
from walletmodal.services.smart_accounts.bundler import NODE, PRICE_METHODS, TIP_METHOD, Bundler
from walletmodal.services.smart_accounts.endpoints import ServiceEndpoints

CHAIN = parse_chain_id("eip155:1")
OPERATION = UserOperation(sender="0x888888888888Ec68A58AB8094Cc1AD20Ba3D2402", nonce=0, call_data=b"")
HASH = OPERATION.hash(ENTRY_POINT_0_7, 1)
PRICE = {"maxFeePerGas": hex(30 * 10**9), "maxPriorityFeePerGas": hex(10**9)}
UNKNOWN = rpc_error(-32601, "the method does not exist")


class Provider:
    """A bundler that has one method for its price."""

    def __init__(self, method: str, refusal: Exception = UNKNOWN) -> None:
        self.method, self.refusal = method, refusal
        self.answer: object = hex(10**9) if method == TIP_METHOD else {"fast": PRICE}
        self.asked = list[str]()

    async def request(self, method: str, _params: object = ()) -> object:
        self.asked.append(method)
        if method != self.method:
            raise self.refusal
        return self.answer


class Chain:
    """A node whose base fee is 10 gwei, and whose tip is 1."""

    async def request(self, method: str, _params: object = ()) -> object:
        return {"baseFeePerGas": hex(10 * 10**9)} if method == "eth_getBlockByNumber" else hex(10**9)


def bundler(way: Provider | TransportDouble) -> Bundler:
    return Bundler(lambda _chain: way, lambda _chain: Chain())


@pytest.mark.parametrize("method", PRICE_METHODS)
async def test_the_price_is_asked_as_the_provider_has_it(method: str) -> None:
    found = await bundler(Provider(method)).gas_price(CHAIN)
    assert found == (GasPrice(21 * 10**9, 10**9) if method == TIP_METHOD else GasPrice(30 * 10**9, 10**9))


async def test_which_method_a_provider_has_is_found_out_once() -> None:
    provider = Provider("skandha_getGasPrice")
    asked = bundler(provider)
    await asked.gas_price(CHAIN)
    before = len(provider.asked)
    await asked.gas_price(CHAIN)
    assert provider.asked[before:] == ["skandha_getGasPrice"]


@pytest.mark.parametrize("refusal", [UNKNOWN, rpc_error(-32600, "unsupported"), status(400), status(404)])
async def test_of_a_provider_without_any_the_nodes_price_counts(refusal: Exception) -> None:
    assert await bundler(Provider(NODE, refusal)).gas_price(CHAIN) == GasPrice(21 * 10**9, 10**9)


async def test_a_provider_that_only_stumbled_is_asked_again() -> None:
    provider = Provider(NODE, rpc_error(-32005, "slow down"))
    asked = bundler(provider)
    await asked.gas_price(CHAIN)
    provider.method = "pimlico_getUserOperationGasPrice"
    provider.answer = PRICE
    assert await asked.gas_price(CHAIN) == GasPrice(30 * 10**9, 10**9)


async def test_a_price_far_above_the_nodes_is_refused() -> None:
    provider = Provider("pimlico_getUserOperationGasPrice")
    provider.answer = {"fast": PRICE | {"maxFeePerGas": hex(10**13)}}
    with pytest.raises(MalformedResponseError):
        await bundler(provider).gas_price(CHAIN)


async def test_a_bundler_that_is_away_has_no_price() -> None:
    with pytest.raises(HttpRequestError):
        await bundler(Provider(NODE, status(503))).gas_price(CHAIN)


async def test_an_operation_is_sent_once() -> None:
    way = TransportDouble("0x" + HASH.hex())
    await bundler(way).send(CHAIN, OPERATION, ENTRY_POINT_0_7, HASH)
    assert way.asked == [("eth_sendUserOperation", [OPERATION.to_json(), ENTRY_POINT_0_7])]


async def test_a_bundler_that_lies_about_the_hash_is_not_believed() -> None:
    with pytest.raises(OperationHashError):
        await bundler(TransportDouble("0x" + "11" * 32)).send(CHAIN, OPERATION, ENTRY_POINT_0_7, HASH)


@pytest.mark.parametrize("answer", [None, "0x12", {"hash": "0x"}])
async def test_a_bundler_that_names_no_hash_is_not_understood(answer: object) -> None:
    with pytest.raises(MalformedResponseError):
        await bundler(TransportDouble(answer)).send(CHAIN, OPERATION, ENTRY_POINT_0_7, HASH)


async def test_a_refusal_is_told_by_its_code() -> None:
    way = TransportDouble(rpc_error(-32500, "AA25 invalid account nonce"))
    with pytest.raises(OperationNonceError):
        await bundler(way).send(CHAIN, OPERATION, ENTRY_POINT_0_7, HASH)


@pytest.mark.parametrize("failure", [rpc_error(-32603, "internal"), status(502), status(None)])
async def test_a_failure_of_the_way_is_no_refusal(failure: TransportError) -> None:
    with pytest.raises((RpcRequestError, HttpRequestError)) as raised:
        await bundler(TransportDouble(failure)).send(CHAIN, OPERATION, ENTRY_POINT_0_7, HASH)
    assert raised.value is failure


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (None, ""),
        ({}, ""),
        ({"receipt": None}, ""),
        ({"receipt": {"transactionHash": "0x" + "AB" * 32}}, "0x" + "ab" * 32),
    ],
)
async def test_the_bundler_names_the_transaction_of_an_operation(answer: object, named: str) -> None:
    assert await bundler(TransportDouble(answer)).transaction_of(CHAIN, HASH) == named


async def test_a_network_without_a_bundler_says_which_setting_is_missing() -> None:
    async with rpc_http_client() as client:
        endpoints = ServiceEndpoints(client, {"eip155:10": "http://127.0.0.1:1"}, setting="BUNDLER_URL")
        assert endpoints.networks == {"eip155:10"}
        with pytest.raises(NotConfiguredError) as raised:
            endpoints.transport(CHAIN)
    assert raised.value.setting == "BUNDLER_URL"
