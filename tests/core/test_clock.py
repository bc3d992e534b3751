"""The movable clock."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from walletmodal.core.clock import Clock, MovableClock, SystemClock


def test_it_stands_still_until_it_is_moved() -> None:
    clock = MovableClock(datetime(2026, 5, 1, tzinfo=UTC))
    before = (clock.now(), clock.monotonic())
    clock.advance(240)
    assert (clock.now() - before[0], clock.monotonic() - before[1]) == (timedelta(minutes=4), 240)


def test_it_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="does not go back"):
        MovableClock().advance(-1)


@pytest.mark.parametrize("clock", [SystemClock(), MovableClock()])
def test_civil_time_has_its_zone(clock: Clock) -> None:
    assert clock.now().tzinfo is UTC


async def test_a_sleeper_wakes_when_the_clock_has_been_moved_far_enough() -> None:
    clock = MovableClock()
    sleeper = asyncio.create_task(clock.sleep(240))
    await clock.asleep()
    clock.advance(239)
    assert list(clock.sleepers) == [1]
    clock.advance(1)
    await sleeper
    assert not clock.sleepers


async def test_sleepers_wake_in_the_order_of_their_times() -> None:
    clock, woken = MovableClock(), list[int]()

    async def sleep(seconds: int) -> None:
        await clock.sleep(seconds)
        woken.append(seconds)

    sleepers = [asyncio.create_task(sleep(seconds)) for seconds in (3, 1, 2)]
    await clock.asleep(3)
    clock.advance(10)
    await asyncio.gather(*sleepers)
    assert woken == [1, 2, 3]


async def test_a_sleeper_that_was_given_up_is_forgotten() -> None:
    clock = MovableClock()
    sleeper = asyncio.create_task(clock.sleep(5))
    await clock.asleep()
    sleeper.cancel()
    await asyncio.wait([sleeper])
    assert not clock.sleepers
    clock.advance(10)


@pytest.mark.parametrize("clock", [SystemClock(), MovableClock()])
@pytest.mark.parametrize("seconds", [0, -1])
async def test_no_seconds_are_over_at_once(clock: Clock, seconds: float) -> None:
    await clock.sleep(seconds)


async def test_the_systems_clock_sleeps_for_real() -> None:
    clock = SystemClock()
    before = clock.monotonic()
    await clock.sleep(0.02)
    assert clock.monotonic() - before >= 0.019
