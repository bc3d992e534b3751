"""A balance that cannot be read: when it is asked for again, and when the visitor hears of it."""

from __future__ import annotations

import pytest

from tests.chain_double import ChainDouble
from tests.driver import OTHER, Driver, session
from walletmodal.core.clock import MovableClock
from walletmodal.core.text.texts import BALANCE_UNAVAILABLE
from walletmodal.deployment import Deployment
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.balances import NativeBalances
from walletmodal.services.cache import MemoryCache


@pytest.fixture
def clock(deployed: Deployment, chain: ChainDouble) -> MovableClock:
    """What the deployment's balances are timed with."""
    clock = MovableClock()
    deployed.balances = NativeBalances([chain], MemoryCache(clock), clock=clock)
    return clock


@pytest.mark.parametrize(("seconds", "state"), [(29.9, "unavailable"), (30, "known")])
async def test_opening_the_modal_tries_an_unavailable_balance_again_after_the_gap(
    driver: Driver, chain: ChainDouble, clock: MovableClock, seconds: float, state: str
) -> None:
    chain.down = True
    await driver.connect()
    chain.down = False
    clock.advance(seconds)
    await driver.call("open")
    assert (await driver.account()).balance_state == state


async def test_a_balance_that_stays_unavailable_is_said_once(
    driver: Driver, chain: ChainDouble, clock: MovableClock
) -> None:
    await driver.connect(options={"enableEmbedded": True})
    chain.down = True
    await driver.tell(sessions={"eip155": session(OTHER)})
    said = (await driver.state(ToastState)).serial
    clock.advance(30)
    await driver.call("open")
    assert (said, (await driver.state(ToastState)).serial) == (1, 1)


async def test_an_embedded_modal_that_nobody_opened_says_that_the_balance_is_unavailable(
    driver: Driver, chain: ChainDouble
) -> None:
    chain.down = True
    await driver.connect(options={"enableEmbedded": True})
    assert (await driver.state(ToastState)).message == BALANCE_UNAVAILABLE
