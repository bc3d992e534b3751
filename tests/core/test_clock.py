"""The movable clock."""

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
