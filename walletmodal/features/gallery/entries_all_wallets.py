"""The gallery's entries of the grid of all wallets."""

from __future__ import annotations

from itertools import count
from typing import Final

import reflex as rx

from walletmodal.core.constants import LIST_ENTRIES
from walletmodal.features.all_wallets.pages import Row
from walletmodal.features.all_wallets.state import AllWalletsState
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.wallets.state import WalletRow

_STACK: Final = ("Connect", "AllWallets")
# Each entry has a list of its own: the component keeps the pages of the one that it has.
_LISTS: Final = count(1)
_PICTURES: Final = ("1", "10", "100", "137", "56", "8453", "42161", "43114")


def _row(number: int) -> Row:
    """A wallet of the directory; each third is certified, each seventh has no picture."""
    picture = "" if number % 7 == 6 else f"/networks/eip155-{_PICTURES[number % len(_PICTURES)]}.svg"
    return (f"listed-{number}", sample.wallet(number + 2)["name"], picture, "c" if number % 3 == 0 else "", "")


_ROWS: Final = [_row(number) for number in range(LIST_ENTRIES)]
_HOSTILE: Final[list[Row]] = [
    ("long", "W" * 40, "", "c", ""),
    ("words", "The Wallet Whose Name Goes On And On And", "", "", ""),
    ("markup", "<b>Bold</b> & “quoted”", "", "", ""),
]


def _grid(
    number: int,
    rows: list[Row],
    *,
    more: bool = False,
    installed: int = 2,
    own: list[WalletRow] | None = None,
    **changes: object,
) -> dict[type[rx.State], Values]:
    shown = {"list": next(_LISTS), "number": number, "rows": rows, "more": more}
    brought = [{"id": w["id"], "name": w["name"], "icon": w["icon"]} for w in own or sample.wallets(installed)]
    return {AllWalletsState: {"page": shown, "installed": brought, "phase": "shown", **changes}}


ENTRIES: Final = (
    Entry("all-wallets-loading", _STACK, _grid(0, [], installed=0, phase="loading")),
    Entry("all-wallets-full", _STACK, _grid(1, _ROWS), note="two of the browser's in front"),
    Entry("all-wallets-phone", _STACK, _grid(1, _ROWS, pairs=True), note="with the way to the QR code"),
    Entry("all-wallets-few", _STACK, _grid(1, _ROWS[:4])),
    Entry("all-wallets-next-page", _STACK, _grid(1, _ROWS[:5], more=True, phase="loading")),
    Entry("all-wallets-certified", _STACK, _grid(1, [r for r in _ROWS if r[3]], installed=0, certified=True)),
    Entry("all-wallets-searching", _STACK, _grid(0, [], installed=0, phase="loading", search="marble")),
    Entry("all-wallets-none", _STACK, _grid(1, [], installed=0, phase="none", search="nowhere")),
    Entry("all-wallets-down", _STACK, _grid(0, [], phase="failed"), note="the directory does not answer"),
    Entry("all-wallets-nothing", _STACK, _grid(0, [], installed=0, phase="failed"), note="nor has the browser any"),
    Entry(
        "all-wallets-broken-off", _STACK, _grid(1, _ROWS[:4], more=True, phase="failed"), note="the second page failed"
    ),
    Entry("all-wallets-hostile", _STACK, _grid(1, _HOSTILE, own=sample.HOSTILE_WALLETS)),
)
