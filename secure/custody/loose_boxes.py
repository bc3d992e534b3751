"""Boxes at the recovery service that no wallet has, of a deleted account, of a wallet that was never stored or of a login whose code has not come: each is taken back until the service has forgotten it."""

import logging
import secrets
from typing import Final

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.db.dialects import insert_for
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.custody.recovery_client import RecoveryClient
from walletmodal.secure.db.tables import LooseBox
from walletmodal.secure.encoding import digest, encode
from walletmodal.secure.errors import CallError, unavailable

STORING_MS: Final = 10 * 60_000
"""Within which a wallet must have the box that was made for it."""
_AT_ONCE: Final = 4
"""So many boxes are taken back while a visitor waits."""
_KEEP: Final = delete(LooseBox).where(col(LooseBox.id) == bindparam("box"), col(LooseBox.due_at) > bindparam("now"))
_KEEP_GIVEN: Final = _KEEP.where(col(LooseBox.given) == bindparam("sealed"))

logger = logging.getLogger(__name__)


class LooseBoxes:
    """Gives boxes into escrow, and takes back those that no wallet has.

    Args:
        engine: of the site's database.
        recovery: None where there is no escrow.
        clock: of the site.
    """

    def __init__(self, engine: AsyncEngine, recovery: RecoveryClient | None, clock: Clock) -> None:
        self._engine, self._recovery, self._clock = engine, recovery, clock

    async def reserve(self, connection: AsyncConnection, user: str, until: int) -> bool:
        """Reserves the box of an account that a login may make, for `give` after this transaction; False where that was done before, or there is no escrow.

        The box has the account's id, and there is one of each. The transaction must hold the login's row: one that has ended in between may have made the account, whose box this would take back.

        Args:
            connection: of the transaction.
            user: the account's id.
            until: in ms; from then on the code does not count.
        """
        if self._recovery is None:
            return False
        reserving = insert_for(connection)(LooseBox).on_conflict_do_nothing(index_elements=["id"])
        return (await connection.execute(reserving, {"id": user, "due_at": until + STORING_MS})).rowcount == 1

    async def give(self, user: str, sealed: str) -> None:
        """Gives the recovery half into escrow for which a box is reserved, without its address: nobody has shown yet whose it becomes.

        Raises:
            CallError: as `put`.
        """
        if self._recovery is None:
            raise _no_escrow()
        await self._recovery.put(user, user=user, sealed=sealed)
        async with unit_of_work(self._engine) as connection:
            await connection.execute(update(LooseBox).where(col(LooseBox.id) == user).values(given=digest(sealed)))

    async def keep_given(self, connection: AsyncConnection, user: str, sealed: str) -> bool:
        """Leaves the box that was given for a login to the wallet that has it from this transaction on; False where the service has not taken that half."""
        if self._recovery is None:
            return False
        mine = {"box": user, "sealed": digest(sealed), "now": self._now()}
        return (await connection.execute(_KEEP_GIVEN, mine)).rowcount == 1

    async def put(self, *, user: str, address: str, sealed: str) -> str:
        """Gives a recovery half into escrow; returns the box, which is taken back unless a wallet has it in time (`keep`).

        Args:
            user: whose half it is.
            address: that codes for it go to.
            sealed: the half.

        Raises:
            CallError: 400 `escrow`, it does not open, or there is no escrow; 503.
        """
        if self._recovery is None:
            raise _no_escrow()
        box = encode(secrets.token_bytes(16))
        # Before the service hears of it: whatever fails from here on, the box is not forgotten.
        async with unit_of_work(self._engine) as connection:
            await connection.execute(insert(LooseBox).values(id=box, due_at=self._now() + STORING_MS))
        await self._recovery.put(box, user=user, address=address, sealed=sealed)
        return box

    async def keep(self, connection: AsyncConnection, box: str) -> None:
        """Leaves a box to the wallet that has it from this transaction on.

        Raises:
            CallError: 503, it took too long.
        """
        if (await connection.execute(_KEEP, {"box": box, "now": self._now()})).rowcount != 1:
            raise unavailable()

    async def loosen(self, connection: AsyncConnection, box: str) -> None:
        """Has a box taken back that its wallet has until this transaction; "" is none."""
        if box:
            await connection.execute(insert(LooseBox).values(id=box, due_at=self._now()))

    async def take_back(self, *, waiting: bool = False) -> None:
        """Takes back what is due, as far as the service answers. `waiting`: a visitor waits, whose box was loosened just now; the others have time."""
        due = select(col(LooseBox.id)).where(col(LooseBox.due_at) <= self._now())
        due = due.order_by(col(LooseBox.due_at).desc()).limit(_AT_ONCE if waiting else None)
        async with unit_of_work(self._engine) as connection:
            boxes = (await connection.execute(due)).scalars().all()
        for box in boxes:
            if not await self._claim(box):
                continue
            if not await self._deleted(box):
                return
            async with unit_of_work(self._engine) as connection:
                await connection.execute(delete(LooseBox).where(col(LooseBox.id) == box))

    async def _claim(self, box: str) -> bool:
        """Has no wallet take a box any more, whatever its machine's clock says; False where one has."""
        mine = (col(LooseBox.id) == box, col(LooseBox.due_at) <= self._now())
        async with unit_of_work(self._engine) as connection:
            return (await connection.execute(update(LooseBox).where(*mine).values(due_at=0))).rowcount == 1

    async def _deleted(self, box: str) -> bool:
        if self._recovery is None:
            return False
        try:
            await self._recovery.delete(box)
        except CallError:
            logger.warning("the recovery service keeps a box that no wallet has; it is asked again in a minute")
            return False
        return True

    def _now(self) -> int:
        return to_ms(self._clock.now())


def _no_escrow() -> CallError:
    return CallError(400, "escrow", _("This site keeps no recovery halves."))
