"""What the browser of a lost session is told first: the socket's first answer is the session as it was, not an empty one."""

from __future__ import annotations

from typing import Any

import pytest
from reflex import state as reflex_state
from reflex.state import State
from reflex_base.event import Event

from tests.core.language.test_text import Shouted
from tests.driver import Driver
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals import spoken
from walletmodal.walletmodal import app

RESUME_ID = f"{ResumeState.get_full_name()}.resume_id_rx_state_"


async def first_delta(driver: Driver, stored: Any) -> dict[str, Any]:
    """What a socket is answered whose first event brings this as the tab's `resume_id`; the page's load has not run."""
    driver.processor.middleware = app
    # What both sockets of the tab were told before.
    driver.deltas.clear()
    event = Event(name=f"{State.get_full_name()}.hydrate_and_load", payload={"vars": {RESUME_ID: stored}})
    sending = await driver.processor.enqueue(driver.token, event)
    await sending.wait_all()
    return driver.deltas[0]


def shown(delta: dict[str, Any]) -> tuple[bool, str]:
    shell = delta[ShellState.get_full_name()]
    return shell["open_rx_state_"], shell["view_rx_state_"]


async def test_a_modal_that_is_open_stays_so_over_a_lost_session(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    delta = await first_delta(heir, (await driver.state(ResumeState)).resume_id)
    assert shown(delta) == (True, "ConnectingExternal")


async def test_a_session_that_lives_is_not_brought_back_to_an_older_place(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    async with driver.changing(ShellState) as shell:
        shell._reset("WhatIsAWallet")
    assert shown(await first_delta(driver, (await driver.state(ResumeState)).resume_id)) == (True, "WhatIsAWallet")


@pytest.mark.parametrize("stored", [None, "", "a" * 42, 7, {"a": 1}, ["x"]])
async def test_what_is_no_id_brings_nothing_back(heir: Driver, stored: Any) -> None:
    assert shown(await first_delta(heir, stored)) == (False, "Connect")


async def test_of_the_first_state_a_page_in_another_language_gets_the_texts_besides(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def shouting(locales: str) -> Shouted | None:
        return Shouted() if locales else None

    monkeypatch.setattr(spoken, "_languages", [shouting])
    first = State(_reflex_internal_init=True).dict(initial=True)  # type: ignore[call-arg]  # as Reflex makes one
    hashes = reflex_state.state_snapshot_hashes(await reflex_state._resolve_delta(first))  # type: ignore[attr-defined]  # as Reflex does
    await driver.load()
    told = list[dict[str, Any]]()
    for driver.locales in ("", "xx"):
        driver.deltas.clear()
        await driver.fire(State.hydrate_and_load(None, hashes))
        told.append(driver.deltas[0][ShellState.get_full_name()])
    assert told == [
        {"initialized_rx_state_": True},
        {"initialized_rx_state_": True, "title_rx_state_": "Connect Wallet"},
    ]
