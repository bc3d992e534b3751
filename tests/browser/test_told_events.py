"""What the host's subscribers hear: every event once, in order, whatever happens to the frame or the line."""

from typing import Any

import pytest

from tests.browser.visits import Visit

LISTEN = "() => { window.told = []; modal.subscribeEvents(({ data }) => told.push(data.event)); }"


@pytest.fixture
def heard(visitor: Visit) -> Visit:
    """A visitor whose host page writes down what it hears."""
    visitor.modal.open()
    visitor.page.evaluate(LISTEN)
    return visitor


def told(visit: Visit) -> list[Any]:
    """What the host page has heard since it listens."""
    events: list[Any] = visit.page.evaluate("() => told")
    return events


def expect_told(visit: Visit, *events: str) -> None:
    """The host page hears these and, until then, nothing else."""
    visit.modal.wait(lambda: len(told(visit)) >= len(events), what=f"{events} at the host")
    assert told(visit) == list(events)


def test_each_event_is_told_once_and_in_order(heard: Visit) -> None:
    heard.modal.choose_wallet()
    heard.wallet.approve()
    heard.modal.expect_closed()
    expect_told(heard, "SELECT_WALLET", "CONNECT_SUCCESS", "MODAL_CLOSE")


def test_a_reload_of_the_frame_tells_nothing_again(heard: Visit) -> None:
    heard.modal.part("w3m-header-help").click()
    expect_told(heard, "CLICK_WALLET_HELP")
    heard.modal.iframe.evaluate("(iframe) => { iframe.src = iframe.src; }")
    heard.modal.expect_view("What is a wallet?")
    heard.modal.api("close")
    expect_told(heard, "CLICK_WALLET_HELP", "MODAL_CLOSE")
