"""Tickets: single use, a minute, unguessable."""

import pytest

from walletmodal.core.clock import MovableClock
from walletmodal.services.sign_in import MemoryNonces, Tickets

HOLDER = "ab" * 32


async def test_a_ticket_is_redeemed_once() -> None:
    tickets = Tickets(MemoryNonces(MovableClock()))
    ticket = await tickets.issue(HOLDER)
    assert [await tickets.redeem(ticket), await tickets.redeem(ticket)] == [HOLDER, None]


async def test_a_ticket_ends_after_a_minute() -> None:
    clock = MovableClock()
    tickets = Tickets(MemoryNonces(clock))
    ticket = await tickets.issue(HOLDER)
    clock.advance(60)
    assert await tickets.redeem(ticket) is None


async def test_one_browsers_many_tickets_all_count() -> None:
    tickets = Tickets(MemoryNonces(MovableClock()))
    issued = [await tickets.issue(HOLDER) for _ in range(20)]
    assert len(set(issued)) == 20
    assert [await tickets.redeem(ticket) for ticket in issued] == [HOLDER] * 20


@pytest.mark.parametrize("guess", [None, 7, "", "x", "a" * 43, HOLDER, ["a"], {"ticket": "a"}, "\ud800" * 43])
async def test_what_is_no_ticket_is_nobodys(guess: object) -> None:
    tickets = Tickets(MemoryNonces(MovableClock()))
    await tickets.issue(HOLDER)
    assert await tickets.redeem(guess) is None
