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
from walletmodal.core.protocol.limits import MAX_NODES
from walletmodal.core.requests.methods import methods_of_kinds
from walletmodal.services.outside_budget import current_caller
from walletmodal.services.rate_limit import Rate
from walletmodal.web.rpc import MAX_ANSWER_BYTES, MAX_BODY_BYTES, MAX_CALLS

OWN = {"Origin": served.ORIGIN, "Content-Type": "application/json"}
CALL = {"chain": "eip155:1", "method": "eth_getBalance", "params": ["0x00", "latest"]}


async def test_a_read_only_call_is_answered_by_the_node(tmp_path: Path) -> None:
    node = served.Node("0x2a")
    async with served.client(served.app(tmp_path, node=node)) as client:
        answer = await client.post("/v1/rpc", json=CALL, headers=OWN)
    assert (answer.status_code, answer.json()) == (200, {"result": "0x2a"})
    assert node.asked == [("eip155:1", "eth_getBalance", ["0x00", "latest"])]


async def test_a_call_is_made_for_the_address_that_it_comes_from(tmp_path: Path) -> None:
    callers = list[str]()

    class Node(served.Node):
        async def __call__(self, *call: Any) -> object:
            callers.append(current_caller())
            return await super().__call__(*call)

    async with served.client(served.app(tmp_path, node=Node()), peer="203.0.113.7") as client:
        for body in (CALL, [CALL, CALL]):
            await client.post("/v1/rpc", json=body, headers=OWN)
    assert callers == ["203.0.113.7"] * 3


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
        ({"method": "eth_sendTransaction"}, 403, 4200),
        ({"method": "personal_sign"}, 403, 4200),
        ({"method": "eth_requestAccounts"}, 403, 4200),
        ({"method": "debug_traceTransaction"}, 403, 4200),
        ({"method": "eth_accounts"}, 403, 4200),
        ({"method": "wallet_getCapabilities"}, 403, 4200),
        ({"method": "__proto__"}, 403, 4200),
        ({"method": "constructor"}, 403, 4200),
        ({"method": "eth_sign"}, 403, 4200),
        ({"chain": "__proto__"}, 400, -32602),
        ({"__proto__": {"method": "eth_call"}}, 400, -32600),
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


@pytest.mark.parametrize("method", sorted(methods_of_kinds("node", "page", "wallet_read")))
async def test_each_safe_method_is_the_nodes_or_refused_as_none_of_the_nodes(tmp_path: Path, method: str) -> None:
    node = served.Node("0x1")
    params: list[Any] = [{}, "0x" + "0" * 40] if "UserOperation" in method and "By" not in method else ["0x" + "0" * 64]
    params = ["0x" + "0" * 64] if method == "eth_getUserOperationReceipt" else params
    async with served.client(served.app(tmp_path, node=node)) as client:
        answer = await client.post("/v1/rpc", json=CALL | {"method": method, "params": params}, headers=OWN)
    for_nodes = method.startswith("eth_") and method != "eth_accounts"
    expected: object = {"result": "0x1"} if for_nodes else {"code": 4200, "message": "RPC method not allowed"}
    assert answer.json() == (expected if for_nodes else {"error": expected})
    assert [asked for _, asked, _ in node.asked] == ([method] if for_nodes else [])


@pytest.mark.parametrize("data", ["0x08c379a0", {"originalError": {"data": "0x"}}, [1], "", 0, False])
async def test_what_a_contract_says_of_its_refusal_reaches_the_page(tmp_path: Path, data: object) -> None:
    failure = RpcRequestError(code=3, details="execution reverted", url="http://node", data=data)
    async with served.client(served.app(tmp_path, node=served.Node(failure))) as client:
        answer = await client.post("/v1/rpc", json=CALL, headers=OWN)
    assert answer.json() == {"error": {"code": 3, "message": "execution reverted", "data": data}}


@pytest.mark.parametrize("data", ["0x" + "0" * 300_000, json.loads("[" * 40 + "]" * 40), None])
async def test_what_no_message_could_carry_is_left_out_of_it(tmp_path: Path, data: object) -> None:
    failure = RpcRequestError(code=3, details="execution reverted", url="http://node", data=data)
    async with served.client(served.app(tmp_path, node=served.Node(failure))) as client:
        answer = await client.post("/v1/rpc", json=CALL, headers=OWN)
    assert answer.json() == {"error": {"code": 3, "message": "execution reverted"}}


async def test_a_list_of_calls_is_answered_in_its_order(tmp_path: Path) -> None:
    node = served.Node("0x1")
    calls = [CALL, CALL | {"method": "eth_sign"}, {"chain": 7}, CALL | {"method": "eth_blockNumber", "params": []}, "x"]
    async with served.client(served.app(tmp_path, node=node)) as client:
        answer = await client.post("/v1/rpc", json=calls, headers=OWN)
    found = [one.get("result", one.get("error", {}).get("code")) for one in answer.json()]
    assert (answer.status_code, found) == (200, ["0x1", 4200, -32600, "0x1", -32600])


@pytest.mark.parametrize("count", [0, MAX_CALLS + 1])
async def test_a_list_has_a_call_and_not_too_many(tmp_path: Path, count: int) -> None:
    async with served.client(served.app(tmp_path)) as client:
        answer = await client.post("/v1/rpc", json=[CALL] * count, headers=OWN)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)


async def test_a_list_counts_as_many_as_it_has(tmp_path: Path) -> None:
    async with served.client(served.app(tmp_path, rate=Rate(per_second=0.001, burst=10))) as client:
        found = [(await client.post("/v1/rpc", json=[CALL] * 4, headers=OWN)).status_code for _ in range(3)]
    assert found == [200, 200, 429]


async def test_a_filter_counts_for_many_because_its_node_keeps_it(tmp_path: Path) -> None:
    filter_ = CALL | {"method": "eth_newFilter", "params": [{}]}
    async with served.client(served.app(tmp_path, rate=Rate(per_second=0.001, burst=50))) as client:
        found = [(await client.post("/v1/rpc", json=filter_, headers=OWN)).status_code for _ in range(3)]
    assert found == [200, 200, 429]


async def test_who_asks_too_often_is_told_when_to_come_again(tmp_path: Path) -> None:
    async with served.client(served.app(tmp_path, rate=Rate(per_second=0.001, burst=1))) as client:
        await client.post("/v1/rpc", json=CALL, headers=OWN)
        answer = await client.post("/v1/rpc", json=CALL, headers=OWN)
    assert (answer.status_code, answer.headers["retry-after"], answer.json()["error"]["code"]) == (429, "1", -32005)


async def test_a_flood_is_turned_away_while_others_are_served(tmp_path: Path) -> None:
    node = served.Node("0x1")
    target = served.app(tmp_path, node=node, rate=Rate(per_second=0.001, burst=20))
    async with served.client(target) as flood, served.client(target, peer="10.0.0.9") as other:
        found = [(await flood.post("/v1/rpc", json=[CALL] * 9, headers=OWN)).status_code for _ in range(50)]
        assert (await other.post("/v1/rpc", json=CALL, headers=OWN)).status_code == 200
    assert (found.count(200), found.count(429), len(node.asked)) == (2, 48, 19)


async def test_answers_that_are_too_large_together_are_not_sent(tmp_path: Path) -> None:
    node = served.Node("x" * (MAX_ANSWER_BYTES // 2 - 100))
    async with served.client(served.app(tmp_path, node=node)) as client:
        answer = await client.post("/v1/rpc", json=[CALL] * 3, headers=OWN)
    assert [one.get("error", {}).get("code") for one in answer.json()] == [None, None, -32005]


@pytest.mark.parametrize("params", [[[]] * MAX_NODES, json.loads("[" * 60 + "]" * 60)], ids=["many", "deep"])
async def test_a_body_with_too_many_or_too_deep_values_is_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, params: object
) -> None:
    parsed: list[bytes] = []
    monkeypatch.setattr("walletmodal.web.rpc.read_json", parsed.append)
    async with served.client(served.app(tmp_path)) as client:
        answer = await client.post("/v1/rpc", json={**CALL, "params": params}, headers=OWN)
    assert (answer.status_code, parsed) == (400, [])
