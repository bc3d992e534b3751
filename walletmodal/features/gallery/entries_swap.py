"""The gallery's entries of swapping."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.features.account.state import Eip155State
from walletmodal.features.embedded.payers import payer_text
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.send.tokens import TokenRow
from walletmodal.features.swap.picker import SwapPickState
from walletmodal.features.swap.preview import SwapPreviewState
from walletmodal.features.swap.state import SwapState
from walletmodal.features.transactions.rows import NO_ROW
from walletmodal.features.transactions.state import PendingState

Filled = dict[type[rx.State], Values]

_FORM: Final = ("Account", "Swap")
_PICK: Final = (*_FORM, "SwapSelectToken")
_PREVIEW: Final = (*_FORM, "SwapPreview")

_ROWS: Final = sample.networks("eip155:1", "eip155:137", "eip155:10", "eip155:11155111")
_ICON: Final = _ROWS[0]["image"]
_COIN: Final = "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
_USDC: Final = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"


def _around() -> Filled:
    return {
        Eip155State: sample.account(),
        NetworksState: {
            "rows": _ROWS,
            "active": _ROWS[0]["id"],
            "active_name": _ROWS[0]["name"],
            "active_image": _ICON,
            "active_symbol": "ETH",
        },
    }


def _form(**changes: Any) -> Filled:
    chosen = {
        "source": _COIN,
        "source_symbol": "ETH",
        "source_icon": _ICON,
        "balance": "9,999.997",
        "_gives_coin": True,
    }
    return {**_around(), SwapState: {**chosen, "phase": "known", **changes}}


def _quoted(**changes: Any) -> Filled:
    quoted = {
        "target": _USDC,
        "target_symbol": "USDC",
        "amount": "1.5",
        "worth": "$4,786.91",
        "received": "4784.198906",
        "received_worth": "$4,784.19",
        "rate": "1 ETH = 3,189.465 USDC",
        "impact": "0.06%",
        "allowed": "47.841 USDC",
        "least": "4,736.356917 USDC",
        "fee": "$0.63",
        "label": "Review swap",
    }
    return _form(**{**quoted, **changes})


def _preview(phase: str = "ready", plan: dict[str, Any] | None = None, **changes: Any) -> Filled:
    return {**_around(), SwapPreviewState: {"plan": {**_PLAN, **(plan or {})}, "phase": phase, **changes}}


_PLAN: Final = {
    "amount": "1.5",
    "symbol": "ETH",
    "icon": _ICON,
    "worth": "$4,786.91",
    "received": "4,784.198906",
    "received_symbol": "USDC",
    "received_icon": "",
    "received_worth": "$4,784.19",
    "rate": "1 ETH = 3,189.465 USDC",
    "impact": "0.06%",
    "impact_marked": False,
    "impact_unknown": False,
    "slippage": "1%",
    "slippage_high": False,
    "least": "4,736.356917 USDC",
    "fee": "0.00021 ETH",
    "fee_worth": "$0.66",
    "payer": "",
    "payer_icon": "",
    "unpaid": "",
    "contract": "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
    "token": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    "approves": False,
    "resets": False,
    "steps": 1,
    "batch": False,
    "simulated": "4,784.198906 USDC",
    "failure": "",
    "accepts": False,
}
_MINE: Final[list[TokenRow]] = [
    (_COIN, "Ether", "ETH", _ICON, "9,999.997", "$31,912,743.15"),
    (_USDC, "USD Coin", "USDC", "", "12,425", "$12,425.00"),
]
_OTHERS: Final[list[TokenRow]] = [
    ("eip155:1:0x1f98", "Uniswap", "UNI", "", "", ""),
    ("eip155:1:0x5149", "ChainLink Token", "LINK", "", "", ""),
]
_HOSTILE: Final[list[TokenRow]] = [
    ("eip155:1:0x01", "<img src=x onerror=alert(1)>", "<b>X</b>", "", "115,792,089,237,316,195,423", "$9,999,999,999"),
    ("eip155:1:0x02", "W" * 40, "W" * 12, "/images/remote/broken", "", ""),
]
_CHIPS: Final = [
    {"id": row[0], "symbol": row[2], "icon": row[3]} for row in (*_MINE, *_OTHERS, ("eip155:1:0x3", "", "AAVE", ""))
]


def _picker(**changes: Any) -> Filled:
    listed = {"mine": _MINE, "others": _OTHERS, "suggestions": _CHIPS, "other": _COIN, "phase": "known"}
    return {**_around(), SwapPickState: {**listed, **changes}}


ENTRIES: Final = (
    Entry("swap-loading", _FORM, _form(phase="loading")),
    Entry("swap-empty", _FORM, _form(), note="the other token is not chosen yet"),
    Entry("swap-unavailable", _FORM, _form(phase="unavailable")),
    Entry("swap-unsupported", _FORM, _form(phase="unsupported"), note="nothing is swapped on this network"),
    Entry("swap-quoting", _FORM, _quoted(received="", received_worth="", rate="", impact="", least="", quoting=True)),
    Entry("swap-quoted", _FORM, _quoted(host="Example Shop")),
    Entry(
        "swap-too-much",
        _FORM,
        _quoted(amount="15000", exceeded=True, label="Insufficient balance", impact="42.1%", impact_marked=True),
    ),
    Entry(
        "swap-failed",
        _FORM,
        _quoted(received="", rate="", impact="", least="", label="Swap", error="insufficient liquidity for this swap"),
    ),
    Entry(
        "swap-long",
        _FORM,
        _quoted(
            amount="115792089237316195423.123456789",
            worth="$393,984,479,843,406,315,808,680,631,580,474.07",
            exceeded=True,
            received="115792089237316195423570985008687907853",
            source_symbol="W" * 12,
            target_symbol="W" * 12,
            hint="This token has no more than 18 decimals.",
            rate=f"1 {'W' * 12} = 0.001 {'W' * 12}",
        ),
    ),
    Entry("swap-tokens", _PICK, _picker(more=140)),
    Entry("swap-tokens-loading", _PICK, _picker(mine=[], others=[], suggestions=[], phase="loading")),
    Entry("swap-tokens-none", _PICK, _picker(mine=[], others=[], search="moon")),
    Entry("swap-tokens-unavailable", _PICK, _picker(mine=[], others=[], suggestions=[], phase="unavailable")),
    Entry("swap-tokens-hostile", _PICK, _picker(mine=_HOSTILE, others=_HOSTILE[1:])),
    Entry("swap-preview-loading", _PREVIEW, _preview("loading", {})),
    Entry("swap-preview", _PREVIEW, _preview()),
    Entry(
        "swap-preview-approve",
        _PREVIEW,
        _preview(plan={"approves": True, "resets": True, "steps": 3, "simulated": ""}, notice="The price has changed."),
        note="an approval comes first, and no node could simulate",
    ),
    Entry("swap-preview-unknown", _PREVIEW, _preview(plan={"impact": "", "impact_unknown": True, "accepts": True})),
    Entry("swap-preview-batch", _PREVIEW, _preview(plan={"batch": True, "steps": 2}), note="approval and swap at once"),
    Entry(
        "swap-preview-impact",
        _PREVIEW,
        _preview(
            plan={
                "impact": "12.4%",
                "impact_marked": True,
                "accepts": True,
                "slippage": "20%",
                "slippage_high": True,
            },
            error="It was declined in your wallet. Nothing was swapped.",
        ),
    ),
    Entry(
        "swap-preview-blocked",
        _PREVIEW,
        _preview("blocked", {"failure": "It would bring less than the least that was promised.", "simulated": ""}),
    ),
    Entry(
        "swap-preview-sponsored",
        _PREVIEW,
        _preview(plan={"fee": "", "fee_worth": "", "payer": payer_text("W" * 40), "steps": 2, "batch": True}),
        note="the longest name of a payer",
    ),
    Entry("swap-preview-failed", _PREVIEW, _preview("failed", error="Nobody offers this swap right now.")),
    Entry("swap-preview-asking", _PREVIEW, _preview("asking")),
    Entry("swap-preview-approving", _PREVIEW, _preview("approving", {"approves": True, "steps": 2})),
    Entry(
        "swap-result",
        ("Account", "WalletSendResult"),
        {
            **_around(),
            PendingState: {
                "result": {
                    **NO_ROW,
                    "id": "1",
                    "status": "confirmed",
                    "tone": "good",
                    "label": "Confirmed",
                    "title": "Swapped",
                    "amount": "1.5 ETH",
                    "received": "4,784.198906 USDC",
                    "hash": "0x" + "ab" * 32,
                }
            },
        },
    ),
)
