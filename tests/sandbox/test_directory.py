"""The wallet directory, as a client made for the public one calls it."""

import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

from walletmodal.sandbox.directory import directory_service
from walletmodal.sandbox.directory.marks import initials, wallet_mark
from walletmodal.sandbox.evm.world import worlds

METAMASK = "c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96"
PHANTOM = "a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393"
SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
LINKS = ("mobile_link", "desktop_link", "webapp_link", "app_store", "play_store", "chrome_store", "homepage", "rdns")

Wallet = dict[str, Any]


@pytest_asyncio.fixture
async def directory() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(directory_service("http://localhost:8700"))
    async with httpx.AsyncClient(transport=transport, base_url="http://directory") as client:
        yield client


async def _wallets(directory: httpx.AsyncClient, **query: str | int) -> tuple[int, list[Wallet]]:
    answer = await directory.get("/getWallets", params={"projectId": "p", "st": "appkit", "sv": "html-1.7.2", **query})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    return body["count"], body["data"]


async def _all(directory: httpx.AsyncClient) -> list[Wallet]:
    return (await _wallets(directory, page=1, entries=1000))[1]


async def test_there_are_at_least_600_wallets_with_names_and_ids_of_their_own(directory: httpx.AsyncClient) -> None:
    count, wallets = await _wallets(directory, page=1, entries=1000)
    assert count == len(wallets) >= 600
    assert len({one["name"] for one in wallets}) == count
    assert len({one["id"] for one in wallets}) == count
    assert all(re.fullmatch("[0-9a-f]{64}", str(one["id"])) for one in wallets)


async def test_a_wallet_has_the_fields_of_the_public_directory(directory: httpx.AsyncClient) -> None:
    _, [wallet] = await _wallets(directory, include=METAMASK, entries=1)
    assert wallet["id"] == METAMASK
    assert wallet["name"] == "MetaMask"
    assert wallet["badge_type"] == "certified"
    assert {"eip155:1", SOLANA} <= set(wallet["chains"])
    assert wallet["mobile_link"] == "metamask://"
    assert wallet["rdns"] == "io.metamask"
    assert wallet["injected"] == [{"namespace": "eip155", "injected_id": "isMetaMask"}]
    assert wallet["image_url"] is None
    assert isinstance(wallet["order"], int)
    assert {*LINKS, "description", "link_mode", "display_index", "supports_wc", "supports_wcpay"} <= wallet.keys()


async def test_wallets_come_in_their_order(directory: httpx.AsyncClient) -> None:
    orders = [one["order"] for one in await _all(directory)]
    assert orders == sorted(orders, key=lambda order: int(str(order)))


@pytest.mark.parametrize("link", LINKS)
async def test_wallets_differ_in_the_links_that_they_lack(directory: httpx.AsyncClient, link: str) -> None:
    has = [one[link] is not None for one in await _all(directory)]
    assert any(has)
    assert not all(has)


async def test_some_wallets_cannot_be_paired_at_all(directory: httpx.AsyncClient) -> None:
    lacking = [one for one in await _all(directory) if not any(one[link] for link in LINKS[:3])]
    assert lacking
    assert not any(one["supports_wc"] for one in lacking)


async def test_pages_follow_each_other_without_gap_or_repetition(directory: httpx.AsyncClient) -> None:
    count, first = await _wallets(directory, page=1, entries=40)
    ids = [one["id"] for one in first]
    for page in range(2, count // 40 + 2):
        total, wallets = await _wallets(directory, page=page, entries=40)
        assert total == count
        ids += [one["id"] for one in wallets]
    assert ids == [one["id"] for one in await _all(directory)]


async def test_a_page_behind_the_last_is_empty(directory: httpx.AsyncClient) -> None:
    count, wallets = await _wallets(directory, page=999_999, entries=100)
    assert count > 600
    assert wallets == []


async def test_include_limits_and_count_is_that_of_the_filter(directory: httpx.AsyncClient) -> None:
    count, wallets = await _wallets(directory, include=f"{PHANTOM},{METAMASK},{'0' * 64}", page=1, entries=1)
    assert count == 2
    assert [one["id"] for one in wallets] == [METAMASK]


async def test_exclude_takes_away(directory: httpx.AsyncClient) -> None:
    everything, _ = await _wallets(directory)
    count, wallets = await _wallets(directory, exclude=f"{PHANTOM},{METAMASK}", entries=1000)
    assert count == everything - 2
    assert not {PHANTOM, METAMASK} & {one["id"] for one in wallets}


async def test_chains_asks_for_at_least_one_of_them(directory: httpx.AsyncClient) -> None:
    _, wallets = await _wallets(directory, chains=f"{SOLANA},eip155:137", entries=1000)
    found = {str(one["id"]): set(one["chains"]) for one in await _all(directory)}
    expected = {wallet_id for wallet_id, chains in found.items() if chains & {SOLANA, "eip155:137"}}
    assert {one["id"] for one in wallets} == expected
    assert 0 < len(expected) < len(found)


async def test_a_chain_id_is_compared_whole(directory: httpx.AsyncClient) -> None:
    _, wallets = await _wallets(directory, chains="eip155:10", entries=1000)
    assert all("eip155:10" in one["chains"] for one in wallets)


@pytest.mark.parametrize("search", ["metamask", "  MetaMask ", "ETAMAS"])
async def test_search_finds_parts_of_names_whatever_their_case(directory: httpx.AsyncClient, search: str) -> None:
    count, wallets = await _wallets(directory, search=search, entries=100)
    assert (count, wallets[0]["id"]) == (1, METAMASK)


@pytest.mark.parametrize("search", ["%", "' OR 1=1 --", "<script>", ".*", "\x00", "😀", "x" * 5000])
async def test_a_hostile_search_finds_nothing(directory: httpx.AsyncClient, search: str) -> None:
    assert await _wallets(directory, search=search) == (0, [])


async def test_the_badge_divides_the_catalogue(directory: httpx.AsyncClient) -> None:
    everything, _ = await _wallets(directory)
    certified, wallets = await _wallets(directory, badge_type="certified", entries=1000)
    plain, _ = await _wallets(directory, badge_type="none")
    assert {one["badge_type"] for one in wallets} == {"certified"}
    assert certified > 0
    assert certified + plain == everything


async def test_filters_work_together(directory: httpx.AsyncClient) -> None:
    query: dict[str, str | int] = {"search": "vault", "chains": "eip155:1", "badge_type": "certified", "entries": 1000}
    count, wallets = await _wallets(directory, **query)
    assert count == len(wallets) > 0
    for one in wallets:
        assert "vault" in str(one["name"]).lower()
        assert "eip155:1" in one["chains"]
        assert one["badge_type"] == "certified"


async def test_neither_project_nor_sdk_is_insisted_on(directory: httpx.AsyncClient) -> None:
    assert (await directory.get("/getWallets")).status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("page", "0"),
        ("page", "-1"),
        ("page", "1.5"),
        ("page", "one"),
        ("page", ""),
        ("page", "٣"),
        ("page", "9" * 5000),
        ("entries", "0"),
        ("entries", "1001"),
        ("entries", "NaN"),
        ("chains", "ethereum"),
        ("chains", "eip155:1,<b>"),
        ("chains", "eip155:"),
        ("badge_type", "gold"),
    ],
)
async def test_a_wrong_parameter_is_refused_and_named(directory: httpx.AsyncClient, field: str, value: str) -> None:
    answer = await directory.get("/getWallets", params={field: value})
    assert answer.status_code == 400
    assert answer.json()["status"] == "FAILED"
    assert answer.json()["reasons"][0]["field"] == field


async def test_every_wallet_has_a_picture_of_its_own(directory: httpx.AsyncClient) -> None:
    pictures = set()
    wallets = await _all(directory)
    for one in wallets:
        answer = await directory.get(f"/getWalletImage/{one['image_id']}", params={"projectId": "p"})
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        pictures.add(answer.text)
    assert len(pictures) == len(wallets)


@pytest.mark.parametrize(
    "path",
    [
        "/public/getAssetImage/ba0ba0cd-17c6-4806-ad93-f9d174f17900",
        "/public/getAssetImage/41d04d42-da3b-4453-8506-668cc0727900",
        "/public/getAssetImage/ef1a1fcf-7fe8-4d69-bd6d-fda1345b4400",
        "/public/getAssetImage/20f673c0-095e-49b2-07cf-eb5049dcf600",
        "/public/getCurrencyImage/USD",
        "/public/getCurrencyImage/eur",
        "/public/getTokenImage/USDC",
        "/public/getTokenImage/usdt",
        "/public/getTokenImage/USD%E2%82%AE0",
        "/public/getTokenImage/POL",
    ],
)
async def test_networks_connectors_currencies_and_tokens_have_pictures(directory: httpx.AsyncClient, path: str) -> None:
    answer = await directory.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg ")
    assert "script" not in answer.text


@pytest.mark.parametrize("symbol", sorted({token.symbol for world in worlds().values() for token in world.tokens}))
async def test_every_token_of_the_chains_has_a_picture(directory: httpx.AsyncClient, symbol: str) -> None:
    assert (await directory.get(f"/public/getTokenImage/{symbol}")).status_code == 200


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/getWalletImage/nope", "id"),
        ("/getWalletImage/..%2F..%2Fetc%2Fpasswd", "path"),
        ("/public/getAssetImage/00000000-0000-0000-0000-000000000000", "id"),
        ("/public/getCurrencyImage/XXX", "code"),
        ("/public/getTokenImage/<svg>", "symbol"),
        ("/public/getNothing/1", "path"),
    ],
)
async def test_an_unknown_picture_is_404(directory: httpx.AsyncClient, path: str, field: str) -> None:
    answer = await directory.get(path)
    assert answer.status_code == 404
    assert answer.json()["reasons"][0]["field"] == field


async def test_a_wrong_method_is_405(directory: httpx.AsyncClient) -> None:
    answer = await directory.post("/getWallets")
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]


async def test_analytics_is_on(directory: httpx.AsyncClient) -> None:
    assert (await directory.get("/getAnalyticsConfig")).json() == {"isAnalyticsEnabled": True}


@pytest.mark.parametrize(
    ("name", "letters"), [("MetaMask", "MM"), ("Trust Wallet", "Tr"), ("Phantom", "Ph"), ("1inch", "1i")]
)
async def test_a_well_known_wallet_is_found_by_its_initials(name: str, letters: str) -> None:
    assert initials(name) == letters
    assert f">{letters}<" in wallet_mark("a" * 64, "#f6851b", name)
