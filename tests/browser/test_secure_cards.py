"""The cards and windows of the secure site: no grave barrier is found in any, dark, light, on a phone's width and in other languages."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Frame, Page, expect

from scripts.card_texts import SCRIPTS
from scripts.messages import LOCALE, card_texts_of, read
from tests.browser.email_visitor import EmailVisitor
from tests.browser.passkeys import Authenticator
from tests.browser.stack import MoveClock, Stack
from tests.browser.test_permissions import daily_coin
from tests.browser.visits import Visiting
from tests.closing_click import closing_click
from tests.deliberate_click import deliberate_click
from tests.gallery.criteria import findings, findings_at_once, keyboard
from tests.gallery.examination import GRAVE, barriers_of
from walletmodal.services.languages import ENGLISH

SETTLED: Final = """() => document.querySelector("footer").getBoundingClientRect().bottom <= innerHeight
  && document.getAnimations().every(({ playState }) => playState !== "running")"""
"""The buttons are in view, and nothing changes its colour any more."""

LOOKS: Final[dict[str, dict[str, Any]]] = {
    "dark": {"options": {"themeMode": "dark"}},
    "light": {"options": {"themeMode": "light"}},
    "phone": {"options": {"themeMode": "dark"}, "viewport": {"width": 360, "height": 740}},
    "german": {"locale": "de-CH"},
    "arabic": {"locale": "ar", "viewport": {"width": 360, "height": 740}},
}
LANGUAGES: Final = {"german": "de", "arabic": "ar"}
TEXTS_SHOWN: Final = """() => [...document.querySelectorAll("body *:not(.hint *)")].flatMap((part) => [
  part.getAttribute("aria-label"), ...[...part.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data)])"""


def translated(tag: str) -> set[str]:
    """English texts of the cards that are others in a language."""
    catalogue = read(LOCALE / tag / "LC_MESSAGES" / "walletmodal.po")
    texts = {text for file in SCRIPTS.rglob("*.ts") for text in card_texts_of(file)}
    return {text for text in texts if (found := catalogue.get(text)) and found.string != text}


class Cards:
    """A visitor's cards, one after the other, and what axe and the criteria have found in them.

    Args:
        owner: the visitor.
        tag: of the language that they are to be in.
        thoroughly: whether they are looked at with wide spacing, at 400 % and where colours are forced besides.
    """

    def __init__(self, owner: EmailVisitor, tag: str, *, thoroughly: bool) -> None:
        self.owner = owner
        self._thoroughly = thoroughly
        self.found: dict[str, tuple[object, ...]] = {}
        self._translated = translated(tag) if tag != ENGLISH else set()

    def look(self, name: str, *, at: str, page: Page | Frame | None = None) -> None:
        """Examines what is shown once the part with this test id is."""
        where = page or self._frame
        part = where.get_by_test_id(at)
        expect(part).to_be_visible()
        # What approves comes to life half a second later, and is not looked at on its way there.
        expect(part).to_be_enabled()
        where.wait_for_function(SETTLED)
        english = self._translated.intersection(where.evaluate(TEXTS_SHOWN))
        found = findings(where) if self._thoroughly else findings_at_once(where)
        self.found[name] = (*barriers_of(where, GRAVE), *found.items(), *self._in_forced_colors(where), *english)

    def _in_forced_colors(self, where: Page | Frame) -> list[str]:
        if not self._thoroughly:
            return []
        window = where.page if isinstance(where, Frame) else where
        window.emulate_media(forced_colors="active")
        found = keyboard(where)
        window.emulate_media(forced_colors="none")
        return [f"in forced colours: {one}" for one in found]

    @property
    def _frame(self) -> Frame:
        secure = f"http://localhost:{self.owner.stack.secure_port}/sdk"
        return next(frame for frame in self.owner.page.frames if frame.url.startswith(secure))

    def code(self) -> str:
        """Of the mail that the code form is about: it has been sent once that is there."""
        expect(self.owner.frame.get_by_test_id("recovery-code-input")).to_be_visible()
        return self.owner.code(8)

    def type_code(self, code: str) -> None:
        """Into the code form of the frame."""
        self.owner.frame.get_by_test_id("recovery-code-input").press_sequentially(code)


def of_requests(cards: Cards) -> None:
    owner = cards.owner
    owner.modal.begin_request("text", "personal_sign", ["0x" + b"hello there".hex(), owner.address])
    cards.look("a message", at="frame-approve")
    owner.frame.get_by_test_id("frame-reject").click()
    owner.modal.expect_closed()
    owner.stack.chain(1).fund(owner.address, "1")
    owner.modal.begin_request("grant", "wallet_requestExecutionPermissions", [daily_coin(owner.address)])
    cards.look("the first permission", at="frame-reject")
    owner.frame.get_by_test_id("frame-reject").click()
    owner.modal.expect_closed()


def of_a_password(cards: Cards) -> None:
    owner = cards.owner
    owner.modal.api("open", {"view": "RecoverySettings"})
    owner.modal.part("password-set").click()
    cards.look("the code form", at="recovery-code-input")
    code = cards.code()
    cards.type_code(str((int(code) + 1) % 100_000_000).zfill(8))
    expect(owner.frame.locator("#recovery-error")).not_to_be_empty()
    cards.look("the code form with an error", at="recovery-code-input")
    cards.type_code(code)
    cards.look("a password", at="recovery-password-again")
    owner.frame.get_by_test_id("recovery-password").fill("short")
    owner.frame.get_by_test_id("password-submit").click()
    expect(owner.frame.get_by_test_id("password-error")).not_to_be_empty()
    cards.look("a password with an error", at="password-error")
    owner.frame.get_by_test_id("password-cancel").click()


def of_an_export(cards: Cards) -> None:
    owner = cards.owner
    owner.modal.api("open", {"view": "UpgradeEmailWallet"})
    owner.modal.part("export-begin").click()
    cards.type_code(cards.code())
    cards.look("before the export's window", at="window-open")
    with owner.page.expect_popup() as opened:
        deliberate_click(owner.frame.get_by_test_id("window-open"))
    window = opened.value
    cards.look("the export", at="export-phrase", page=window)
    for part in ("phrase", "evm", "solana"):
        window.get_by_test_id(f"export-show-{part}").click()
    cards.look("the export with all that it shows", at="export-phrase", page=window)
    closing_click(window, window.get_by_test_id("export-done"))


def of_a_deletion(cards: Cards) -> None:
    owner = cards.owner
    owner.modal.api("open", {"view": "AccountData"})
    owner.modal.part("account-delete").click()
    cards.look("before the deletion's window", at="frame-approve")
    with owner.page.context.expect_page() as opening:
        owner.frame.get_by_test_id("frame-approve").click()
    cards.look("the deletion", at="frame-approve", page=opening.value)
    closing_click(opening.value, opening.value.get_by_test_id("frame-reject"))
    owner.modal.part("account-data-show").click()
    cards.look("before the data's window", at="window-open")
    with owner.page.context.expect_page() as opening:
        owner.frame.get_by_test_id("window-open").click()
    cards.look("the data", at="data-save", page=opening.value)
    closing_click(opening.value, opening.value.get_by_test_id("data-done"))


def of_a_passkey(cards: Cards) -> None:
    owner = cards.owner
    Authenticator(owner.page).verifies(False)
    owner.modal.api("open", {"view": "Passkeys"})
    owner.modal.part("passkey-add").click()
    cards.look("a passkey", at="passkey-continue")
    owner.frame.get_by_test_id("passkey-continue").click()
    expect(owner.frame.get_by_test_id("passkey-error")).not_to_be_empty()
    cards.look("a passkey with an error", at="passkey-window")
    owner.frame.get_by_test_id("passkey-cancel").click()


def of_an_address(cards: Cards) -> None:
    owner = cards.owner
    owner.modal.api("open", {"view": "AccountSettings"})
    owner.modal.part("w3m-account-email-update").click()
    owner.modal.part("wui-email-input").locator("input").fill(f"new.{owner.email}")
    owner.modal.part("email-save").click()
    cards.look("another address", at="frame-approve")
    owner.frame.get_by_test_id("frame-reject").click()


def of_a_newcomer(cards: Cards) -> None:
    owner = cards.owner
    owner.modal.part("w3m-header-close").click()
    owner.modal.expect_closed()
    owner.modal.disconnect()
    owner.modal.open()
    owner.modal.part("passkey-login-button").click()
    cards.look("a login with a passkey", at="passkey-instead")
    owner.frame.get_by_test_id("passkey-instead").click()
    expect(owner.frame.get_by_test_id("passkey-instead")).to_be_hidden()
    cards.look("a new wallet with a passkey", at="passkey-continue")
    owner.frame.get_by_test_id("passkey-cancel").click()


def found_in(visit: Visiting, stack: Stack, move_clock: MoveClock, look: str) -> dict[str, tuple[object, ...]]:
    """What was found, by card."""
    owner = EmailVisitor(visit, stack, **LOOKS[look])
    owner.log_in()
    cards = Cards(owner, LANGUAGES.get(look, ENGLISH), thoroughly=look == "dark")
    for journey in (
        of_requests,
        of_a_password,
        of_an_export,
        of_a_deletion,
        of_a_passkey,
        of_an_address,
        of_a_newcomer,
    ):
        # Until another mail may be asked for.
        move_clock(31)
        journey(cards)
    assert len(cards.found) == 18
    return {name: found for name, found in cards.found.items() if found}


def test_no_card_has_a_barrier(visit: Visiting, stack: Stack, move_clock: MoveClock) -> None:
    assert found_in(visit, stack, move_clock, "dark") == {}


@pytest.mark.parametrize("look", ["light", "phone"])
def test_no_card_has_a_barrier_in_another_look(visit: Visiting, stack: Stack, move_clock: MoveClock, look: str) -> None:
    assert found_in(visit, stack, move_clock, look) == {}


@pytest.mark.parametrize("look", LANGUAGES)
def test_every_card_is_in_the_language_of_the_browser(
    visit: Visiting, stack: Stack, move_clock: MoveClock, look: str
) -> None:
    assert found_in(visit, stack, move_clock, look) == {}
