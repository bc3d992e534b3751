"""`/v1/rpc`: nodes are asked what a page may ask, on the networks of the deployment."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.world import World, running, settings_for
from tests.services.node import Node, answer, http, node, send

__all__ = ["node"]

SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"


@pytest_asyncio.fixture
async def device(secure_url: str, mailbox: Mailbox, node: Node) -> AsyncIterator[Device]:
    """A device that is logged in at a site whose networks are one node."""
    settings = settings_for(
        secure_url,
        mailbox.url,
        networks=f"eip155:1,eip155:10,{SOLANA}",
        rpc_urls=f"eip155:1={node.url},{SOLANA}={node.url}",
    )
    async with running(settings, mailbox) as world:
        yield await world.login()


def call(method: str, params: object = None, chain: str = "eip155:1") -> dict[str, object]:
    return {"chain": chain, "method": method, "params": [] if params is None else params}


@pytest.mark.parametrize(
    "body",
    [
        call("eth_getBalance", ["0x0000000000000000000000000000000000000001", "latest"]),
        call("eth_sendRawTransaction", ["0x02"]),
        call("eth_feeHistory", ["0x4", "latest", [50]]),
        call("getLatestBlockhash", chain=SOLANA),
        call("sendTransaction", ["AQ==", {"encoding": "base64"}], SOLANA),
    ],
)
async def test_a_node_is_asked(device: Device, node: Node, body: dict[str, object]) -> None:
    node.behaviour = answer(result="0x1")
    assert await device.call("/v1/rpc", body) == {"result": "0x1"}


async def test_a_nodes_own_refusal_is_an_answer(device: Device, node: Node) -> None:
    node.behaviour = answer(error={"code": 3, "message": "execution reverted", "data": "0x08c379a0"})
    found = await device.call("/v1/rpc", call("eth_call", [{}, "latest"]))
    assert found == {"rpcError": {"code": 3, "message": "execution reverted", "data": "0x08c379a0"}}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (call("eth_sign", ["0x", "0x"]), "method"),
        (call("personal_sign", ["0x", "0x"]), "method"),
        (call("eth_newFilter", [{}]), "method"),
        (call("debug_traceTransaction", ["0x"]), "method"),
        (call("getLatestBlockhash"), "method"),
        (call("eth_getBalance", ["0x"], SOLANA), "method"),
        (call("requestAirdrop", ["a", 1], SOLANA), "method"),
        (call("getBalance", {"a": 1}, SOLANA), "method"),
        (call("eth_chainId", chain="eip155:56"), "network"),
        (call("eth_chainId", chain="nothing"), "params"),
        ({"chain": "eip155:1"}, "params"),
    ],
)
async def test_what_is_not_allowed_is_refused(device: Device, node: Node, body: dict[str, object], code: str) -> None:
    node.behaviour = answer(result="0x1")
    refused = await device.refused("/v1/rpc", body)
    assert (refused.status, refused.code) == (400, code)


async def test_a_network_without_a_node_is_a_sentence(device: Device) -> None:
    refused = await device.refused("/v1/rpc", call("eth_chainId", chain="eip155:10"))
    assert (refused.status, refused.code) == (503, "network")


async def test_a_node_that_fails_is_a_sentence(device: Device, node: Node) -> None:
    node.behaviour = send(http(b"no", status="403 Forbidden"))
    refused = await device.refused("/v1/rpc", call("eth_blockNumber"))
    assert (refused.status, refused.code) == (502, "node")


async def test_nobody_asks_without_a_session(world: World) -> None:
    assert (await world.device().refused("/v1/rpc", call("eth_chainId"))).code == "session"
