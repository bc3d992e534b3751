"""The address that codes of recovery go to follows the account's, whatever fails in between: the recovery service is told until it has taken it.

A wallet's `address_due` marks that the service may have another address than the account. It is written before the service hears of
anything, and taken back by what makes both the same.
"""

import logging
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.custody.envelope import EnvelopeError
from walletmodal.secure.custody.recovery_client import AWAY, UNKNOWN, RecoveryClient
from walletmodal.secure.db.tables import Wallet
from walletmodal.secure.errors import CallError, unavailable
from walletmodal.secure.users import Account, Users
from walletmodal.secure.waiting import Waiting

MOVING_MS: Final = 60_000
"""Within which an account has the address that the service was told of; longer than the service may take to answer."""
_PATIENCE_SECONDS: Final = 3.0
"""That a visitor waits while another call tells the service."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Move:
    """A change that the service is told of before the account has it. `due`: as in `Wallet.address_due`; `unsure`: the service may not have the account's address of before."""

    box: str
    due: int
    unsure: bool


class BoxAddresses:
    """Tells the recovery service where codes go.

    Args:
        engine: of the site's database.
        recovery: None where there is no escrow.
        users: of the site.
        clock: of the site.
    """

    def __init__(self, engine: AsyncEngine, recovery: RecoveryClient | None, users: Users, clock: Clock) -> None:
        self._engine, self._recovery, self._users, self._clock = engine, recovery, users, clock
        self._waiting = Waiting(clock)

    async def begin(self, connection: AsyncConnection, user: str) -> Move | None:
        """Announces that the service is about to be told another address; None where it keeps nothing of the user's."""
        if self._recovery is None:
            return None
        finding = select(col(Wallet.box), col(Wallet.address_due)).where(*_boxed(user)).with_for_update()
        found = (await connection.execute(finding)).first()
        if found is None:
            return None
        box, before = found
        # Later than what is on its way to the service.
        due = max(self._now() + MOVING_MS, before + 1)
        await connection.execute(update(Wallet).where(*_boxed(user)).values(address_due=due))
        return Move(box, due, unsure=before > 0)

    async def tell(self, move: Move | None, former: Account, address: str) -> None:
        """Tells it. `former`: the account as it is.

        Raises:
            CallError: 503.
        """
        if not move or not self._recovery:
            return
        if move.unsure:
            # A box that has no address yet takes the first one without a hold: that must be the account's.
            await _change(self._recovery, move.box, former.address, former.language, move.due)
        await _change(self._recovery, move.box, address, former.language, move.due)

    async def end(self, connection: AsyncConnection, user: str, move: Move | None) -> None:
        """Settles a change with the transaction by which the account has the address, too.

        Raises:
            CallError: 503, it took so long that the service is told the account's former address again.
        """
        if move is None:
            # A box that it has got meanwhile.
            await self.follow(connection, user)
            return
        mine = (col(Wallet.box) == move.box, col(Wallet.address_due) == move.due, col(Wallet.address_due) > self._now())
        ending = update(Wallet).where(col(Wallet.user) == user, *mine).values(address_due=0)
        if (await connection.execute(ending)).rowcount != 1:
            raise unavailable()

    async def follow(self, connection: AsyncConnection, user: str) -> None:
        """Has the service told the address that the account has after this transaction; `settle` does it."""
        await connection.execute(update(Wallet).where(*_boxed(user)).values(address_due=self._now()))

    async def settle(self, user: str) -> None:
        """Tells the service a user's address, where it is due.

        Raises:
            CallError: 503, and it stays due.
        """
        if self._recovery is None:
            return
        now = self._now()
        # Nobody else tells it meanwhile, and a change that has taken too long does not end after all.
        claim = now + MOVING_MS
        due = (*_boxed(user), col(Wallet.address_due) > 0, col(Wallet.address_due) <= now)
        async with unit_of_work(self._engine) as connection:
            claiming = update(Wallet).where(*due).values(address_due=claim).returning(col(Wallet.box))
            box: str | None = await connection.scalar(claiming)
            if box is None:
                return
            account = await self._users.account(connection, user)
        try:
            await _change(self._recovery, box, account.address, account.language, claim)
        except CallError:
            await self._release(user, claim, now)
            raise
        await self._release(user, claim, 0)

    async def settled(self, user: str) -> None:
        """Settles a user's address for a call that needs it now: where another tells it, waits for that, for some seconds.

        Raises:
            CallError: 503, as `settle`, or because too many wait.
        """
        finding = select(col(Wallet.address_due)).where(*_boxed(user), col(Wallet.address_due) > 0)

        async def look() -> bool | None:
            await self.settle(user)
            async with unit_of_work(self._engine) as connection:
                return True if await connection.scalar(finding) is None else None

        await self._waiting.until(user, look, _PATIENCE_SECONDS)

    async def carry_on(self) -> None:
        """Tells it of everybody of whom it is due, as far as it answers: what it refuses of one account does not keep the others."""
        due = (col(Wallet.address_due) > 0, col(Wallet.address_due) <= self._now())
        async with unit_of_work(self._engine) as connection:
            query = select(col(Wallet.user)).where(*due).order_by(col(Wallet.address_due))
            users = (await connection.execute(query)).scalars().all()
        for user in users:
            try:
                await self.settle(user)
            except (CallError, EnvelopeError) as error:
                logger.warning("the recovery service could not be told an address: %s", error)
                if isinstance(error, CallError) and error.code == AWAY:
                    # Each would wait for it as long. The others are due for longer than this one now, and come first.
                    return

    async def begin_anew(self) -> int:
        """Has the service told all addresses, as far as none is due anyway; returns of how many wallets. `carry_on` does it."""
        async with unit_of_work(self._engine, seconds=LONG_WORK_SECONDS) as connection:
            all_told = (col(Wallet.box) != "", col(Wallet.address_due) == 0)
            return (await connection.execute(update(Wallet).where(*all_told).values(address_due=self._now()))).rowcount

    async def _release(self, user: str, claim: int, due: int) -> None:
        async with unit_of_work(self._engine) as connection:
            mine = (col(Wallet.user) == user, col(Wallet.address_due) == claim)
            await connection.execute(update(Wallet).where(*mine).values(address_due=due))
        self._waiting.notify(user)

    def _now(self) -> int:
        return to_ms(self._clock.now())


async def _change(recovery: RecoveryClient, box: str, address: str, language: str, at: int) -> None:
    try:
        await recovery.change_address(box, address, language, at)
    except CallError as error:
        if error.code != UNKNOWN:
            raise
        # Of a service whose backup is older than the wallet: what it does not have sends codes nowhere.
        logger.warning("the recovery service does not have the box of a wallet, which cannot be recovered by a code")


def _boxed(user: str) -> tuple[Any, ...]:
    return col(Wallet.user) == user, col(Wallet.box) != ""
