"""States of two releases in one Redis: a session is one release's at a time, as a whole."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import make_dataclass
from types import GenericAlias
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from reflex.istate.manager.token import BaseStateToken
from reflex_base.event import Event

from tests.driver import Driver, session
from walletmodal.features.account.state import Eip155State
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.reflex_internals.redis_states import MovedSessionError, RedisStates
from walletmodal.reflex_internals.state_shape import parts_of
from walletmodal.walletmodal import app

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
    after.processor.middleware = app
    async with after.processor:
        yield after
    await states.close()


async def lands(there: Driver, resume_id: str) -> None:
    """The page's socket connects: the event that says so first."""
    event = Event(name=HYDRATE, payload={"vars": {RESUME_ID: resume_id}})
    await (await there.processor.enqueue(there.token, event)).wait_all()
    there._arrived = True


async def resume_id(driver: Driver) -> str:
    return (await driver.state(ResumeState)).resume_id


@pytest.mark.parametrize("manager", ["redis"], indirect=True)
async def test_a_page_that_lands_on_the_next_release_keeps_its_place(driver: Driver, newer: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await lands(newer, await resume_id(driver))
    shell = await newer.state(ShellState)
    assert (shell.open, shell.view) == (True, "WhatIsAWallet")


@pytest.mark.parametrize("manager", ["redis"], indirect=True)
async def test_what_the_release_before_is_still_doing_changes_nothing_there(driver: Driver, newer: Driver) -> None:
    await driver.load(sessions={"eip155": session()})
    await lands(newer, await resume_id(driver))
    with pytest.raises(MovedSessionError):
        async with driver.manager.modify_state(
            BaseStateToken(ident=TOKEN, cls=ShellState), event=Event.from_event_type(ShellState.push("Networks"))[0]
        ):
            pass
    with pytest.raises(MovedSessionError):
        async with driver.manager.modify_state(
            BaseStateToken(ident=TOKEN, cls=Eip155State), event=Event.from_event_type(Eip155State.load_identity)[0]
        ):
            pass


@pytest.mark.parametrize("manager", ["redis"], indirect=True)
async def test_what_a_page_says_there_before_it_has_loaded_is_heard(driver: Driver, newer: Driver) -> None:
    await driver.load()
    states: Any = newer.manager
    states.speaks_for = TOKEN.__eq__
    event = Event.from_event_type(ShellState.push("Networks"))[0]
    async with states.modify_state(BaseStateToken(ident=TOKEN, cls=ShellState), event=event) as root:
        (await root.get_state(ShellState)).title = "Heard"
    assert (await newer.state(ShellState)).title == "Heard"


@pytest.mark.parametrize("manager", ["redis"], indirect=True)
async def test_a_page_that_comes_back_finds_nothing_of_its_older_life(driver: Driver, newer: Driver) -> None:
    await driver.load()
    async with driver.changing(Eip155State) as account:
        account.address = "0xolder"
    named = await resume_id(driver)
    await lands(newer, named)
    driver.processor.middleware = app
    await lands(driver, named)
    assert (await driver.account()).address == ""


def _kept(**fields: Any) -> type:
    return make_dataclass("Kept", fields.items())


def test_the_shape_is_also_that_of_what_variables_are_made_of() -> None:
    before, same, after = (
        sorted(parts_of(GenericAlias(dict, (str, one)), set()))
        for one in (_kept(amount=int), _kept(amount=int), _kept(amount=int, note=str))
    )
    assert before == same
    assert before != after
