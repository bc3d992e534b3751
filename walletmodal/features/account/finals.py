"""A transaction that is final has changed what the account owns. A module of its own: transactions know the account's state."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.account.state import refresh_after_transaction
from walletmodal.features.bridge.state import Followups
from walletmodal.features.transactions.state import on_final


@on_final
async def read_anew(state: rx.State) -> Followups:
    """Tokens and native balance, past every cache."""
    return await refresh_after_transaction(state)
