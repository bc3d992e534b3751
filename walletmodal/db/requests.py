"""Store of transaction requests: written before a wallet is asked, and whenever more is known of them."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, case, func, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import PENDING_TRANSACTIONS_LIMIT
from walletmodal.core.errors.flow import NotRecordedError, TooManyPendingError
from walletmodal.core.errors.rpc import DuplicateIdError
from walletmodal.core.text.texts import SPED_UP
from walletmodal.core.transfers.transaction_request import TransactionRequest, does_the_same
from walletmodal.core.webhooks.event import transaction_changed
from walletmodal.db.dialects import lock_writes
from walletmodal.db.engine import unit_of_work
from walletmodal.db.events import write_events
from walletmodal.db.expiry import delete_expired
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.request_rows import columns_of, read_row, row_of
from walletmodal.db.tables import Request, table_of

REQUEST_LIFETIME: Final = timedelta(days=90)
ASKED_LIFETIME: Final = timedelta(hours=1)
"""For how long a request counts as pending that the wallet has not answered."""
SENT_LIFETIME: Final = timedelta(days=1)
"""For how long a transaction counts as pending that the chain does not have: after that, nodes have forgotten it."""
MAX_TAKEN: Final = 500
MAX_ORIGIN: Final = 255

_TABLE: Final = Request
_GIVEN_BACK: Final[Mapping[str, Any]] = {
    "status": "unknown",
    "proven": False,
    "hash": "",
    "mined_hash": "",
    "nonce": None,
    "gained": None,
    "altered": (),
    "reason": "",
    "missed_at": None,
}
"""Of an entry whose transaction turned out to be another one's. It is searched for on."""

logger = logging.getLogger(__name__)


def owner_key(browser_id: str) -> str:
    """The table's key of a browser's secret; who reads the table cannot pass for a browser."""
    return sha256(browser_id.encode()).hexdigest() if browser_id else ""


class RequestStore:
    """Stores and finds transaction requests.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what ages are measured with.
        lifetime: how long an entry is kept after its last change.
    """

    def __init__(
        self, engine: AsyncEngine, *, clock: Clock | None = None, lifetime: timedelta = REQUEST_LIFETIME
    ) -> None:
        self._engine, self._clock, self._lifetime = engine, clock or SystemClock(), lifetime

    async def ask(self, asked: TransactionRequest) -> None:
        """Writes a new entry, or anew one of the same id for which no wallet has been asked, and returns once it is durable; only then may the wallet be asked.

        Raises:
            TooManyPendingError: the account has 99 pending ones of this browser.
            DuplicateIdError: the page has given other calls of the account its `calls_id`.
            NotRecordedError: the database did not take it.
        """
        try:
            async with unit_of_work(self._engine) as connection:
                await lock_writes(connection, f"requests {asked.owner} {asked.proposal.sender}")
                if await self._ask_again(connection, asked):
                    return
                if await self._pending(connection, asked) >= PENDING_TRANSACTIONS_LIMIT:
                    raise TooManyPendingError(asked.proposal.sender)
                if asked.calls_id and await self._has_bundle(connection, asked):
                    raise DuplicateIdError
                await connection.execute(insert(_TABLE).values(row_of(asked)))
                await _write_events(connection, [(None, asked)])
        except (SQLAlchemyError, OSError) as error:
            logger.exception("a transaction could not be put on record")
            raise NotRecordedError(type(error).__name__) from error

    async def get(self, request_id: str) -> TransactionRequest | None:
        """One entry.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        found = await self._select(col(_TABLE.id) == request_id, limit=1)
        return found[0] if found else None

    async def change(
        self, known: TransactionRequest, *, found: bool = False, **values: Any
    ) -> TransactionRequest | None:
        """Writes what has become of an entry, unless somebody else has written meanwhile.

        Of one browser's requests each transaction is that of one: what is found for a request is none that another has, and goes
        to the other when the wallet names it there, as long as it is not settled.

        Args:
            known: the entry as it was read.
            found: a new `hash` was found by what the transaction does; the wallet has not named it.
            values: fields of `TransactionRequest`.

        Returns:
            The entry as it is now, or None where the other one was faster, or another entry has the transaction that was found.

        Raises:
            DuplicateIdError: of calls that are signed now, other ones with their `calls_id` were signed first, in another tab.
            SQLAlchemyError, OSError: the database cannot be written.
        """
        now = replace(known, **values, changed_at=self._next_moment(known))
        changed: list[tuple[TransactionRequest | None, TransactionRequest]] = [(known, now)]
        async with unit_of_work(self._engine) as connection:
            if values.get("entry_point") and known.calls_id:
                await lock_writes(connection, f"requests {known.proposal.sender} {known.calls_id}")
                if await self._has_bundle(connection, known):
                    raise DuplicateIdError
            # Several user operations may be in one transaction.
            is_taken = now.shown_hash not in ("", known.shown_hash) and not now.entry_point
            if is_taken:
                await lock_writes(connection, f"requests {now.shown_hash}")
                if found and await self._is_of_another(connection, now):
                    return None
            if not await self._write(connection, known, values, now.changed_at):
                return None
            if is_taken and not found:
                changed = [*await self._give_back(connection, now), *changed]
            await _write_events(connection, changed)
        return await self.get(known.id)

    async def of_account(
        self, owner: str, address: str, chain: str, *, settled_after: datetime, limit: int
    ) -> list[TransactionRequest]:
        """Lists requests of an account on a network that are open, or settled after a moment; the newest first.

        Of what other browsers have asked for, only what the chain has shown to be the account's: a browser may name any address, and any of
        its transactions. Of those it may ask for as many as it likes: they take no place of this browser's own, and each transaction one.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        mine = or_(col(_TABLE.owner) == (owner or "nobody"), col(_TABLE.proven))
        fresh = or_(col(_TABLE.settled).is_(False), col(_TABLE.changed_at) > to_ms(settled_after))
        found = await self._select(
            col(_TABLE.address) == address,
            col(_TABLE.chain) == chain,
            mine,
            fresh,
            col(_TABLE.status) != "declined",
            limit=limit,
            order=[(col(_TABLE.owner) == owner).desc(), col(_TABLE.asked_at).desc()],
        )
        kept, shown = list[TransactionRequest](), set[str]()
        for one in found:
            if one.owner == owner or one.shown_hash not in shown:
                kept.append(one)
                shown.add(one.shown_hash)
        return sorted(kept, key=lambda one: one.asked_at, reverse=True)

    async def of_bundle(self, owner: str, origin: str, address: str, bundle: str) -> TransactionRequest | None:
        """The newest entry of several calls of an account, by their id: the wallet's, or the page's own (unique for it and the account, EIP-5792).

        Of other browsers' only user operations: the account's key has signed those.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        found = await self._select(_is_bundle(owner, origin, address, bundle), limit=1) if bundle else []
        return found[0] if found else None

    async def hashes(self, owner: str, address: str, chain: str) -> frozenset[str]:
        """Lists the hashes of an account that the record has already; of other browsers' only what the chain has shown.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        query = (
            select(col(_TABLE.hash), case((col(_TABLE.reason) == SPED_UP, col(_TABLE.mined_hash)), else_=""))
            .where(
                col(_TABLE.address) == address,
                col(_TABLE.chain) == chain,
                col(_TABLE.hash) != "",
                or_(col(_TABLE.owner) == owner, col(_TABLE.proven)),
            )
            .order_by((col(_TABLE.owner) == owner).desc(), col(_TABLE.asked_at).desc())
            .limit(MAX_TAKEN)
        )
        async with unit_of_work(self._engine) as connection:
            return frozenset(one for row in await connection.execute(query) for one in row if one)

    async def has_earlier(self, asked: TransactionRequest) -> bool:
        """Whether an earlier request of the account has the same transaction, or one for which it is final.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        found = await self._select(
            *_with_transaction(asked, asked.hash),
            col(_TABLE.owner) == asked.owner,
            or_(
                col(_TABLE.asked_at) < to_ms(asked.asked_at),
                and_(col(_TABLE.settled), col(_TABLE.altered) == ""),
            ),
            limit=1,
        )
        return bool(found)

    async def receivers(self, owner: str, address: str, chain: str) -> tuple[str, ...]:
        """Lists to whom an account has sent from this browser, the latest first; without those who never got anything.

        Of what a host page has asked for only what the chain has shown: the page also brings the wallet's answer, and could invent both.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        conditions = (
            col(_TABLE.owner) == (owner or "nobody"),
            col(_TABLE.address) == address,
            col(_TABLE.chain) == chain,
            col(_TABLE.status).in_(("sent", "confirmed")),
            col(_TABLE.altered) == "",
            or_(col(_TABLE.kind) != "host", col(_TABLE.proven)),
        )
        found = await self._select(*conditions, limit=MAX_TAKEN)
        return tuple(dict.fromkeys(one.proposal.receiver for one in found if one.proposal.receiver))

    async def purge(self) -> int:
        """Delete what nothing has happened to for long; returns how many entries.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = to_ms(self._clock.now() - self._lifetime)
        return await delete_expired(self._engine, _TABLE, col(_TABLE.changed_at) <= moment)

    async def latest(self, *, limit: int = MAX_TAKEN) -> list[TransactionRequest]:
        """What has changed last, the newest first; at most 500.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        return await self._select(order=[col(_TABLE.changed_at).desc()], limit=min(limit, MAX_TAKEN))

    async def changed_since(self, moment: datetime, *, limit: int = MAX_TAKEN) -> list[TransactionRequest]:
        """What has changed at a moment or later, the oldest first; at most 500: for those who follow it.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        changed = col(_TABLE.changed_at)
        return await self._select(changed >= to_ms(moment), order=[changed], limit=min(limit, MAX_TAKEN))

    def _next_moment(self, known: TransactionRequest) -> datetime:
        return from_ms(max(to_ms(self._clock.now()), to_ms(known.changed_at) + 1))

    async def _write(
        self, connection: AsyncConnection, known: TransactionRequest, values: Mapping[str, Any], moment: datetime
    ) -> bool:
        """Writes changes of an entry; False where somebody else has written meanwhile."""
        statement = (
            update(_TABLE)
            .where(col(_TABLE.id) == known.id, col(_TABLE.changed_at) == to_ms(known.changed_at))
            .values({**columns_of(values), "changed_at": to_ms(moment)})
        )
        return (await connection.execute(statement)).rowcount > 0

    async def _is_of_another(self, connection: AsyncConnection, found: TransactionRequest) -> bool:
        """Whether another entry has the transaction; of other browsers' only one for which the chain has shown it."""
        query = (
            select(col(_TABLE.id))
            .where(
                *_with_transaction(found, found.hash),
                or_(col(_TABLE.owner) == found.owner, col(_TABLE.proven)),
            )
            .limit(1)
        )
        return (await connection.execute(query)).first() is not None

    async def _give_back(
        self, connection: AsyncConnection, named: TransactionRequest
    ) -> list[tuple[TransactionRequest, TransactionRequest]]:
        """Opens the entries again for which the same transaction was only found, as the wallet knows better; as they were, and as they are."""
        query = (
            select(table_of(_TABLE))
            .where(
                *_with_transaction(named, named.shown_hash),
                col(_TABLE.owner) == named.owner,
                col(_TABLE.origin) == named.origin,
                col(_TABLE.answered_at).is_(None),
                col(_TABLE.entry_point) == "",
                col(_TABLE.settled).is_(False),
            )
            .with_for_update()
        )
        given = []
        for row in (await connection.execute(query)).mappings().all():
            # A page can name any transaction: none of another content is taken away by that.
            if (known := read_row(row)) is not None and does_the_same(known.proposal, named.proposal):
                now = replace(known, **_GIVEN_BACK, changed_at=self._next_moment(known))
                await self._write(connection, known, _GIVEN_BACK, now.changed_at)
                given.append((known, now))
        return given

    async def _ask_again(self, connection: AsyncConnection, asked: TransactionRequest) -> bool:
        """Renew an entry whose event is done once more; False where there is none that waits."""
        row = row_of(asked)
        unanswered = (col(_TABLE.status) == "asked", col(_TABLE.answered_at).is_(None))
        # A browser without a secret has got another one.
        renewed = {name: row[name] for name in ("owner", "proposal", "asked_at", "changed_at", "height")}
        again = update(_TABLE).where(col(_TABLE.id) == asked.id, *unanswered).values(renewed)
        return (await connection.execute(again)).rowcount > 0

    async def _has_bundle(self, connection: AsyncConnection, asked: TransactionRequest) -> bool:
        known = _is_bundle(asked.owner, asked.origin, asked.proposal.sender, asked.calls_id)
        return (await connection.execute(select(col(_TABLE.id)).where(known).limit(1))).first() is not None

    async def _pending(self, connection: AsyncConnection, asked: TransactionRequest) -> int:
        now = self._clock.now()
        waits = or_(
            and_(col(_TABLE.status) == "asked", col(_TABLE.asked_at) > to_ms(now - ASKED_LIFETIME)),
            and_(col(_TABLE.status) == "sent", col(_TABLE.asked_at) > to_ms(now - SENT_LIFETIME)),
        )
        query = (
            select(func.count())
            .select_from(_TABLE)
            .where(col(_TABLE.address) == asked.proposal.sender, col(_TABLE.owner) == asked.owner, waits)
        )
        return int((await connection.execute(query)).scalar_one())

    async def _select(
        self, *conditions: ColumnElement[bool], limit: int, order: Sequence[SQLColumnExpression[Any]] = ()
    ) -> list[TransactionRequest]:
        table = table_of(_TABLE)
        newest = [col(_TABLE.asked_at).desc()]
        query = select(table).where(*conditions).order_by(*(order or newest), col(_TABLE.id)).limit(limit)
        async with unit_of_work(self._engine) as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [read for row in rows if (read := read_row(row)) is not None]


async def _write_events(
    connection: AsyncConnection, changed: Sequence[tuple[TransactionRequest | None, TransactionRequest]]
) -> None:
    """Writes what changes of entries say, each as it was and as it is."""
    events = [transaction_changed(before, now) for before, now in changed]
    await write_events(connection, [event for event in events if event is not None], changed[-1][1].changed_at)


def _with_transaction(asked: TransactionRequest, transaction: str) -> tuple[ColumnElement[bool], ...]:
    """Other entries of the account that a transaction carries out; what has only taken the nonce of one does not."""
    named = and_(col(_TABLE.hash) == transaction, col(_TABLE.mined_hash) == "")
    sped_up = and_(col(_TABLE.mined_hash) == transaction, col(_TABLE.reason) == SPED_UP)
    return (
        col(_TABLE.address) == asked.proposal.sender,
        col(_TABLE.chain) == asked.proposal.chain,
        or_(named, sped_up),
        col(_TABLE.id) != asked.id,
    )


def _is_bundle(owner: str, origin: str, address: str, bundle: str) -> ColumnElement[bool]:
    by_page = and_(col(_TABLE.origin) == origin[:MAX_ORIGIN], col(_TABLE.calls_id) == bundle)
    signed = and_(col(_TABLE.entry_point) != "", or_(col(_TABLE.bundle) == bundle, by_page))
    own = and_(col(_TABLE.owner) == (owner or "nobody"), col(_TABLE.bundle) == bundle)
    return and_(col(_TABLE.address) == address, or_(signed, own))
