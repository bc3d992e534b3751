"""Boxes at the recovery service that no wallet has, of a deleted account or of a wallet that was never stored: each is taken back until the service has forgotten it."""

import logging
import secrets
from typing import Final

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.custody.recovery_client import RecoveryClient
from walletmodal.secure.db.tables import LooseBox
from walletmodal.secure.encoding import encode
from walletmodal.secure.errors import CallError, unavailable

STORING_MS: Final = 10 * 60_000
"""Within which a wallet must have the box that was made for it."""
_KEEP: Final = delete(LooseBox).where(col(LooseBox.id) == bindparam("box"), col(LooseBox.due_at) > bindparam("now"))

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

    async def reserve(self, connection: AsyncConnection) -> str:
        """A box for `put` after this transaction; "" where there is no escrow."""
        if self._recovery is None:
            return ""
        box = encode(secrets.token_bytes(16))
        await connection.execute(insert(LooseBox), {"id": box, "due_at": self._now() + STORING_MS})
        return box

    async def put(self, *, user: str, address: str, sealed: str, box: str = "") -> str:
        """Gives a recovery half into escrow; returns the box, which is taken back unless a wallet has it in time (`keep`).

        Args:
            user: whose half it is.
            address: that codes for it go to.
            sealed: the half.
            box: where one is reserved already.

        Raises:
            CallError: 400 `escrow`, it does not open, or there is no escrow; 503.
        """
        if self._recovery is None:
            raise CallError(400, "escrow", _("This site keeps no recovery halves."))
        if not box:
            # Before the service hears of it: whatever fails from here on, the box is not forgotten.
            async with unit_of_work(self._engine) as connection:
                box = await self.reserve(connection)
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

    async def take_back(self) -> None:
        """Takes back what is due, as far as the service answers."""
        due = select(col(LooseBox.id)).where(col(LooseBox.due_at) <= self._now())
        async with unit_of_work(self._engine) as connection:
            boxes = (await connection.execute(due)).scalars().all()
        for box in boxes:
            if not await self._deleted(box):
                return
            async with unit_of_work(self._engine) as connection:
                await connection.execute(delete(LooseBox).where(col(LooseBox.id) == box))

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
