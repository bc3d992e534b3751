"""Facts of Reflex that a visitor's language relies on: what a state holds is translated when it leaves for the browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
import reflex as rx
from reflex.istate.manager import StateManager

from tests.driver import Driver
from walletmodal.core.language import Text, _
from walletmodal.reflex_internals import spoken


@dataclass(frozen=True)
class Said:
    """As our rows are."""

    name: str


class Reversed:
    """A language that says everything backwards."""

    def find(self, text: Text) -> str:
        """Its words backwards, but for what stands for a value."""
        return "{name} desolC" if text.values else text.message[::-1]

    def isolate(self, value: str) -> str:
        """Shows where a value begins and ends."""
        return f"<{value}>"


class SpokenState(rx.State):
    """Texts, in all that a state may hold."""

    seen: list[Any] = []
    plain: str = ""

    @rx.event
    def say(self) -> None:
        """Keeps them."""
        closed = _("Closed")
        self.plain = _("Closed by {name}", name="x")
        self.seen = ["plain", (closed,), {"text": closed}, Said(closed)]


@pytest_asyncio.fixture
async def driver(manager: StateManager) -> AsyncIterator[Driver]:
    """A visitor of the state above."""
    visitor = Driver(manager)
    async with visitor.processor:
        yield visitor


async def test_texts_of_a_state_are_sent_in_the_language_of_the_page(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def reversing(locales: str) -> Reversed | None:
        return None if locales == "en" else Reversed()

    monkeypatch.setattr(spoken, "_languages", [reversing])
    for driver.locales in ("", "en", "xx"):
        await driver.fire(SpokenState.say)
    name = SpokenState.get_full_name()
    said = [delta[name] for delta in driver.deltas if name in delta]
    found = [{key.partition("_rx_")[0]: value for key, value in one.items()} for one in said[-3:]]
    assert [one["plain"] for one in found] == ["Closed by x", "Closed by x", "<x> desolC"]
    assert found[2]["seen"] == ["plain", ["desolC"], {"text": "desolC"}, {"name": "desolC"}]
    assert (await driver.state(SpokenState)).plain == "Closed by x"


async def test_what_is_for_hosts_and_wallets_stays_english(monkeypatch: pytest.MonkeyPatch) -> None:
    async def reversing(_locales: str) -> Reversed:
        return Reversed()

    monkeypatch.setattr(spoken, "_languages", [reversing])
    monkeypatch.setattr(spoken, "_english", {SpokenState.get_full_name()})
    delta = {name: {"told": _("Closed")} for name in (SpokenState.get_full_name(), "another")}
    said = await spoken.in_language_of({"asPath": "/#locale=xx"}, delta)
    assert [*said.values()] == [{"told": "Closed"}, {"told": "desolC"}]
