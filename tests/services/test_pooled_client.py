"""The pooled client: httpx over the connections of aiohttp. What a whole call is like stands in test_rpc_http.py and test_http.py."""

import asyncio
import base64
import socket
import traceback
from typing import Any, NoReturn

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


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy of the machine's own."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


async def failure(client: httpx.AsyncClient, url: str) -> TransportError:
    """What sending a transaction fails with."""
    with pytest.raises(TransportError) as raised:
        await HttpRpcTransport(client, url).request(SEND, ["0x00"])
    return raised.value


async def test_what_no_node_has_received_may_be_sent_again(node: Node, client: httpx.AsyncClient) -> None:
    await node.stop()
    assert may_retry(await failure(client, node.url), SEND)
    await node.start()


async def test_what_no_name_server_knows_may_be_sent_again(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unknown(*_: Any, **__: Any) -> NoReturn:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
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


async def test_an_answer_that_nobody_asked_for_is_not_taken_for_the_next_one(
    node: Node, client: httpx.AsyncClient
) -> None:
    right = nodes.http(b'{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    node.behaviour = nodes.in_turn(nodes.send(right + nodes.http(b"", status="408 Request Timeout")), nodes.echo)
    transport = HttpRpcTransport(client, node.url)
    assert await transport.request("m", ["first"]) == "0x1"
    assert [await transport.request(SEND, [each]) for each in ("second", "third")] == ["second", "third"]


async def test_what_a_node_says_on_a_kept_connection_is_not_taken_for_an_answer(
    node: Node, client: httpx.AsyncClient
) -> None:
    writers: list[asyncio.StreamWriter] = []

    async def remember(request: Any, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await nodes.echo(request, writer)

    node.behaviour = remember
    transport = HttpRpcTransport(client, node.url)
    assert await transport.request("m", ["first"]) == "first"
    writers[0].write(nodes.http(b"", status="408 Request Timeout"))
    # The client's event loop, which is this one, has not read it when the next request begins.
    assert await transport.request(SEND, ["second"]) == "second"
    assert node.connections == 2


async def test_a_reason_may_be_written_in_anything(node: Node, client: httpx.AsyncClient) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"result":"0x1"}'
    node.behaviour = nodes.send(b"HTTP/1.1 200 \xe9\xff\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    assert await HttpRpcTransport(client, node.url).request("m") == "0x1"


@pytest.mark.parametrize(
    "behaviour",
    [
        nodes.send_and_hang_up(b""),
        nodes.send_and_hang_up(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"),
        nodes.send_and_hang_up(b"Cannot POST /v3/secret-of-the-node\r\n\r\n"),
        nodes.send(nodes.http(b"{}", headers="X: y\r\n" * 1000)),
        nodes.send(nodes.http(b"{}", headers=f"X: {'y' * 100_000}\r\n")),
    ],
    ids=["no answer", "half an answer", "no HTTP", "many headers", "a long header"],
)
async def test_the_key_in_a_url_is_in_no_error(
    node: Node, client: httpx.AsyncClient, behaviour: nodes.Behaviour
) -> None:
    node.behaviour = behaviour
    failed = await failure(client, f"{node.url}/v3/secret-of-the-node")
    assert "secret-of-the-node" not in "".join(traceback.format_exception(failed))


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
    async with rpc_http_client() as client:
        assert await HttpRpcTransport(client, "http://node.example/v1").request("m") == "0x0"
    assert node.targets == ["http://node.example/v1"]
