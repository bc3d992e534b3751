"""Holds: a device that got the wallet by a code from a mail moves no more than the operator's amounts for a while: `/v1/wallet/hold…`.

Each transaction is measured before the server's half is given out for it, and counts from then on: what is signed can be sent by anyone.
A passkey, or a device whose transfers do not wait (`devices`), ends the hold.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any, Final

from pydantic import Field
from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.clock import Clock
from walletmodal.core.errors import CaipError
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.endpoint import Answer, Body, Calls, UserCall
from walletmodal.secure.custody.ways import ways_of
from walletmodal.secure.db.tables import Half, HeldSpending, Wallet
from walletmodal.secure.encoding import BytesText, decode
from walletmodal.secure.errors import CallError, held
from walletmodal.secure.login.proofs import ProofBody, use_proof
from walletmodal.secure.notices import Notices
from walletmodal.secure.spending import Spending, spending_of, total
from walletmodal.secure.users import Users

MOST_TRANSACTIONS: Final = 20


class TransactionsBody(Body):
    """Transactions that are to be signed: the network's CAIP-2 id, and of each the bytes that are signed. None for what cannot be measured."""

    chain: Annotated[str, Field(max_length=64)] = ""
    transactions: Annotated[list[BytesText], Field(max_length=MOST_TRANSACTIONS)] = Field(default_factory=list)

    def payloads(self) -> tuple[ChainId, list[bytes]] | None:
        """The network and the bytes; None where there are none.

        Raises:
            CallError: 400 `params`.
        """
        if not self.transactions:
            return None
        try:
            return parse_chain_id(self.chain), [decode(one) for one in self.transactions]
        except CaipError as error:
            raise CallError(400, "params", _("The network is not known.")) from error


class Holds:
    """Says what waits, and counts what does not.

    Args:
        limits: base units by asset that may be moved during a hold (RECOVERY_HOLD_ABOVE); of every other asset nothing.
        hold_ms: for how long what was moved counts.
    """

    def __init__(self, users: Users, limits: Mapping[str, int], hold_ms: int) -> None:
        self._users, self._limits, self._hold_ms = users, limits, hold_ms

    async def waits_until(
        self, connection: AsyncConnection, user: str, device: Device, now: int, body: TransactionsBody
    ) -> int | None:
        """Until when transactions wait on a device; None where they need not."""
        until = await self._users.held_until(connection, user, device, now)
        if until is None or await self._measure(connection, user, now, body) is not None:
            return None
        return until

    async def admit(
        self, connection: AsyncConnection, user: str, device: Device, now: int, body: TransactionsBody
    ) -> None:
        """Counts transactions that are about to be signed, within the transaction in which the half is given out.

        Raises:
            CallError: 423 `held`, they have to wait.
        """
        until = await self._users.held_until(connection, user, device, now)
        if until is None:
            return
        # Also takes SQLite's write lock: two calls at once are measured one after the other.
        await connection.execute(update(Wallet).where(col(Wallet.user) == user).values(box=col(Wallet.box)))
        measured = await self._measure(connection, user, now, body)
        if measured is None:
            raise held(until, some=bool(self._limits))
        rows = [
            {
                "user": user, "payload": digest, "asset": asset, "amount": str(amount),
                "expires_at": now + self._hold_ms,
            }
            for digest, spending in measured.items()
            for asset, amount in spending.items()
        ]  # fmt: skip
        if rows:
            # The same transaction may have counted before, in a hold that is over.
            over = (col(HeldSpending.user) == user, col(HeldSpending.expires_at) <= now)
            await connection.execute(delete(HeldSpending).where(*over))
            await connection.execute(insert(HeldSpending).values(rows))

    async def refuse_unknown(
        self, connection: AsyncConnection, user: str, device: Device, now: int, payload: bytes | None
    ) -> None:
        """Refuses to pass on a transaction of a device whose transfers wait, unless it was measured before it was signed.

        Raises:
            CallError: 423 `held`.
        """
        until = await self._users.held_until(connection, user, device, now)
        if until is None:
            return
        if payload is None or _digest(payload) not in await self._counted(connection, user, now):
            raise held(until, some=bool(self._limits))

    async def _measure(
        self, connection: AsyncConnection, user: str, now: int, body: TransactionsBody
    ) -> dict[str, Spending] | None:
        """What transactions take, by their digests, without those that were counted before; None where they have to wait.

        They have to where nobody can tell what they take, and where it is above the limits, together with what was moved during the hold.
        """
        given = body.payloads()
        if given is None or not self._limits:
            return None
        chain, payloads = given
        counted = await self._counted(connection, user, now)
        fresh: dict[str, Spending] = {}
        for payload in payloads:
            if (digest := _digest(payload)) in counted:
                continue
            spending = spending_of(chain, payload)
            if spending is None:
                return None
            fresh[digest] = spending
        new, every = total(fresh.values()), total([*fresh.values(), *counted.values()])
        return fresh if all(every[asset] <= self._limits.get(asset, -1) for asset in new) else None

    async def _counted(self, connection: AsyncConnection, user: str, now: int) -> dict[str, Spending]:
        """What all of a user's held devices have had signed, by the digest of each transaction: one more device is no more money."""
        mine = (col(HeldSpending.user) == user, col(HeldSpending.expires_at) > now)
        rows = await connection.execute(
            select(col(HeldSpending.payload), col(HeldSpending.asset), col(HeldSpending.amount)).where(*mine)
        )
        found: dict[str, Spending] = {}
        for digest, asset, amount in rows.all():
            found.setdefault(digest, {})[asset] = int(amount)
        return found


def _digest(payload: bytes) -> str:
    return sha256(payload).hexdigest()


class HoldCalls:
    """Answers the calls.

    Args:
        engine: of the site's database.
        holds, users, notices: of the site.
        clock: of the site.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock, *, holds: Holds, users: Users, notices: Notices) -> None:
        self._engine, self._clock = engine, clock
        self._holds, self._users, self._notices = holds, users, notices

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/wallet/hold", TransactionsBody, self.look),
            calls.user_route("/v1/wallet/hold/lift", ProofBody, self.lift),
        ]

    async def look(self, call: UserCall[TransactionsBody]) -> Answer:
        """Until when transactions wait on this device, before anyone is asked to approve them; whether a passkey could end that."""
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            until = await self._holds.waits_until(connection, call.user, call.device, now, call.body)
            ways = await ways_of(connection, call.user)
        return {"heldUntil": until, "passkey": ways.passkeys > 0}

    async def lift(self, call: UserCall[ProofBody]) -> Answer:
        """Ends the hold of this device, for whoever has used a passkey of the wallet on it."""
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now, even_held=True)
            await use_proof(connection, call.body.proof, "hold", call, now)
            if await end_hold(connection, call.user, call.device.id, now):
                await record(connection, "hold_lifted", at=now, user=call.user, device=call.device.id)
                await self._notices.add(
                    connection,
                    "hold_lifted",
                    account,
                    _("{browser}, with a passkey", browser=browser_text(call.browser)),
                )
            answer = {"user": await self._users.describe(connection, call.user, call.device, now)}
        self._notices.send_soon()
        return answer

    def _now(self) -> int:
        return to_ms(self._clock.now())


async def end_hold(connection: AsyncConnection, user: str, device: str, now: int) -> Any:
    """Ends the hold of a device; name and site of it, or None where it has none."""
    mine = (col(Half.user) == user, col(Half.device) == device, col(Half.held_until) > now)
    ending = update(Half).where(*mine).values(held_until=0).returning(col(Half.name), col(Half.site))
    return (await connection.execute(ending)).first()
