"""The gallery's entries of the activity."""

from __future__ import annotations

import itertools
from datetime import UTC, date, datetime, timedelta
from typing import Final

import reflex as rx

from walletmodal.core.accounts.transactions import Transaction, parse_transaction
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.state import Eip155State
from walletmodal.features.activity.entries import page_entries
from walletmodal.features.activity.state import ActivityState
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.transactions.rows import NO_ROW, PendingRow
from walletmodal.features.transactions.state import PendingState

# Each entry has a list of its own: the component keeps the pages of the one that it has.
_LISTS: Final = itertools.count(1)
_STACK: Final = ("Account", "Transactions")
_CHAIN: Final = "eip155:1"
_NEWEST: Final = datetime(2026, 6, 14, 9, 30, tzinfo=UTC)
_TODAY: Final = date(2026, 6, 15)
_PICTURES: Final = {"ETH": "1", "POL": "137", "BNB": "56", "AVAX": "43114"}


def _coin(symbol: str, amount: str, direction: str) -> dict[str, object]:
    icon = {"url": f"https://pictures.example/{symbol}"} if symbol in _PICTURES else None
    told = {"name": symbol, "symbol": symbol, "icon": icon}
    return {"fungible_info": told, "direction": direction, "quantity": {"numeric": amount}}


def _nft(name: str | None, direction: str = "in") -> dict[str, object]:
    return {"nft_info": {"name": name}, "direction": direction, "quantity": {"numeric": "1"}}


def _one(number: int, operation: str, *transfers: dict[str, object], status: str = "confirmed") -> Transaction:
    return parse_transaction(
        {
            "id": f"entry-{number}",
            "metadata": {
                "operationType": operation,
                "hash": f"0x{number:064x}",
                "minedAt": (_NEWEST - timedelta(days=number * 9)).isoformat(),
                "sentFrom": sample.ADDRESS,
                "sentTo": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                "status": status,
                "chain": _CHAIN,
            },
            "transfers": list(transfers),
        }
    )


def _picture(url: str) -> str:
    return f"/networks/eip155-{_PICTURES[url.rsplit('/', 1)[-1]]}.svg"


def _empty() -> dict[str, object]:
    return {"list": next(_LISTS), "number": 0, "entries": "", "texts": [], "more": True}


def _page(*transactions: Transaction, number: int = 1, more: bool = False) -> dict[str, object]:
    entries, texts = page_entries(transactions, "eip155", today=_TODAY, zone=UTC, picture=_picture)
    return {"list": next(_LISTS), "number": number, "entries": entries, "texts": texts, "more": more}


def _shown(page: dict[str, object], phase: str = "shown", **changes: object) -> dict[type[rx.State], Values]:
    network = bundled_networks()[_CHAIN]
    explorer = network.explorer_transaction_url("") or ""
    return {
        Eip155State: sample.account(),
        ActivityState: {"page": page, "phase": phase, "explorer": explorer, **changes},
    }


_ALL: Final = (
    _one(0, "send", _coin("ETH", "0.25", "out")),
    _one(1, "trade", _coin("USDC", "1250", "in"), _coin("ETH", "0.5", "out")),
    _one(2, "receive", _coin("POL", "84.1", "in")),
    _one(3, "approve", status="failed"),
    _one(4, "mint", _nft("Kite 7")),
    _one(5, "deposit", _coin("ETH", "1", "out"), _coin("stETH", "1", "in"), _nft("Receipt")),
    _one(6, "execute"),
    _one(20, "claim", _coin("AVAX", "12", "in")),
    _one(21, "send", status="pending"),
    _one(30, "cancel"),
)
_HOSTILE: Final = (
    _one(0, "W" * 64, _coin("S" * 120, "9" * 40, "in")),
    _one(1, "receive", _nft("<b>Bold</b> & “quoted” " + "and on " * 12)),
    _one(2, "trade", _coin("", "1", "out"), _nft(None)),
    _one(3, "receive", *(_coin("TOKEN", str(n), "in") for n in range(40))),
    _one(4, "\u002a"),
)


def _in_tab(values: dict[type[rx.State], Values], *actions: str) -> dict[type[rx.State], Values]:
    tabs = ["Tokens", "NFTs", "Activity"]
    return {**values, ActiveState: {"tab": "Activity", "tabs": tabs, "actions": list(actions)}}


def _pending(*rows: PendingRow) -> dict[type[rx.State], Values]:
    return {**_shown(_page(*_ALL[2:])), PendingState: {"rows": list(rows)}}


_SENT: Final[PendingRow] = {
    **NO_ROW,
    "id": "row-1",
    "title": "Send",
    "amount": "0.25 ETH",
    "receiver": "0x7099...dc79C8",
    "label": "Waiting for your wallet",
}
_WATCHED: Final[tuple[PendingRow, ...]] = (
    _SENT,
    {
        **_SENT,
        "id": "row-2",
        "hash": f"0x{1:064x}",
        "link": "https://etherscan.io/tx/1",
        "label": "Waiting for the network",
    },
    {**_SENT, "id": "row-3", "hash": f"0x{2:064x}", "label": "Confirmed", "tone": "good"},
    {**_SENT, "id": "row-4", "title": "Contract call", "amount": "", "label": "Failed on the network", "tone": "bad"},
    {
        **_SENT,
        "id": "row-5",
        "amount": "9" * 24 + " LONGSYMBOL12",
        "label": "Not what you approved here",
        "tone": "bad",
    },
)

ENTRIES: Final = (
    Entry("activity-pending", _STACK, _pending(*_WATCHED), note="on their way, and just arrived"),
    Entry("account-activity", ("Account",), _in_tab(_shown(_page(*_ALL)))),
    Entry("account-activity-loading", ("Account",), _in_tab(_shown(_empty(), "loading"))),
    Entry("account-activity-none", ("Account",), _in_tab(_shown(_page(), "none"), "receive", "send")),
    Entry("account-activity-down", ("Account",), _in_tab(_shown(_empty(), "failed"))),
    Entry("activity-loading", _STACK, _shown(_empty(), "loading")),
    Entry("activity-full", _STACK, _shown(_page(*_ALL))),
    Entry("activity-next-page", _STACK, _shown(_page(*_ALL[:4], more=True), "loading")),
    Entry("activity-none", _STACK, _shown(_page(), "none")),
    Entry("activity-down", _STACK, _shown(_empty(), "failed"), note="the service does not answer"),
    Entry("activity-broken-off", _STACK, _shown(_page(*_ALL[:3], more=True), "failed"), note="the second page failed"),
    Entry("activity-absent", _STACK, _shown(_empty(), "absent"), note="there is no service"),
    Entry("activity-without-explorer", _STACK, _shown(_page(*_ALL[:3]), explorer="")),
    Entry("activity-hostile", _STACK, _shown(_page(*_HOSTILE))),
)
