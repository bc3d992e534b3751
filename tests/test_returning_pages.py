"""Pages that open another socket: who has missed nothing is told no more than that it is back."""

from __future__ import annotations

import gc
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from reflex.state import OnLoadInternalState, State
from reflex.utils.token_manager import SocketRecord
from reflex_base.event import Event
from reflex_base.event.context import EventContext

from tests.driver import Driver
from tests.patience import eventually
from tests.redis_visitor import TOKEN, begun, other, shell, token
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.transactions.state import PendingState
from walletmodal.reflex_internals import loads, returning_pages
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.reflex_internals.held_back import holds_back
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.returning_pages import Returns
from walletmodal.reflex_internals.substates import with_substates
from walletmodal.walletmodal import app

__all__ = ["begun", "other"]

pytestmark = pytest.mark.parametrize("manager", ["redis"], indirect=True)

RESUME, SEEN = ResumeState.get_full_name(), "seen_rx_state_"
BROWSER = f"{PendingState.get_full_name()}.browser_id_rx_state_"
HERE = {"pathname": "/index", "asPath": "/"}
FIRST, SECOND = (SocketRecord(instance_id="worker", sid=sid) for sid in ("first", "second"))
VIEWS = ShellState.push("Networks"), ShellState.push("WhatIsANetwork"), ShellState.push("AllWallets")


def stored(seen: Any = "version", **others: Any) -> dict[str, Any]:
    """What a page says of its tab."""
    return {"vars": {f"{RESUME}.{SEEN}": seen, f"{RESUME}.resume_id_rx_state_": "one", **others}}


class Page:
    """A page whose session is in Redis."""

    def __init__(self, driver: Driver, manager: RedisStates, returns: Returns) -> None:
        self.driver, self.manager = driver, manager
        self.socket: SocketRecord | None = FIRST
        manager.told.returns = returns
        manager.told.socket_of = lambda _token: self.socket

    async def load(self) -> None:
        """It opens a socket, and is told the whole state."""
        await self.driver.fire(State.hydrate)
        await self.driver.fire(OnLoadInternalState.set_is_hydrated(True))

    @property
    def kept(self) -> list[str]:
        """What its tab was told to keep, in that order."""
        return [delta[RESUME][SEEN] for delta in self.driver.deltas]

    async def version(self) -> str:
        """Its session's."""
        found = await loads.session_version(self.manager, TOKEN)
        assert found
        return found.decode()

    async def has_seen_all(self) -> bool:
        """Whether it has, as far as a server can tell."""
        return self.kept[-1].partition(".")[0] == await self.version()

    @property
    def context(self) -> EventContext:
        """Of an event of its."""
        root = self.driver.processor._root_context
        assert root is not None
        return root.fork(token=TOKEN)

    async def emit(self) -> None:
        """A handler tells it of a change."""
        await self.context.emit_delta({ShellState.get_full_name(): {"title_rx_state_": "Told"}})


@pytest.fixture
def returns(monkeypatch: pytest.MonkeyPatch) -> Returns:
    """As the product has it, whatever other tests have the browser store."""
    ours = [one for one in with_substates(State) if one.__module__.startswith("walletmodal.")]
    monkeypatch.setattr(returning_pages, "with_substates", lambda _root: ours)
    return Returns(
        "/",
        seen=(ResumeState, "seen"),
        kept=[(ResumeState, "resume_id")],
        shared=[(PendingState, "browser_id")],
        back=(BridgeState, "sync"),
    )


@pytest.fixture
async def page(driver: Driver, manager: RedisStates, returns: Returns) -> Page:
    """One that has loaded."""
    found = Page(driver, manager, returns)
    await found.load()
    return found


async def test_a_page_that_is_told_everything_has_the_version_of_its_session(page: Page) -> None:
    assert await page.has_seen_all()
    seen = {page.kept[-1]}
    for view in VIEWS:
        await page.driver.fire(view)
        assert await page.has_seen_all()
        seen.add(page.kept[-1])
    assert len(seen) == 1 + len(VIEWS)


async def test_a_page_that_is_told_again_what_it_was_told_has_still_seen_all(page: Page) -> None:
    for _ in range(2):
        async with page.manager.modify_state(token()) as root:
            (await shell(page.manager, root)).title = "Told"
            await page.emit()
            root._clean()
        assert await page.has_seen_all()


async def test_what_a_page_is_not_told_of_changes_no_version(page: Page) -> None:
    async with page.manager.modify_state(token()) as root:
        (await shell(page.manager, root))._after_connect = "Account"
        # As Reflex does once it has told the page, which it did not need to.
        root._clean()
    assert (await page.driver.state(ShellState))._after_connect == "Account"
    assert await page.has_seen_all()


async def test_a_page_that_another_worker_has_told_something_is_told_everything_the_next_time(
    page: Page, other: RedisStates
) -> None:
    elsewhere = Driver(other)
    async with elsewhere.processor:
        await elsewhere.fire(VIEWS[0])
    await page.driver.fire(VIEWS[1])
    assert not await page.has_seen_all()
    await page.load()
    assert await page.has_seen_all()


async def test_what_a_page_was_told_is_forgotten_with_its_socket(page: Page) -> None:
    page.socket = replace(SECOND)
    await page.load()
    before = len(page.manager.told._last)
    page.socket = None
    gc.collect()
    assert (before, len(page.manager.told._last)) == (2, 1)


@pytest.mark.parametrize("socket", [None, SECOND], ids=["none", "another"])
async def test_a_page_whose_socket_is_not_the_one_that_it_loaded_over_is_told_everything_the_next_time(
    page: Page, socket: SocketRecord | None
) -> None:
    page.socket = socket
    await page.driver.fire(VIEWS[0])
    page.socket = FIRST
    await page.driver.fire(VIEWS[1])
    assert not await page.has_seen_all()
    await page.load()
    assert await page.has_seen_all()


async def test_a_page_that_opens_another_socket_meanwhile_is_told_everything_the_next_time(page: Page) -> None:
    async with page.manager.modify_state(token()) as root:
        (await shell(page.manager, root)).title = "Told"
        await page.emit()
        page.socket = SECOND
    assert page.kept[-1] == ""
    await page.driver.fire(VIEWS[0])
    assert not await page.has_seen_all()


async def test_a_page_that_was_told_only_the_last_change_of_an_event_is_told_everything_the_next_time(
    page: Page,
) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    async def tell() -> None:
        async with page.manager.modify_state(token()) as root:
            (await shell(page.manager, root)).title = "Told"
            assert holds_back(fail)
            await page.emit()

    with pytest.raises(ZeroDivisionError):
        await tell()
    assert page.kept[-1] == ""
    await page.driver.fire(VIEWS[0])
    assert not await page.has_seen_all()


async def test_a_page_that_was_not_told_what_it_should_have_been_is_told_everything_the_next_time(page: Page) -> None:
    async with page.driver.changing(ShellState) as shown:
        shown.title = "Not told"
    assert not await page.has_seen_all()
    await page.driver.fire(VIEWS[0])
    assert not await page.has_seen_all()


async def test_a_page_that_is_told_something_before_it_is_written_is_told_everything_the_next_time(page: Page) -> None:
    await page.emit()
    assert page.kept[-1] == ""


async def test_a_session_that_an_event_changes_has_no_version_yet(page: Page) -> None:
    async with page.manager.modify_state(token()):
        assert await loads.session_version(page.manager, TOKEN) == b""
    assert await loads.session_version(page.manager, TOKEN) != b""


async def test_a_session_whose_event_held_its_lock_for_too_long_has_no_version(page: Page) -> None:
    """Its page may have been told what is not written, or is told it after what others have done."""
    lock = page.manager._lock_key(token())
    async with page.manager.modify_state(token()):
        await page.manager.redis.set(lock, b"another", px=5_000)
    await page.manager.redis.delete(lock)
    assert await loads.session_version(page.manager, TOKEN) == b""
    await page.driver.fire(VIEWS[0])
    assert not await page.has_seen_all()


async def test_a_page_that_could_not_be_told_something_is_told_everything_the_next_time(page: Page) -> None:
    context: Any = page.driver.processor._root_context
    emit = context.emit_delta_impl

    async def fail(*_: Any) -> None:
        raise ZeroDivisionError

    object.__setattr__(context, "emit_delta_impl", fail)
    (event,) = Event.from_event_type(VIEWS[0])
    assert await page.driver.forge(event.name, event.payload)
    object.__setattr__(context, "emit_delta_impl", emit)
    await page.driver.fire(VIEWS[1])
    assert not await page.has_seen_all()


async def test_a_page_whose_load_did_not_end_is_told_everything_the_next_time(page: Page) -> None:
    await page.driver.fire(State.hydrate)
    await page.driver.fire(VIEWS[0])
    assert not await page.has_seen_all()
    await page.driver.fire(OnLoadInternalState.set_is_hydrated(True))
    assert await page.has_seen_all()


async def back(page: Page, seen: Any, *, where: dict[str, str] = HERE, others: dict[str, Any] | None = None) -> bool:
    """Whether a page that opens another socket with this in its tab is told that it is back."""
    page.driver.deltas.clear()
    event = Event(name=HYDRATE, payload=stored(seen, **(others or {})))
    entry: Any = SimpleNamespace(event=event, ctx=replace(page.context, router_data=where))
    found = await loads.session_version(page.manager, TOKEN)
    return await page.manager.told.tell_back(entry, found)


async def test_a_page_that_has_missed_nothing_goes_on_from_what_it_has_seen(page: Page) -> None:
    seen, page.socket = page.kept[-1], SECOND
    assert await back(page, seen)
    (told,) = page.driver.deltas
    assert {state: [*values] for state, values in told.items()} == {
        BridgeState.get_full_name(): ["sync_rx_state_"],
        RESUME: [SEEN],
    }
    assert await page.has_seen_all()
    await page.driver.fire(VIEWS[0])
    assert await page.has_seen_all()


async def test_a_page_that_has_missed_something_keeps_nothing_of_what_it_has_seen(page: Page) -> None:
    seen, page.socket = page.kept[-1], SECOND
    async with page.driver.changing(ShellState) as shown:
        shown.title = "Missed"
    assert not await back(page, seen)
    assert page.kept == [""]


async def test_a_page_that_asks_twice_over_a_socket_is_told_everything(page: Page) -> None:
    """As Reflex has it do when a script of its own takes something out of the browser's storage."""
    page.socket = SECOND
    assert await back(page, page.kept[-1])
    assert not await back(page, page.kept[-1])


async def test_a_page_at_another_address_is_told_everything(page: Page) -> None:
    """Which may be in another language."""
    page.socket = SECOND
    assert not await back(page, page.kept[-1], where=HERE | {"asPath": "/#locale=de"})


@pytest.mark.parametrize("seen", ["", "\ud800", 7, None])
async def test_a_page_that_says_anything_else_is_told_everything(page: Page, seen: Any) -> None:
    page.socket = SECOND
    assert not await back(page, seen)


async def test_a_page_that_has_missed_nothing_brings_what_tabs_of_its_browser_share(page: Page) -> None:
    seen, page.socket = page.kept[-1], SECOND
    assert await back(page, seen, others={BROWSER: "another tab's"})
    await eventually(lambda: page.driver.deltas[-1].get(PendingState.get_full_name()), "the browser's word")
    assert (await page.driver.state(PendingState)).browser_id == "another tab's"
    assert await page.has_seen_all()


async def test_in_an_app_that_has_the_browser_store_more_everybody_is_told_everything(
    page: Page, returns: Returns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When that is gone there, the session has to hear of it."""
    fields = {**ShellState.get_fields(), "theirs": PendingState.get_fields()["browser_id"]}
    monkeypatch.setattr(ShellState, "get_fields", lambda: fields)
    assert not returns._are_all
    page.socket = SECOND
    assert not await back(page, page.kept[-1])


@pytest.mark.parametrize(
    ("payload", "path"),
    [
        ({}, "/index"),
        ({"vars": None}, "/index"),
        ({"vars": ["version"]}, "/index"),
        ({"vars": {}}, "/index"),
        (stored(), "/gallery"),
        (stored(7), "/index"),
        (stored(None), "/index"),
        (stored(["version"]), "/index"),
        (stored() | {"hashes": []}, "/index"),
        (stored(**{f"{RESUME}.team_rx_state_": "theirs"}), "/index"),
        (stored(**{"": ""}), "/index"),
    ],
)
def test_a_page_needs_the_whole_state(payload: Any, path: str, returns: Returns) -> None:
    assert returns.take_seen(Event(name=HYDRATE, payload=payload), {"pathname": path}) == ""


def test_the_page_is_where_the_framework_tells_handlers(returns: Returns) -> None:
    assert returns.take_seen(Event(name=HYDRATE, payload=stored()), {"pathname": f"/{app.router('/')}"}) == "version"


def test_what_a_page_has_seen_is_no_value_of_its_state(returns: Returns) -> None:
    payload = stored()
    assert returns.take_seen(Event(name=HYDRATE, payload=payload), HERE) == "version"
    assert [*payload["vars"]] == [f"{RESUME}.resume_id_rx_state_"]
