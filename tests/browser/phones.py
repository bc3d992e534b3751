"""Visitors on a phone, the apps that their taps open, and the sandbox's phone that a link leads to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from playwright.sync_api import Locator, Page, expect

from tests.browser.host_pages import embedding_page
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from walletmodal.sandbox.directory.phone import WALLET_ID

PHONE = WALLET_ID
METAMASK = "c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96"
PHANTOM = "a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393"
COINBASE = "fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa"
DEEP_LINK = "WALLETCONNECT_DEEPLINK_CHOICE"
RECENT = "@appkit/recent_wallets"

_AGENTS = {
    "ios": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
    "Mobile/15E148 Safari/604.1",
    "android": "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile "
    "Safari/537.36",
}
_RECORDER = """(() => {
  window.taps = [];
  const open = window.open.bind(window);
  window.open = (href, target, features) => {
    window.taps.push({ href, target, active: navigator.userActivation.isActive });
    // No app takes a scheme here, and the web beyond this machine is out of reach.
    return href.startsWith("http://localhost") ? open(href, target, features) : null;
  };
})()"""
_TELEGRAM = "window.TelegramWebviewProxy = {};"
_VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'


@dataclass(frozen=True)
class Opened:
    """A link that the host page followed: in which window, and whether the tap still counted."""

    href: str
    target: str
    active: bool

    @property
    def uri(self) -> str:
        """The pairing code that it carries."""
        return unquote(self.href.partition("wc?uri=")[2])


@dataclass(frozen=True)
class OnPhone:
    """A visitor on a phone."""

    visit: Visit

    @property
    def page(self) -> Page:
        """The host page."""
        return self.visit.page

    def open(self) -> None:
        """Tap the host page's button and see the list."""
        self.visit.modal.connect_button.tap()
        self.visit.modal.expect_view("Connect Wallet")

    def row(self, wallet: str) -> Locator:
        """The row of a featured wallet."""
        return self.visit.modal.part(f"wallet-selector-featured-{wallet}")

    def choose(self, wallet: str) -> None:
        """Open the modal and tap a wallet."""
        self.open()
        self.row(wallet).tap()

    def opened(self) -> Opened:
        """The only link that was followed, waited for."""
        self.visit.modal.wait(self.taps, what="a link that was opened")
        (tap,) = self.taps()
        return tap

    def taps(self) -> list[Opened]:
        """All links that were followed."""
        return [Opened(**tap) for tap in self.page.evaluate("window.taps")]

    def kept(self, key: str) -> Any:
        """What the host page's storage has."""
        return json.loads(self.page.evaluate("(key) => localStorage.getItem(key)", key) or "null")

    def expect_connected(self) -> None:
        """The host page knows the phone's account, and the modal is out of the way."""
        self.visit.modal.expect_connected()
        self.visit.modal.expect_closed()


def on_phone(
    visit: Visiting,
    stack: Stack,
    system: str,
    *,
    telegram: bool = False,
    options: Mapping[str, Any] | None = None,
    viewport: tuple[int, int] = (390, 664),
    load: bool = True,
) -> OnPhone:
    """A visitor on a phone whose host page features wallets with apps."""
    server, path = stack.listing_modal, f"/phones/{system}/{telegram}"
    chosen = {"featuredWalletIds": [PHONE, METAMASK, PHANTOM, COINBASE], **(options or {})}
    page = embedding_page(server.url, chosen).replace("<title>", f"{_VIEWPORT}<title>")
    stack.hosts.put(path, page)
    made = visit(
        stack.hosts.allowed + path,
        modal_url=server.url,
        user_agent=_AGENTS[system],
        viewport={"width": viewport[0], "height": viewport[1]},
        has_touch=True,
        is_mobile=True,
        before=[_RECORDER, *([_TELEGRAM] if telegram else [])],
        load=load,
    )
    return OnPhone(made)


class WalletApp:
    """The sandbox's phone page, which asks its owner before it answers."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def scan(self, uri: str) -> None:
        """Takes up a pairing; the question is on its screen then."""
        self.page.get_by_test_id("phone-uri").fill(uri)
        self.page.get_by_test_id("phone-pair").click()
        self.page.get_by_test_id("phone-approve").wait_for()

    def approve(self) -> None:
        """Its owner agrees, and the wallet has said so."""
        self.page.get_by_test_id("phone-approve").click()
        expect(self.page.get_by_test_id("phone-session")).not_to_have_count(0)

    def reject(self) -> None:
        """Its owner does not."""
        self.page.get_by_test_id("phone-reject").click()
