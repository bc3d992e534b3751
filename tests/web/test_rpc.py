"""`POST /v1/rpc`: read-only calls, from our own page, within limits."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.web import served
from walletmodal.core.errors import (
    HttpRequestError,
    RequestTimeoutError,
    RpcRequestError,
    TransportError,
    UrlRequiredError,
)
from walletmodal.web.rate_limit import Rate
from walletmodal.web.rpc import MAX_BODY_BYTES

OWN = {"Origin": served.ORIGIN, "Content-Type": "application/json"}
CALL = {"chain": "eip155:1", "method": "eth_getBalance", "params": ["0x00", "latest"]}


async def test_a_read_only_call_is_answered_by_the_node(tmp_path: Path) -> None:
    node = served.Node("0x2a")
    async with served.client(served.app(tmp_path, node=node)) as client:
        answer = await client.post("/v1/rpc", json=CALL, headers=OWN)
    assert (answer.status_code, answer.json()) == (200, {"result": "0x2a"})
    assert node.asked == [("eip155:1", "eth_getBalance", ["0x00", "latest"])]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:3001"},
        {"Origin": "null"},
        {"Origin": served.ORIGIN, "Sec-Fetch-Site": "cross-site"},
        {"Origin": served.ORIGIN, "Sec-Fetch-Site": "same-site"},
    ],
)
async def test_another_page_is_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    node = served.Node()
    async with served.client(served.app(tmp_path, node=node)) as client:
        answer = await client.post("/v1/rpc", json=CALL, headers=headers)
    assert answer.status_code == 403
    assert not node.asked


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"method": "eth_sendTransaction"}, 403, -32601),
        ({"method": "personal_sign"}, 403, -32601),
        ({"method": "eth_requestAccounts"}, 403, -32601),
        ({"method": "debug_traceTransaction"}, 403, -32601),
        ({"method": "eth_accounts"}, 403, -32601),
        ({"method": "wallet_getCapabilities"}, 403, -32601),
        ({"method": 7}, 400, -32600),
        ({"method": "eth_" + "x" * 100}, 400, -32600),
        ({"params": "latest"}, 400, -32600),
        ({"params": {"address": "0x00"}}, 400, -32602),
        ({"extra": 1}, 400, -32600),
        ({"chain": "ethereum"}, 400, -32602),
        ({"chain": "eip155:137"}, 404, 4901),
        ({"chain": "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"}, 404, 4901),
    ],
)
async def test_a_call_that_is_not_for_a_node_is_refused(
    tmp_path: Path, change: dict[str, Any], status: int, code: int
) -> None:
    node = served.Node()
    async with served.client(served.app(tmp_path, node=node)) as client:
        answer = await client.post("/v1/rpc", json=CALL | change, headers=OWN)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert not node.asked


@pytest.mark.parametrize(
    ("body", "type_", "status"),
    [
        (b"", "application/json", 400),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[" * 50_000, "application/json", 400),
        (json.dumps(CALL | {"params": [float("nan")]}).encode(), "application/json", 400),
        (json.dumps(CALL | {"params": [float("-inf")]}).encode(), "application/json", 400),
        (json.dumps(CALL).replace('"0x00"', "1e999").encode(), "application/json", 400),
        (json.dumps(CALL | {"params": ["\ud800"]}).encode(), "application/json", 400),
        (json.dumps(CALL | {"method": "eth_\ud800"}).encode(), "application/json", 400),
        (json.dumps(CALL | {"chain": "eip155:\ud800"}).encode(), "application/json", 400),
        (json.dumps(CALL | {"\ud800": 1}).encode(), "application/json", 400),
        (json.dumps(CALL).encode(), "text/plain", 415),
        (b" " * (MAX_BODY_BYTES + 1), "application/json", 413),
    ],
)
async def test_a_body_that_is_no_call_is_refused(tmp_path: Path, body: bytes, type_: str, status: int) -> None:
    async with served.client(served.app(tmp_path)) as client:
        answer = await client.post("/v1/rpc", content=body, headers=OWN | {"Content-Type": type_})
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"code", "message"}


async def test_parameters_have_the_depth_of_any_request(tmp_path: Path) -> None:
    node = served.Node()
    params = json.loads("[" * 30 + "]" * 30)
    async with served.client(served.app(tmp_path, node=node)) as client:
        answer = await client.post("/v1/rpc", json=CALL | {"params": params}, headers=OWN)
    assert (answer.status_code, node.asked) == (400, [])


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_other_methods_are_not_allowed(tmp_path: Path, method: str) -> None:
    async with served.client(served.app(tmp_path)) as client:
        assert (await client.request(method, "/v1/rpc", headers=OWN)).status_code == 405


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (RpcRequestError(code=3, details="execution reverted", url="http://node"), 200, 3),
        (UrlRequiredError(details="set RPC_URL"), 503, 4901),
        (RequestTimeoutError(url="http://node"), 504, -32603),
        (HttpRequestError(url="http://node", status=500), 502, -32603),
    ],
)
async def test_a_failing_node_gives_a_fitting_error_that_names_no_address(
    tmp_path: Path, failure: TransportError, status: int, code: int
) -> None:
    async with served.client(served.app(tmp_path, node=served.Node(failure))) as client:
        answer = await client.post("/v1/rpc", json=CALL, headers=OWN)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert "http://node" not in answer.text


async def test_a_client_that_asks_too_often_is_told_so(tmp_path: Path) -> None:
    target = served.app(tmp_path, rate=Rate(per_second=0.001, burst=2))
    async with served.client(target) as client, served.client(target, peer="10.0.0.9") as other:
        found = [(await client.post("/v1/rpc", json=CALL, headers=OWN)).status_code for _ in range(3)]
        assert found == [200, 200, 429]
        assert (await other.post("/v1/rpc", json=CALL, headers=OWN)).status_code == 200


async def test_visitors_behind_the_proxy_of_this_machine_have_a_limit_each(tmp_path: Path) -> None:
    target = served.app(tmp_path, rate=Rate(per_second=0.001, burst=1))
    async with served.client(target) as client:
        for address in ("203.0.113.1", "203.0.113.2"):
            answer = await client.post("/v1/rpc", json=CALL, headers=OWN | {"X-Forwarded-For": f"9.9.9.9, {address}"})
            assert answer.status_code == 200


async def test_a_peer_that_is_no_proxy_cannot_choose_its_limit(tmp_path: Path) -> None:
    target = served.app(tmp_path, rate=Rate(per_second=0.001, burst=1))
    async with served.client(target, peer="203.0.113.7") as client:
        found = [
            (await client.post("/v1/rpc", json=CALL, headers=OWN | {"X-Forwarded-For": f"9.9.9.{n}"})).status_code
            for n in range(2)
        ]
    assert found == [200, 429]


async def test_a_line_before_the_proxys_own_does_not_choose_the_limit(tmp_path: Path) -> None:
    target = served.app(tmp_path, rate=Rate(per_second=0.001, burst=1))
    async with served.client(target) as client:
        found = []
        for n in range(2):
            lines = [*OWN.items(), ("X-Forwarded-For", f"9.9.9.{n}"), ("X-Forwarded-For", "203.0.113.1")]
            found.append((await client.post("/v1/rpc", json=CALL, headers=lines)).status_code)
    assert found == [200, 429]
