"""Bad input gets a 4xx with a reason, in the public service's shape; silent nodes get 503 in time; nothing gets 500."""

import asyncio
import json
from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.sandbox.blockchain.stage import ETHEREUM, NATIVE, SDK, Stage, caip10, token
from walletmodal.sandbox.blockchain import OPENAPI, BlockchainService
from walletmodal.sandbox.blockchain.rpc import Post
from walletmodal.sandbox.onramp.purchases import PurchaseStore

pytestmark = pytest.mark.asyncio(loop_scope="session")

ACCOUNT = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
HOSTILE = (
    "",
    " ",
    "0",
    "-1",
    "1e309",
    "null",
    "[]",
    "{}",
    "\0",
    "'; DROP TABLE names; --",
    "../../etc/passwd",
    "%00%ff",
    "\U0001f600",
    "x" * 5000,
    "9" * 400,
    "eip155:1",
    "eip155:999999:" + NATIVE,
    "eip155:1:0x",
    "eip155:1:" + "0x" + "f" * 41,
    ":::",
    "solana:x:" + MINT,
    "<script>alert(1)</script>",
)

GOOD: dict[str, dict[str, str]] = {
    f"/v1/identity/{ACCOUNT}": {"sender": ACCOUNT, "useCache": "true"},
    f"/v1/account/{ACCOUNT}/history": {"cursor": "", "onramp": "coinbase", "chainId": ETHEREUM, "currency": "usd"},
    f"/v1/account/{ACCOUNT}/balance": {
        "currency": "usd",
        "chainId": ETHEREUM,
        "forceUpdate": caip10(NATIVE),
        "sv": "html-1.7.2",
    },
    "/v1/convert/tokens": {"chainId": ETHEREUM},
    "/v1/convert/quotes": {
        "amount": "1000000000000000",
        "userAddress": ACCOUNT,
        "from": caip10(NATIVE),
        "to": caip10(token("USDC")),
        "gasPrice": "1",
    },
    "/v1/convert/allowance": {"tokenAddress": caip10(token("USDC")), "userAddress": caip10(ACCOUNT)},
    "/v1/convert/gas-price": {"chainId": ETHEREUM},
    "/v1/convert/build-approve": {
        "userAddress": caip10(ACCOUNT),
        "from": caip10(token("USDC")),
        "to": caip10(NATIVE),
        "amount": "1",
    },
    "/v1/profile/account/maple.reown.id": {"apiVersion": "2"},
    f"/v1/profile/reverse/{ACCOUNT}": {"apiVersion": "2"},
    "/v1/profile/suggestions/maple": {"zone": "reown.id"},
    f"/v1/sessions/{caip10(ACCOUNT)}/getcontext": {"pci": "x"},
}

BODIES: dict[str, dict[str, Any]] = {
    "/v1/convert/build-transaction": {
        "amount": "1000000000000000",
        "eip155": {"slippage": 1},
        "from": caip10(NATIVE),
        "to": caip10(token("USDC")),
        "userAddress": caip10(ACCOUNT),
        "disableEstimate": True,
    },
    "/v1/fungible/price": {"currency": "usd", "addresses": [caip10(NATIVE)]},
    "/v1/profile/account": {"coin_type": 60, "address": ACCOUNT, "message": "{}", "signature": "0x00"},
    "/v1/generators/onrampurl": {"destinationWallets": [{"address": ACCOUNT}], "partnerUserId": ACCOUNT},
    "/v1/onramp/quote": {
        "purchaseCurrency": {"id": "x", "symbol": "ETH"},
        "paymentCurrency": {"id": "USD"},
        "amount": "100",
        "network": "ETH",
    },
    f"/v1/sessions/{caip10(ACCOUNT)}": {"expiry": 2**50, "signer": {}, "permissions": [{}], "policies": []},
    f"/v1/sessions/{caip10(ACCOUNT)}/activate": {
        "pci": "x",
        "context": "y",
        "expiry": 2**50,
        "signer": {},
        "permissions": [{}],
    },
    f"/v1/sessions/{caip10(ACCOUNT)}/revoke": {"pci": "x", "signature": "0x00"},
}


def is_refusal(answer: httpx.Response) -> bool:
    if not 400 <= answer.status_code < 500:
        return False
    told = answer.json()
    return told["status"] == "FAILED" and all(one["field"] and one["description"] for one in told["reasons"])


def wrong_queries() -> Iterator[tuple[str, dict[str, str]]]:
    for path, query in GOOD.items():
        for name, bad in product(query, HOSTILE):
            yield path, {**query, name: bad}


async def test_the_good_ones_are_good(stage: Stage) -> None:
    for path, query in GOOD.items():
        answer = await stage.http.get(path, params=query, headers=SDK)
        assert answer.status_code == 200 or "getcontext" in path, (path, answer.text)


async def test_no_hostile_parameter_is_a_fault_of_ours(stage: Stage) -> None:
    for path, query in wrong_queries():
        answer = await stage.http.get(path, params=query, headers=SDK)
        assert answer.status_code == 200 or is_refusal(answer), (path, query, answer.status_code, answer.text)


async def test_no_hostile_path_is_a_fault_of_ours(stage: Stage) -> None:
    places = ("/v1/identity/{}", "/v1/account/{}/history", "/v1/account/{}/balance?currency=usd", "/v1/sessions/{}")
    names = ("/v1/profile/account/{}", "/v1/profile/reverse/{}", "/v1/profile/suggestions/{}")
    for place, bad in product((*places, *names), HOSTILE[1:]):
        answer = await stage.http.get(place.format(quote(bad, safe="")), headers=SDK)
        assert answer.status_code == 200 or is_refusal(answer), (place, bad, answer.status_code, answer.text)


@pytest.mark.parametrize("missing", [(path, name) for path, query in GOOD.items() for name in query])
async def test_required_parameters_are_named(stage: Stage, missing: tuple[str, str]) -> None:
    path, name = missing
    query = {key: value for key, value in GOOD[path].items() if key != name}
    answer = await stage.http.get(path, params=query, headers=SDK)
    described = OPENAPI["paths"]["/blockchain" + _described(path)]["get"]["parameters"]
    if next(one for one in described if one["name"] == name)["required"]:
        assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, name)
    else:
        assert answer.status_code in (200, 404) or "getcontext" in path


def _described(path: str) -> str:
    known = {
        ACCOUNT: ("{address}", "{account}"),
        caip10(ACCOUNT): ("{address}",),
        "maple.reown.id": ("{name}",),
        "maple": ("{name}",),
    }
    for value, names in known.items():
        for name in names:
            candidate = path.replace(f"/{value}", f"/{name}")
            if "/blockchain" + candidate in OPENAPI["paths"]:
                return candidate
    return path


RAW_BODIES = (
    b"",
    b"{",
    b"null",
    b"[]",
    b"1",
    b'"text"',
    b"\xff\xfe",
    b"NaN",
    b'{"a":1e999}',
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"<xml/>",
)


@pytest.mark.parametrize("path", BODIES)
async def test_bodies_that_are_none_are_422(stage: Stage, path: str) -> None:
    for body in RAW_BODIES:
        answer = await stage.http.post(path, content=body)
        assert answer.status_code == 422, (body[:20], answer.text)
        assert is_refusal(answer)


@pytest.mark.parametrize("path", BODIES)
async def test_no_field_of_another_type_is_a_fault_of_ours(stage: Stage, path: str) -> None:
    good = BODIES[path]
    for name, bad in product(good, (None, 1, -1, 1.5, True, "x", "", [], {}, [None], {"id": None}, "9" * 400, 2**70)):
        answer = await stage.http.post(path, json={**good, name: bad})
        assert answer.status_code == 200 or is_refusal(answer), (name, bad, answer.status_code, answer.text)
    for name in good:
        without = {key: value for key, value in good.items() if key != name}
        answer = await stage.http.post(path, json=without)
        assert answer.status_code == 200 or is_refusal(answer)


async def test_a_body_beyond_the_limit_is_413(stage: Stage) -> None:
    answer = await stage.http.post("/v1/fungible/price", content=b" " * 2_000_000)
    assert answer.status_code == 413


async def test_only_the_first_address_is_priced_and_none_is_400(stage: Stage) -> None:
    body = {"currency": "usd", "addresses": [caip10(NATIVE), "nonsense"]}
    assert len((await stage.post("/v1/fungible/price", body))["fungibles"]) == 1
    answer = await stage.http.post("/v1/fungible/price", json={**body, "addresses": []})
    assert answer.status_code == 400
    answer = await stage.http.post("/v1/fungible/price", json={**body, "currency": "doge"})
    assert answer.status_code == 422


@pytest.mark.parametrize("project", ["a b", "<", "x" * 200, "é"])
async def test_a_project_id_that_is_none_is_401(stage: Stage, project: str) -> None:
    answer = await stage.http.get("/v1/supported-chains", params={"projectId": project})
    in_body = await stage.http.post("/v1/fungible/price", json={**BODIES["/v1/fungible/price"], "projectId": project})
    assert (answer.status_code, in_body.status_code) == (401, 401)
    reason = {"field": "authentication", "description": "We failed to authenticate your request"}
    assert answer.json()["reasons"] == in_body.json()["reasons"] == [reason]


async def test_paths_and_methods_that_are_not_there(stage: Stage) -> None:
    missing = await stage.http.get("/v1/nothing")
    wrong = await stage.http.delete("/v1/convert/tokens")
    assert (missing.status_code, wrong.status_code) == (404, 405)
    assert is_refusal(missing)
    assert is_refusal(wrong)
    assert "GET" in wrong.headers["allow"]


def over(post: Post) -> httpx.AsyncClient:
    service = BlockchainService({ETHEREUM: post}, post, "http://localhost:8700", PurchaseStore())
    return httpx.AsyncClient(transport=httpx.ASGITransport(service), base_url="http://service")


async def gone(_: bytes) -> httpx.Response:
    raise httpx.ConnectError("nobody there")


async def garbled(_: bytes) -> httpx.Response:
    return httpx.Response(200, content=b"<html>")


async def empty(_: bytes) -> httpx.Response:
    return httpx.Response(200, content=b"[]")


async def failing(body: bytes) -> httpx.Response:
    answers = [{"id": one["id"], "error": {"code": -32603, "message": "broken"}} for one in json.loads(body)]
    return httpx.Response(200, json=answers)


@pytest.mark.parametrize("post", [gone, garbled, empty])
async def test_a_node_that_does_not_answer_is_503(post: Post) -> None:
    async with over(post) as client:
        for path, query in GOOD.items():
            if "/profile/" in path or "/sessions/" in path or "/tokens" in path or "onramp" in query:
                continue
            answer = await client.get(path, params=query, headers=SDK)
            assert answer.status_code == 503, (path, answer.text)
            assert answer.json()["reasons"]


async def test_a_node_that_refuses_everything_is_no_crash() -> None:
    async with over(failing) as client:
        for path, query in GOOD.items():
            answer = await client.get(path, params=query, headers=SDK)
            assert answer.status_code in (200, 400, 503), (path, answer.text)
        for path, body in BODIES.items():
            answer = await client.post(path, json=body)
            assert answer.status_code in (200, 400, 401, 503), (path, answer.text)


async def test_a_node_that_hangs_is_503_before_clients_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hanging(_: bytes) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError("nobody rings")

    monkeypatch.setattr("walletmodal.sandbox.blockchain.rpc.TIMEOUT_SECONDS", 0.05)
    async with over(hanging) as client:
        for path in (
            f"/v1/identity/{ACCOUNT}",
            "/v1/convert/gas-price?chainId=eip155:1",
            f"/v1/account/{ACCOUNT}/history",
        ):
            assert (await client.get(path)).status_code == 503
