"""On which platforms a wallet of the directory can be connected, and where it is to be had."""

from typing import Final, Literal, Protocol

from walletmodal.core.language import _
from walletmodal.core.protocol.messages import System
from walletmodal.core.wallets.lists import Linked

Platform = Literal["mobile", "desktop", "browser", "web", "qrcode", "unsupported"]
TABS: Final[dict[Platform, str]] = {
    "browser": _("Browser"),
    "mobile": _("Mobile"),
    "qrcode": _("Mobile"),
    "web": _("Webapp"),
    "desktop": _("Desktop"),
}
"""The tab of each platform; a wallet that is not installed has none."""

REPORTED_PLATFORM: Final[dict[Platform, Platform]] = {"unsupported": "browser"}
"""What the event SELECT_WALLET says of a pane, where that is not its own platform."""


def wallet_platforms(
    wallet: Linked | None, *, mobile: bool, installed: bool | None, adapters: bool
) -> tuple[Platform, ...]:
    """The platforms of a wallet, the one to begin with first; more than one are tabs.

    Args:
        wallet: None for pairing without a certain wallet.
        mobile: whether the device is a phone or tablet.
        installed: whether the browser announced the wallet or carries its mark; None for one that no browser could know, because it
            has neither an rdns nor a mark.
        adapters: whether any namespace is offered; without, there is pairing alone.

    Returns:
        Never empty: what has no link and is in no browser can still be paired by QR code.
    """
    if wallet is None:
        return ("qrcode",)
    found: list[Platform] = []
    if adapters and installed:
        found.append("browser")
    if wallet.mobile_link:
        found.append("mobile" if mobile else "qrcode")
    if wallet.webapp_link:
        found.append("web")
    if wallet.desktop_link and not mobile:
        found.append("desktop")
    if adapters and installed is False:
        found.append("unsupported")
    return tuple(found) or ("qrcode",)


def platform_tabs(platforms: tuple[Platform, ...]) -> tuple[tuple[Platform, str], ...]:
    """The tabs above the panes, each platform with its label; none for a single platform."""
    tabs = tuple((platform, TABS[platform]) for platform in platforms if platform in TABS)
    return tabs if len(tabs) > 1 else ()


class Downloadable(Protocol):
    """A wallet's places to get it from; each None or "" where there is none."""

    @property
    def homepage(self) -> str | None:
        """Its own page."""
        ...

    @property
    def chrome_store(self) -> str | None:
        """The browser's extension."""
        ...

    @property
    def app_store(self) -> str | None:
        """The app for iOS."""
        ...

    @property
    def play_store(self) -> str | None:
        """The app for Android."""
        ...


SEVERAL_DOWNLOADS: Final = "several"


def download(wallet: Downloadable, *, mobile: bool, system: System) -> str:
    """Where somebody without the wallet is led: the one link that serves the device, `SEVERAL_DOWNLOADS`, or "" for nowhere.

    On a phone the page of the wallet stands in for a store that it is not in.
    """
    if mobile:
        store = {"ios": wallet.app_store, "android": wallet.play_store}.get(system)
        return store or wallet.homepage or ""
    links = [link for link in (wallet.chrome_store, wallet.app_store, wallet.play_store, wallet.homepage) if link]
    return SEVERAL_DOWNLOADS if len(links) > 1 else next(iter(links), "")


def page_to_get(wallet: Downloadable, *, mobile: bool, system: System) -> str:
    """The one page on which somebody gets a wallet: the store of the phone, on a computer the browser's, else its own; "" for none."""
    if mobile:
        return download(wallet, mobile=mobile, system=system)
    return wallet.chrome_store or wallet.homepage or wallet.app_store or wallet.play_store or ""
