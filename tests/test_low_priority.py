"""What views ask for by themselves gives way to what visitors do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx
from reflex_base.event.processor import EventProcessor

import walletmodal.walletmodal
from tests.patience import eventually, patience
from walletmodal.reflex_internals import low_priority
from walletmodal.reflex_internals.low_priority import give_way, has_low_priority

PACKAGE = Path(walletmodal.walletmodal.__file__).parent
ROUNDS = 50
"""More than anything here takes that does not wait."""


@low_priority.low_priority("refresh")
async def refresh() -> None: ...


@low_priority.low_priority("progress")
async def progress() -> None: ...


async def click() -> None: ...


class Events(EventProcessor):
    """Notes whose events begin."""

    def __init__(self, begun: list[str]) -> None:
        super().__init__()
        self._begun = begun

    async def _execute_event(self, *, entry: Any, registered_handler: Any) -> None:
        if registered_handler:
            self._begun.append(entry.ctx.token)


class Worker:
    """Events as a worker begins them. `busy`: whether others wait for their states. `gone`: pages that have no socket here."""

    def __init__(self) -> None:
        self.busy, self.begun, self.gone = False, list[str](), set[str]()
        self._processor = Events(self.begun)
        self._tasks: list[asyncio.Task[None]] = []
        give_way(self._processor, lambda: self.busy, lambda page: page not in self.gone)

    async def hear(self, page: str, handler: Any = refresh, *, after: str | None = None) -> None:
        """A page says something, or another event (`after`) brings it about; returns once all that can begin has begun."""
        entry: Any = SimpleNamespace(
            ctx=SimpleNamespace(token=page, parent_txid=after), event=SimpleNamespace(name=handler.__name__)
        )
        registered: Any = SimpleNamespace(handler=SimpleNamespace(fn=handler))
        self._tasks.append(
            asyncio.create_task(self._processor._execute_event(entry=entry, registered_handler=registered))
        )
        for _ in range(ROUNDS):
            await asyncio.sleep(0)

    async def done(self) -> list[str]:
        """Whose have begun, in their order, once all have."""
        async with patience():
            await asyncio.gather(*self._tasks, return_exceptions=True)
        return self.begun

    def waiting(self) -> list[int]:
        """The places of those that wait."""
        return [place for place, one in enumerate(self._tasks) if not one.done()]

    def leave(self, place: int) -> None:
        """The event of this place is given up."""
        self._tasks[place].cancel()


@pytest.fixture
async def worker(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Worker]:
    monkeypatch.setattr(low_priority, "_PAUSE_SECONDS", 0.001)
    # However long this machine makes of a round.
    monkeypatch.setattr(low_priority, "ROUND_SECONDS", 60.0)
    monkeypatch.setattr(low_priority, "LONGEST_SECONDS", 3_600.0)
    found = Worker()
    yield found
    found.busy = False
    await found.done()


async def test_what_a_view_asks_for_waits_while_events_wait_and_a_click_does_not(worker: Worker) -> None:
    worker.busy = True
    await worker.hear("looking")
    await worker.hear("clicking", click)
    assert worker.begun == ["clicking"]
    worker.busy = False
    assert await worker.done() == ["clicking", "looking"]


async def test_it_waits_for_a_short_round_of_the_event_loop(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(low_priority, "ROUND_SECONDS", 0.0)
    await worker.hear("looking")
    await worker.hear("clicking", click)
    assert worker.begun == ["clicking"]
    monkeypatch.setattr(low_priority, "ROUND_SECONDS", 60.0)
    assert await worker.done() == ["clicking", "looking"]


async def test_a_page_has_one_that_waits(worker: Worker) -> None:
    worker.busy = True
    for page in ("one", "one", "other", "one"):
        await worker.hear(page)
    worker.busy = False
    assert await worker.done() == ["one", "other"]


async def test_of_two_the_later_waits_for_its_page_may_be_in_another_language_by_now(worker: Worker) -> None:
    worker.busy = True
    for page in ("one", "other", "one"):
        await worker.hear(page)
    assert worker.waiting() == [1, 2]
    worker.busy = False
    assert await worker.done() == ["one", "other"]


async def test_one_that_is_given_up_leaves_room_for_the_next(worker: Worker) -> None:
    worker.busy = True
    await worker.hear("one")
    worker.leave(0)
    await worker.hear("one")
    worker.busy = False
    assert await worker.done() == ["one"]


async def test_the_next_is_not_left_out_once_the_one_before_has_begun(worker: Worker) -> None:
    await worker.hear("one")
    await eventually(lambda: worker.begun)
    await worker.hear("one")
    assert await worker.done() == ["one", "one"]


async def test_whose_turn_is_longest_ago_is_first_and_before_it_who_had_none(worker: Worker) -> None:
    for page in ("first", "second"):
        await worker.hear(page)
    worker.busy = True
    for page in ("second", "first", "new"):
        await worker.hear(page)
    worker.busy = False
    assert await worker.done() == ["first", "second", "new", "first", "second"]


async def test_what_has_become_of_a_transaction_comes_before_what_is_only_read_anew(worker: Worker) -> None:
    worker.busy = True
    for page in ("first", "second"):
        await worker.hear(page)
    await worker.hear("sender", progress)
    worker.busy = False
    assert await worker.done() == ["sender", "first", "second"]


async def test_who_asks_for_progress_again_waits_for_few_of_many_who_look(worker: Worker) -> None:
    await worker.hear("sender", progress)
    worker.busy = True
    for page in ("first", "second"):
        await worker.hear(page)
    await worker.hear("sender", progress)
    worker.busy = False
    assert await worker.done() == ["sender", "sender", "first", "second"]


async def test_those_who_ask_for_progress_do_not_keep_the_others_waiting_for_ever(worker: Worker) -> None:
    worker.busy = True
    senders = [f"sender {number}" for number in range(low_priority._PROGRESS_TURNS + 2)]
    for page in ("looking", "other"):
        await worker.hear(page)
    for page in senders:
        await worker.hear(page, progress)
    worker.busy = False
    few = low_priority._PROGRESS_TURNS
    assert await worker.done() == [*senders[:few], "looking", *senders[few:], "other"]


async def test_what_a_page_has_asked_for_that_has_gone_is_left_out(worker: Worker) -> None:
    worker.busy = True
    await worker.hear("gone")
    await worker.hear("gone too", after="an event")
    await worker.hear("gone as well", progress)
    worker.gone = {"gone", "gone too", "gone as well"}
    worker.busy = False
    assert await worker.done() == ["gone as well", "gone too"]


async def test_one_after_the_other_begins_however_busy_the_worker_stays(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(low_priority, "LONGEST_SECONDS", 0.01)
    worker.busy = True
    for page in ("first", "second", "third"):
        await worker.hear(page)
    assert await worker.done() == ["first", "second", "third"]


async def test_pages_that_come_do_not_keep_one_waiting_for_ever(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(low_priority, "NEW_SECONDS", 0.0)
    await worker.hear("staying")
    worker.busy = True
    for page in ("staying", "new"):
        await worker.hear(page)
    worker.busy = False
    assert await worker.done() == ["staying", "staying", "new"]


async def test_one_that_is_given_up_takes_no_turn_of_others(worker: Worker) -> None:
    worker.busy = True
    for page in ("gone", "staying"):
        await worker.hear(page)
    worker.leave(0)
    worker.busy = False
    assert await worker.done() == ["staying"]


def test_all_that_views_ask_for_by_themselves_has_low_priority() -> None:
    states = {one.__name__: one for one in _below(rx.State)}
    asked = {
        name for path in PACKAGE.rglob("*.py") for name in re.findall(r"on_tick=(\w+\.\w+)", path.read_text("utf-8"))
    }
    handlers = {name: states[name.partition(".")[0]].event_handlers[name.partition(".")[2]] for name in asked}
    assert len(handlers) > 1
    assert [name for name, one in handlers.items() if not (one.is_background and has_low_priority(one))] == []


def _below(state: type[rx.State]) -> set[type[rx.State]]:
    return {state, *(each for one in state.__subclasses__() for each in _below(one))}
