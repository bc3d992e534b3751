"""The list of the gallery: each built view in each of its states. Screenshot and accessibility tests go through the same list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import reflex as rx

from walletmodal.core.texts import (
    ADDRESS_COPIED,
    ALERTS,
    FAILED_TO_DISCONNECT,
    SWITCH_DECLINED,
    SWITCH_FAILED,
    WALLET_DECLINED,
    WALLET_FAILED,
    WALLET_GONE,
    WALLET_INTERRUPTED,
    WALLET_NONSENSE,
    WALLET_SILENT,
)
from walletmodal.features.account.state import Eip155State
from walletmodal.features.connect.state import ConnectState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.gallery import sample
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.features.wallets.state import WalletsState

Values = Mapping[str, object]


@dataclass(frozen=True)
class Entry:
    """One view in one state.

    Attributes:
        id: in the URL and in the file names of the screenshots.
        stack: the views below and, last, the one that is shown.
        values: what the state classes hold; everything else is as a new session has it.
        data: what the title is made of (`name`, `network`).
        note: what the entry shows that its id does not say.
        photographed: whether it looks the same on every machine; scripts that need the machine's own fonts do not.
        surroundings: whether what lies round the card belongs to the picture.
    """

    id: str
    stack: tuple[str, ...]
    values: Mapping[type[rx.State], Values] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    photographed: bool = True
    surroundings: bool = False

    @property
    def view(self) -> str:
        """The view that is shown."""
        return self.stack[-1]


def _wallets(rows: list[Any]) -> dict[type[rx.State], Values]:
    return {WalletsState: {"rows": rows, "searched": True}}


def _connecting(
    phase: str, error: str = "", name: str = "Tidewater Wallet", icon: str | None = None
) -> dict[type[rx.State], Values]:
    shown = sample.wallet(0)["icon"] if icon is None else icon
    return {
        ConnectState: {
            "connector": "example.wallet0",
            "wallet_name": name,
            "wallet_icon": shown,
            "phase": phase,
            "error": error,
        }
    }


def _offered(rows: list[Any], **changes: object) -> dict[type[rx.State], Values]:
    shown = {"rows": rows, "active": rows[0]["id"], "active_name": rows[0]["name"], "active_image": rows[0]["image"]}
    return {NetworksState: {**shown, **changes}}


def _switching(phase: str, error: str = "") -> dict[type[rx.State], Values]:
    target = _ROWS[1]
    return _offered(
        _ROWS, target=target["id"], target_name=target["name"], target_image=target["image"], phase=phase, error=error
    )


def _account(**changes: str | bool) -> dict[type[rx.State], Values]:
    return {Eip155State: sample.account(**changes), **_offered(_ROWS)}


def _embedded(values: Mapping[type[rx.State], Values]) -> dict[type[rx.State], Values]:
    return {**values, EmbedState: {"embedded": True}}


def _toast(message: str, variant: str) -> dict[type[rx.State], Values]:
    return {**_account(), ToastState: {"serial": 1, "message": message, "variant": variant, "auto_close": False}}


_ROWS: Final = sample.networks(*sample.OFFERED)
_LONG: Final = sample.HOSTILE_WALLETS[0]["name"]
_EXTERNAL: Final = ("Connect", "ConnectingExternal")
_NAMED: Final = {"name": "Tidewater Wallet"}
_SWITCH: Final = ("Account", "Networks", "SwitchNetwork")
_UNSUPPORTED: Final = {"unsupported": True, "active": "eip155:31337", "active_name": "", "active_image": ""}

ENTRIES: Final = (
    Entry("connect-searching", ("Connect",)),
    Entry("connect-none", ("Connect",), _wallets([])),
    Entry("connect-one", ("Connect",), _wallets(sample.wallets(1))),
    Entry("connect-full", ("Connect",), _wallets(sample.wallets(4))),
    Entry("connect-many", ("Connect",), _wallets(sample.MANY_WALLETS), note="as many wallets as are ever listed"),
    Entry(
        "connect-hostile",
        ("Connect",),
        _wallets(sample.HOSTILE_WALLETS),
        note="names and icons as a hostile wallet announces them",
    ),
    Entry("connect-foreign", ("Connect",), _wallets(sample.FOREIGN_WALLETS), note="other scripts", photographed=False),
    Entry("connecting-external-asking", _EXTERNAL, _connecting("connecting"), _NAMED),
    Entry("connecting-external-declined", _EXTERNAL, _connecting("error", WALLET_DECLINED), _NAMED),
    Entry("connecting-external-silent", _EXTERNAL, _connecting("error", WALLET_SILENT), _NAMED),
    Entry("connecting-external-gone", _EXTERNAL, _connecting("error", WALLET_GONE), _NAMED),
    Entry("connecting-external-nonsense", _EXTERNAL, _connecting("error", WALLET_NONSENSE), _NAMED),
    Entry("connecting-external-failed", _EXTERNAL, _connecting("error", WALLET_FAILED), _NAMED),
    Entry("connecting-external-interrupted", _EXTERNAL, _connecting("error", WALLET_INTERRUPTED), _NAMED),
    Entry("connecting-external-hostile", _EXTERNAL, _connecting("connecting", name=_LONG, icon=""), {"name": _LONG}),
    Entry("account-full", ("Account",), _account()),
    Entry("account-balance-loading", ("Account",), _account(balance="", balance_state="loading")),
    Entry("account-balance-unavailable", ("Account",), _account(balance="", balance_state="unavailable")),
    Entry("account-disconnecting", ("Account",), _account(disconnecting=True)),
    Entry(
        "account-bare",
        ("Account",),
        {
            Eip155State: sample.account(explorer_url="", balance="0.000", balance_symbol=""),
            **_offered(_ROWS[:1], choosable=False),
        },
        note="a network without explorer, and nothing to switch to",
    ),
    Entry(
        "account-rich",
        ("Account",),
        _account(
            balance="115792089237316195423570985008687907853269984665640564039457.584", balance_symbol="LONGSYMBOL12"
        ),
        note="the largest balance that a chain can report",
    ),
    Entry(
        "account-unsupported",
        ("Account",),
        {Eip155State: sample.account(balance="1.5", explorer_url=""), **_offered(_ROWS, **_UNSUPPORTED)},
        note="the host allows unsupported networks",
    ),
    Entry(
        "account-no-switch",
        ("Account",),
        {**_account(), EmbedState: {"network_switch": False}},
        note="the host switched the network selector off",
    ),
    Entry("networks-full", ("Account", "Networks"), _offered(_ROWS)),
    Entry("networks-one", ("Account", "Networks"), _offered(_ROWS[:1])),
    Entry("networks-many", ("Account", "Networks"), _offered(sample.networks()), note="every EVM network of the table"),
    Entry("networks-found", ("Account", "Networks"), _offered(_ROWS, search="a")),
    Entry("networks-none-found", ("Account", "Networks"), _offered(_ROWS, search="nowhere")),
    Entry("networks-hostile", ("Account", "Networks"), _offered(sample.HOSTILE_NETWORKS)),
    Entry("switch-network-asking", _SWITCH, _switching("switching"), {"network": _ROWS[1]["name"]}),
    Entry("switch-network-declined", _SWITCH, _switching("error", SWITCH_DECLINED), {"network": _ROWS[1]["name"]}),
    Entry("switch-network-failed", _SWITCH, _switching("error", SWITCH_FAILED), {"network": _ROWS[1]["name"]}),
    Entry("unsupported-chain-full", ("UnsupportedChain",), _offered(_ROWS[:3], **_UNSUPPORTED)),
    Entry("unsupported-chain-many", ("UnsupportedChain",), _offered(sample.networks(), **_UNSUPPORTED)),
    Entry(
        "unsupported-chain-disconnecting",
        ("UnsupportedChain",),
        {Eip155State: sample.account(disconnecting=True), **_offered(_ROWS[:3], **_UNSUPPORTED)},
    ),
    Entry("what-is-a-wallet", ("Connect", "WhatIsAWallet")),
    Entry("what-is-a-network", ("Account", "Networks", "WhatIsANetwork")),
    Entry("toast-success", ("Account",), _toast(ADDRESS_COPIED, "success")),
    Entry("toast-error", ("Account",), _toast(FAILED_TO_DISCONNECT, "error")),
    Entry("toast-loading", ("Account",), _toast("Confirm in your wallet", "loading")),
    Entry(
        "toast-long",
        ("Account",),
        _toast("A message of the host page that is so long that it needs several lines", "error"),
    ),
    Entry("embedded-connect", ("Connect",), _embedded(_wallets(sample.wallets(4))), surroundings=True),
    Entry("embedded-account", ("Account",), _embedded(_account()), surroundings=True),
    Entry(
        "embedded-networks",
        ("Account", "Networks"),
        _embedded(_offered(_ROWS)),
        note="with a way back",
        surroundings=True,
    ),
    Entry(
        "alert",
        ("Connect",),
        {**_wallets(sample.wallets(4)), AlertState: {"message": ALERTS["SWITCH_NETWORK_NOT_FOUND"].short}},
    ),
)
"""In the order in which the index lists them; ids that begin alike make a group."""

BY_ID: Final = {entry.id: entry for entry in ENTRIES}
