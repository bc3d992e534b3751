"""The gallery's entries of buying with a card."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.state import Eip155State
from walletmodal.features.account.tokens import TokensState
from walletmodal.features.connect.legal import LegalState
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.onramp.buyer import Offer
from walletmodal.features.onramp.currencies import CurrencyState
from walletmodal.features.onramp.progress import PurchaseState
from walletmodal.features.onramp.purchases import PurchaseMonth, PurchaseRow, PurchasesState
from walletmodal.features.onramp.state import BuyState

_PROVIDERS: Final = ("Account", "OnRampProviders")
_PROGRESS: Final = (*_PROVIDERS, "BuyInProgress")
_ACTIVITY: Final = ("Account", "OnRampActivity")
_PAGE: Final = "https://pay.example/buy/select-asset"
_PICTURES: Final = [f"/networks/eip155-{number}.svg" for number in (1, 137, 10, 42161, 8453)]

_COINBASE: Final[Offer] = {
    "id": "coinbase",
    "label": "Coinbase",
    "fees": "1-2%",
    "networks": _PICTURES,
    "url": _PAGE,
    "failed": False,
    "note": "",
}
_MELD: Final[Offer] = {**_COINBASE, "id": "meld", "label": "Meld.io"}


def _account() -> dict[type[rx.State], Values]:
    return {Eip155State: sample.account()}


def _offered(*offers: Offer, phase: str = "shown", **changes: object) -> dict[type[rx.State], Values]:
    shown = {"offers": list(offers), "phase": phase, "choosable": True, **changes}
    return {**_account(), BuyState: shown}


def _begun(phase: str = "waiting", **changes: object) -> dict[type[rx.State], Values]:
    begun = {"provider": "coinbase", "label": "Coinbase", "url": _PAGE, "phase": phase, "polls": True, "here": True}
    return {**_account(), PurchaseState: {**begun, **changes}}


def _bought(number: int, amount: str, status: str = "success", network: str = "Ethereum") -> PurchaseRow:
    day = "14 Jun" if number < 2 else "02 May"
    return {"number": number, "amount": amount, "status": status, "day": day, "network": network, "icon": ""}


def _list(*months: PurchaseMonth, phase: str = "shown", **changes: object) -> dict[type[rx.State], Values]:
    return {**_account(), PurchasesState: {"months": list(months), "phase": phase, **changes}}


_JUNE: Final[PurchaseMonth] = {
    "title": "June",
    "rows": [_bought(0, "+ 98.3 USDC", "in_progress"), _bought(1, "+ 0.039 ETH")],
}
_MAY: Final[PurchaseMonth] = {
    "title": "May",
    "rows": [_bought(2, "+ 250 USDC", "failed", "Polygon"), _bought(3, "", "", ""), _bought(4, "+ 12 POL", network="")],
}
_HOSTILE: Final[PurchaseMonth] = {
    "title": "April 2024",
    "rows": [_bought(0, "+ " + "9" * 40 + " <b>" + "S" * 28)],
}
_CHOICES: Final = {
    "tokens": [
        {"symbol": "USDC", "name": "USD Coin", "icon": ""},
        {"symbol": "ETH", "name": "Ether", "icon": "/networks/eip155-1.svg"},
        {"symbol": "POL", "name": "POL", "icon": "/networks/eip155-137.svg"},
        {"symbol": "S" * 32, "name": "A name that is longer than any row, and then some more of it", "icon": ""},
    ],
    "currencies": [
        {"code": "USD", "limits": "10 to 25,000", "icon": ""},
        {"code": "EUR", "limits": "10 to 25,000", "icon": ""},
        {"code": "GBP", "limits": "", "icon": ""},
    ],
    "phase": "shown",
}


def _choosing(**changes: object) -> dict[type[rx.State], Values]:
    return {**_account(), CurrencyState: {**_CHOICES, **changes}}


def _empty_account() -> dict[type[rx.State], Values]:
    tabs, actions = ["Tokens", "NFTs", "Activity"], ["onramp", "receive", "send"]
    return {
        **_account(),
        ActiveState: {"tab": "Tokens", "tabs": tabs, "actions": actions},
        TokensState: {"of": sample.CAIP_ADDRESS, "phase": "empty", "rows": []},
    }


ENTRIES: Final = (
    Entry("account-empty-buy", ("Account",), _empty_account(), note="with the way to buy"),
    Entry("onramp-providers", _PROVIDERS, _offered(_COINBASE, _MELD)),
    Entry(
        "onramp-providers-loading",
        _PROVIDERS,
        _offered({**_COINBASE, "url": ""}, {**_MELD, "url": ""}, phase="loading"),
    ),
    Entry(
        "onramp-providers-failed",
        _PROVIDERS,
        _offered({**_COINBASE, "url": "", "failed": True}, _MELD, failed=True),
        note="one page could not be had",
    ),
    Entry(
        "onramp-providers-filled-in",
        _PROVIDERS,
        {
            **_offered(
                {**_COINBASE, "note": "Delivers on Ethereum"},
                _MELD,
                amount="100",
                token="ETH",  # noqa: S106 (a symbol, no secret)
                host="Kite Exchange",
                quote="known",
                gets="0.03911 ETH",
            ),
            PurchaseState: _begun()[PurchaseState],
        },
        note="by the host page; a purchase was begun",
    ),
    Entry(
        "onramp-providers-example",
        _PROVIDERS,
        _offered(_COINBASE, amount="250.5", currency="EUR", quote="example", gets="250.5 EUR"),
        note="nobody quotes",
    ),
    Entry(
        "onramp-providers-limits",
        _PROVIDERS,
        _offered(
            _COINBASE,
            amount="5",
            quote="unavailable",
            problem="The amount is outside the limits: 10 to 25000 USD",
        ),
    ),
    Entry("onramp-providers-none", _PROVIDERS, _offered(phase="none", choosable=False)),
    Entry("onramp-tokens", (*_PROVIDERS, "OnRampTokenSelect"), _choosing(more=12)),
    Entry("onramp-tokens-example", (*_PROVIDERS, "OnRampTokenSelect"), _choosing(example=True)),
    Entry(
        "onramp-tokens-legal",
        (*_PROVIDERS, "OnRampTokenSelect"),
        {**_choosing(), LegalState: {"terms": "https://host.example/terms", "asks": True}},
        note="nothing can be chosen before the terms are agreed to",
    ),
    Entry("onramp-tokens-loading", (*_PROVIDERS, "OnRampTokenSelect"), _choosing(phase="loading", tokens=[])),
    Entry("onramp-tokens-none", (*_PROVIDERS, "OnRampTokenSelect"), _choosing(phase="none", tokens=[])),
    Entry("onramp-currencies", (*_PROVIDERS, "OnRampFiatSelect"), _choosing()),
    Entry("onramp-waiting", _PROGRESS, _begun()),
    Entry("onramp-blocked", _PROGRESS, _begun(blocked=True), note="the browser has blocked the window"),
    Entry("onramp-waiting-meld", _PROGRESS, _begun(provider="meld", label="Meld.io", polls=False)),
    Entry("onramp-buy-failed", _PROGRESS, _begun("failed")),
    Entry("onramp-buy-unknown", _PROGRESS, _begun("failed", unknown=True), note="the service does not answer"),
    Entry("onramp-idle", _PROGRESS, _account()),
    Entry("onramp-activity", _ACTIVITY, _list(_JUNE, _MAY, more=True)),
    Entry("onramp-activity-loading", _ACTIVITY, _list(phase="loading")),
    Entry("onramp-activity-none", _ACTIVITY, _list(phase="none")),
    Entry("onramp-activity-failed", _ACTIVITY, _list(phase="failed")),
    Entry("onramp-activity-absent", _ACTIVITY, _list(phase="absent"), note="there is no service"),
    Entry("onramp-activity-hostile", _ACTIVITY, _list(_HOSTILE)),
    Entry("what-is-a-buy", (*_PROVIDERS, "WhatIsABuy")),
)
