"""The gallery's entries of receiving and sending."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.chains.addresses import avatar
from walletmodal.core.errors.operations import SponsorshipError
from walletmodal.core.transfers.simulation import REFUSED
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.state import Eip155State, SolanaState
from walletmodal.features.embedded.payers import payer_text
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.send.picker import PickState
from walletmodal.features.send.plan import address_groups
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import SendState
from walletmodal.features.send.tokens import TokenRow

Filled = dict[type[rx.State], Values]

_RECEIVE: Final = ("Account", "WalletReceive")
_FORM: Final = ("Account", "WalletSend")
_PICK: Final = (*_FORM, "WalletSendSelectToken")
_REVIEW: Final = (*_FORM, "WalletSendPreview")

_ROWS: Final = sample.networks("eip155:1", "eip155:137", "eip155:10", "eip155:42161", "eip155:8453", "eip155:56")
_RECEIVER: Final = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
_ALIKE: Final = "0xd8dA6BF2018c9b3AAe1E0c4f0d6cC3b1f3E16045"
_SOL: Final = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
_SOLANA: Final = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"


def _around(**account: str | bool) -> Filled:
    return {
        Eip155State: sample.account(**account),
        NetworksState: {
            "rows": _ROWS,
            "active": _ROWS[0]["id"],
            "active_name": _ROWS[0]["name"],
            "active_image": _ROWS[0]["image"],
            "active_symbol": "ETH",
        },
    }


def _solana() -> Filled:
    rows = sample.networks(_SOLANA)
    return {
        SolanaState: sample.account(address=_SOL, short_address="7EcD...wCFLtV", avatar=avatar(_SOL).background),
        ActiveState: {"namespace": "solana"},
        NetworksState: {
            "rows": rows,
            "active": _SOLANA,
            "active_name": rows[0]["name"],
            "active_image": rows[0]["image"],
        },
    }


def _form(**changes: Any) -> Filled:
    return {**_around(), SendState: {"phase": "known", **changes}}


def _picked(**changes: Any) -> Filled:
    picked = {
        "token": "eip155:1",
        "symbol": "ETH",
        "icon": _ROWS[0]["image"],
        "balance": "9,999.997",
        "_native": True,
        "label": "Add Amount",
    }
    return _form(**{**picked, **changes})


def _list(tokens: list[TokenRow], **changes: Any) -> Filled:
    able = {"actions": ["receive", "send"]}
    return {**_around(), ActiveState: able, PickState: {"tokens": tokens, "phase": "known", **changes}}


def _review(phase: str = "ready", plan: dict[str, Any] | None = None, **changes: Any) -> Filled:
    return {**_around(), ReviewState: {"plan": {**_PLAN, **(plan or {})}, "phase": phase, **changes}}


_PLAN: Final = {
    "amount": "1.5",
    "symbol": "ETH",
    "icon": _ROWS[0]["image"],
    "worth": "$3,750.00",
    "to": address_groups(_RECEIVER),
    "address": _RECEIVER,
    "name": "",
    "image": "",
    "avatar": avatar(_RECEIVER).background,
    "own": False,
    "warnings": [],
    "resembles": [],
    "unchecked": [],
    "data_fee": False,
    "failure": "",
    "accepts": False,
    "first": "known",
    "fee": "0.0004231 ETH",
    "fee_worth": "$1.06",
    "payer": "",
    "payer_icon": "",
    "unpaid": "",
    "speeds": [
        {"speed": "slow", "fee": "$0.82"},
        {"speed": "normal", "fee": "$1.06"},
        {"speed": "fast", "fee": "$1.49"},
    ],
    "simulated": True,
    "leaves": ["1.5 ETH"],
    "arrives": ["1.5 ETH"],
}
_TOKENS: Final[list[TokenRow]] = [
    ("eip155:1", "Ether", "ETH", _ROWS[0]["image"], "9,999.997", "$24,999,992.75"),
    ("eip155:1:0xA0b8", "USD Coin", "USDC", "", "1,250", "$1,250.00"),
    ("eip155:1:0xdAC1", "Tether USD", "USDT", "", "12.5", "$12.50"),
    ("eip155:1:0x6B17", "Dai Stablecoin", "DAI", "", "0.000", ""),
]
_HOSTILE_TOKENS: Final[list[TokenRow]] = [
    (
        "eip155:1:0x01",
        "<img src=x onerror=alert(1)>",
        "<b>X</b>",
        "",
        "115,792,089,237,316,195,423",
        "$9,999,999,999.00",
    ),
    ("eip155:1:0x02", "W" * 40, "W" * 12, "/images/remote/broken", "0.000", ""),
    ("eip155:1:0x03", "A token with a name that nobody could ever read on a phone", "LONG", "", "1", "$1.00"),
]
_ALL_WARNINGS: Final = {
    "warnings": ["lookalike", "contract", "burn", "namespace", "checksum", "confusable", "barred"],
    "accepts": True,
    "resembles": address_groups(_ALIKE),
    "name": "vitalık.eth",
    "first": "first",
    "unchecked": ["history", "contract", "name"],
    "failure": "The token refused the transfer.",
    "simulated": True,
    "leaves": [],
    "arrives": [],
    "data_fee": True,
}

ENTRIES: Final = (
    Entry("receive", _RECEIVE, _around()),
    Entry("receive-safe", _RECEIVE, _around(safe="usable", kind="smartAccount")),
    Entry("receive-safe-barred", _RECEIVE, _around(safe="barred", kind="smartAccount")),
    Entry("receive-solana", _RECEIVE, _solana()),
    Entry("receive-networks", (*_RECEIVE, "WalletCompatibleNetworks"), _around()),
    Entry("send-empty", _FORM, _form(), note="no token is picked yet"),
    Entry("send-token-loading", _FORM, _picked(phase="loading", balance="")),
    Entry("send-unavailable", _FORM, _picked(phase="unavailable", balance="")),
    Entry("send-amount", _FORM, _picked(amount="1.5", worth="$3,750.00", label="Add Address")),
    Entry(
        "send-ready",
        _FORM,
        _picked(amount="1.5", worth="$3,750.00", label="Preview Send", receiver=_RECEIVER),
    ),
    Entry(
        "send-name",
        _FORM,
        _picked(
            amount="1.5",
            worth="$3,750.00",
            label="Preview Send",
            receiver="Vitalik.eth",
            receiver_name="vitalik.eth",
            receiver_address="0xd8...A96045",
            receiver_avatar=avatar(_RECEIVER).background,
        ),
    ),
    Entry(
        "send-resolving",
        _FORM,
        _picked(amount="1.5", worth="$3,750.00", label="Invalid Address", receiver="vitalik.eth", resolving=True),
    ),
    Entry(
        "send-nobody",
        _FORM,
        _picked(
            amount="1.5",
            worth="$3,750.00",
            label="Invalid Address",
            receiver="nobody-has-this.eth",
            note="The name could not be looked up.",
            retries=True,
        ),
    ),
    Entry(
        "send-foreign",
        _FORM,
        _picked(
            amount="1.5",
            worth="$3,750.00",
            label="Invalid Address",
            receiver=_SOL,
            note="This address is of Solana. It cannot be used here.",
            warning="namespace",
        ),
    ),
    Entry(
        "send-confusable",
        _FORM,
        _picked(
            amount="1.5",
            worth="$3,750.00",
            label="Invalid Address",
            receiver="vit\u0430lik.eth",
            note="Letters of this name only look like those of another. Ask the receiver for the address.",
            warning="confusable",
        ),
        note="the third letter is none of the alphabet that it seems to be of",
    ),
    Entry(
        "send-too-much",
        _FORM,
        _picked(amount="10000000", worth="$25,000,000,000.00", exceeded=True, label="Insufficient Funds"),
    ),
    Entry(
        "send-incorrect",
        _FORM,
        _picked(
            amount="1e21",
            worth="Incorrect value",
            label="Incorrect Value",
            hint="Type digits only, with a point before the decimals.",
        ),
    ),
    Entry(
        "send-notice",
        _FORM,
        _form(notice="Your wallet is on another network now. Choose what to send there.", receiver=_RECEIVER),
        note="the wallet has switched in mid-flow",
    ),
    Entry("send-tokens", _PICK, _list(_TOKENS)),
    Entry("send-tokens-loading", _PICK, _list([], phase="loading")),
    Entry("send-tokens-none", _PICK, _list([])),
    Entry("send-tokens-none-found", _PICK, _list([], search="nowhere")),
    Entry("send-tokens-down", _PICK, _list([], phase="unavailable")),
    Entry(
        "send-tokens-many",
        _PICK,
        _list([(f"eip155:1:{n}", f"Token {n}", f"T{n}", "", "1", "$1.00") for n in range(60)], more=140),
    ),
    Entry("send-tokens-hostile", _PICK, _list(_HOSTILE_TOKENS)),
    Entry("send-review", _REVIEW, _review()),
    Entry("send-review-loading", _REVIEW, {**_around(), ReviewState: {"phase": "loading"}}),
    Entry("send-review-first", _REVIEW, _review(plan={"name": "vitalik.eth", "first": "first"})),
    Entry(
        "send-review-lookalike",
        _REVIEW,
        _review(
            plan={"warnings": ["lookalike"], "accepts": True, "resembles": address_groups(_ALIKE), "first": "first"}
        ),
    ),
    Entry("send-review-accepted", _REVIEW, _review(plan={"warnings": ["contract"], "accepts": True}, accepted=True)),
    Entry("send-review-everything", _REVIEW, _review(plan=_ALL_WARNINGS), note="all that can be wrong at once"),
    Entry(
        "send-review-blocked",
        _REVIEW,
        _review(
            "blocked",
            plan={
                "warnings": ["contract"],
                "accepts": True,
                "failure": REFUSED,
                "fee": "",
                "fee_worth": "",
                "speeds": [],
                "simulated": False,
                "leaves": [],
                "arrives": [],
            },
        ),
        note="the node refuses it",
    ),
    Entry(
        "send-review-bare",
        _REVIEW,
        _review(plan={"worth": "", "fee_worth": "", "speeds": [], "simulated": False, "leaves": [], "arrives": []}),
        note="no prices, one price of gas, no trial run",
    ),
    Entry(
        "send-review-sponsored",
        _REVIEW,
        _review(
            plan={
                "fee": "",
                "fee_worth": "",
                "speeds": [],
                "payer": payer_text("Acme Wallets"),
                "payer_icon": sample.wallet(3)["icon"],
            }
        ),
    ),
    Entry("send-review-unpaid", _REVIEW, _review(plan={"unpaid": SponsorshipError.text})),
    Entry(
        "send-review-notice",
        _REVIEW,
        _review(notice="Your wallet uses another account now. Check everything again before you send."),
    ),
    Entry("send-review-declined", _REVIEW, _review(error="It was declined in your wallet. Nothing was sent.")),
    Entry("send-review-checking", _REVIEW, _review("checking")),
    Entry("send-review-asking", _REVIEW, _review("asking")),
    Entry(
        "send-review-failed",
        _REVIEW,
        {
            **_around(),
            ReviewState: {"phase": "failed", "error": "There is not enough of the network's own coin to pay the fee."},
        },
    ),
)
