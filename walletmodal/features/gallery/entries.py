"""The list of the gallery: each built view in each of its states. Screenshot and accessibility tests go through the same list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.core.text.texts import ADDRESS_COPIED, ALERTS, FAILED_TO_DISCONNECT, SWITCH_DECLINED, SWITCH_FAILED
from walletmodal.features.account.state import Eip155State
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.gallery import (
    entries_account,
    entries_activity,
    entries_all_wallets,
    entries_approve,
    entries_approve_rare,
    entries_connect,
    entries_embedded,
    entries_names,
    entries_namespaces,
    entries_nfts,
    entries_onramp,
    entries_pairing,
    entries_permissions,
    entries_requests,
    entries_send,
    entries_signin,
    entries_swap,
    entries_theme,
    entries_transactions,
    sample,
)
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.toasts.state import AlertState, ToastState


def _offered(rows: list[Any], **changes: object) -> dict[type[rx.State], Values]:
    shown = {"rows": rows, "active": rows[0]["id"], "active_name": rows[0]["name"], "active_image": rows[0]["image"]}
    return {NetworksState: {**shown, **changes}}


def _switching(phase: str, error: str = "") -> dict[type[rx.State], Values]:
    target = _ROWS[1]
    return _offered(
        _ROWS, target=target["id"], target_name=target["name"], target_image=target["image"], phase=phase, error=error
    )


def _account() -> dict[type[rx.State], Values]:
    return {**entries_account.account(), **_offered(_ROWS)}


def _embedded(values: Mapping[type[rx.State], Values]) -> dict[type[rx.State], Values]:
    return {**values, EmbedState: {"embedded": True}}


def _toast(message: str, variant: str) -> dict[type[rx.State], Values]:
    return {**_account(), ToastState: {"serial": 1, "message": message, "variant": variant, "auto_close": False}}


_ROWS: Final = sample.networks(*sample.OFFERED)
_SWITCH: Final = ("Account", "Networks", "SwitchNetwork")
_UNSUPPORTED: Final = {"unsupported": True, "active": "eip155:31337", "active_name": "", "active_image": ""}

ENTRIES: Final = (
    *entries_connect.ENTRIES,
    *entries_account.ENTRIES,
    Entry("networks-full", ("Account", "Networks"), _offered(_ROWS)),
    Entry("networks-one", ("Account", "Networks"), _offered(_ROWS[:1])),
    Entry("networks-many", ("Account", "Networks"), _offered(sample.networks()), note="every EVM network of the table"),
    Entry("networks-found", ("Account", "Networks"), _offered(_ROWS, search="a")),
    Entry("networks-none-found", ("Account", "Networks"), _offered(_ROWS, search="nowhere")),
    Entry("networks-hostile", ("Account", "Networks"), _offered(sample.HOSTILE_NETWORKS)),
    Entry("switch-network-asking", _SWITCH, _switching("switching"), {"network": _ROWS[1]["name"]}),
    Entry("switch-network-declined", _SWITCH, _switching("error", SWITCH_DECLINED), {"network": _ROWS[1]["name"]}),
    Entry("switch-network-failed", _SWITCH, _switching("error", SWITCH_FAILED), {"network": _ROWS[1]["name"]}),
    Entry("unsupported-chain-full", ("UnsupportedChain",), _offered(_ROWS[:3], **_UNSUPPORTED)),
    Entry("unsupported-chain-many", ("UnsupportedChain",), _offered(sample.networks(), **_UNSUPPORTED)),
    Entry(
        "unsupported-chain-disconnecting",
        ("UnsupportedChain",),
        {Eip155State: sample.account(disconnecting=True), **_offered(_ROWS[:3], **_UNSUPPORTED)},
    ),
    Entry("what-is-a-wallet", ("Connect", "WhatIsAWallet")),
    Entry("view-lost", ("Connect", "WhatIsAWallet"), lost=True, note="its script does not come"),
    Entry("what-is-a-network", ("Account", "Networks", "WhatIsANetwork")),
    Entry("toast-success", ("Account",), _toast(ADDRESS_COPIED, "success")),
    Entry("toast-error", ("Account",), _toast(FAILED_TO_DISCONNECT, "error")),
    Entry("toast-loading", ("Account",), _toast("Confirm in your wallet", "loading")),
    Entry(
        "toast-long",
        ("Account",),
        _toast("A message of the host page that is so long that it needs several lines", "error"),
    ),
    Entry("embedded-connect", ("Connect",), _embedded(entries_connect.installed(sample.wallets(4))), surroundings=True),
    Entry("embedded-account", ("Account",), _embedded(_account()), surroundings=True),
    Entry(
        "embedded-networks",
        ("Account", "Networks"),
        _embedded(_offered(_ROWS)),
        note="with a way back",
        surroundings=True,
    ),
    Entry(
        "alert",
        ("Connect",),
        {
            **entries_connect.installed(sample.wallets(4)),
            AlertState: {"message": ALERTS["SWITCH_NETWORK_NOT_FOUND"].short},
        },
    ),
    *entries_namespaces.ENTRIES,
    *entries_all_wallets.ENTRIES,
    *entries_activity.ENTRIES,
    *entries_nfts.ENTRIES,
    *entries_onramp.ENTRIES,
    *entries_swap.ENTRIES,
    *entries_pairing.ENTRIES,
    *entries_send.ENTRIES,
    *entries_permissions.ENTRIES,
    *entries_requests.ENTRIES,
    *entries_signin.ENTRIES,
    *entries_names.ENTRIES,
    *entries_transactions.ENTRIES,
    *entries_approve.ENTRIES,
    *entries_approve_rare.ENTRIES,
    *entries_embedded.ENTRIES,
    *entries_theme.ENTRIES,
)
"""In the order in which the index lists them; ids that begin alike make a group."""

BY_ID: Final = {entry.id: entry for entry in ENTRIES}

__all__ = ["BY_ID", "ENTRIES", "Entry"]
