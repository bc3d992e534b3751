"""How many signatures one visitor may have verified."""

import pytest

from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import TooManyChecksError
from walletmodal.services.sign_in.checks import CHECKS, SignatureChecks


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def checks(clock: MovableClock) -> SignatureChecks:
    return SignatureChecks(clock, max_visitors=3)


def test_who_has_too_many_verified_waits_and_nobody_else(checks: SignatureChecks, clock: MovableClock) -> None:
    checks.take("one", CHECKS.burst)
    with pytest.raises(TooManyChecksError):
        checks.take("one")
    checks.take("another")
    clock.advance(1 / CHECKS.per_second)
    checks.take("one")
    with pytest.raises(TooManyChecksError):
        checks.take("one")


def test_those_of_a_pairing_are_verified_together_or_not_at_all(checks: SignatureChecks) -> None:
    checks.take("one", CHECKS.burst - 10)
    with pytest.raises(TooManyChecksError):
        checks.take("one", 11)
    checks.take("one", 10)


def test_it_remembers_no_more_visitors_than_it_may(checks: SignatureChecks) -> None:
    for visitor in ("one", "two", "three", "four"):
        checks.take(visitor, CHECKS.burst)
    checks.take("one")
    with pytest.raises(TooManyChecksError):
        checks.take("four")
