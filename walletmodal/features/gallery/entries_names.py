"""The gallery's entries of names: choosing, looking up, registering."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.accounts.names import NAME_ALREADY_OWNED, NAME_TOO_SHORT
from walletmodal.core.errors.services import NAME_TEXTS
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.state import Eip155State
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.names.registration import too_slow
from walletmodal.features.names.state import NamesState
from walletmodal.features.networks.state import NetworksState

_CHOOSE: Final = ("Account", "AccountSettings", "ChooseAccountName")
_FORM: Final = (*_CHOOSE, "RegisterAccountName")
_SUCCESS: Final = ("Account", "RegisterAccountNameSuccess")
_NETWORKS: Final = sample.networks(*sample.OFFERED)
_LONG: Final = "m" * 64


def _form(typed: str = "", check: str = "", **changes: object) -> dict[type[rx.State], Values]:
    label = typed if check else ""
    return {
        NamesState: {"zone": "reown.id", "typed": typed, "label": label, "check": check, "filled": 1, **changes},
        Eip155State: sample.account(),
    }


def _done(name: str) -> dict[type[rx.State], Values]:
    return {NamesState: {"done": name}, Eip155State: sample.account(profile_name=name)}


def _nameless(**can: object) -> dict[type[rx.State], Values]:
    network = _NETWORKS[0]
    return {
        Eip155State: sample.account(nameless=True),
        ActiveState: can,
        NetworksState: {
            "rows": _NETWORKS,
            "active": network["id"],
            "active_name": network["name"],
            "active_image": network["image"],
        },
    }


ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("account-settings-nameless", _CHOOSE[:2], _nameless()),
    Entry("account-compact-nameless", _CHOOSE[:1], _nameless(compact=True, actions=["receive"])),
    Entry("name-choose", _CHOOSE, {Eip155State: sample.account()}),
    Entry("name-empty", _FORM, _form()),
    Entry("name-short", _FORM, _form("map", note=NAME_TOO_SHORT)),
    Entry("name-checking", _FORM, _form("maple", "checking")),
    Entry("name-available", _FORM, _form("maple", "available")),
    Entry(
        "name-registered",
        _FORM,
        _form("maple", "registered", suggestions=["mapletree", "maple-harbour", "lantern-maple", "maple-9"]),
    ),
    Entry("name-failed", _FORM, _form("maple", "failed", note=NAME_TEXTS["suggestions"])),
    Entry("name-owned", _FORM, _form("maple", note=NAME_ALREADY_OWNED)),
    Entry("name-signing", _FORM, _form("maple", "available", phase="signing")),
    Entry("name-registering", _FORM, _form("maple", "available", phase="registering")),
    Entry(
        "name-refused",
        _FORM,
        _form(
            "maple",
            "available",
            note=too_slow("The timestamp is more than 10 seconds away from now.", 14),
        ),
    ),
    Entry(
        "name-hostile",
        _FORM,
        _form(_LONG, "registered", note="<b>W</b>" + "W" * 190, suggestions=[f"{n}{_LONG[1:]}" for n in range(4)]),
        note="the longest names, and what a service may say",
    ),
    Entry("name-done", _SUCCESS, _done("maple.reown.id")),
    Entry("name-done-long", _SUCCESS, _done(f"{_LONG}.reown.id")),
)
"""In the order in which the index lists them."""
