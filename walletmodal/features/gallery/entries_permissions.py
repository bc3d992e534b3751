"""The gallery's entries of permissions: the list in every state, and what is shown after a grant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import reflex as rx

from walletmodal.core.chains.addresses import truncate
from walletmodal.features.account.state import Eip155State
from walletmodal.features.gallery import entries_account, sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.permissions.rows import ACTIVE, PermissionMonth, PermissionRow
from walletmodal.features.permissions.state import PermissionsState

Filled = Mapping[type[rx.State], Values]

_LIST: Final = ("Account", "SmartSessionList")
_NETWORKS: Final = sample.networks(*sample.OFFERED)
_SPENDER: Final = "0x016562aA41A8697720ce0943F003141f5dEAe006"
_USED: Final = "2.5 USDC used in this period, 7.5 USDC left"


def _row(number: int, sentence: str, used: str = _USED) -> PermissionRow:
    return {
        "id": f"{number:064x}",
        "number": number,
        "sentence": sentence,
        "used": used,
        "spender": f"Spender {truncate(_SPENDER)}",
        "address": _SPENDER,
        "since": f"Granted {28 - number} November",
        "fresh": False,
        "leaving": False,
    }


def _month(title: str, *rows: PermissionRow) -> PermissionMonth:
    return {"title": title, "rows": list(rows)}


def _list(*months: PermissionMonth, **changes: object) -> Filled:
    return {
        Eip155State: sample.account(),
        PermissionsState: {"offered": True, "phase": "shown", "months": list(months), **changes},
    }


_DAILY: Final = _row(0, "10 USDC a day to harbour.example until 1 March 2027")
_ONCE: Final = _row(1, "0.5 ETH altogether to harbour.example until 24 December", "0.1 ETH used so far, 0.4 ETH left")
_NOVEMBER: Final = _month("November 2026", _DAILY, _ONCE)
_OCTOBER: Final = _month(
    "October 2026", _row(2, "25 USDC every 30 days to harbour.example for ever", "What was used is not known now")
)

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry(
        "account-smart-sessions",
        _LIST[:1],
        {
            **entries_account.account(),
            NetworksState: {"rows": _NETWORKS, "active": _NETWORKS[0]["id"], "active_image": _NETWORKS[0]["image"]},
            PermissionsState: {"offered": True},
        },
    ),
    Entry("smart-sessions-loading", _LIST, _list(phase="loading")),
    Entry("smart-sessions-active", _LIST, _list(_NOVEMBER, _OCTOBER)),
    Entry(
        "smart-sessions-revoking", _LIST, _list(_month("November 2026", {**_DAILY, "leaving": True}, _ONCE), _OCTOBER)
    ),
    Entry(
        "smart-sessions-revoking-all",
        _LIST,
        _list(_month("November 2026", {**_DAILY, "leaving": True}, {**_ONCE, "leaving": True}), busy=True),
    ),
    Entry(
        "smart-sessions-many",
        _LIST,
        _list(_month("November 2026", *(_row(number, _DAILY["sentence"]) for number in range(20)))),
    ),
    Entry(
        "smart-sessions-expired",
        _LIST,
        _list(
            _month("May 2026", _row(0, "10 USDC a day to harbour.example until 1 June", "Ended 1 June")), tab="Expired"
        ),
    ),
    Entry(
        "smart-sessions-revoked",
        _LIST,
        _list(_month("May 2026", _row(0, _ONCE["sentence"], "Taken back 2 June")), tab="Revoked"),
    ),
    Entry("smart-sessions-none", _LIST, _list(tab=ACTIVE)),
    Entry("smart-sessions-failed", _LIST, _list(phase="failed")),
    Entry(
        "smart-sessions-hostile",
        _LIST,
        _list(_month("November 2026", _row(0, "1 " + "W" * 24 + " a day to " + "w" * 80))),
    ),
    Entry(
        "smart-session-created",
        ("SmartSessionCreated",),
        _list(_month("November 2026", {**_DAILY, "fresh": True}, {**_ONCE, "fresh": True})),
    ),
    Entry("smart-session-created-loading", ("SmartSessionCreated",), _list(phase="loading")),
)
"""In the order in which the index lists them."""
