"""What other features know of the account: whose it is, what it owns, how it follows the wallets."""

from __future__ import annotations

from walletmodal.features.account.accounts import (
    ACCOUNTS,
    AccountMixin,
    Bip122State,
    Eip155State,
    PolkadotState,
    SolanaState,
    account,
)
from walletmodal.features.account.active import ActiveState, activate_namespace, active_namespace, shown
from walletmodal.features.account.disconnecting import MAX_CALLS, disconnect, on_disconnected
from walletmodal.features.account.following import followed, on_account
from walletmodal.features.account.holdings import Holder, holder, token_icon
from walletmodal.features.account.tokens import TokensState, refresh_after_transaction

__all__ = [
    "ACCOUNTS",
    "MAX_CALLS",
    "AccountMixin",
    "ActiveState",
    "Bip122State",
    "Eip155State",
    "Holder",
    "PolkadotState",
    "SolanaState",
    "TokensState",
    "account",
    "activate_namespace",
    "active_namespace",
    "disconnect",
    "followed",
    "holder",
    "on_account",
    "on_disconnected",
    "refresh_after_transaction",
    "shown",
    "token_icon",
]
