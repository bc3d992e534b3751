"""The gallery's entries of choosing a wallet and of waiting for it."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.text.texts import (
    WALLET_DECLINED,
    WALLET_FAILED,
    WALLET_GONE,
    WALLET_INTERRUPTED,
    WALLET_NONSENSE,
    WALLET_SILENT,
)
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connect.legal import LegalState
from walletmodal.features.connect.methods import MethodsState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.wallets.state import WalletRow, WalletsState, WalletToGet

Filled = dict[type[rx.State], Values]


def installed(rows: list[WalletRow]) -> Filled:
    """What the browser brought, and nothing else."""
    return _list({"injected": rows})


def _list(sections: dict[str, list[WalletRow]], **changes: Any) -> Filled:
    filled = [name for name, rows in sections.items() if rows]
    return {WalletsState: {**sections, "sections": filled, "searched": True, **changes}}


def _whole(**changes: Any) -> Filled:
    known = {"all_wallets": True, "count": "610+", "directory": "known"}
    return _list(_SECTIONS, **{**known, **changes})


def _connecting(phase: str, error: str = "", name: str = "Tidewater Wallet", icon: str | None = None) -> Filled:
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


def _to_get(count: int) -> list[WalletToGet]:
    rows = sample.wallets(count)
    return [{"id": r["id"], "name": r["name"], "icon": r["icon"], "page": "https://wallet.example"} for r in rows]


_SECTIONS: Final = {
    "pairing": [sample.PAIRING],
    "recent": [sample.tagged(1, "recent")],
    "injected": [sample.tagged(2, "multichain"), sample.wallet(3)],
    "featured": [sample.tagged(4), sample.tagged(5)],
    "custom": [sample.tagged(6)],
    "external": [sample.tagged(7)],
}
_FEW: Final = {
    "pairing": [sample.PAIRING],
    "injected": [sample.wallet(2)],
    "recommended": [sample.tagged(4)],
}
_LOADING: Final = {"pairing": [sample.PAIRING], "injected": [sample.wallet(2)], "recommended": sample.PLACES[:1]}
_DOCUMENTS: Final = {"terms": "https://host.example/terms", "privacy": "https://host.example/privacy"}
_GUIDE: Final[Filled] = {MethodsState: {"guide": True}}
_LONG: Final = sample.HOSTILE_WALLETS[0]["name"]
_EXTERNAL: Final = ("Connect", "ConnectingExternal")
_NAMED: Final = {"name": "Tidewater Wallet"}
_GET: Final = ("Connect", "WhatIsAWallet", "GetWallet")

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("connect-searching", ("Connect",)),
    Entry("connect-none", ("Connect",), installed([])),
    Entry("connect-one", ("Connect",), installed(sample.wallets(1))),
    Entry("connect-full", ("Connect",), installed(sample.wallets(4))),
    Entry("connect-many", ("Connect",), installed(sample.MANY_WALLETS), note="as many wallets as are ever listed"),
    Entry(
        "connect-few", ("Connect",), {**_list(_FEW, all_wallets=True, count="610+"), **_GUIDE}, note="as most see it"
    ),
    Entry("connect-sections", ("Connect",), {**_whole(), **_GUIDE}, note="a row or two of every section"),
    Entry("connect-loading", ("Connect",), {**_list(_LOADING, all_wallets=True, directory="loading"), **_GUIDE}),
    Entry(
        "connect-directory-down",
        ("Connect",),
        {**_list({"pairing": [sample.PAIRING], "injected": [sample.wallet(2)]}, all_wallets=True, directory="failed")},
    ),
    Entry(
        "connect-pending",
        ("Connect",),
        {**_list(_FEW, all_wallets=True, count="610+"), ChoiceState: {"pending": sample.wallet(4)["id"]}},
        note="a wallet's links are being looked up",
    ),
    Entry(
        "connect-collapsed",
        ("Connect",),
        {**_whole(), MethodsState: {"collapsed": True, "guide": True}},
        note="other methods stand above the button once they are there",
    ),
    Entry("connect-legal-footer", ("Connect",), {**_list(_FEW, all_wallets=True, count="9"), LegalState: _DOCUMENTS}),
    Entry(
        "connect-legal-checkbox",
        ("Connect",),
        {**_list(_FEW, all_wallets=True, count="9"), **_GUIDE, LegalState: {**_DOCUMENTS, "asks": True}},
    ),
    Entry(
        "connect-legal-agreed",
        ("Connect",),
        {
            **_list(_FEW, all_wallets=True, count="9"),
            **_GUIDE,
            LegalState: {**_DOCUMENTS, "asks": True, "agreed": True},
        },
    ),
    Entry(
        "connect-hostile",
        ("Connect",),
        installed(sample.HOSTILE_WALLETS),
        note="names and icons as a hostile wallet announces them",
    ),
    Entry("connect-foreign", ("Connect",), installed(sample.FOREIGN_WALLETS), note="other scripts", photographed=False),
    Entry("connect-wallets", ("Connect", "ConnectWallets"), {**_whole(), LegalState: _DOCUMENTS}),
    Entry("create", ("Connect", "Create")),
    Entry("get-wallet-full", _GET, {WalletsState: {"to_get": _to_get(4), "directory": "known"}}),
    Entry("get-wallet-loading", _GET, {WalletsState: {"directory": "loading"}}),
    Entry("get-wallet-down", _GET, {WalletsState: {"directory": "failed"}}),
    Entry("get-wallet-none", _GET, note="a deployment without a directory"),
    Entry("connecting-external-asking", _EXTERNAL, _connecting("connecting"), _NAMED),
    Entry("connecting-external-declined", _EXTERNAL, _connecting("error", WALLET_DECLINED), _NAMED),
    Entry("connecting-external-silent", _EXTERNAL, _connecting("error", WALLET_SILENT), _NAMED),
    Entry("connecting-external-gone", _EXTERNAL, _connecting("error", WALLET_GONE), _NAMED),
    Entry("connecting-external-nonsense", _EXTERNAL, _connecting("error", WALLET_NONSENSE), _NAMED),
    Entry("connecting-external-failed", _EXTERNAL, _connecting("error", WALLET_FAILED), _NAMED),
    Entry("connecting-external-interrupted", _EXTERNAL, _connecting("error", WALLET_INTERRUPTED), _NAMED),
    Entry("connecting-external-hostile", _EXTERNAL, _connecting("connecting", name=_LONG, icon=""), {"name": _LONG}),
)
