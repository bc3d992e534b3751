"""Rows of the list of permissions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, TypedDict

from walletmodal.core.chains.addresses import truncate
from walletmodal.core.language import _, ngettext, pgettext
from walletmodal.core.permissions.cost import day_of
from walletmodal.core.permissions.execution_permissions import PermissionRequest, read_permission_requests
from walletmodal.core.permissions.redemption import Usage
from walletmodal.core.requests.summary_cost import permission_amount, permission_sentence
from walletmodal.core.requests.summary_parts import Tokens
from walletmodal.core.text.formatting import month_text
from walletmodal.features.permissions.lookup import KnownPermission
from walletmodal.services.chains.eip155.permissions import PermissionState

ACTIVE: Final = "Active"
ALL: Final = "all"
"""In the place of an id: every permission of the account."""
TABS: Final[dict[str, str]] = {
    ACTIVE: pgettext("state", "Active"),
    "Expired": pgettext("state", "Expired"),
    "Revoked": pgettext("state", "Revoked"),
}
"""What stands on each."""
_TAB_OF: Final[dict[PermissionState, str]] = {
    "active": ACTIVE,
    "not_started": ACTIVE,
    "expired": "Expired",
    "revoked": "Revoked",
}


class PermissionRow(TypedDict):
    """One permission.

    `sentence`: what it lets a page spend. `used`: how much was, or when it ended. `spender`: who may act, cut. `number`: its place in the tab.
    `fresh`: it was granted just now. `leaving`: it is being taken back.
    """

    id: str
    number: int
    sentence: str
    used: str
    spender: str
    address: str
    since: str
    fresh: bool
    leaving: bool


class PermissionMonth(TypedDict):
    """The permissions that were granted in one month."""

    title: str
    rows: list[PermissionRow]


def permissions_by_tab(found: Iterable[KnownPermission], tokens: Tokens, now: int) -> dict[str, list[PermissionMonth]]:
    """Makes the rows of each tab, by months, in the order of what was found.

    Args:
        found: the latest first.
        tokens: what is known of the contracts that they are about.
        now: Unix seconds.
    """
    tabs: dict[str, list[tuple[str, PermissionRow]]] = {tab: [] for tab in TABS}
    for one in found:
        rows, granted = tabs[_TAB_OF[one.state]], one.record.granted_at
        rows.append((month_text(granted.date(), year=True), _row(one, len(rows), tokens, now)))
    return {
        tab: [
            {"title": title, "rows": [row for __, row in of_month]}
            for title, of_month in groupby(rows, key=lambda entry: entry[0])
        ]
        for tab, rows in tabs.items()
    }


def marked(months: Sequence[PermissionMonth], *, leaving: frozenset[str], fresh: int) -> list[PermissionMonth]:
    """Marks the rows that are being taken back, and so many of the first as fresh."""
    return [
        {
            "title": month["title"],
            "rows": [
                {**row, "fresh": row["number"] < fresh, "leaving": not leaving.isdisjoint({row["id"], ALL})}
                for row in month["rows"]
            ],
        }
        for month in months
    ]


def _row(one: KnownPermission, number: int, tokens: Tokens, now: int) -> PermissionRow:
    record = one.record
    (asked,) = read_permission_requests([record.granted])
    return {
        "id": record.id,
        "number": number,
        "sentence": permission_sentence(asked, record.origin, now, tokens),
        "used": _used(one, asked, tokens, now),
        "spender": _("Spender {address}", address=truncate(record.delegate)),
        "address": record.delegate,
        "since": _("Granted {day}", day=day_of(int(record.granted_at.timestamp()), now)),
        "fresh": False,
        "leaving": False,
    }


def _used(one: KnownPermission, asked: PermissionRequest, tokens: Tokens, now: int) -> str:
    record = one.record
    if one.state == "revoked":
        revoked = record.revoked_at
        return _("Taken back {day}", day=day_of(int(revoked.timestamp()), now)) if revoked else _("Taken back")
    if one.state == "expired":
        ended = record.expires_at
        return _("Ended {day}", day=day_of(int(ended.timestamp()), now)) if ended else _("Ended")
    if one.state == "not_started":
        return _("Begins {day}", day=day_of(asked.permission.start, now))
    return _usage(one.usage, asked, tokens)


def _usage(usage: Usage | None, asked: PermissionRequest, tokens: Tokens) -> str:
    is_call = asked.permission.manner == "call"
    if usage is None:
        return (
            _("Calls are not counted")
            if is_call and asked.permission.calls is None
            else _("What was used is not known now")
        )
    if is_call:
        return ngettext(
            "{count} call made so far, {left} left",
            "{count} calls made so far, {left} left",
            usage.used,
            left=usage.available,
        )
    used = permission_amount(asked, usage.used, tokens)
    left = permission_amount(asked, usage.available, tokens)
    if asked.permission.manner == "periodic":
        return _("{used} used in this period, {left} left", used=used, left=left)
    return _("{used} used so far, {left} left", used=used, left=left)
