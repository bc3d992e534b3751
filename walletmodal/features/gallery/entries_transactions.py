"""The gallery's entries of transactions: how they stand, from the wallet's question to what the network has made of them."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.chains.addresses import avatar
from walletmodal.core.errors.operations import PaymasterRefusedError
from walletmodal.core.text.texts import CANCELLED, SPED_UP
from walletmodal.features.account.state import Eip155State
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.transactions.rows import NO_ROW, PendingRow
from walletmodal.features.transactions.state import PendingState

_STACK: Final = ("Account", "WalletSendResult")
_HASH: Final = "0x9c5eb0e1b8b3f4f6a2d1c0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9"
_SIGNATURE: Final = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
_RECEIVER: Final = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
_STRANGER: Final = "0x000000000000000000000000000000000000bEEF"
_SENT: Final[PendingRow] = {
    **NO_ROW,
    "id": "sample",
    "chain": "eip155:1",
    "status": "sent",
    "hash": _HASH,
    "link": f"https://etherscan.io/tx/{_HASH}",
    "title": "Send",
    "amount": "1.5 ETH",
    "receiver": "0xd8...A96045",
    "name": "vitalik.eth",
    "avatar": avatar(_RECEIVER).background,
    "label": "Waiting for the network",
    "at": "2026-01-01T00:00:00+00:00",
}


def _result(**changes: Any) -> dict[type[rx.State], Values]:
    return {Eip155State: sample.account(), PendingState: {"result": {**_SENT, **changes}}}


ENTRIES: Final = (
    Entry("result-asked", _STACK, _result(status="asked", hash="", link="", label="Waiting for your wallet")),
    Entry("result-searching", _STACK, _result(status="asked", hash="", link="", label="Looking for it on the network")),
    Entry("result-sent", _STACK, _result()),
    Entry("result-confirmed", _STACK, _result(status="confirmed", label="Confirmed", tone="good")),
    Entry(
        "result-solana",
        _STACK,
        _result(hash=_SIGNATURE, link="", amount="25 USDC", status="confirmed", label="Confirmed", tone="good"),
        note="a longer hash, and no explorer",
    ),
    Entry("result-reverted", _STACK, _result(status="reverted", label="Failed on the network", tone="bad")),
    Entry("result-sped-up", _STACK, _result(status="replaced", label=SPED_UP, tone="good")),
    Entry("result-cancelled", _STACK, _result(status="replaced", label=CANCELLED, tone="bad")),
    Entry("result-dropped", _STACK, _result(status="dropped", label="Not taken by the network", tone="bad")),
    Entry(
        "result-refused",
        _STACK,
        _result(
            status="dropped", label="Not taken by the network", tone="bad", hash="", reason=PaymasterRefusedError.text
        ),
        note="nobody pays for a user operation any more",
    ),
    Entry("result-unknown", _STACK, _result(status="unknown", hash="", link="", label="Outcome unknown", tone="bad")),
    Entry(
        "result-altered",
        _STACK,
        _result(
            status="confirmed",
            label="Not what you approved here",
            tone="bad",
            altered=[f"Receiver: {_STRANGER} instead of {_RECEIVER}", "Amount: 115.25 ETH instead of 1.5 ETH"],
        ),
        note="a wallet that has sent something else",
    ),
)
