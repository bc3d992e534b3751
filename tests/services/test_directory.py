"""The wallet directory against written answers."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.services import node as nodes
from tests.services.outside import CALLER, SDK, Outside, gives, refuses, way
from tests.services.outside import client as client
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import NotConfiguredError, ServiceError
from walletmodal.services.cache import MemoryCache
from walletmodal.services.directory import DirectoryClient, WalletFilter
from walletmodal.services.http import Caller, HttpService
from walletmodal.services.lookups import Lookups

LANTERN = {
    "id": "9f1c" * 16,
    "name": "Lantern Wallet",
    "badge_type": "certified",
    "chains": ["eip155:1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
    "homepage": "https://lantern.example",
    "image_id": "0d3e4e8b-0000-4000-8000-000000000001",
    "image_url": None,
    "order": 30,
    "mobile_link": "lantern://",
    "desktop_link": None,
    "webapp_link": "https://web.lantern.example",
    "app_store": "https://apps.apple.com/app/lantern",
    "play_store": "https://play.google.com/store/apps/details?id=lantern",
    "chrome_store": "https://chromewebstore.google.com/detail/lantern",
    "rdns": "example.lantern",
    "injected": [{"namespace": "eip155", "injected_id": "isLantern"}],
}
BARE: dict[str, Any] = {"id": "ab" * 32, "name": "Bare Wallet", "chains": []}
PAGE = {"count": 512, "data": [LANTERN, BARE]}
WANTED = WalletFilter(chains=("eip155:1", "eip155:137"), include=("a", "b"), exclude=("c",))
SENT = {"chains": "eip155:1,eip155:137", "include": "a,b", "exclude": "c"}
ALWAYS = {"projectId": "project-1", "st": "appkit", "sv": SDK}


@pytest_asyncio.fixture
async def outside() -> AsyncIterator[Outside]:
    answers = {"/getWallets": gives(PAGE), "/getAnalyticsConfig": gives({"isAnalyticsEnabled": True})}
    async with Outside(answers).running() as outside:
        yield outside


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def directory(client: httpx.AsyncClient, outside: Outside, clock: MovableClock) -> DirectoryClient:
    return DirectoryClient(way(client, outside), Lookups(MemoryCache(clock)), clock=clock)


async def test_a_page_has_its_wallets_and_the_count(directory: DirectoryClient) -> None:
    page = await directory.listed(CALLER, WANTED)
    assert (page.count, [wallet.name for wallet in page.data]) == (512, ["Lantern Wallet", "Bare Wallet"])
    assert page.data[0].rdns == "example.lantern"
    assert page.data[1].mobile_link is None


Call = Callable[[DirectoryClient], Any]
CALLS: dict[str, tuple[Call, dict[str, str]]] = {
    "featured": (lambda d: d.featured(CALLER, ["x", "y"]), {"page": "1", "entries": "2", "include": "x,y"}),
    "recommended": (lambda d: d.recommended(CALLER, WANTED), {"page": "1", "entries": "4", **SENT}),
    "list": (lambda d: d.listed(CALLER, WANTED, page=3), {"page": "3", "entries": "40", **SENT}),
    "search": (
        lambda d: d.search(CALLER, "  lan tern ", WANTED),
        {"page": "1", "entries": "100", **SENT, "search": "lan tern"},
    ),
    "certified": (
        lambda d: d.search(CALLER, "", WalletFilter(), badge="certified"),
        {"page": "1", "entries": "100", "badge_type": "certified"},
    ),
    "excluded": (
        lambda d: d.excluded(CALLER, ["c", "d", "e"], ["eip155:1"]),
        {"page": "1", "entries": "3", "chains": "eip155:1", "include": "c,d,e"},
    ),
}


@pytest.mark.parametrize("name", CALLS)
async def test_each_list_is_asked_for_with_its_parameters(
    directory: DirectoryClient, outside: Outside, name: str
) -> None:
    call, query = CALLS[name]
    await call(directory)
    asked = outside.last
    assert (asked.method, asked.path, asked.query) == ("GET", "/getWallets", {**query, **ALWAYS})


async def test_featured_wallets_come_in_the_hosts_order(directory: DirectoryClient) -> None:
    found = await directory.featured(CALLER, [str(BARE["id"]), str(LANTERN["id"])])
    assert [wallet.name for wallet in found] == ["Bare Wallet", "Lantern Wallet"]


async def test_nothing_is_asked_for_no_ids(directory: DirectoryClient, outside: Outside) -> None:
    assert (await directory.featured(CALLER, []), await directory.excluded(CALLER, [])) == ((), ())
    assert outside.asked == []


FLOOD = {"count": 5000, "data": [{**BARE, "id": f"{n:064x}"} for n in range(5000)]}


@pytest.mark.parametrize(
    ("ask", "most"),
    [
        (lambda d: d.listed(CALLER, WANTED), 40),
        (lambda d: d.search(CALLER, "lantern", WANTED), 100),
        (lambda d: d.recommended(CALLER, WANTED), 4),
    ],
    ids=["list", "search", "recommended"],
)
async def test_no_more_wallets_are_taken_than_were_asked_for(
    directory: DirectoryClient, outside: Outside, ask: Callable[[DirectoryClient], Any], most: int
) -> None:
    outside.answers["/getWallets"] = gives(FLOOD)
    assert [wallet.id for wallet in (await ask(directory)).data] == [f"{n:064x}" for n in range(most)]


async def test_no_more_excluded_wallets_are_taken_than_were_asked_for(
    directory: DirectoryClient, outside: Outside
) -> None:
    outside.answers["/getWallets"] = gives(FLOOD)
    assert len(await directory.excluded(CALLER, ["a", "b"])) == 2


async def test_one_wallet_is_found_among_others_that_were_not_asked_for(
    directory: DirectoryClient, outside: Outside
) -> None:
    outside.answers["/getWallets"] = gives({"data": [BARE, LANTERN]})
    found = await directory.wallet(CALLER, str(LANTERN["id"]))
    assert found is not None
    assert found.name == "Lantern Wallet"


async def test_a_count_beyond_reason_is_a_service_error(directory: DirectoryClient, outside: Outside) -> None:
    outside.answers["/getWallets"] = gives({**PAGE, "count": 10**400})
    with pytest.raises(ServiceError):
        await directory.listed(CALLER, WANTED)


async def test_a_page_is_kept_for_five_minutes(
    directory: DirectoryClient, outside: Outside, clock: MovableClock
) -> None:
    await directory.listed(CALLER, WANTED)
    clock.advance(299)
    await directory.listed(CALLER, WANTED)
    assert len(outside.asked) == 1
    clock.advance(1)
    await directory.listed(CALLER, WANTED)
    assert len(outside.asked) == 2


async def test_visitors_who_open_the_list_at_once_ask_once(directory: DirectoryClient, outside: Outside) -> None:
    await asyncio.gather(*(directory.listed(CALLER, WANTED) for _ in range(100)))
    assert len(outside.asked) == 1


@pytest.mark.parametrize(
    "other", [Caller("https://app.example", "project-2"), Caller("https://b.example", "project-1")]
)
async def test_projects_and_origins_are_kept_apart(directory: DirectoryClient, outside: Outside, other: Caller) -> None:
    await directory.listed(CALLER, WANTED)
    outside.answers["/getWallets"] = refuses(403)
    with pytest.raises(ServiceError):
        await directory.listed(other, WANTED)
    assert outside.last.headers["origin"] == other.origin


async def test_a_long_search_is_cut(directory: DirectoryClient, outside: Outside) -> None:
    await directory.search(CALLER, "x" * 100_000, WalletFilter())
    assert len(outside.last.query["search"]) == 128


async def test_a_wrong_wallet_is_left_out(directory: DirectoryClient, outside: Outside) -> None:
    wrong: list[object] = [7, None, [], {"id": 7, "name": "x"}, {"name": "no id"}, {"id": "x", "name": "\u202e"}]
    outside.answers["/getWallets"] = gives({"count": 7, "data": [*wrong, LANTERN]})
    page = await directory.listed(CALLER, WANTED)
    assert [wallet.name for wallet in page.data] == ["Lantern Wallet"]


@pytest.mark.parametrize(
    "answer",
    [
        [],
        {},
        {"data": None},
        {"data": {}},
        {"count": "7", "data": []},
        {"count": -1, "data": []},
        {"data": [1]},
        "x",
        7,
    ],
)
async def test_what_is_no_page_is_a_service_error(directory: DirectoryClient, outside: Outside, answer: object) -> None:
    outside.answers["/getWallets"] = gives(answer)
    with pytest.raises(ServiceError):
        await directory.listed(CALLER, WANTED)


async def test_a_missing_count_is_that_of_the_list(directory: DirectoryClient, outside: Outside) -> None:
    outside.answers["/getWallets"] = gives({"data": [LANTERN]})
    assert (await directory.recommended(CALLER, WANTED)).count == 1


async def test_a_wallet_is_asked_for_by_its_id(directory: DirectoryClient, outside: Outside) -> None:
    found = await directory.wallet(CALLER, str(LANTERN["id"]))
    query = {"page": "1", "entries": "1", "include": LANTERN["id"]}
    assert (found and found.name, outside.last.query) == ("Lantern Wallet", {**query, **ALWAYS})


async def test_a_wallet_of_a_page_is_not_asked_for(directory: DirectoryClient, outside: Outside) -> None:
    await directory.listed(CALLER, WANTED)
    found = await directory.wallet(CALLER, BARE["id"])
    assert (found and found.name, len(outside.asked)) == ("Bare Wallet", 1)


async def test_a_remembered_wallet_is_asked_for_again_after_five_minutes(
    directory: DirectoryClient, outside: Outside, clock: MovableClock
) -> None:
    await directory.listed(CALLER, WANTED)
    clock.advance(300)
    await directory.wallet(CALLER, BARE["id"])
    assert len(outside.asked) == 2


async def test_projects_do_not_share_what_is_remembered(directory: DirectoryClient, outside: Outside) -> None:
    await directory.listed(CALLER, WANTED)
    await directory.wallet(Caller("https://app.example", "project-2"), BARE["id"])
    assert len(outside.asked) == 2


async def test_another_wallet_than_was_asked_for_is_none(directory: DirectoryClient) -> None:
    assert await directory.wallet(CALLER, "unknown") is None


@pytest.mark.parametrize("wallet_id", ["", "a,b", "a b", "\u00e9", "x" * 129])
async def test_what_is_no_id_is_not_asked_for(directory: DirectoryClient, outside: Outside, wallet_id: str) -> None:
    assert (await directory.wallet(CALLER, wallet_id), outside.asked) == (None, [])


@pytest.mark.parametrize("enabled", [True, False])
async def test_the_project_says_whether_it_wants_events(
    directory: DirectoryClient, outside: Outside, enabled: bool
) -> None:
    outside.answers["/getAnalyticsConfig"] = gives({"isAnalyticsEnabled": enabled})
    assert await directory.analytics_enabled(CALLER) is enabled
    assert outside.last.query == ALWAYS


@pytest.mark.parametrize(
    "behaviour",
    [refuses(500), gives({}), gives({"isAnalyticsEnabled": "yes"}), gives(None), nodes.send_and_hang_up(b"")],
)
async def test_anything_but_a_clear_yes_means_no_events(
    directory: DirectoryClient, outside: Outside, behaviour: nodes.Behaviour
) -> None:
    outside.answers["/getAnalyticsConfig"] = behaviour
    assert await directory.analytics_enabled(CALLER) is False


async def test_a_failed_question_about_events_is_asked_again(directory: DirectoryClient, outside: Outside) -> None:
    outside.answers["/getAnalyticsConfig"] = refuses(500)
    await directory.analytics_enabled(CALLER)
    outside.answers["/getAnalyticsConfig"] = gives({"isAnalyticsEnabled": True})
    assert await directory.analytics_enabled(CALLER) is True


async def test_without_a_directory_nothing_is_sent(client: httpx.AsyncClient) -> None:
    directory = DirectoryClient(HttpService(client, "directory", None, sdk=SDK), Lookups(MemoryCache()))
    assert not directory.configured
    for call in (directory.listed(CALLER, WANTED), directory.analytics_enabled(CALLER)):
        with pytest.raises(NotConfiguredError):
            await call
