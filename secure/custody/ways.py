"""How a wallet is opened on a device that has no part of it: `/v1/recovery/ways`."""

from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.language import _
from walletmodal.db.engine import unit_of_work
from walletmodal.secure.calls.endpoint import Answer, Calls, Nothing, UserCall
from walletmodal.secure.custody.deletion_requests import requested_deletion
from walletmodal.secure.db.tables import Half, RecoveryPassword, Wallet
from walletmodal.secure.errors import CallError
from walletmodal.secure.passkeys.tables import Passkey
from walletmodal.secure.social.tables import SocialIdentity
from walletmodal.secure.users import Account, Users


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways of one wallet.

    Attributes:
        passkeys: how many it has; password: whether it has one; code: whether the recovery service has its half.
    """

    passkeys: int
    password: bool
    code: bool

    @property
    def own(self) -> int:
        """How many of them are the visitor's alone."""
        return self.passkeys + self.password

    def names(self, *, escrow: bool) -> list[str]:
        """Their names, the best first. `escrow`: whether the site has a recovery service; without one a code opens nothing, whatever was given into escrow before."""
        there = {"passkey": self.passkeys > 0, "password": self.password, "code": self.code and escrow}
        return [name for name, is_there in there.items() if is_there]


async def ways_of(connection: AsyncConnection, user: str) -> Ways:
    """The ways of a user's wallet."""
    passkeys = select(func.count()).select_from(Passkey).where(col(Passkey.user) == user)
    passwords = select(func.count()).select_from(RecoveryPassword).where(col(RecoveryPassword.user) == user)
    box = select(col(Wallet.box)).where(col(Wallet.user) == user)
    query = select(*(one.scalar_subquery() for one in (passkeys, passwords, box)))
    found = (await connection.execute(query)).one()
    return Ways(found[0], found[1] > 0, bool(found[2]))


async def locked_ways(connection: AsyncConnection, user: str) -> Ways:
    """The ways of a user's wallet, of which nobody else gives one up until the end of the transaction."""
    # Takes the lock of the row, on every database.
    await connection.execute(update(Wallet).where(col(Wallet.user) == user).values(user=col(Wallet.user)))
    return await ways_of(connection, user)


async def check_last_way(connection: AsyncConnection, account: Account, way: str, *, escrow: bool) -> None:
    """Refuses to have a way removed without which nobody could log in, or recover a wallet that could be recovered by a code otherwise.

    Args:
        connection: of the transaction that removes it.
        account: whose it is.
        way: `passkey`, for one of them, or `password`.
        escrow: whether the site has a recovery service.

    Raises:
        CallError: 409 `last_way`.
    """
    ways = await locked_ways(connection, account.id)
    if way == "passkey" and ways.passkeys == 1 and not await _logs_in_otherwise(connection, account):
        raise CallError(
            409,
            "last_way",
            _("Nothing else logs you in to your wallet. Add another passkey first; or delete the account."),
        )
    if escrow and account.address and ways.names(escrow=True) == [way] and ways.own == 1:
        raise CallError(
            409,
            "last_way",
            _(
                "Nothing else recovers your wallet. Add another passkey or a recovery password, or turn recovery by code on first; or delete the account."
            ),
        )


async def _logs_in_otherwise(connection: AsyncConnection, account: Account) -> bool:
    """Whether something else than a passkey logs in: a mail, or an account at a provider."""
    if account.address:
        return True
    found = select(col(SocialIdentity.user)).where(col(SocialIdentity.user) == account.id)
    return await connection.scalar(found) is not None


class WayCalls:
    """Answers the call.

    Args:
        engine: of the site's database.
        users: of the site.
        escrow: whether the site has a recovery service.
        hold_hours: for how long transfers wait after a recovery by a code; deletion_hours: how long a deletion without a device does.
    """

    def __init__(
        self, engine: AsyncEngine, users: Users, *, escrow: bool, hold_hours: int, deletion_hours: int
    ) -> None:
        self._engine, self._users, self._escrow = engine, users, escrow
        self._waits = {"holdHours": hold_hours, "deletionHours": deletion_hours}

    def routes(self, calls: Calls) -> list[Route]:
        """Its route."""
        return [calls.user_route("/v1/recovery/ways", Nothing, self.ways)]

    async def ways(self, call: UserCall[Nothing]) -> Answer:
        """The ways of the wallet, whether a code could be one (of who has no address it cannot) and a password (of who logs in by a passkey alone it cannot), how long each waiting is, and whether the account is about to be deleted."""
        async with unit_of_work(self._engine) as connection:
            account = await self._users.account(connection, call.user)
            ways = await ways_of(connection, call.user)
            names = ways.names(escrow=self._escrow)
            if await _in_window(connection, call):
                # A passkey needs no window, and comes first.
                names.insert(1 if ways.passkeys else 0, "window")
            deletes_at = await requested_deletion(connection, call.user)
            password = await _logs_in_otherwise(connection, account)
        escrow = self._escrow and bool(account.address)
        return {"ways": names, "escrow": escrow, "password": password, **self._waits, "deletesAt": deletes_at}


async def _in_window(connection: AsyncConnection, call: UserCall[Nothing]) -> bool:
    """Whether a window of this site has the wallet in a browser of that name, and this device has it not."""
    query = select(col(Half.device), col(Half.name), col(Half.own_window)).where(col(Half.user) == call.user)
    halves = (await connection.execute(query)).all()
    here = any(device == call.device.id for device, _, _ in halves)
    return not here and any(own_window and name == call.browser for _, name, own_window in halves)
