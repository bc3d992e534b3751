"""What the height of the card does when something is shown for the first time, frame by frame."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Frame, expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from walletmodal.commands.build import static_directory

RECORDER = """
window.__frames = [];
window.__moves = 0;
document.addEventListener("transitionrun", ({propertyName, target}) => {
  if (propertyName === "height" && target.className === "wm-body") __moves += 1;
});
(function record() {
  const body = document.querySelector(".wm-body"), view = body?.querySelector(".wm-view:last-child");
  if (view) __frames.push({
    height: body.offsetHeight,
    script: !document.querySelector(".wm-lazy"),
    blank: !view.innerText.trim() && !view.querySelector(".wm-shimmer, .wm-spinner"),
    panel: !view.querySelector("[role=tabpanel]:empty"),
  });
  requestAnimationFrame(record);
})();
"""


@dataclass(frozen=True)
class Recorded:
    """What was seen between two rests. `scripts`: whether all scripts were there in every frame; `moves`: how often the height began to move."""

    heights: tuple[int, ...]
    scripts: bool
    blank: bool
    moves: int

    @property
    def turns(self) -> bool:
        """Whether the height has gone up as well as down."""
        steps = [b - a for a, b in zip(self.heights, self.heights[1:], strict=False)]
        return any(step > 0 for step in steps) and any(step < 0 for step in steps)


def frame_of(visitor: Visit) -> Frame:
    """The modal's frame."""
    return next(frame for frame in visitor.page.frames if frame.url.startswith(visitor.modal.url))


def record(visitor: Visit, step: Callable[[], object]) -> Recorded:
    """Takes a step, and waits until all is at rest."""
    frame_of(visitor).evaluate("() => { __frames.length = 0; __moves = 0; }")
    step()
    visitor.modal.expect_rest()
    # Something may begin with the very next frame.
    visitor.modal.card.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    visitor.modal.expect_rest()
    found = frame_of(visitor).evaluate("() => [__frames, __moves]")
    frames, moves = found
    return Recorded(
        tuple(one["height"] for one in frames),
        all(one["script"] for one in frames),
        any(one["blank"] or not one["panel"] for one in frames),
        moves,
    )


def scripts_of_account() -> list[str]:
    """The names of the account's script and of those that it loads itself."""
    assets = static_directory() / "assets"
    (account,) = assets.glob("account_view-*.js")
    return [account.name, *re.findall(r"import\(\s*[`\"']\./([\w.-]+\.js)", account.read_text("utf-8"))]


@pytest.fixture
def owner(visit: Visiting, stack: Stack) -> Visit:
    """A visitor with a coin, just connected, whose frame has loaded ahead what an account needs."""
    visitor = visit(server=stack.account_modal, before=[RECORDER])
    stack.chain(1).fund(visitor.account.address, "2")
    visitor.modal.connect(visitor.wallet)

    def loaded() -> bool:
        entries = "() => performance.getEntriesByType('resource').map(({name}) => name.split('/').pop())"
        return set(scripts_of_account()) <= set(frame_of(visitor).evaluate(entries))

    visitor.modal.wait(loaded, what="the scripts of the account")
    return visitor


def test_the_account_and_its_tabs_have_their_height_at_once_and_are_never_blank(owner: Visit) -> None:
    modal = owner.modal

    def tab(name: str, content: str) -> Callable[[], None]:
        def choose() -> None:
            modal.part(f"tab-{name}").click()
            expect(modal.part("w3m-account-wallet-features-widget")).to_contain_text(content)

        return choose

    def account() -> None:
        modal.open_account()
        expect(modal.part("token-item-ETH")).to_be_visible()

    seen = {
        "Account": record(owner, account),
        "NFTs": record(owner, tab("NFTs", "No NFTs yet")),
        "Activity": record(owner, tab("Activity", "received")),
    }
    odd = {name: one for name, one in seen.items() if len(set(one.heights)) > 1 or one.blank or not one.scripts}
    assert odd == {}


def test_the_height_moves_once_and_never_back_when_a_view_is_first_opened(owner: Visit) -> None:
    modal = owner.modal
    owner.modal.open_account()
    modal.expect_rest()

    def to(test_id: str) -> Callable[[], None]:
        def go() -> None:
            modal.part(test_id).first.click()
            expect(modal.part("header-back")).to_be_visible()

        return go

    def back() -> None:
        modal.part("header-back").click()
        expect(modal.part("w3m-account-select-network")).to_be_visible()

    seen: dict[str, Recorded] = {}
    for test_id in (
        "wallet-features-receive-button",
        "wallet-features-send-button",
        # Leads to the wallet's accounts, of which there are two.
        "w3m-profile-button",
        "w3m-account-select-network",
    ):
        seen[test_id] = record(owner, to(test_id))
        seen[f"back from {test_id}"] = record(owner, back)
    odd = {name: one for name, one in seen.items() if one.turns or one.moves > 1 or one.blank}
    assert odd == {}


def test_before_connecting_too(visit: Visiting) -> None:
    visitor = visit(before=[RECORDER])
    modal = visitor.modal
    modal.open()
    modal.expect_rest()

    def to(test_id: str, title: str) -> Callable[[], None]:
        def go() -> None:
            modal.part(test_id).click()
            modal.expect_view(title)

        return go

    seen = {
        "help": record(visitor, to("w3m-header-help", "What is a wallet?")),
        "back": record(visitor, to("header-back", "Connect Wallet")),
        "asking": record(visitor, modal.choose_wallet),
    }
    odd = {name: one for name, one in seen.items() if one.turns or one.moves > 1 or one.blank}
    assert odd == {}
