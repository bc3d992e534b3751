"""Batches of calls on record: only the wallet that has made one knows its transaction."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.errors import WalletModalError
from walletmodal.core.language import _
from walletmodal.core.text.texts import PARTLY_MADE
from walletmodal.core.transfers.calls_status import read_calls_status
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.db.engine import describe_failure
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import ANSWER_SECONDS, wallet_asker

NEVER_SENT: Final = _("The wallet could not send it")
GAP: Final = 0.5
"""Seconds within which a wallet is not asked twice: any browser can poll as often as it likes, and each question is written down."""

logger = logging.getLogger(__name__)


async def follow_batches(pending: Any, found: list[TransactionRequest]) -> list[TransactionRequest]:
    """Asks the wallet for the transactions of batches that have none on record yet, once at a time.

    Args:
        pending: the state of pending transactions in a background event, not held while the wallet is asked.
        found: the account's requests.

    Returns:
        The same requests, as they are on record now.
    """
    if not any(_is_open(one) for one in found):
        return found
    clock = deployment().clock
    async with pending:
        if (now := clock.now().timestamp()) < pending._batches_due:
            return found
        pending._batches_due = now + ANSWER_SECONDS
    followed = list(await asyncio.gather(*(_followed(pending, one) for one in found)))
    async with pending:
        pending._batches_due = clock.now().timestamp() + GAP
    return followed


def _is_open(asked: TransactionRequest) -> bool:
    return bool(asked.bundle) and not asked.entry_point and not asked.hash and not asked.settled


async def _followed(pending: Any, asked: TransactionRequest) -> TransactionRequest:
    if not _is_open(asked):
        return asked
    async with pending:
        held = await account(pending, asked.chain.namespace)
        is_there = held.status == "connected" and asked.proposal.sender in held._accounts
        if not is_there or held.connector == WALLET_CONNECT_ID:
            # A phone is not woken for it.
            return asked
    try:
        told = read_calls_status(await wallet_asker(pending, asked.chain)("wallet_getCallsStatus", [asked.bundle]))
    except WalletModalError:
        return asked
    changes: dict[str, Any] = {}
    now = deployment().clock.now()
    if told.partly:
        changes = {"hash": told.hash, "answered_at": now, "status": "reverted", "settled": True, "reason": PARTLY_MADE}
    elif told.hash:
        changes = {"hash": told.hash, "answered_at": now, "status": "sent"}
    elif told.failed:
        changes = {"status": "dropped", "settled": True, "reason": NEVER_SENT}
    try:
        return (await deployment().requests.change(asked, **changes) if changes else None) or asked
    except (SQLAlchemyError, OSError) as error:
        logger.warning("the transaction of a batch could not be written: %s", describe_failure(error))
        return asked
