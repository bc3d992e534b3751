"""The gallery's entries of pairing. The codes themselves are made in the browser, which has no relay there: their place shimmers."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.text.texts import (
    PAIRING_EXPIRED,
    PAIRING_FAILED,
    PAIRING_NOT_OFFERED,
    PAIRING_UNSUITED,
    RELAY_REFUSED,
    RELAY_WRONG_TIME,
    WALLET_DECLINED,
)
from walletmodal.core.wallets.platforms import SEVERAL_DOWNLOADS, Platform, platform_tabs
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.pairing.target import NO_TARGET, Target

_ABOUT: Final[Target] = {
    **NO_TARGET,
    "id": "example.tidewater",
    "name": "Tidewater Wallet",
    "icon": sample.wallet(0)["icon"],
    "short_name": "Tidewater Wa...",
    "mobile_link": "tidewater://",
    "desktop_link": "tidewater://",
    "webapp_link": "https://wallet.example",
    "chrome_store": "https://chrome.example/tidewater",
    "app_store": "https://apps.example/tidewater",
    "play_store": "https://play.example/tidewater",
    "homepage": "https://wallet.example",
    "download": SEVERAL_DOWNLOADS,
}
_HOSTILE: Final[Target] = {
    **_ABOUT,
    "name": sample.HOSTILE_WALLETS[0]["name"],
    "short_name": f"{sample.HOSTILE_WALLETS[0]['name'][:12]}...",
    "icon": "data:image/png;base64,AAAA",
}
_STACK: Final = ("Connect", "ConnectingWalletConnect")
_DOWNLOADS: Final = (*_STACK, "Downloads")
_NAMED: Final = {"name": "Tidewater Wallet"}
_EVERY: Final[tuple[Platform, ...]] = ("browser", "qrcode", "web", "desktop")


def _pane(pane: Platform, *platforms: Platform, about: Target = _ABOUT, **changes: Any) -> dict[type[rx.State], Values]:
    tabs = [{"id": platform, "label": label} for platform, label in platform_tabs(platforms)]
    return {PairingState: {"wallet": about, "tabs": tabs, "pane": pane, "phase": "waiting", **changes}}


def _failing(error: str, pane: Platform = "qrcode", *platforms: Platform) -> dict[type[rx.State], Values]:
    return _pane(pane, *platforms, phase="error", error=error)


ENTRIES: Final = (
    Entry("pairing-any", _STACK, _pane("qrcode", about=NO_TARGET), note="a code for any wallet"),
    Entry("pairing-qrcode", _STACK, _pane("qrcode"), _NAMED),
    Entry("pairing-tabs", _STACK, _pane("qrcode", *_EVERY), _NAMED, note="every way to one wallet"),
    Entry(
        "pairing-browser",
        _STACK,
        {**_pane("browser", *_EVERY), ConnectState: {"phase": "connecting", "wallet_name": "Tidewater Wallet"}},
        _NAMED,
    ),
    Entry(
        "pairing-browser-declined",
        _STACK,
        {**_pane("browser", *_EVERY), ConnectState: {"phase": "error", "error": WALLET_DECLINED}},
        _NAMED,
    ),
    Entry("pairing-mobile", _STACK, _pane("mobile", about={**_ABOUT, "download": "https://apps.example"}), _NAMED),
    Entry("pairing-web", _STACK, _pane("web", *_EVERY), _NAMED),
    Entry("pairing-desktop", _STACK, _pane("desktop", *_EVERY), _NAMED),
    Entry("pairing-unsupported", _STACK, _pane("unsupported", phase="idle"), _NAMED),
    Entry("pairing-hostile", _STACK, _pane("mobile", about=_HOSTILE), {"name": _HOSTILE["name"]}),
    Entry("pairing-manual", _STACK, _pane("qrcode", phase="idle"), _NAMED, note="the host says when"),
    Entry("pairing-declined", _STACK, _failing(WALLET_DECLINED), _NAMED),
    Entry("pairing-declined-tabs", _STACK, _failing(WALLET_DECLINED, "desktop", *_EVERY), _NAMED),
    Entry("pairing-expired", _STACK, _failing(PAIRING_EXPIRED), _NAMED, photographed=False),
    Entry("pairing-failed", _STACK, _failing(PAIRING_FAILED), _NAMED, photographed=False),
    Entry("pairing-unsuited", _STACK, _failing(PAIRING_UNSUITED), _NAMED, photographed=False),
    Entry("pairing-refused", _STACK, _failing(RELAY_REFUSED), _NAMED, photographed=False),
    Entry("pairing-wrong-time", _STACK, _failing(RELAY_WRONG_TIME), _NAMED, photographed=False),
    Entry(
        "pairing-not-offered",
        _STACK,
        _pane("unsupported", about=NO_TARGET, phase="idle", error=PAIRING_NOT_OFFERED),
        note="no relay is configured, and the host asked for the view by name",
    ),
    Entry(
        "pairing-basic",
        ("ConnectingWalletConnectBasic",),
        _pane("qrcode", about=NO_TARGET, all_wallets=True),
        note="a host without adapters",
    ),
    Entry("downloads-all", _DOWNLOADS, _pane("unsupported", phase="idle"), _NAMED),
    Entry(
        "downloads-two",
        _DOWNLOADS,
        _pane("unsupported", phase="idle", about={**_ABOUT, "chrome_store": "", "homepage": ""}),
        _NAMED,
        photographed=False,
    ),
    Entry("downloads-none", ("Downloads",), note="opened by name, without a wallet"),
)
