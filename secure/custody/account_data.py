"""What the site holds of a user, for the user: `/v1/account/data`. No secret is in it: no half, key, code or hash."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.db.engine import unit_of_work
from walletmodal.secure.calls.endpoint import Answer, Calls, Nothing, UserCall
from walletmodal.secure.db.tables import (
    AuditRow,
    DeletionRequest,
    Half,
    HeldSpending,
    RecoveryPassword,
    Session,
    User,
    Wallet,
)
from walletmodal.secure.passkeys.tables import Passkey
from walletmodal.secure.social.tables import SocialIdentity
from walletmodal.secure.users import Users

_MOST_EVENTS = 1000


class AccountDataCalls:
    """Answers the call.

    Args:
        engine: of the site's database.
        users: of the site.
        audit_days: for how long events are kept.
    """

    def __init__(self, engine: AsyncEngine, users: Users, *, audit_days: int) -> None:
        self._engine, self._users, self._audit_days = engine, users, audit_days

    def routes(self, calls: Calls) -> list[Route]:
        """Its route."""
        return [calls.user_route("/v1/account/data", Nothing, self.data)]

    async def data(self, call: UserCall[Nothing]) -> Answer:
        """Everything that is stored of the account, moments in ms since 1970; of events the newest 1,000."""
        user = call.user

        async def rows(table: Any, *names: str) -> list[dict[str, Any]]:
            found = await connection.execute(
                select(*(getattr(table, name) for name in names)).where(table.user == user)
            )
            return [dict(row) for row in found.mappings().all()]

        async with unit_of_work(self._engine) as connection:
            account = await self._users.account(connection, user)
            created = await connection.scalar(select(col(User.created_at)).where(col(User.id) == user))
            wallets = await rows(Wallet, "evm", "solana", "created_at")
            escrow = await connection.scalar(select(col(Wallet.box)).where(col(Wallet.user) == user))
            events = (
                select(col(AuditRow.at), col(AuditRow.kind), col(AuditRow.device))
                .where(col(AuditRow.user) == user)
                .order_by(col(AuditRow.id).desc())
                .limit(_MOST_EVENTS)
            )
            return {
                "data": {
                    "user": user,
                    "email": account.address,
                    "language": account.language,
                    "createdAt": created,
                    "wallets": wallets,
                    "recoveryByCode": bool(escrow),
                    "devices": await rows(
                        Half, "device", "name", "site", "own_window", "created_at", "last_seen_at", "held_until"
                    ),
                    "heldSpending": await rows(HeldSpending, "payload", "asset", "amount", "expires_at"),
                    "deletionRequests": await rows(DeletionRequest, "asked_at", "due_at"),
                    "passkeys": await rows(Passkey, "id", "name", "site", "created_at", "last_used_at"),
                    "recoveryPasswords": await rows(RecoveryPassword, "created_at"),
                    "logins": await rows(SocialIdentity, "created_at"),
                    "sessions": await rows(Session, "device", "created_at", "last_used_at", "expires_at"),
                    "events": [dict(row) for row in (await connection.execute(events)).mappings().all()],
                    "eventsAreKeptForDays": self._audit_days,
                }
            }
