"""Redis is away while the host opens the modal: it opens when Redis is back in time, and otherwise the host is told, and nothing happens later."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.polling import until
from tests.browser.servers import Away
from tests.browser.stack import Stack
from tests.browser.visiting import visiting
from tests.browser.visits import Visit, Visiting

WAYS: tuple[Away, ...] = get_args(Away)
GONE = 4900
"""The code of an error: the modal's server is not there."""


def opened_before(visit: Visiting, stack: Stack) -> Visit:
    """A visitor who has had the modal open: the frame and its socket are there."""
    visitor = visit(server=stack.redis_modal)
    visitor.modal.open()
    visitor.modal.api("close")
    visitor.modal.expect_closed()
    return visitor


@pytest.mark.parametrize("way", WAYS)
def test_a_call_is_carried_out_when_redis_is_back_in_time(visit: Visiting, stack: Stack, way: Away) -> None:
    visitor = opened_before(visit, stack)
    with stack.redis.away(way):
        visitor.modal.begin("open", "open")
        until(lambda: not stack.redis_modal.is_healthy(), what="a server that misses its Redis")
    assert visitor.modal.outcome("open") == {"value": None}
    visitor.modal.expect_view("Connect Wallet")


@dataclass(frozen=True)
class Missed:
    """Visitors of a time in which Redis was away for longer than a call is waited for; it is back, and has carried out what waited for it.

    Attributes:
        calling: whose host called `open()`, which ended as `called`.
        clicking: who clicked the host's button.
        arriving: who came in that time, and whose host called `open()`, which ended as `called_on_arrival`.
    """

    calling: Visit
    clicking: Visit
    arriving: Visit
    called: dict[str, Any]
    called_on_arrival: dict[str, Any]

    @property
    def visitors(self) -> tuple[Visit, ...]:
        """All of them."""
        return self.calling, self.clicking, self.arriving


@pytest.fixture(scope="module", params=WAYS)
def missed(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Iterator[Missed]:
    """Redis was away, and is back."""
    with visiting(stack, chromium) as visit:
        calling, clicking = opened_before(visit, stack), opened_before(visit, stack)
        arriving = visit(server=stack.redis_modal)
        with stack.redis.away(request.param):
            arriving.page.reload()
            clicking.modal.connect_button.click()
            expect(clicking.modal.connect_button).to_have_attribute("aria-busy", "true")
            # The last to be called: when these are given up, so is the click.
            for visitor in (calling, arriving):
                visitor.modal.begin("open", "open")
            called, called_on_arrival = (visitor.modal.outcome("open") for visitor in (calling, arriving))
        until(stack.redis_modal.is_healthy, what="a server that has its Redis again")
        visitors = Missed(calling, clicking, arriving, called, called_on_arrival)
        for visitor in visitors.visitors:
            # The server takes what a session was asked before first.
            assert visitor.modal.attempt("updateOptions", {"enableWalletGuide": False}) == {"value": None}
        yield visitors


def test_a_call_is_rejected_while_redis_stays_away(missed: Missed) -> None:
    assert missed.called == {"code": GONE, "message": "The modal's server could not be reached"}


def test_a_call_of_a_page_that_loads_meanwhile_is_rejected(missed: Missed) -> None:
    assert missed.called_on_arrival["code"] == GONE


def test_the_hosts_button_does_not_wait_without_an_end(missed: Missed) -> None:
    expect(missed.clicking.modal.connect_button).to_have_attribute("aria-busy", "false")


def test_what_was_rejected_is_not_carried_out_when_redis_is_back(missed: Missed) -> None:
    assert [visitor.modal.api("isOpen") for visitor in missed.visitors] == [False, False, False]


def test_the_modal_opens_again_when_redis_is_back(missed: Missed) -> None:
    for visitor in missed.visitors:
        visitor.modal.open()
