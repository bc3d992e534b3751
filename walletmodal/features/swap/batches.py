"""Whether the wallet makes approval and swap as one transaction (EIP-5792)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import EIP5792, METHOD_NOT_FOUND, METHOD_NOT_SUPPORTED, UNSUPPORTED_METHOD
from walletmodal.core.wallets.capabilities import makes_batches
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.features.account.wallet_requests import wallet_asker
from walletmodal.services.swaps import SwapOrder

ONE_BY_ONE: Final = frozenset({*EIP5792, METHOD_NOT_FOUND, METHOD_NOT_SUPPORTED, UNSUPPORTED_METHOD})
"""Codes with which a wallet refuses a batch that it may make one by one."""


async def ask_for_batches(preview: Any, order: SwapOrder, connector: str) -> bool:
    """Asks the wallet, once for each account, whether it makes several calls as one transaction. A phone is not woken for that.

    Args:
        preview: the preview's state in a background event, not held while the wallet is asked.
        order: what is to be swapped.
        connector: the wallet's.
    """
    if connector == WALLET_CONNECT_ID:
        return False
    chain, subject = order.account.chain, (str(order.account), connector)
    async with preview:
        known, answer = preview._batching, None
    if known[:2] == subject:
        return bool(known[2])
    with suppress(WalletModalError):
        answer = await wallet_asker(preview, chain)(
            "wallet_getCapabilities", [order.account.address, [hex(chain.number)]]
        )
    makes = makes_batches(answer, hex(chain.number))
    async with preview:
        preview._batching = *subject, makes
    return makes
