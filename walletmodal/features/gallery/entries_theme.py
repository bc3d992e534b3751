"""Gallery entries of the presets: views with many colours, each in another theme."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from walletmodal.core.theming.presets import PRESETS
from walletmodal.features.gallery import entries_account, entries_send

_SHOWN: Final = {
    entry.id: entry
    for entry in (*entries_account.ENTRIES, *entries_send.ENTRIES)
    if entry.id in {"account-full", "send-ready"}
}

ENTRIES: Final = tuple(
    replace(entry, id=f"theme-{preset}-{entry.id.partition('-')[0]}", preset=preset)
    for preset in PRESETS
    if preset != "default"
    for entry in _SHOWN.values()
)
"""An account and a payment in each preset."""
