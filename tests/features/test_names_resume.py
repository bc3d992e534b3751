"""Registering a name over a reload, a lost session and a process that died. In memory and in Redis."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import Driver, session
from tests.features.names_stage import NameService, at_form, form, message, press, sign, signature, types, view
from tests.features.names_stage import clock as clock
from tests.features.names_stage import service as service
from tests.features.returning import returns
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import NameServiceError
from walletmodal.deployment import Deployment
from walletmodal.features.names.state import NamesState

pytestmark = pytest.mark.usefixtures("clock")
in_memory = pytest.mark.parametrize("manager", ["memory"], indirect=True)
CONNECTED: dict[str, Any] = {"sessions": {"eip155": session()}}


async def typed(driver: Driver) -> None:
    """A name that can be had is shown."""
    await at_form(driver)
    await types(driver, "maple")
    await form(driver, lambda state: state.check == "available")


async def done(driver: Driver) -> str:
    """The name, once it is registered."""
    return (await form(driver, lambda state: state.done)).done


async def test_a_name_is_registered(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    assert (await sign(driver)).done == "maple.reown.id"
    assert await view(driver) == "RegisterAccountNameSuccess"


@in_memory
async def test_a_lost_session_has_what_was_typed_and_looks_it_up_again(driver: Driver, heir: Driver) -> None:
    await typed(driver)
    await returns(heir, driver, **CONNECTED)
    state = await form(heir, lambda state: state.check)
    assert (state.typed, state.label, state.check, state.zone) == ("maple", "maple", "available", "reown.id")
    assert await view(heir) == "RegisterAccountName"


@in_memory
async def test_a_lost_session_takes_the_wallets_answer(driver: Driver, heir: Driver) -> None:
    await typed(driver)
    asked = await press(driver)
    await returns(heir, driver, **CONNECTED)
    state = await form(heir)
    assert (state.phase, state.label) == ("signing", "maple")
    await heir.reply(asked, value=signature(asked))
    assert (await done(heir), (await heir.account()).profile_name) == ("maple.reown.id",) * 2


@in_memory
async def test_what_was_signed_for_a_process_that_died_is_registered_by_the_next(
    driver: Driver,
) -> None:
    await typed(driver)
    asked = await press(driver)
    async with driver.changing(NamesState) as state:
        # The one that had taken it up was another process.
        state._registrar = "a process that died"
        state._command, state._signature, state.phase = "", signature(asked), "registering"
    await driver.tell(**CONNECTED, marks=["isMetaMask"])
    assert (await form(driver)).done == "maple.reown.id"


@in_memory
async def test_what_a_lost_session_had_signed_is_registered_without_another_signature(
    driver: Driver, heir: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await typed(driver)
    asked = await press(driver)
    names, real = deployed.services.blockchain.names, deployed.services.blockchain.names.register
    reached, over = asyncio.Event(), asyncio.Event()

    async def hangs(*_: object, **__: object) -> bool:
        reached.set()
        await over.wait()
        raise NameServiceError("register")

    monkeypatch.setattr(names, "register", hangs)
    replying = asyncio.create_task(driver.reply(asked, value=signature(asked)))
    await reached.wait()
    monkeypatch.setattr(names, "register", real)
    await returns(heir, driver, **CONNECTED)
    assert await done(heir) == "maple.reown.id"
    assert await heir.commands("wallet.request") == []
    over.set()
    await replying


@in_memory
async def test_a_reload_of_the_page_ends_what_the_wallet_was_asked(driver: Driver, service: NameService) -> None:
    await typed(driver)
    asked = await press(driver)
    await driver.reload(**CONNECTED)
    state = await form(driver)
    assert (state.phase, state.typed, await driver.commands("wallet.request")) == ("idle", "", [])
    await driver.reply(asked, value=signature(asked))
    assert service.asked("/profile/account", "POST") == []


@in_memory
async def test_a_visitor_who_returns_to_the_success_still_sees_the_name(driver: Driver, heir: Driver) -> None:
    await typed(driver)
    await sign(driver)
    assert await done(driver)
    await returns(heir, driver, **CONNECTED)
    assert ((await heir.state(NamesState)).done, await view(heir)) == ("maple.reown.id", "RegisterAccountNameSuccess")


@in_memory
async def test_a_signature_that_has_grown_old_on_the_way_is_asked_for_again(
    driver: Driver, heir: Driver, service: NameService, clock: MovableClock
) -> None:
    await typed(driver)
    asked = await press(driver)
    await returns(heir, driver, **CONNECTED)
    for each in (clock, service.clock):
        each.advance(30)
    await heir.reply(asked, value=signature(asked))
    assert "took 30 seconds" in (await form(heir, lambda state: state.note and state.check)).note
    again = await press(heir)
    assert message(again)["timestamp"] == int(clock.now().timestamp()) + 7
