"""web3 over the transport, against a real node: one path to a chain, with everything that stands on it."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest
from eth_typing import ChecksumAddress, HexAddress, HexStr

from tests.patience import PATIENCE
from tests.services import node as nodes
from tests.services.anvil import running_anvil
from tests.services.node import Node
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import HttpRequestError, RpcRequestError, TransportError
from walletmodal.services.rpc import HttpRpcTransport, RpcEndpoints
from walletmodal.services.rpc.web3_library import (
    Account,
    AsyncWeb3,
    ContractLogicError,
    InvalidAddress,
    OffchainLookup,
    TransactionNotFound,
    Web3RPCError,
)
from walletmodal.services.rpc.web3_provider import TransportProvider, web3_over

MAINNET = parse_chain_id("eip155:1")
RICH = AsyncWeb3.to_checksum_address("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
OTHER = AsyncWeb3.to_checksum_address("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
REVERTER = "0x00000000000000000000000000000000000000f1"
ECHO = "0x00000000000000000000000000000000000000f2"
# PUSH1 0 PUSH1 0 REVERT
REVERT_CODE = "0x60006000fd"
# Gives back what it was called with: CALLDATASIZE PUSH1 0 PUSH1 0 CALLDATACOPY CALLDATASIZE PUSH1 0 RETURN
ECHO_CODE = "0x366000600037366000f3"


@pytest.fixture(scope="module")
def anvil() -> Iterator[str]:
    with running_anvil() as url:
        yield url


@pytest.fixture
def endpoints(anvil: str, client: httpx.AsyncClient) -> RpcEndpoints:
    return RpcEndpoints(client, overrides={str(MAINNET): anvil})


@pytest.fixture
def w3(endpoints: RpcEndpoints) -> AsyncWeb3[TransportProvider]:
    return web3_over(endpoints.transport(MAINNET))


def over(node: Node, client: httpx.AsyncClient) -> AsyncWeb3[TransportProvider]:
    return web3_over(RpcEndpoints(client, gateway=node.url).transport(MAINNET))


def reverting(message: str, data: str) -> nodes.Behaviour:
    """A node whose calls revert."""
    failure = {"error": {"code": 3, "message": message, "data": data}}
    return nodes.each(lambda call: failure if call["method"] == "eth_call" else {"result": "0x1"})


async def test_web3_and_the_transport_say_the_same(w3: AsyncWeb3[TransportProvider], endpoints: RpcEndpoints) -> None:
    told = await endpoints.transport(MAINNET).request("eth_getBalance", [OTHER, "latest"])
    assert await w3.eth.get_balance(OTHER) == int(str(told), 16) > 0


async def test_a_transaction_is_sent_and_found(w3: AsyncWeb3[TransportProvider]) -> None:
    before = await w3.eth.get_balance(OTHER)
    price = await w3.eth.gas_price
    transaction = {
        "to": OTHER,
        "value": 5,
        "gas": 21_000,
        "gasPrice": price * 2,
        "nonce": await w3.eth.get_transaction_count(RICH),
        "chainId": await w3.eth.chain_id,
    }
    signed = Account.sign_transaction(transaction, KEY)
    sent = await w3.eth.send_raw_transaction(signed.raw_transaction)
    receipt = await w3.eth.wait_for_transaction_receipt(sent, timeout=PATIENCE, poll_latency=0.01)
    assert (receipt["status"], await w3.eth.get_balance(OTHER) - before) == (1, 5)


async def test_bytes_go_out_as_hexadecimal(w3: AsyncWeb3[TransportProvider], endpoints: RpcEndpoints) -> None:
    await endpoints.transport(MAINNET).request("anvil_setCode", [ECHO, ECHO_CODE])
    assert await w3.eth.call({"to": w3.to_checksum_address(ECHO), "data": b"\x01\x02"}) == b"\x01\x02"


async def test_a_revert_is_web3s_own_error(w3: AsyncWeb3[TransportProvider], endpoints: RpcEndpoints) -> None:
    await endpoints.transport(MAINNET).request("anvil_setCode", [REVERTER, REVERT_CODE])
    with pytest.raises(ContractLogicError, match="execution reverted"):
        await w3.eth.call({"to": w3.to_checksum_address(REVERTER)})


async def test_a_nodes_refusal_is_web3s_own_error(w3: AsyncWeb3[TransportProvider]) -> None:
    with pytest.raises(Web3RPCError):
        await w3.eth.send_raw_transaction(b"\x01")


async def test_what_is_not_there_is_web3s_own_error(w3: AsyncWeb3[TransportProvider]) -> None:
    with pytest.raises(TransactionNotFound):
        await w3.eth.get_transaction(w3.keccak(b"nothing"))


async def test_web3_still_checks_addresses(w3: AsyncWeb3[TransportProvider]) -> None:
    with pytest.raises(InvalidAddress):
        await w3.eth.get_balance(ChecksumAddress(HexAddress(HexStr(OTHER.lower()))))


async def test_web3s_own_batches_work(w3: AsyncWeb3[TransportProvider]) -> None:
    async with w3.batch_requests() as batch:
        batch.add(w3.eth.get_balance(RICH))
        batch.add(w3.eth.get_block("latest"))
        answers: list[object] = list(await batch.async_execute())
    assert answers == [await w3.eth.get_balance(RICH), await w3.eth.get_block("latest")]


async def test_a_hundred_reads_of_web3_make_one_request(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.answer(result="0x7")
    w3 = over(node, client)
    addresses = [w3.to_checksum_address(f"0x{place:040x}") for place in range(100)]
    balances = await asyncio.gather(*(w3.eth.get_balance(address) for address in addresses))
    assert (balances, node.sizes) == ([7] * 100, [100])


async def test_reverted_data_reaches_web3(node: Node, client: httpx.AsyncClient) -> None:
    data = "0x08c379a0" + f"{32:064x}{7:064x}" + b"no luck".hex().ljust(64, "0")
    node.behaviour = reverting("execution reverted: no luck", data)
    with pytest.raises(ContractLogicError, match="no luck") as raised:
        await over(node, client).eth.call({"to": OTHER})
    assert raised.value.data == data


async def test_no_url_that_a_contract_names_is_asked(node: Node, client: httpx.AsyncClient) -> None:
    w3 = over(node, client)
    types = ["address", "string[]", "bytes", "bytes4", "bytes"]
    elsewhere = f"{node.url}/elsewhere/{{sender}}/{{data}}"
    lookup = w3.codec.encode(types, [OTHER, [elsewhere], b"", b"\x01\x02\x03\x04", b""])
    node.behaviour = reverting("execution reverted", f"0x556f1830{lookup.hex()}")
    with pytest.raises(OffchainLookup):
        await w3.eth.call({"to": OTHER})
    assert not [target for target in node.targets if "elsewhere" in target]


async def test_what_is_not_the_nodes_own_error_stays_ours(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.send(nodes.http(b"", status="401 Unauthorized"))
    with pytest.raises(HttpRequestError):
        await over(node, client).eth.get_balance(OTHER)


async def test_whether_it_is_connected(node: Node, client: httpx.AsyncClient) -> None:
    w3 = web3_over(HttpRpcTransport(client, node.url))
    node.behaviour = nodes.answer(result="anvil/v1")
    assert await w3.is_connected()
    node.behaviour = nodes.answer(error={"code": -32000, "message": "x"})
    assert not await w3.is_connected()
    node.behaviour = nodes.send(nodes.http(b"", status="401 Unauthorized"))
    assert not await w3.is_connected()
    with pytest.raises(TransportError):
        await w3.is_connected(show_traceback=True)


async def test_the_provider_keeps_the_nodes_code(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.answer(error={"code": -32000, "message": "insufficient funds for transfer"})
    with pytest.raises(Web3RPCError) as raised:
        await over(node, client).eth.get_balance(OTHER)
    response = raised.value.rpc_response
    assert response is not None
    assert response["error"] == {"code": -32000, "message": "insufficient funds for transfer"}
    with pytest.raises(RpcRequestError):
        await HttpRpcTransport(client, node.url).request("eth_getBalance", [OTHER])
