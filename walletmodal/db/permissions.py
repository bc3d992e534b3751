"""Store of the permissions that accounts have granted."""

import json
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from walletmodal.core.chains.caip import AccountId, parse_chain_id
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.permissions.record import PermissionRecord
from walletmodal.db.engine import unit_of_work
from walletmodal.db.expiry import delete_expired
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.tables import Permission, table_of

MAX_PER_ACCOUNT: Final = 200
"""Of one account at one host page: no more are granted until some are over for thirty days."""
KEPT_AFTER: Final = timedelta(days=30)
"""For how long one that is over stays on record."""

_TABLE: Final = Permission


class PermissionStore:
    """Stores and finds permissions. Whether one still counts, the chain alone can say.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what ends are measured with.
        kept_after: how long one that is over stays on record.
    """

    def __init__(self, engine: AsyncEngine, *, clock: Clock | None = None, kept_after: timedelta = KEPT_AFTER) -> None:
        self._engine, self._clock, self._kept_after = engine, clock or SystemClock(), kept_after

    async def room(self, account: AccountId, origin: str) -> int:
        """Counts how many more permissions of an account can be kept.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        query = select(func.count()).select_from(_TABLE).where(*_of(account, origin))
        async with unit_of_work(self._engine) as connection:
            return max(0, MAX_PER_ACCOUNT - int((await connection.execute(query)).scalar_one()))

    async def add(self, record: PermissionRecord, owner: str) -> None:
        """Keeps a permission; one that is kept already stays as it is.

        Args:
            record: whose signature was verified.
            owner: SHA-256 of the secret of the browser in which it was granted, in hex.

        Raises:
            SQLAlchemyError, OSError: the database did not take it.
        """
        row = {
            "id": record.id,
            "owner": owner,
            "origin": record.origin,
            "chain": str(record.account.chain),
            "address": record.account.address,
            "delegate": record.delegate,
            "granted": json.dumps(record.granted),
            "context": record.context.hex(),
            "granted_at": to_ms(record.granted_at),
            "expires_at": None if record.expires_at is None else to_ms(record.expires_at),
        }
        try:
            async with unit_of_work(self._engine) as connection:
                await connection.execute(insert(_TABLE).values(**row))
        except IntegrityError:
            return

    async def of_account(self, account: AccountId, origin: str, owner: str | None = None) -> list[PermissionRecord]:
        """Lists the permissions of an account for a host page, the latest first; those that are over, too.

        Args:
            account: on its network.
            origin: of the host page.
            owner: only those that were granted in this browser; None: in every one, for who has proven to be the account.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        wanted = [*_of(account, origin), *([] if owner is None else [col(_TABLE.owner) == owner])]
        latest = (col(_TABLE.granted_at).desc(), col(_TABLE.id))
        table = table_of(_TABLE)
        query = select(table).where(*wanted).order_by(*latest).limit(MAX_PER_ACCOUNT)
        async with unit_of_work(self._engine) as connection:
            return [_record(row) for row in (await connection.execute(query)).mappings().all()]

    async def mark_revoked(self, permission_id: str) -> bool:
        """Puts on record that the account has taken a permission back; False where none counts by that id.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        counts = (col(_TABLE.id) == permission_id, col(_TABLE.revoked_at).is_(None))
        statement = update(_TABLE).where(*counts).values(revoked_at=to_ms(self._clock.now()))
        async with unit_of_work(self._engine) as connection:
            return (await connection.execute(statement)).rowcount > 0

    async def purge(self) -> int:
        """Deletes what has been over for long; returns how many.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = to_ms(self._clock.now() - self._kept_after)
        over = or_(col(_TABLE.expires_at) <= moment, col(_TABLE.revoked_at) <= moment)
        return await delete_expired(self._engine, _TABLE, over)


def _of(account: AccountId, origin: str) -> tuple[Any, ...]:
    return (
        col(_TABLE.address) == account.address,
        col(_TABLE.chain) == str(account.chain),
        col(_TABLE.origin) == origin,
    )


def _record(row: Any) -> PermissionRecord:
    return PermissionRecord(
        id=row["id"],
        account=AccountId(parse_chain_id(row["chain"]), row["address"]),
        delegate=row["delegate"],
        origin=row["origin"],
        granted=json.loads(row["granted"]),
        context=bytes.fromhex(row["context"]),
        granted_at=from_ms(row["granted_at"]),
        expires_at=None if row["expires_at"] is None else from_ms(row["expires_at"]),
        revoked_at=None if row["revoked_at"] is None else from_ms(row["revoked_at"]),
    )
