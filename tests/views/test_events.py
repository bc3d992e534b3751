"""What a team's states hear of their visitor, and what is seen when they raise."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
import reflex as rx

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.test_sign_in import OPTIONAL, arrive, question, signature
from walletmodal import views
from walletmodal.core.text.texts import OWN_EVENT_FAILED
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.own_views.failures import on_failure
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts import state as toasts
from walletmodal.features.toasts.state import AlertState, ToastState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


class Journal(rx.State):
    """A team's state: writes down what it hears."""

    heard: list[str] = []
    who: list[views.Visitor] = []

    @rx.event
    def connected(self) -> None:
        """An account."""
        self.heard = [*self.heard, "connected"]

    @rx.event
    def disconnected(self) -> None:
        """None any more."""
        self.heard = [*self.heard, "disconnected"]

    @rx.event
    def network_changed(self) -> None:
        """Another network."""
        self.heard = [*self.heard, "network_changed"]

    @rx.event(background=True)
    async def signed_in(self) -> None:
        """A verified signature."""
        async with self:
            self.heard = [*self.heard, "signed_in"]
            self.who = [*self.who, await views.visitor(self)]

    @rx.event
    def signed_out(self) -> None:
        """It does not count any more."""
        self.heard = [*self.heard, "signed_out"]


@pytest.fixture
def listening() -> None:
    """The journal hears of everything."""
    views.on("connected", Journal.connected)
    views.on("disconnected", Journal.disconnected)
    views.on("network_changed", Journal.network_changed)
    views.on("signed_in", Journal.signed_in)
    views.on("signed_out", Journal.signed_out)


async def heard(driver: Driver) -> list[str]:
    return list((await driver.state(Journal)).heard)


async def test_each_account_that_comes_is_heard_once_and_that_it_goes(driver: Driver, listening: None) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session()})
    await driver.tell(sessions={"eip155": session(OTHER)})
    await driver.tell(sessions={})
    assert await heard(driver) == ["connected", "connected", "disconnected"]


async def test_another_network_is_heard_of(driver: Driver, listening: None) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session(chain="137")})
    assert await heard(driver) == ["connected", "network_changed"]


async def test_a_page_that_loads_anew_is_told_of_its_account(driver: Driver, listening: None) -> None:
    await driver.connect()
    await driver.reload(sessions={"eip155": session()})
    assert await heard(driver) == ["connected", "connected"]


async def test_a_verified_signature_is_heard_of_and_who_gave_it(driver: Driver, listening: None) -> None:
    await sign_in(driver)
    assert await heard(driver) == ["connected", "signed_in"]
    (who,) = (await driver.state(Journal)).who
    assert (who.account, who.address, who.network, who.signed_in) == (f"eip155:1:{ADDRESS}", ADDRESS, "eip155:1", True)


async def test_who_signs_out_is_heard_of(driver: Driver, listening: None) -> None:
    await sign_in(driver)
    await driver.call("signOut")
    assert await heard(driver) == ["connected", "signed_in", "signed_out"]


async def sign_in(driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await driver.call("signIn")
    await driver.fire(SignInState.sign)
    command = await question(driver)
    await driver.reply(command, value=signature(command))


async def test_nothing_is_remembered_where_nobody_listens(driver: Driver) -> None:
    await driver.connect()
    assert (await driver.state(Journal)).heard == []


async def test_an_own_view_is_opened_and_left_as_any_other(driver: Driver) -> None:
    views.add("Loyalty", title="Points", stays=True)(rx.fragment)
    await driver.connect()
    await driver.call("open")
    await driver.fire(views.opens("Loyalty"))
    assert ((await driver.state(ShellState)).title, (await driver.state(ShellState)).depth) == ("Points", 2)
    await driver.tell(sessions={"eip155": session(chain="137")})
    assert (await driver.state(NetworksState)).active == "eip155:137"
    assert (await driver.state(ShellState)).view == "Loyalty"
    await driver.fire(views.back())
    assert (await driver.state(ShellState)).view == "Account"


async def test_a_view_that_is_gone_with_a_new_release_leaves_the_others(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    async with driver.changing(ShellState) as shell:
        shell._set_stack([("Account", ""), ("Loyalty", "Points")], 1)
    await driver.tell(sessions={"eip155": session(chain="137")})
    assert (await driver.state(ShellState)).view == "Account"


async def test_hosts_do_not_open_what_is_not_for_them(driver: Driver) -> None:
    views.add("Loyalty", for_hosts=False)(rx.fragment)
    await driver.connect()
    await driver.call("open", view="Loyalty")
    assert (await driver.answer("call-open"))["error"]["message"] == "view not available"


class Broken(rx.State):
    """A team's state whose event raises."""

    def _spend(self) -> None:
        raise ValueError("no points left")


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Any:
    """The event that follows when the team's raises."""
    with pytest.raises(ValueError, match="no points left") as raised:
        Broken._spend(None)  # type: ignore[arg-type]  # it reads nothing of its state
    with caplog.at_level(logging.ERROR):
        return on_failure(raised.value)


async def test_an_event_that_raises_is_told_with_its_place_in_development(driver: Driver, told: Any) -> None:
    await driver.fire(told)
    line = Broken._spend.__code__.co_firstlineno + 1
    expected = f"tests/views/test_events.py:{line} raised ValueError: no points left"
    assert (await driver.state(AlertState)).message == expected


async def test_visitors_are_told_in_a_sentence(driver: Driver, told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toasts, "is_development", lambda: False)
    await driver.fire(told)
    assert (await driver.state(ToastState)).message == OWN_EVENT_FAILED
    assert (await driver.state(AlertState)).message == ""


async def test_what_ours_raise_is_reported_alone(driver: Driver) -> None:
    with pytest.raises(TypeError) as raised:
        json.dumps(object())
    error = raised.value.with_traceback(None)
    assert on_failure(error) is None


async def test_anything_may_be_said_to_the_event_that_tells(driver: Driver) -> None:
    assert await driver.forge(f"{AlertState.get_full_name()}.tell_raised", {"told": {"x": 1}}) == []
    assert (await driver.state(ToastState)).message == OWN_EVENT_FAILED
