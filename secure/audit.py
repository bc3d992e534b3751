"""Audit: what has happened to accounts, for the operator. Holds no address, code, key or half."""

from typing import Final, Literal

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from walletmodal.secure.db.tables import AuditRow
from walletmodal.secure.metrics import EVENTS

Kind = Literal[
    "login",
    "attempt_killed",
    "wallet_created",
    "device_added",
    "device_revoked",
    "half_joined",
    "hold_lifted",
    "window_added",
    "handed_over",
    "exported",
    "recovery_started",
    "recovery_used",
    "passkey_added",
    "passkey_removed",
    "passkey_used",
    "passkey_refused",
    "address_changed",
    "address_restored",
    "password_set",
    "password_removed",
    "password_used",
    "password_refused",
    "escrow_on",
    "escrow_off",
    "account_deleted",
    "account_deleted_by_operator",
    "deletion_requested",
    "deletion_stopped",
    "frozen",
    "logout",
]

_SHOWN: Final = 16


async def record(connection: AsyncConnection, *kinds: Kind, at: int, user: str = "", device: str = "") -> None:
    """Writes a row for each kind, in their order, within the transaction of what they tell of, and counts them."""
    for kind in kinds:
        EVENTS.labels(kind).inc()
    rows = [{"kind": kind, "at": at, "user": user, "device": device[:_SHOWN]} for kind in kinds]
    await connection.execute(insert(AuditRow), rows)
