"""The gallery's entries of signing in: the question in every state, and the list of sign-ins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import reflex as rx

from walletmodal.core.chains.addresses import truncate
from walletmodal.core.text.texts import SIGNATURE_DECLINED
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.state import Eip155State
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.signin.listing import SignInRow, SignInsState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState

Filled = Mapping[type[rx.State], Values]

_VIEW: Final = ("SIWXSignMessage",)
_LIST: Final = ("Account", "AccountSettings", "SignIns")
_NETWORKS: Final = sample.networks(*sample.OFFERED)
_OTHER: Final = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
_ASKED: Final[Values] = {
    "enabled": True,
    "required": True,
    "app_name": "Harbour",
    "app_icon": "/favicon.svg",
    "wallet_icon": sample.wallet(0)["icon"],
}


def _question(*, disconnecting: bool = False, **changes: object) -> dict[type[rx.State], Values]:
    return {
        SignInState: {**_ASKED, **changes},
        Eip155State: sample.account(disconnecting=disconnecting),
    }


def _row(number: int, address: str, *, mine: bool = False, name: str = "") -> SignInRow:
    network = _NETWORKS[number % len(_NETWORKS)]
    return {
        "id": f"{number:032x}",
        "short": truncate(address),
        "address": address,
        "network": name or network["name"],
        "image": network["image"],
        "since": f"{1 + number % 27} Nov",
        "until": f"{8 + number % 20} Dec 2026",
        "mine": mine,
    }


def _list(*rows: SignInRow, phase: str = "shown") -> Filled:
    current = any(row["mine"] for row in rows)
    return {
        SignInState: {"enabled": True},
        SignInsState: {"rows": list(rows), "phase": phase, "current": current},
        Eip155State: sample.account(),
    }


_MINE: Final = _row(0, sample.ADDRESS, mine=True)

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("sign-in-required", _VIEW, _question()),
    Entry("sign-in-optional", _VIEW, _question(required=False)),
    Entry("sign-in-signing", _VIEW, _question(phase="signing")),
    Entry("sign-in-cancelling", _VIEW, _question(disconnecting=True)),
    Entry(
        "sign-in-declined",
        _VIEW,
        {
            **_question(),
            ToastState: {"serial": 1, "message": SIGNATURE_DECLINED, "variant": "error", "auto_close": False},
        },
    ),
    Entry("sign-in-older-name", ("ConnectingSiwe",), _question(app_icon="", wallet_icon="")),
    Entry(
        "sign-in-hostile",
        _VIEW,
        _question(app_name="<b>W</b>" + "W" * 56, app_icon="data:image/png;base64,AAAA", wallet_icon=""),
    ),
    Entry(
        "account-settings-sign-ins",
        _LIST[:2],
        {
            SignInState: {"enabled": True},
            Eip155State: sample.account(),
            NetworksState: {
                "rows": _NETWORKS,
                "active": _NETWORKS[0]["id"],
                "active_name": _NETWORKS[0]["name"],
                "active_image": _NETWORKS[0]["image"],
            },
        },
    ),
    Entry(
        "account-compact-sign-ins",
        _LIST[:1],
        {
            SignInState: {"enabled": True},
            Eip155State: sample.account(),
            NetworksState: {"rows": _NETWORKS, "active": _NETWORKS[0]["id"], "active_image": _NETWORKS[0]["image"]},
            ActiveState: {"compact": True, "actions": ["receive"]},
        },
    ),
    Entry("sign-ins-loading", _LIST, _list(phase="loading")),
    Entry("sign-ins-one", _LIST, _list(_MINE)),
    Entry("sign-ins-many", _LIST, _list(_MINE, *(_row(number, _OTHER) for number in range(1, 32)))),
    Entry("sign-ins-others", _LIST, _list(_row(1, _OTHER)), note="the account in use is not among them"),
    Entry("sign-ins-none", _LIST, _list()),
    Entry("sign-ins-failed", _LIST, _list(phase="failed")),
    Entry("sign-ins-hostile", _LIST, _list(_row(1, _OTHER, name="<script>" + "N" * 56))),
)
"""In the order in which the index lists them."""
