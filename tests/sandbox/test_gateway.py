"""The RPC gateway: relays what a public node would answer, refuses the rest clearly."""

import json

import httpx
import pytest

from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.answers import MAX_BODY
from walletmodal.sandbox.solana.world import CHAIN as SOLANA

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHAIN_ID = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}
ETHEREUM = "/rpc/v1/?chainId=eip155:1&projectId=test"


async def test_a_single_request_reaches_the_chain_of_the_query(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox
) -> None:
    answer = await unchanging_http.post("/rpc/v1/?chainId=eip155:137&projectId=test", json=CHAIN_ID)
    assert answer.json() == {"jsonrpc": "2.0", "id": 1, "result": "0x89"}


async def test_a_batch_is_answered_in_order(unchanging_http: httpx.AsyncClient) -> None:
    batch = [{**CHAIN_ID, "id": "a"}, {**CHAIN_ID, "id": 7, "method": "net_version"}]
    answer = await unchanging_http.post(ETHEREUM, json=batch)
    assert [(one["id"], one["result"]) for one in answer.json()] == [("a", "0x1"), (7, "1")]


async def test_bad_members_of_a_batch_fail_alone(unchanging_http: httpx.AsyncClient) -> None:
    batch = [CHAIN_ID, 1, {**CHAIN_ID, "id": 2, "method": "eth_sendTransaction"}]
    answers = {one["id"]: one for one in (await unchanging_http.post(ETHEREUM, json=batch)).json()}
    assert answers[1]["result"] == "0x1"
    assert answers[None]["error"]["code"] == -32600
    assert answers[2]["error"]["code"] == -32601


async def test_a_notification_gets_no_content(unchanging_http: httpx.AsyncClient) -> None:
    answer = await unchanging_http.post(ETHEREUM, json={"jsonrpc": "2.0", "method": "eth_chainId"})
    assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("content_type", ["text/plain", "application/json", ""])
async def test_the_content_type_does_not_matter(unchanging_http: httpx.AsyncClient, content_type: str) -> None:
    headers = {"content-type": content_type} if content_type else {}
    answer = await unchanging_http.post(ETHEREUM, content=json.dumps(CHAIN_ID), headers=headers)
    assert answer.json()["result"] == "0x1"
    assert answer.headers["content-type"] == "application/json"


async def test_every_origin_may_read_the_answer(unchanging_http: httpx.AsyncClient) -> None:
    answer = await unchanging_http.post(ETHEREUM, json=CHAIN_ID, headers={"origin": "https://host.example"})
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_a_preflight_is_allowed(unchanging_http: httpx.AsyncClient) -> None:
    headers = {"origin": "https://host.example", "access-control-request-method": "POST"}
    answer = await unchanging_http.options(ETHEREUM, headers=headers)
    assert answer.status_code == 204
    assert "POST" in answer.headers["access-control-allow-methods"]


@pytest.mark.parametrize("chain", ["eip155:5", "eip155:01", "solana:x", "1", "%00", "a" * 4000])
async def test_an_unknown_chain_is_refused(unchanging_http: httpx.AsyncClient, chain: str) -> None:
    answer = await unchanging_http.post(f"/rpc/v1/?chainId={chain}&projectId=test", json=CHAIN_ID)
    assert answer.status_code == 400
    assert answer.json()["status"] == "FAILED"
    assert answer.json()["reasons"][0]["field"] == "chainId"


async def test_a_missing_chain_is_refused(unchanging_http: httpx.AsyncClient) -> None:
    answer = await unchanging_http.post("/rpc/v1/?projectId=test", json=CHAIN_ID)
    assert answer.status_code == 400
    assert answer.json()["reasons"][0]["field"] == "chainId"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"id": NaN}',
        b"[" * 100_000,
        b"[1," + b" " * 9999,
        b'{"a":' * 100_000,
    ],
)
async def test_what_is_no_json_is_a_parse_error(unchanging_http: httpx.AsyncClient, body: bytes) -> None:
    answer = await unchanging_http.post(ETHEREUM, content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32700


@pytest.mark.parametrize(
    "body",
    [
        "null",
        "[]",
        '"eth_chainId"',
        '{"id":1,"method":"eth_chainId"}',
        '{"jsonrpc":"2.0","id":1}',
        '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}',
        '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"0x1"}',
        json.dumps([CHAIN_ID] * 1001),
    ],
)
async def test_what_is_no_request_is_an_invalid_request(unchanging_http: httpx.AsyncClient, body: str) -> None:
    answer = await unchanging_http.post(ETHEREUM, content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32600


async def test_a_huge_body_is_refused(unchanging_http: httpx.AsyncClient) -> None:
    answer = await unchanging_http.post(ETHEREUM, content=b" " * (MAX_BODY + 1))
    assert answer.status_code == 413


@pytest.mark.parametrize("method", ["eth_sendTransaction", "eth_accounts", "anvil_setBalance", "evm_revert", "nope"])
async def test_what_a_public_node_lacks_does_not_exist(unchanging_http: httpx.AsyncClient, method: str) -> None:
    answer = await unchanging_http.post(ETHEREUM, json={**CHAIN_ID, "method": method, "params": []})
    assert answer.json()["error"]["code"] == -32601


async def test_solana_answers_beside_the_others(unchanging_http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    calls = [("getSlot", 1), ("requestAirdrop", 2), ("eth_chainId", 3), ("getHealth", 4)]
    batch = [{"jsonrpc": "2.0", "id": number, "method": method} for method, number in calls]
    answers = {one["id"]: one for one in (await unchanging_http.post(sandbox.rpc_url(SOLANA), json=batch)).json()}
    assert isinstance(answers[1]["result"], int)
    assert [answers[number]["error"]["code"] for number in (2, 3)] == [-32601, -32601]
    assert answers[4]["result"] == "ok"


async def test_a_notification_to_solana_gets_no_content(unchanging_http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    answer = await unchanging_http.post(sandbox.rpc_url(SOLANA), json={"jsonrpc": "2.0", "method": "getSlot"})
    assert (answer.status_code, answer.content) == (204, b"")


async def test_a_method_named_twice_is_read_once(unchanging_http: httpx.AsyncClient) -> None:
    body = '{"jsonrpc":"2.0","id":1,"method":"anvil_mine","method":"eth_chainId"}'
    assert (await unchanging_http.post(ETHEREUM, content=body)).json()["result"] == "0x1"
