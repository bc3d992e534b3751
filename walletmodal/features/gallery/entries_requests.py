"""The gallery's entries of calls that a page has made: how they stand, at once and one after the other."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.core.text.texts import PARTLY_MADE
from walletmodal.features.account.state import Eip155State
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.requests.calls_status import CallRow, CallsStatusState, MadeRow

_STACK: Final = ("CallsStatus",)
_FIRST: Final = "0x9c5eb0e1b8b3f4f6a2d1c0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9"
_SECOND: Final = "0x1b7fd0a3c2e44b5f8a9c6d7e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c"
_SEND: Final = _("Send {amount}", amount=_("{amount} {symbol}", amount="0.25", symbol="ETH"))


def _line(title: str, name: str, address: str) -> str:
    return _("{title}. {name}: {address}", title=title, name=name, address=address)


_TEXTS: Final = (
    _line(_("Allow spending"), _("Who may spend"), "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"),
    _line(_("Contract call"), _("Contract"), "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"),
    _line(_SEND, pgettext("address", "To"), "0x016562aA41A8697720ce0943F003141f5dEAe006"),
)


def _made(*hashes: str) -> list[MadeRow]:
    return [{"hash": one, "link": f"https://etherscan.io/tx/{one}"} for one in hashes]


def _calls(*outcomes: str) -> list[CallRow]:
    tones = {"Done": "good", "": ""}
    return [
        {"number": at + 1, "text": text, "outcome": outcome, "tone": tones.get(outcome, "bad")}
        for at, (text, outcome) in enumerate(zip(_TEXTS, outcomes or ("",) * len(_TEXTS), strict=True))
    ]


def _status(label: str, tone: str, **changes: Any) -> dict[type[rx.State], Values]:
    batch = {
        "label": label,
        "tone": tone,
        "together": True,
        "every": 0,
        "calls": _calls(),
        "made": _made(_FIRST),
        **changes,
    }
    return {Eip155State: sample.account(), CallsStatusState: {"batch": batch}}


ENTRIES: Final = (
    Entry("calls-waiting", _STACK, _status("Waiting for the network", "waiting")),
    Entry("calls-confirmed", _STACK, _status("Confirmed", "good")),
    Entry("calls-failed", _STACK, _status("Failed on the network", "bad")),
    Entry("calls-not-sent", _STACK, _status("Not sent", "bad", made=[])),
    Entry(
        "calls-waiting-in-order",
        _STACK,
        _status("Waiting for the network", "waiting", together=False, made=[]),
        note="one after the other",
    ),
    Entry(
        "calls-partly",
        _STACK,
        _status(
            PARTLY_MADE, "bad", together=False, calls=_calls("Done", "Failed", "Not made"), made=_made(_FIRST, _SECOND)
        ),
        note="one after the other, of which the second has failed",
    ),
    Entry("calls-none", _STACK, {Eip155State: sample.account()}, note="a host opens it by name"),
)
