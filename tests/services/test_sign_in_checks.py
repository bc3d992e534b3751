"""How many signatures one visitor may have verified."""

import pytest
from redis.asyncio import Redis

from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import TooManyChecksError
from walletmodal.services.sign_in.checks import CHECKS, SignatureChecks


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def checks(clock: MovableClock) -> SignatureChecks:
    return SignatureChecks(clock, max_visitors=3)


async def test_who_has_too_many_verified_waits_and_nobody_else(checks: SignatureChecks, clock: MovableClock) -> None:
    await checks.take("one", CHECKS.burst)
    with pytest.raises(TooManyChecksError):
        await checks.take("one")
    await checks.take("another")
    clock.advance(1 / CHECKS.per_second)
    await checks.take("one")
    with pytest.raises(TooManyChecksError):
        await checks.take("one")


async def test_those_of_a_pairing_are_verified_together_or_not_at_all(checks: SignatureChecks) -> None:
    await checks.take("one", CHECKS.burst - 10)
    with pytest.raises(TooManyChecksError):
        await checks.take("one", 11)
    await checks.take("one", 10)


async def test_it_remembers_no_more_visitors_than_it_may(checks: SignatureChecks) -> None:
    for visitor in ("one", "two", "three", "four"):
        await checks.take(visitor, CHECKS.burst)
    await checks.take("one")
    with pytest.raises(TooManyChecksError):
        await checks.take("four")


async def test_servers_on_one_redis_count_together_and_each_by_itself_without_it(redis_url: str) -> None:
    one, other = (SignatureChecks(redis=Redis.from_url(redis_url)) for _ in range(2))
    alone = SignatureChecks(redis=Redis.from_url("redis://127.0.0.1:1"))
    await one.take("visitor", CHECKS.burst)
    with pytest.raises(TooManyChecksError):
        await other.take("visitor", CHECKS.burst)
    await alone.take("visitor", CHECKS.burst)
    with pytest.raises(TooManyChecksError):
        await alone.take("visitor", CHECKS.burst)
    for checks in (one, other, alone):
        await checks.close()
