"""The attestation service: its tokens, its key, and the page that hands a token to its parent alone."""

import base64
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from Crypto.Hash import SHA256
from Crypto.PublicKey import ECC
from Crypto.Signature import DSS

from walletmodal.core.clock import MovableClock
from walletmodal.sandbox.verify import KEY_SECONDS, TOKEN_SECONDS, verify_service

SEALED, HASH = "ab" * 32, "cd" * 32
ORIGIN = "http://localhost:3000"


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest_asyncio.fixture
async def verify(clock: MovableClock) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(verify_service(clock))
    async with httpx.AsyncClient(transport=transport, base_url="http://verify") as client:
        yield client


async def _page(verify: httpx.AsyncClient, **query: str) -> httpx.Response:
    given = {"projectId": "p", "origin": ORIGIN, "id": SEALED, "decryptedId": HASH} | query
    return await verify.get("/v3/attestation", params=given)


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


async def _attestation(verify: httpx.AsyncClient, **query: str) -> str:
    page = await _page(verify, **query)
    found = re.search(r'data-message="([^"]*)"', page.text)
    assert found is not None
    message: dict[str, Any] = json.loads(found[1].replace("&quot;", '"'))
    assert message["type"] == "verify_attestation"
    token: str = message["attestation"]
    return token


async def test_the_token_is_signed_with_the_key_that_wallets_get(
    verify: httpx.AsyncClient, clock: MovableClock
) -> None:
    header, claims, signature = (await _attestation(verify)).split(".")
    answer = (await verify.get("/v3/public-key")).json()
    jwk, now = answer["publicKey"], int(clock.now().timestamp())
    key = ECC.construct(
        curve="P-256", point_x=int.from_bytes(_decoded(jwk["x"])), point_y=int.from_bytes(_decoded(jwk["y"]))
    )
    DSS.new(key, "fips-186-3").verify(SHA256.new(f"{header}.{claims}".encode()), _decoded(signature))
    assert json.loads(_decoded(claims)) == {
        "id": SEALED,
        "exp": now + TOKEN_SECONDS,
        "origin": ORIGIN,
        "isVerified": True,
        "isScam": False,
    }
    assert answer["expiresAt"] == now + KEY_SECONDS


async def test_the_page_posts_to_the_origin_that_it_attests(verify: httpx.AsyncClient) -> None:
    page = await _page(verify)
    assert f'data-origin="{ORIGIN}"' in page.text
    assert "postMessage(message, origin)" in page.text
    assert "script-src 'nonce-" in page.headers["content-security-policy"]


async def test_an_origin_of_elsewhere_is_not_vouched_for(verify: httpx.AsyncClient) -> None:
    claims = json.loads(_decoded((await _attestation(verify, origin="https://app.example")).split(".")[1]))
    assert (claims["origin"], claims["isVerified"]) == ("https://app.example", False)


async def test_what_was_attested_can_be_asked_for_by_the_messages_hash(verify: httpx.AsyncClient) -> None:
    assert (await verify.get(f"/attestation/{HASH}")).status_code == 404
    await _page(verify)
    assert (await verify.get(f"/attestation/{HASH}")).json()["origin"] == ORIGIN


@pytest.mark.parametrize(
    "query",
    [
        {"id": ""},
        {"id": "x" * 64},
        {"id": SEALED.upper()},
        {"decryptedId": "<script>"},
        {"origin": ""},
        {"origin": "null"},
        {"origin": "*"},
        {"origin": "javascript:alert(1)"},
        {"origin": f"{ORIGIN}/"},
        {"origin": f"{ORIGIN}/path"},
        {"origin": f"{ORIGIN}?x"},
        {"origin": "http://a@localhost"},
        {"origin": 'http://localhost"><script>'},
    ],
)
async def test_anything_else_is_refused(verify: httpx.AsyncClient, query: dict[str, str]) -> None:
    answer = await _page(verify, **query)
    assert answer.status_code == 400
    assert answer.json()["reasons"][0]["field"] == next(iter(query))
