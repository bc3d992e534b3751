"""Facts of Reflex's states, events and sessions that the code relies on and no documentation promises: an upgrade that breaks one fails here first."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
import pytest_asyncio
import reflex as rx
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import REGISTRY
from pydantic import BaseModel, ConfigDict
from reflex.istate.manager import StateManager
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import State, UpdateVarsInternalState
from reflex.utils.exceptions import ImmutableStateError
from reflex_base.config import get_state_auto_setters
from reflex_base.event import Event

from tests.driver import Driver
from tests.patience import PATIENCE, eventually
from walletmodal.core.clock import MovableClock
from walletmodal.features.bridge.state import BridgeState
from walletmodal.reflex_internals import event_context, low_priority
from walletmodal.reflex_internals.event_context import QUEUE_TASK, current_event, seconds_waited
from walletmodal.reflex_internals.event_names import SENT_BY_REFLEX, events_of_pages
from walletmodal.reflex_internals.json_text import json_dumps
from walletmodal.reflex_internals.substates import get_substate
from walletmodal.reflex_internals.traces import traced

UPDATE = f"{UpdateVarsInternalState.get_full_name()}.update_vars_internal"


class Frozen(BaseModel):
    """As our options and networks are."""

    model_config = ConfigDict(frozen=True)

    name: str = ""


class CounterMixin(rx.State, mixin=True):
    """As our accounts are."""

    step: ClassVar[int]

    count: int = 0

    @rx.event
    def add(self) -> None:
        """Each class's own."""
        self.count += self.step


class ContractOnes(CounterMixin, rx.State):
    """Counts by one."""

    step: ClassVar[int] = 1


class ContractTens(CounterMixin, rx.State):
    """Counts by ten."""

    step: ClassVar[int] = 10


class ContractState(rx.State):
    """One of everything that we use."""

    seen: list[Any] = []
    number: int = 0
    tab: str = rx.SessionStorage(name="contract")
    plain: str = ""

    _model: Frozen = Frozen()
    _secret: dict[str, Any] = {}

    @rx.var
    def doubled(self) -> int:
        """Follows `number`."""
        return self.number * 2

    def undecorated(self) -> None:
        """Public, hence callable."""
        self.seen = [*self.seen, "undecorated"]

    def _hidden(self) -> None:
        self.seen = [*self.seen, "hidden"]

    @rx.event
    def take(self, value: int) -> None:
        """Keeps what came."""
        self.seen = [*self.seen, value]

    @rx.event
    def keep(self) -> None:
        """Keeps a model and a nested dictionary."""
        self._model, self._secret = Frozen(name="kept"), {"list": [{"a": 1}]}

    @rx.event
    def follow(self) -> list[Any]:
        """Returns what comes after it."""
        self.seen = [*self.seen, "first"]
        return [ContractState.later]

    @rx.event
    def later(self) -> None:
        """Comes after."""
        self.seen = [*self.seen, "second"]

    @rx.event
    def fail(self) -> None:
        """Writes, then raises."""
        self.number = 7
        raise ValueError("on purpose")

    @rx.event
    def tell_event(self) -> list[Any]:
        """Keeps which event it is, and causes one that does the same."""
        event = current_event()
        self.seen = [*self.seen, event and (event.id, event.caused_by, event.token)]
        return [] if len(self.seen) > 1 else [ContractState.tell_event]

    @rx.event
    def tell_waiting(self) -> None:
        """Keeps how long it has waited."""
        self.seen = [seconds_waited()]

    @rx.event
    async def reach(self) -> None:
        """Asks for another state."""
        asked = await self.get_state(ContractOnes)
        self.seen = [(await get_substate(self, ContractOnes)) is asked]

    @rx.event
    def write_json(self) -> None:
        """Writes what it holds."""
        self.seen = [json_dumps(self._secret)]

    @rx.event
    async def slow(self) -> None:
        """Lets others run in the middle."""
        before = self.number
        await asyncio.sleep(0)
        self.number = before + 1

    @rx.event(background=True)
    @low_priority.low_priority("refresh")
    async def look_again(self) -> None:
        """Does what can wait."""
        async with self:
            self.seen = [*self.seen, "looked"]

    @rx.event(background=True)
    async def write_unlocked(self) -> None:
        """Must not be able to."""
        self.number = 1

    @rx.event(background=True)
    async def write_locked(self) -> None:
        """The way to do it, with another state's help."""
        async with self:
            self.number = 1
            (await self.get_state(ContractOnes)).count = 5


@pytest_asyncio.fixture
async def driver(manager: StateManager) -> AsyncIterator[Driver]:
    """A visitor of the states above."""
    visitor = Driver(manager)
    async with visitor.processor:
        yield visitor


def name(handler: str) -> str:
    """A handler's name on the wire."""
    return f"{ContractState.get_full_name()}.{handler}"


def test_every_public_method_is_an_event_and_no_private_one() -> None:
    assert set(ContractState.event_handlers) == {
        "fail", "follow", "keep", "later", "look_again", "reach", "setvar", "slow", "take", "tell_waiting",
        "tell_event", "undecorated", "write_json", "write_locked", "write_unlocked",
    }  # fmt: skip


def test_variables_get_no_setters() -> None:
    assert get_state_auto_setters() is False


async def test_a_class_variable_of_a_mixin_is_each_classs_own(driver: Driver) -> None:
    await driver.fire(ContractOnes.add)
    await driver.fire(ContractTens.add)
    assert ((await driver.state(ContractOnes)).count, (await driver.state(ContractTens)).count) == (1, 10)


async def test_an_undecorated_public_method_can_be_called(driver: Driver) -> None:
    await driver.forge(name("undecorated"), {})
    assert (await driver.state(ContractState)).seen == ["undecorated"]


async def test_setvar_calls_only_methods_that_are_there(driver: Driver) -> None:
    raised = await driver.forge(name("setvar"), {"var_name": "number", "value": 5})
    assert ([type(error) for error in raised], (await driver.state(ContractState)).number) == ([AttributeError], 0)


async def test_a_value_that_does_not_fit_its_annotation_arrives_as_it_came(driver: Driver) -> None:
    await driver.fire(ContractState.take("seven"))
    assert (await driver.state(ContractState)).seen == ["seven"]


async def test_only_storage_variables_can_be_filled_by_the_browser(driver: Driver) -> None:
    values = {f"{ContractState.get_full_name()}.{var}": "sent" for var in ("tab", "plain")}
    await driver.forge(UPDATE, {"vars": values})
    state = await driver.state(ContractState)
    assert (state.tab, state.plain) == ("sent", "")


async def test_a_storage_variable_takes_anything_that_the_browser_sends(driver: Driver) -> None:
    await driver.forge(UPDATE, {"vars": {f"{ContractState.get_full_name()}.tab": {"a": 1}}})
    found: Any = (await driver.state(ContractState)).tab
    assert found == {"a": 1}


async def test_what_a_handler_returns_runs_after_it(driver: Driver) -> None:
    await driver.fire(ContractState.follow)
    assert (await driver.state(ContractState)).seen == ["first", "second"]


async def test_events_of_one_visitor_run_one_by_one(driver: Driver) -> None:
    await asyncio.gather(*(driver.fire(ContractState.slow) for _ in range(5)))
    assert (await driver.state(ContractState)).number == 5


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_an_event_of_low_priority_waits_for_room(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(low_priority, "LONGEST_SECONDS", PATIENCE)
    room = asyncio.Event()
    low_priority.give_way(driver.processor, lambda: not room.is_set(), lambda _token: True)
    looks = await driver.enqueue(Event(name=name("look_again")))
    await driver.fire(ContractState.later)
    assert (looks.done(), (await driver.state(ContractState)).seen) == (False, ["second"])
    room.set()
    await looks.wait_all()
    assert (await driver.state(ContractState)).seen == ["second", "looked"]


async def test_background_work_cannot_write_without_the_lock(driver: Driver) -> None:
    raised = await driver.forge(name("write_unlocked"), {})
    assert [type(error) for error in raised] == [ImmutableStateError]


async def test_background_work_reaches_other_states_under_the_lock(driver: Driver) -> None:
    await driver.fire(ContractState.write_locked)
    assert ((await driver.state(ContractState)).number, (await driver.state(ContractOnes)).count) == (1, 5)


async def test_a_computed_variable_is_sent_with_what_it_follows(driver: Driver) -> None:
    await driver.fire(ContractState.write_locked)
    assert driver.deltas[-1][ContractState.get_full_name()]["doubled_rx_state_"] == 2


async def test_a_handler_can_tell_its_event(driver: Driver) -> None:
    await driver.fire(ContractState.tell_event)
    first, second = (await driver.state(ContractState)).seen
    assert (first[1:], second[1:]) == (("", driver.token), (first[0], driver.token))


async def test_a_handler_can_tell_how_long_its_event_has_waited(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_context, "clock", clock := MovableClock())
    await driver.fire(ContractOnes.add)
    async with driver.changing(ContractState):
        waiting = asyncio.create_task(driver.fire(ContractState.tell_waiting))
        await eventually(lambda: any("tell_waiting" in task.get_name() for task in asyncio.all_tasks()))
        clock.advance(9)
    await waiting
    assert (await driver.state(ContractState)).seen == [9]


async def test_events_are_handed_out_by_one_task(driver: Driver) -> None:
    await driver.fire(ContractOnes.add)
    assert [one.get_name().startswith(QUEUE_TASK) for one in asyncio.all_tasks()].count(True) == 1


def test_every_event_of_a_state_is_registered_but_the_frameworks_own() -> None:
    events = events_of_pages()
    assert (name("take") in events, name("_hidden") in events) == (True, False)
    assert [sent for sent in (*SENT_BY_REFLEX, f"{State.get_full_name()}.setvar") if sent in events] == []


def test_an_event_of_a_later_state_is_registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events, later = events_of_pages(), "reflex___state____state.imported_later____joining.join"
    before = later in events
    source = "import reflex as rx\n\n\nclass Joining(rx.State):\n    def join(self) -> None: ...\n"
    (tmp_path / "imported_later.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("imported_later")
    assert (before, later in events) == (False, True)


async def test_a_state_that_is_loaded_is_found_below_the_root(driver: Driver) -> None:
    await driver.fire(ContractState.reach)
    assert (await driver.state(ContractState)).seen == [True]


async def test_what_state_hands_out_has_a_json_text(driver: Driver) -> None:
    await driver.fire(ContractState.keep)
    await driver.fire(ContractState.write_json)
    assert (await driver.state(ContractState)).seen == ['{"list": [{"a": 1}]}']


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_events_are_measured_by_their_feature(driver: Driver) -> None:
    def measured(part: str) -> float:
        labels = {"part": part, "kind": "foreground"}
        return REGISTRY.get_sample_value("walletmodal_event_seconds_count", labels) or 0.0

    await driver.fire(ContractState.keep)
    before = [measured(part) for part in ("own", "bridge", "framework")]
    await driver.fire(ContractState.keep)
    await driver.forge(name("fail"), {})
    await driver.fire(BridgeState.on_connect)
    assert [measured(part) - one for part, one in zip(("own", "bridge"), before, strict=False)] == [2, 1]
    assert before[2] > 0


async def test_events_are_traced_once_reflex_is_told_to(driver: Driver) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    async with traced(provider):
        await driver.fire(ContractState.keep)
    assert name("keep") in [one.name for one in exporter.get_finished_spans()]
    exporter.clear()
    await driver.fire(ContractState.keep)
    assert exporter.get_finished_spans() == ()


async def test_private_variables_are_not_sent(driver: Driver) -> None:
    await driver.fire(ContractState.keep)
    assert "kept" not in str(driver.deltas)


async def test_a_model_in_state_comes_back_as_a_proxy_and_its_copy_as_itself(driver: Driver) -> None:
    await driver.fire(ContractState.keep)
    found = (await driver.state(ContractState))._model
    assert (type(found) is Frozen, type(found.model_copy()) is Frozen, found.name) == (False, True, "kept")


async def test_what_state_hands_out_is_json(driver: Driver) -> None:
    await driver.fire(ContractState.keep)
    assert json.dumps((await driver.state(ContractState))._secret) == '{"list": [{"a": 1}]}'


async def test_a_handler_that_raises_reaches_the_exception_handler(driver: Driver) -> None:
    assert [str(error) for error in await driver.forge(name("fail"), {})] == ["on purpose"]


async def test_a_handler_that_raises_loses_its_writes_on_redis_alone(driver: Driver, manager: StateManager) -> None:
    await driver.forge(name("fail"), {})
    kept = (await driver.state(ContractState)).number
    assert kept == (0 if isinstance(manager, StateManagerRedis) else 7)


async def test_two_visitors_share_nothing(driver: Driver, manager: StateManager) -> None:
    await driver.fire(ContractState.take(1))
    other = Driver(manager, token="another")
    async with other.processor:
        assert (await other.state(ContractState)).seen == []


async def test_a_trace_of_an_unknown_event_is_kept_for_good(driver: Driver) -> None:
    left = await driver.processor.enqueue(driver.token, Event(name="unknown", payload={}))
    await driver.processor.join()
    assert left.txid in driver.processor._futures
