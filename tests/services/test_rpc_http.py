"""The HTTP transport against a real server that misbehaves."""

import asyncio
import gzip
import logging

import httpx
import pytest

from tests.services import node as nodes
from tests.services.node import Node
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    RequestTimeoutError,
    ResponseTooLargeError,
    RpcRequestError,
    TransportError,
)
from walletmodal.services.rpc import HttpRpcTransport, rpc_http_client


async def test_the_result_comes_back(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.answer(result={"a": [1]})
    assert await HttpRpcTransport(client, node.url).request("m", ["p"]) == {"a": [1]}


async def test_the_request_is_json_rpc(node: Node, client: httpx.AsyncClient) -> None:
    await HttpRpcTransport(client, node.url).request("eth_call", [{"to": "0x"}, "latest"])
    request = node.requests[0]
    assert (request["jsonrpc"], request["method"], request["params"]) == ("2.0", "eth_call", [{"to": "0x"}, "latest"])


async def test_a_null_result_is_a_result(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.answer(result=None)
    assert await HttpRpcTransport(client, node.url).request("m") is None


async def test_connections_are_kept(node: Node, client: httpx.AsyncClient) -> None:
    transport = HttpRpcTransport(client, node.url)
    for _ in range(5):
        await transport.request("m")
    assert (len(node.requests), node.connections) == (5, 1)


async def test_ids_differ(node: Node, client: httpx.AsyncClient) -> None:
    transport = HttpRpcTransport(client, node.url)
    await asyncio.gather(*(transport.request("m") for _ in range(20)))
    assert len({request["id"] for request in node.requests}) == 20


async def test_the_error_of_the_node_keeps_its_code_message_and_data(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.answer(error={"code": 3, "message": "execution reverted: no", "data": "0x08c379a0"})
    with pytest.raises(RpcRequestError) as raised:
        await HttpRpcTransport(client, node.url).request("m")
    assert (raised.value.code, raised.value.details, raised.value.data) == (3, "execution reverted: no", "0x08c379a0")


async def test_the_nodes_message_is_one_clean_line(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.answer(error={"code": 3, "message": "execution\n\u202ereverted\x00" + "x" * 1000})
    with pytest.raises(RpcRequestError) as raised:
        await HttpRpcTransport(client, node.url).request("m")
    assert raised.value.details == ("execution reverted" + "x" * 1000)[:500]


DEEP = b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
MALFORMED = {
    "html": nodes.send(nodes.http(b"<html>", headers="Content-Type: text/html\r\n")),
    "empty": nodes.send(nodes.http(b"")),
    "cut json": nodes.send(nodes.http(b'{"jsonrpc":')),
    "not utf-8": nodes.send(nodes.http(b'{"result":"\xff\xfe"}')),
    "list": nodes.send(nodes.http(b"[]")),
    "nan": nodes.answer(result=float("nan")),
    "infinity": nodes.answer(result=[float("inf")]),
    "beyond a double": nodes.send(nodes.http(b'{"jsonrpc":"2.0","id":1,"result":1e999}')),
    "surrogate": nodes.answer(result={"a": "\ud800"}),
    "surrogate of an error": nodes.answer(error={"code": 3, "message": "\ud800", "data": "\udfff"}),
    "deep": nodes.send(nodes.http(DEEP)),
    "foreign id": nodes.answer(id=999_999_999, result="0x0"),
    "text id": nodes.answer(id="1", result="0x0"),
    "true for id": nodes.answer(id=True, result="0x0"),
    "neither": nodes.send(nodes.http(b"{}")),
    "error without code": nodes.answer(error={"message": "x"}),
    "error text": nodes.answer(error="x"),
    "compressed": nodes.send(nodes.http(gzip.compress(b" " * 10_000_000), headers="Content-Encoding: gzip\r\n")),
}


@pytest.mark.parametrize("behaviour", MALFORMED.values(), ids=MALFORMED.keys())
async def test_an_answer_that_is_no_json_rpc_is_refused(
    node: Node, client: httpx.AsyncClient, behaviour: nodes.Behaviour
) -> None:
    node.behaviour = behaviour
    with pytest.raises(MalformedResponseError):
        await HttpRpcTransport(client, node.url).request("m")


BROKEN = {
    "hangs up": nodes.send_and_hang_up(b""),
    "hangs up in the head": nodes.send_and_hang_up(b"HTTP/1.1 200 OK\r\nContent-"),
    "hangs up in the body": nodes.send_and_hang_up(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"),
    "not http": nodes.send_and_hang_up(b"SSH-2.0-OpenSSH\r\n\r\n"),
    "endless head": nodes.send_and_hang_up(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000),
}


@pytest.mark.parametrize("behaviour", BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_connection_is_an_error_without_status(
    node: Node, client: httpx.AsyncClient, behaviour: nodes.Behaviour
) -> None:
    node.behaviour = behaviour
    with pytest.raises(HttpRequestError) as raised:
        await HttpRpcTransport(client, node.url).request("m")
    assert raised.value.status is None
    assert raised.value.details


async def test_a_refused_connection_is_an_error_without_status(node: Node, client: httpx.AsyncClient) -> None:
    await node.stop()
    with pytest.raises(HttpRequestError) as raised:
        await HttpRpcTransport(client, node.url).request("m")
    assert raised.value.status is None
    await node.start()


@pytest.mark.parametrize(
    ("body", "details"),
    [
        (b'{"error":{"code":1}}', '{"code": 1}'),
        (b'{"error":"over quota"}', "over quota"),
        (b'{"error":"over\\n\\u202equota\\ud800"}', "over quota"),
        (b"<html>", "Service Unavailable"),
        (b"[" * 5000, "Service Unavailable"),
    ],
)
async def test_an_error_status_tells_what_the_body_says(
    node: Node, client: httpx.AsyncClient, body: bytes, details: str
) -> None:
    node.behaviour = nodes.send(nodes.http(body, status="503 Service Unavailable", headers="Retry-After: 7\r\n"))
    with pytest.raises(HttpRequestError) as raised:
        await HttpRpcTransport(client, node.url).request("m")
    error = raised.value
    assert (error.status, error.details, error.headers["retry-after"]) == (503, details, "7")


async def test_a_redirect_is_not_followed(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.send(nodes.http(b"", status="302 Found", headers=f"Location: {node.url}/there\r\n"))
    with pytest.raises(HttpRequestError) as raised:
        await HttpRpcTransport(client, node.url).request("m")
    assert (raised.value.status, node.targets) == (302, ["/"])


@pytest.mark.parametrize("behaviour", [nodes.silence, nodes.drip], ids=["silence", "drip"])
async def test_a_slow_answer_times_out_as_a_whole(
    node: Node, client: httpx.AsyncClient, behaviour: nodes.Behaviour
) -> None:
    node.behaviour = behaviour
    with pytest.raises(RequestTimeoutError, match=r"The request took too long to respond\."):
        await HttpRpcTransport(client, node.url, timeout=0.1).request("m")


async def test_an_endless_answer_is_read_only_so_far(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.endless
    with pytest.raises(ResponseTooLargeError):
        await HttpRpcTransport(client, node.url, max_bytes=1_000_000).request("m")


async def test_an_endless_error_body_is_cut(node: Node, client: httpx.AsyncClient) -> None:
    head = b"HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n"
    node.behaviour = nodes.send(head + b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
    with pytest.raises(HttpRequestError) as raised:
        await HttpRpcTransport(client, node.url).request("m")
    assert len(raised.value.body) == 4096


async def test_errors_do_not_show_the_key_in_the_url(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.send(nodes.http(b"no"))
    with pytest.raises(TransportError) as raised:
        await HttpRpcTransport(client, f"{node.url}/v2/SECRET?projectId=SECRET").request("m")
    assert "SECRET" not in raised.value.message


async def test_after_any_failure_the_next_request_works(node: Node, client: httpx.AsyncClient) -> None:
    transport = HttpRpcTransport(client, node.url, timeout=5)
    for behaviour in (*MALFORMED.values(), *BROKEN.values()):
        node.behaviour = behaviour
        with pytest.raises(TransportError):
            await transport.request("m")
        node.behaviour = nodes.answer(result="0x1")
        assert await transport.request("m") == "0x1"


async def test_loopback_never_goes_through_a_proxy(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    async with rpc_http_client() as client:
        assert await HttpRpcTransport(client, node.url).request("m") == "0x0"


async def test_parameters_that_are_not_json_never_leave(node: Node, client: httpx.AsyncClient) -> None:
    with pytest.raises(ValueError, match="JSON"):
        await HttpRpcTransport(client, node.url).request("m", [float("nan")])
    assert node.requests == []


async def test_the_key_in_a_url_is_in_no_log(
    node: Node, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await HttpRpcTransport(client, f"{node.url}/v3/key-of-the-node?projectId=key-2").request("m", ["p"])
    assert "key" not in caplog.text
