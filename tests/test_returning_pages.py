"""Pages that open another socket: who has missed nothing is told no more than that it is back."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from reflex.state import OnLoadInternalState, State
from reflex_base.event import Event
from reflex_base.event.context import EventContext

from tests.driver import Driver
from tests.redis_visitor import TOKEN, begun, other, shell, token
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals import loads
from walletmodal.reflex_internals.held_back import holds_back
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.returning_pages import Returns
from walletmodal.walletmodal import app

__all__ = ["begun", "other"]

pytestmark = pytest.mark.parametrize("manager", ["redis"], indirect=True)

RESUME, SEEN = ResumeState.get_full_name(), "seen_rx_state_"
RETURNS = Returns("/", seen=(ResumeState, "seen"), kept=[(ResumeState, "resume_id")], back=(BridgeState, "sync"))
HERE = {"pathname": "/index"}
VIEWS = ShellState.push("Networks"), ShellState.push("WhatIsANetwork"), ShellState.push("AllWallets")


def stored(seen: Any = "version", **others: Any) -> dict[str, Any]:
    """What a page says of its tab."""
    return {"vars": {f"{RESUME}.{SEEN}": seen, f"{RESUME}.resume_id_rx_state_": "one", **others}}


class Page:
    """A page whose session is in Redis."""

    def __init__(self, driver: Driver, manager: RedisStates) -> None:
        self.driver, self.manager = driver, manager
        self.socket = "first"
        manager.told.returns = RETURNS
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
        found = await loads.find_session(self.manager, TOKEN)
        assert found
        return found.decode()

    async def has_seen_all(self) -> bool:
        """Whether it has, as far as a server can tell."""
        return self.kept[-1] == await self.version()

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
async def page(driver: Driver, manager: RedisStates) -> Page:
    """One that has loaded."""
    found = Page(driver, manager)
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
        assert await page.has_seen_all()


async def test_what_a_page_is_not_told_of_changes_no_version(page: Page) -> None:
    async with page.manager.modify_state(token()) as root:
        (await shell(page.manager, root))._after_connect = "Account"
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


@pytest.mark.parametrize("socket", ["", "second"], ids=["none", "another"])
async def test_a_page_whose_socket_is_not_the_one_that_it_loaded_over_is_told_everything_the_next_time(
    page: Page, socket: str
) -> None:
    page.socket = socket
    await page.driver.fire(VIEWS[0])
    page.socket = "first"
    await page.driver.fire(VIEWS[1])
    assert not await page.has_seen_all()
    await page.load()
    assert await page.has_seen_all()


async def test_a_page_that_opens_another_socket_meanwhile_is_told_everything_the_next_time(page: Page) -> None:
    async with page.manager.modify_state(token()) as root:
        (await shell(page.manager, root)).title = "Told"
        await page.emit()
        page.socket = "second"
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


async def test_a_page_that_is_told_something_before_it_is_written_is_told_everything_the_next_time(page: Page) -> None:
    await page.emit()
    assert page.kept[-1] == ""


async def test_a_session_that_an_event_changes_has_no_version_yet(page: Page) -> None:
    async with page.manager.modify_state(token()):
        assert await loads.find_session(page.manager, TOKEN) == b""
    assert await loads.find_session(page.manager, TOKEN) != b""


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


async def test_a_page_that_has_missed_nothing_goes_on_from_what_it_has_seen(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def entry(seen: Any) -> Any:
        event = SimpleNamespace(payload=stored(seen))
        context = replace(page.context, router_data=HERE)
        return SimpleNamespace(event=event, ctx=context)

    monkeypatch.setattr(app, "_state_manager", page.manager)
    version, page.socket = await page.version(), "second"
    page.driver.deltas.clear()
    assert await app.tell_back(entry(version), version.encode())
    (told,) = page.driver.deltas
    assert {state: [*values] for state, values in told.items()} == {
        BridgeState.get_full_name(): ["sync_rx_state_"],
        RESUME: [SEEN],
    }
    assert await page.has_seen_all()
    await page.driver.fire(VIEWS[0])
    assert await page.has_seen_all()
    page.driver.deltas.clear()
    for seen, now in ((version, b"another"), ("", b""), (version, b""), ("", None), ("\ud800", b"another")):
        assert not await app.tell_back(entry(seen), now)
    assert page.driver.deltas == []


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
def test_a_page_needs_the_whole_state(payload: Any, path: str) -> None:
    assert RETURNS.take_seen(payload, {"pathname": path}) == ""


def test_what_a_page_has_seen_is_no_value_of_its_state() -> None:
    payload = stored()
    assert RETURNS.take_seen(payload, HERE) == "version"
    assert [*payload["vars"]] == [f"{RESUME}.resume_id_rx_state_"]
