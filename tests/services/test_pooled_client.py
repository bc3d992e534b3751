"""The pooled client: httpx over the connections of aiohttp. What a whole call is like stands in test_rpc_http.py and test_http.py."""

import asyncio
import base64

import httpx
import pytest

from tests.patience import patience
from tests.services import node as nodes
from tests.services.node import Node
from tests.services.outside import Outside, gives
from walletmodal.core.errors import HttpRequestError, TransportError
from walletmodal.services.rpc import HttpRpcTransport, rpc_http_client
from walletmodal.services.rpc.verdicts import may_retry

SEND = "eth_sendRawTransaction"


async def failure(client: httpx.AsyncClient, url: str) -> TransportError:
    """What sending a transaction fails with."""
    with pytest.raises(TransportError) as raised:
        await HttpRpcTransport(client, url).request(SEND, ["0x00"])
    return raised.value


async def test_what_no_node_has_received_may_be_sent_again(node: Node, client: httpx.AsyncClient) -> None:
    await node.stop()
    assert may_retry(await failure(client, node.url), SEND)
    await node.start()


async def test_what_no_name_server_knows_may_be_sent_again(client: httpx.AsyncClient) -> None:
    assert may_retry(await failure(client, "http://nobody.invalid/"), SEND)


async def test_what_tls_has_kept_back_may_be_sent_again(client: httpx.AsyncClient) -> None:
    def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH\r\n")
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        assert may_retry(await failure(client, f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"), SEND)


@pytest.mark.parametrize(
    "behaviour",
    [
        nodes.send_and_hang_up(b""),
        nodes.send_and_hang_up(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"),
        nodes.send_and_hang_up(b"SSH-2.0-OpenSSH\r\n\r\n"),
    ],
    ids=["no answer", "half an answer", "no HTTP"],
)
@pytest.mark.parametrize("used", [False, True], ids=["new connection", "kept connection"])
async def test_what_a_node_may_have_received_is_not_sent_again(
    node: Node, client: httpx.AsyncClient, behaviour: nodes.Behaviour, *, used: bool
) -> None:
    if used:
        await HttpRpcTransport(client, node.url).request("m")
    node.behaviour = behaviour
    assert not may_retry(await failure(client, node.url), SEND)
    assert [call["method"] for call in node.requests].count(SEND) == 1


async def test_a_connection_that_the_node_has_closed_is_not_used_again(node: Node, client: httpx.AsyncClient) -> None:
    transport = HttpRpcTransport(client, node.url)
    await transport.request("m")
    await node.stop()
    await node.start()
    assert await transport.request(SEND, ["0x00"]) == "0x0"
    assert node.connections == 2


async def test_a_call_that_is_given_up_leaves_its_connection_to_nobody(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.in_turn(nodes.silence, nodes.answer(result="0x1"))
    call = asyncio.create_task(HttpRpcTransport(client, node.url).request("m"))
    async with patience():
        while not node.requests:
            await asyncio.sleep(0)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    assert await HttpRpcTransport(client, node.url).request("m") == "0x1"
    assert node.connections == 2


async def test_the_password_of_a_url_goes_as_a_header(client: httpx.AsyncClient) -> None:
    async with Outside({"/v1": gives({})}).running() as outside:
        await client.get(f"http://us%40r:pass@127.0.0.1:{outside.port}/v1")
    assert outside.last.headers["authorization"] == f"Basic {base64.b64encode(b'us@r:pass').decode()}"


async def test_a_url_goes_as_it_is_written(node: Node, client: httpx.AsyncClient) -> None:
    written = "/v3/%7Ekey%2F1/?chainId=eip155%3A1&a=b+c%20d"
    await HttpRpcTransport(client, f"{node.url}{written}").request("m")
    assert node.targets == [written]


async def test_no_header_is_made_up(client: httpx.AsyncClient) -> None:
    async with Outside({"/v1": gives({})}).running() as outside:
        await client.post(f"{outside.url}/v1", content=b"{}", headers={"Content-Type": "application/json"})
    expected = {"host", "accept", "accept-encoding", "connection", "user-agent", "content-length", "content-type"}
    assert set(outside.last.headers) == expected
    assert outside.last.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "http:///", "file:///etc/passwd"])
async def test_only_http_is_spoken(client: httpx.AsyncClient, url: str) -> None:
    failed = await failure(client, url)
    assert isinstance(failed, HttpRequestError)
    assert may_retry(failed, SEND)


async def test_what_goes_to_others_goes_through_the_proxy_of_the_environment(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", node.url)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    async with rpc_http_client() as client:
        assert await HttpRpcTransport(client, "http://node.example/v1").request("m") == "0x0"
    assert node.targets == ["http://node.example/v1"]
