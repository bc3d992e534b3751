"""Store of what the operator has paid for: promised before a paymaster signs, and settled once the chain says what it cost."""

import logging
from datetime import timedelta
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.operations import SponsorshipError
from walletmodal.core.smart_accounts.sponsorship import LINE_SHARE, WINDOW, Beneficiary, Spent, SponsorLimits
from walletmodal.db.dialects import lock_writes
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.expiry import delete_expired
from walletmodal.db.moments import to_ms
from walletmodal.db.tables import SponsoredOperation

_DAY: Final = timedelta(days=1)
_TABLE: Final = SponsoredOperation
_GWEI: Final = 10**9
"""The unit of the columns: a database counts to 2^63, which is 9 of a coin's 10^18 base units, and 9 * 10^9 of this many."""

logger = logging.getLogger(__name__)


class Totals(NamedTuple):
    """What counts on a network within a day, in gwei of its coin: `paid`: the chain has said so; `promised`: at most, while it has not."""

    paid: int
    promised: int


class SponsorshipStore:
    """Counts what is paid.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        secret: of the deployment: who reads the table learns no visitor's internet address.
        clock: what days are measured with.
        kept_after: for how long what counts no longer is kept.
    """

    def __init__(
        self, engine: AsyncEngine, *, secret: str = "", clock: Clock | None = None, kept_after: timedelta = _DAY
    ) -> None:
        self._engine, self._clock, self._kept_after = engine, clock or SystemClock(), kept_after
        self._key = blake2b(secret.encode(), digest_size=32).digest()

    async def spent(self, whose: Beneficiary) -> Spent:
        """Returns what has been paid within a day; for a visitor the most that counts for account or browser.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        async with unit_of_work(self._engine) as connection:
            account, browser, _, everybody = await self._sums(connection, whose)
        return Spent(max(account, browser) * _GWEI, everybody * _GWEI)

    async def promise(self, nonce: int, whose: Beneficiary, cost: int, limits: SponsorLimits) -> None:
        """Writes that so much will be paid, and returns once it is durable; only then may a paymaster be asked to sign.

        Args:
            nonce: of the operation. Of several with the same one the network takes one, so they count once, at the dearest.
            whose: for whom.
            cost: what it can cost at most, in base units; it counts until it is settled.
            limits: of the network.

        Raises:
            SponsorshipError: it would be more than the visitor, the line or all together may have, or the database did not take it.
        """
        wanted, entry_id = -(-cost // _GWEI), _entry_id(whose.chain, whose.account, nonce)
        of_visitor, of_all = limits.visitor // _GWEI, limits.everybody // _GWEI
        allowed = (of_visitor, of_visitor, of_visitor * LINE_SHARE, of_all)
        try:
            async with unit_of_work(self._engine) as connection:
                await lock_writes(connection, f"sponsorships {whose.chain}")
                promised = await self._take_back(connection, entry_id)
                wanted = max(wanted, promised)
                sums = await self._sums(connection, whose)
                if any(spent + wanted > most for spent, most in zip(sums, allowed, strict=True)):
                    raise SponsorshipError("the limit of the day is reached")
                await connection.execute(insert(_TABLE).values(self._row(entry_id, whose, wanted)))
        except (SQLAlchemyError, OSError) as error:
            logger.exception("a sponsored operation could not be put on record")
            raise SponsorshipError from error

    async def settle(self, chain: str, account: str, nonce: int, cost: int) -> None:
        """Writes what an operation has cost, as the chain says; 0 for one that can never be paid for. What was said last counts.

        Args:
            chain: CAIP-2 id.
            account: its address.
            nonce: of the operation.
            cost: in base units of the native coin.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        paid, entry_id = -(-cost // _GWEI), _entry_id(chain, account, nonce)
        # What was promised is the most: a chain that said more would not be believed. In another block, after a reorganisation, it may be more
        # than in the first.
        changed = or_(
            and_(~col(_TABLE.settled), col(_TABLE.gwei) >= paid), and_(col(_TABLE.settled), col(_TABLE.gwei) != paid)
        )
        statement = update(_TABLE).where(col(_TABLE.id) == entry_id, changed).values(gwei=paid, settled=True)
        async with unit_of_work(self._engine) as connection:
            await connection.execute(statement)

    async def totals(self) -> dict[str, Totals]:
        """Adds up what counts now for all together, by network.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        query = (
            select(col(_TABLE.chain), col(_TABLE.settled), func.sum(col(_TABLE.gwei)))
            .where(col(_TABLE.at) > to_ms(self._clock.now() - WINDOW))
            .group_by(col(_TABLE.chain), col(_TABLE.settled))
        )
        async with unit_of_work(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        found = {(chain, bool(settled)): int(gwei) for chain, settled, gwei in rows}
        return {
            chain: Totals(paid=found.get((chain, True), 0), promised=found.get((chain, False), 0))
            for chain in {chain for chain, _ in found}
        }

    async def purge(self) -> int:
        """Deletes what was kept long enough after its day, and of the rest what only its day needs; returns how many entries are gone.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        now = self._clock.now()
        traced = or_(col(_TABLE.browser) != "", col(_TABLE.line) != "")
        # A day later, for clocks that differ.
        statement = (
            update(_TABLE).where(col(_TABLE.at) <= to_ms(now - WINDOW - _DAY), traced).values(browser="", line="")
        )
        deleted = await delete_expired(self._engine, _TABLE, col(_TABLE.at) <= to_ms(now - WINDOW - self._kept_after))
        async with unit_of_work(self._engine, seconds=LONG_WORK_SECONDS) as connection:
            await connection.execute(statement)
        return deleted

    async def _take_back(self, connection: AsyncConnection, entry_id: str) -> int:
        """Deletes an earlier promise for the same operation; what it was for, in gwei, 0 where there is none."""
        # Also a settled one: a reorganisation makes its nonce the next one again.
        earlier = col(_TABLE.id) == entry_id
        found = (await connection.execute(select(col(_TABLE.gwei)).where(earlier))).scalar_one_or_none()
        if found is not None:
            await connection.execute(delete(_TABLE).where(earlier))
        return found or 0

    def _row(self, entry_id: str, whose: Beneficiary, gwei: int) -> dict[str, Any]:
        return {
            "id": entry_id,
            "at": to_ms(self._clock.now()),
            "chain": whose.chain,
            "account": whose.account,
            "browser": whose.browser,
            "line": self._line(whose),
            "gwei": gwei,
            "settled": False,
        }

    def _line(self, whose: Beneficiary) -> str:
        return blake2b(whose.line.encode(), key=self._key, digest_size=16).hexdigest()

    async def _sums(self, connection: AsyncConnection, whose: Beneficiary) -> tuple[int, int, int, int]:
        """What counts for the account, the browser, the line, and for all."""
        recent = (col(_TABLE.chain) == whose.chain, col(_TABLE.at) > to_ms(self._clock.now() - WINDOW))

        async def total(*conditions: ColumnElement[bool]) -> int:
            query = select(func.coalesce(func.sum(col(_TABLE.gwei)), 0)).where(*recent, *conditions)
            return int((await connection.execute(query)).scalar_one())

        return (
            await total(col(_TABLE.account) == whose.account),
            await total(col(_TABLE.browser) == whose.browser),
            await total(col(_TABLE.line) == self._line(whose)),
            await total(),
        )


def _entry_id(chain: str, account: str, nonce: int) -> str:
    return blake2b(f"{chain} {account} {nonce}".encode(), digest_size=32).hexdigest()
