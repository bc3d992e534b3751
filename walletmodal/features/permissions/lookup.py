"""Permissions of an account for this page: those on record, with what the account's chain says of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import AccountId
from walletmodal.core.errors import TransportError, WalletModalError
from walletmodal.core.language import _
from walletmodal.core.permissions.record import PermissionRecord
from walletmodal.core.permissions.redemption import Usage
from walletmodal.deployment import deployment
from walletmodal.services.chains.eip155.permissions import PermissionState

CHAIN_SECONDS: Final = 15.0
"""For what a network's nodes may take."""
MAX_LOOKED_UP: Final = 20
"""Permissions whose state is read from the chain for one answer."""
UNKNOWN_NOW: Final = _("The network cannot be asked now")


@dataclass(frozen=True, slots=True)
class KnownPermission:
    """A permission, and what is known of it.

    Attributes:
        record: as it was granted.
        state: as the chain says; of more than `MAX_LOOKED_UP` as the record says.
        usage: what was used of it; None where nobody can say, or the permission is over.
    """

    record: PermissionRecord
    state: PermissionState
    usage: Usage | None = None


async def known_permissions(about: AccountId, origin: str, owner: str) -> list[KnownPermission]:
    """Lists an account's permissions, the latest first; those that are over, too.

    Args:
        about: the account, on its network.
        origin: of the host page.
        owner: of the browser in which they were granted (`PendingState`).

    Raises:
        WalletModalError: the database or the network cannot be asked now.
    """
    running = deployment()
    try:
        kept = await running.permissions.of_account(about, origin, owner)
        now = running.clock.now()
        found = {one.id: KnownPermission(one, _recorded_state(one, now)) for one in kept}
        live = [one for one in kept if found[one.id].state == "active"][:MAX_LOOKED_UP]
        async with asyncio.timeout(CHAIN_SECONDS):
            statuses = await asyncio.gather(
                *(
                    running.chain_permissions.status(
                        one.account.chain, one.delegation, one.permission, int(now.timestamp())
                    )
                    for one in live
                )
            )
        for one, status in zip(live, statuses, strict=True):
            found[one.id] = KnownPermission(one, status.state, status.usage)
            if status.state == "revoked":
                await running.permissions.mark_revoked(one.id)
    except (TransportError, TimeoutError, SQLAlchemyError, OSError) as error:
        raise WalletModalError(UNKNOWN_NOW, details=type(error).__name__) from error
    return list(found.values())


def _recorded_state(record: PermissionRecord, now: datetime) -> PermissionState:
    if record.revoked_at is not None:
        return "revoked"
    return "expired" if record.expires_at is not None and record.expires_at <= now else "active"
