"""States of two releases in one Redis: a session is one release's at a time, as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import make_dataclass
from types import GenericAlias
from typing import Any, cast

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State
from reflex_base.event import Event
from reflex_base.event.processor import EventFuture

from tests.driver import Driver
from walletmodal.features.account.state import Eip155State
from walletmodal.features.own_views.failures import on_failure
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.reflex_internals.lost_sessions import LostSessionError
from walletmodal.reflex_internals.redis_states import RedisStates, read_together
from walletmodal.reflex_internals.state_shape import parts_of
from walletmodal.walletmodal import app

in_redis = pytest.mark.parametrize("manager", ["redis"], indirect=True)
TOKEN = "visitor"
RESUME_ID = f"{ResumeState.get_full_name()}.resume_id_rx_state_"
_REDIS: Any = RedisStates


@pytest_asyncio.fixture
async def newer(redis_url: str, manager: RedisStates, driver: Driver) -> AsyncIterator[Driver]:
    """The same page at a server of the next release."""
    states = _REDIS(redis=Redis.from_url(redis_url))
    states.__dict__["_shape"] = b"newshape"
    after = Driver(states, TOKEN)
    after.follow(driver)
    async with after.processor:
        yield after
    await states.close()


async def lands(there: Driver, resume_id: str) -> None:
    """The page's socket connects there: the event that says so first."""
    await (await begin_landing(there, resume_id)).wait_all()


async def begin_landing(there: Driver, resume_id: str) -> EventFuture:
    there.processor.middleware, there._arrived = app, True
    return await there.enqueue(Event(name=HYDRATE, payload={"vars": {RESUME_ID: resume_id}}))


async def resume_id(driver: Driver) -> str:
    return (await driver.state(ResumeState)).resume_id


async def open_help(driver: Driver) -> str:
    """A visitor has gone somewhere in the modal; under which id that is on record."""
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    return await resume_id(driver)


async def place(driver: Driver) -> tuple[bool, str]:
    shell = await driver.state(ShellState)
    return shell.open, shell.view


@in_redis
async def test_a_page_that_lands_on_the_next_release_keeps_its_place(driver: Driver, newer: Driver) -> None:
    await lands(newer, await open_help(driver))
    assert await place(newer) == (True, "WhatIsAWallet")


@in_redis
async def test_a_page_that_goes_to_and_fro_between_releases_keeps_its_place(driver: Driver, newer: Driver) -> None:
    named = await open_help(driver)
    for there in (newer, driver, newer):
        await lands(there, named)
        assert await place(there) == (True, "WhatIsAWallet")


@in_redis
async def test_what_a_page_says_there_in_the_background_as_it_lands_leaves_it_its_place(
    driver: Driver, newer: Driver
) -> None:
    landing = await begin_landing(newer, await open_help(driver))
    saying = await newer.enqueue(Event.from_event_type(Eip155State.load_identity)[0])
    await asyncio.gather(landing.wait_all(), saying.wait_all())
    assert (await place(newer), newer.errors) == ((True, "WhatIsAWallet"), [])


@pytest.mark.parametrize(
    "event",
    [None, ShellState.push("Networks"), Eip155State.load_identity],
    ids=["of a background event that runs", "an event", "a background event"],
)
@in_redis
async def test_what_the_release_before_is_still_doing_changes_nothing_there(
    driver: Driver, newer: Driver, event: Any
) -> None:
    await lands(newer, await open_help(driver))
    context = {} if event is None else {"event": Event.from_event_type(event)[0]}
    before = await driver.redis.get(_key())
    with pytest.raises(LostSessionError):
        async with driver.manager.modify_state(BaseStateToken(ident=TOKEN, cls=Eip155State), **context):
            pass
    assert await driver.redis.get(_key()) == before


@in_redis
async def test_work_whose_page_goes_to_the_next_release_meanwhile_is_given_up_without_a_word(
    driver: Driver, newer: Driver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    named, states = await open_help(driver), cast("RedisStates", driver.manager)
    fetch = states._fetch

    async def move_after(*asked: Any) -> Any:
        found = await fetch(*asked)
        monkeypatch.setattr(states, "_fetch", fetch)
        await lands(newer, named)
        return found

    read_together(StateManagerRedis(redis=newer.redis))  # type: ignore[abstract]  # conditional overloads
    monkeypatch.setattr(states, "_fetch", move_after)
    with pytest.raises(LostSessionError) as raised:
        await driver.fire(Eip155State.load_identity)
    told: Any = on_failure
    assert (await place(newer), told(raised.value), caplog.records) == ((True, "WhatIsAWallet"), None, [])


@pytest.mark.parametrize(("errors", "logged"), [([], 0), ([ValueError("no answer")], 1)], ids=["alone", "with another"])
def test_of_work_that_was_given_up_as_its_session_is_gone_nothing_is_logged(
    caplog: pytest.LogCaptureFixture, errors: list[Exception], logged: int
) -> None:
    on_failure(ExceptionGroup("two looks", [LostSessionError("the session is gone"), *errors]))
    assert len(caplog.records) == logged


@in_redis
async def test_a_page_that_comes_back_finds_nothing_of_its_older_life(driver: Driver, newer: Driver) -> None:
    await driver.load()
    async with driver.changing(Eip155State) as account:
        account.address = "0xolder"
    named = await resume_id(driver)
    await lands(newer, named)
    await lands(driver, named)
    assert (await driver.account()).address == ""


def _key() -> str:
    return BaseStateToken(ident=TOKEN, cls=ShellState)._state_key(State)


def _kept(**fields: Any) -> type:
    return make_dataclass("Kept", fields.items())


def test_the_shape_is_also_that_of_what_variables_are_made_of() -> None:
    before, same, after = (
        sorted(parts_of(GenericAlias(dict, (str, one)), set()))
        for one in (_kept(amount=int), _kept(amount=int), _kept(amount=int, note=str))
    )
    assert before == same
    assert before != after
