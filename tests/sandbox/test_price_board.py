"""Prices that move by themselves."""

from decimal import Decimal
from itertools import pairwise

import pytest

from walletmodal.core.clock import MovableClock
from walletmodal.sandbox.price_board import REACH, STEADY, STEP_SECONDS, PriceBoard

FIRST = Decimal(3200)
DAY = 86_400


def walk(symbol: str = "ETH", *, seconds: int = 3600, seed: str = "a") -> list[Decimal]:
    """A price of each step of some time."""
    clock = MovableClock()
    board, found = PriceBoard(clock, seed=seed, moving=True), list[Decimal]()
    for _ in range(seconds // STEP_SECONDS):
        found.append(board.of(symbol, FIRST))
        clock.advance(STEP_SECONDS)
    return found


def test_a_walk_begins_at_what_the_chains_tell() -> None:
    assert walk(seconds=STEP_SECONDS) == [FIRST]


def test_the_same_seed_makes_the_same_walk() -> None:
    assert walk() == walk()


@pytest.mark.parametrize("other", [walk("UNI"), walk(seed="b")])
def test_other_coins_and_other_seeds_walk_elsewhere(other: list[Decimal]) -> None:
    assert walk() != other


def test_a_walk_stays_within_its_bounds() -> None:
    reach = FIRST * REACH / 1_000_000
    assert all(abs(price - FIRST) <= reach for price in walk(seconds=DAY))


def test_a_price_changes_within_every_half_minute_by_small_steps() -> None:
    prices = walk()
    pairs = zip(prices, prices[6:], strict=False)
    steps = [abs(one - other) / FIRST for one, other in pairwise(prices)]
    assert (all(one != other for one, other in pairs), max(steps) < Decimal("0.01")) == (True, True)


@pytest.mark.parametrize("symbol", sorted(STEADY))
def test_dollars_stay_dollars(symbol: str) -> None:
    assert set(walk(symbol)) == {FIRST}


def test_still_prices_stay_where_the_chains_have_them() -> None:
    clock = MovableClock()
    board = PriceBoard(clock)
    clock.advance(DAY)
    assert board.of("ETH", FIRST) == FIRST


def test_stopped_prices_stay_and_go_on_from_there() -> None:
    clock = MovableClock()
    board = PriceBoard(clock, moving=True)
    clock.advance(100)
    board.move(moving=False)
    stopped = board.of("ETH", FIRST)
    clock.advance(DAY)
    after_a_day = board.of("ETH", FIRST)
    board.move(moving=True)
    clock.advance(60)
    undisturbed = MovableClock()
    other = PriceBoard(undisturbed, moving=True)
    undisturbed.advance(160)
    assert (after_a_day, board.of("ETH", FIRST)) == (stopped, other.of("ETH", FIRST))


def test_a_fixed_price_stays_until_the_reset() -> None:
    clock = MovableClock()
    board = PriceBoard(clock, moving=True)
    board.fix("ETH", Decimal("4000.5"))
    clock.advance(60)
    fixed = board.of("ETH", FIRST)
    board.reset()
    assert (fixed, board.of("ETH", FIRST), dict(board.fixed)) == (Decimal("4000.5"), FIRST, {})
