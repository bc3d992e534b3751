"""The account as a visitor sees it: what it owns, by its name, and as long as somebody looks."""

import re
from typing import Final

import pytest
from playwright.sync_api import Frame, expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from walletmodal.core.constants import PORTFOLIO_TTL
from walletmodal.features.account.tokens import TokensState

_LOOK: Final = f"{TokensState.get_full_name()}.refresh_all"


@pytest.fixture
def owner(visit: Visiting, stack: Stack) -> Visit:
    """A visitor of a deployment with a blockchain service, whose wallet has coins and a token."""
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "2")
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    return visitor


def test_tokens_are_listed_with_what_they_are_worth(owner: Visit) -> None:
    row = owner.modal.part("token-item-ETH")
    expect(row).to_contain_text("2 ETH")
    expect(owner.modal.part("account-total")).to_contain_text("$")


def frame_of(visitor: Visit) -> Frame:
    return next(frame for frame in visitor.page.frames if frame.url.startswith(visitor.modal.url))


def show(visitor: Visit, state: str) -> None:
    """The tab is hidden, or seen again, as far as the frame can tell."""
    frame_of(visitor).evaluate(
        """(state) => {
          Object.defineProperty(document, "visibilityState", {configurable: true, get: () => state});
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_a_hidden_tab_asks_for_nothing_until_it_is_seen_again(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.account_modal, load=False)
    sent: list[str | bytes] = []
    visitor.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))  # noqa: PLW0108 - Playwright marks what it is given
    visitor.page.clock.install()
    visitor.go()
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()

    def asked() -> int:
        return sum(_LOOK in frame for frame in sent if isinstance(frame, str))

    visitor.modal.wait(asked, what="a first look at the balances")
    show(visitor, "hidden")
    before = asked()
    visitor.page.clock.fast_forward((PORTFOLIO_TTL + 1) * 1000)
    # What is clicked is sent after what was due before.
    tab = visitor.modal.card.get_by_role("tab", name="Activity")
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    assert asked() == before
    show(visitor, "visible")
    visitor.modal.wait(lambda: asked() > before, what="a look at the balances")


def test_the_other_account_is_taken_from_the_profile_and_from_the_settings(owner: Visit) -> None:
    modal, first, second = owner.modal, owner.account.address, owner.other.address
    modal.part("w3m-profile-button").click()
    expect(modal.part("profile-account-item")).to_have_count(2)
    modal.part("profile-switch-button-1").click()
    modal.expect_connected(second)
    modal.api("open", {"view": "AccountSettings"})
    expect(modal.part("account-settings-address")).to_have_text(owner.other.truncated)
    modal.part("account-settings-switch-address").click()
    modal.expect_view("Switch address")
    modal.part("w3m-switch-address-button-0").click()
    modal.expect_connected(first)
    modal.api("open", {"view": "Profile"})
    expect(modal.part("profile-address")).to_have_text(owner.account.truncated)
    expect(modal.part("profile-account-item").first).to_contain_text(re.compile(r"In use"))
    assert "NaN" not in modal.card.inner_text()
