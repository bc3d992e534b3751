"""The calls of wallets: `/v1/wallet…`. The site keeps one half of each set, and never has the other."""

from typing import Annotated, Any, Literal

from pydantic import Field
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.dialects import insert_for
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.endpoint import Answer, Body, Calls, UserCall
from walletmodal.secure.custody.deletion_requests import stop_deletion
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.custody.holds import Holds, TransactionsBody
from walletmodal.secure.custody.new_wallet import NewWallets, Owner, Site, WalletBody, half_row
from walletmodal.secure.db.tables import Grant, Half
from walletmodal.secure.encoding import HalfText, digest, encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.calls import asked_by
from walletmodal.secure.login.proofs import ProofBody, use_proof
from walletmodal.secure.metrics import HALVES
from walletmodal.secure.notices import Notices
from walletmodal.secure.users import Users

_SEEN_MS = 3_600_000
"""That a device was seen is written down once an hour."""


class HalfBody(TransactionsBody):
    """What a half is for: `sign` for messages, `transfer` for what moves value, of which transactions are named, and `join`."""

    use: Literal["sign", "transfer", "join"]


class DeviceBody(Body):
    """The set of a new device."""

    device_half: Annotated[HalfText, Field(alias="deviceHalf")]
    grant: Annotated[str, Field(max_length=64)]
    site: Site = ""


class WalletCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: seal the halves.
        users, notices, holds: of the site.
        new: stores first wallets.
        sites: origins that may be named.
        clock: of the site.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: KeyRing,
        users: Users,
        notices: Notices,
        holds: Holds,
        new: NewWallets,
        sites: frozenset[str],
    ) -> None:
        self._engine, self._keys, self._users, self._notices = engine, keys, users, notices
        self._holds, self._new = holds, new
        self._sites, self._clock = sites, clock

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/wallet", WalletBody, self.create),
            calls.user_route("/v1/wallet/half", HalfBody, self.half),
            calls.user_route("/v1/wallet/export", ProofBody, self.export),
            calls.user_route("/v1/wallet/device", DeviceBody, self.add_device),
        ]

    async def create(self, call: UserCall[WalletBody]) -> Answer:
        """Stores the first wallet of a user; a second one is refused, and changes nothing."""
        async with unit_of_work(self._engine) as connection:
            account = await self._users.unfrozen(connection, call.user, self._now())
            await self._new.refuse_second(connection, call.user, call.device)
        return {"user": await self._new.store(_owner(call, account.address), call.body)}

    async def half(self, call: UserCall[HalfBody]) -> Answer:
        """The server's half of this device's set."""
        now = self._now()
        mine = (col(Half.user) == call.user, col(Half.device) == call.device.id)
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(
                connection, call.user, call.device, now, even_held=call.body.use != "join"
            )
            if call.body.use == "transfer":
                await self._holds.admit(connection, call.user, call.device, now, call.body)
            # Whoever uses the wallet has not lost every device.
            stopped = await stop_deletion(connection, self._notices, account, browser_text(call.browser), now)
            query = select(col(Half.half), col(Half.last_seen_at)).where(*mine)
            found = (await connection.execute(query)).one()
            if now - found[1] >= _SEEN_MS:
                await connection.execute(update(Half).where(*mine).values(last_seen_at=now))
            HALVES.labels(call.body.use).inc()
            if call.body.use == "join":
                await record(connection, "half_joined", at=now, user=call.user, device=call.device.id)
        if stopped:
            self._notices.send_soon()
        return {"half": encode(self._keys.open(found[0], half_row(call.user, call.device.id)))}

    async def export(self, call: UserCall[ProofBody]) -> Answer:
        """The same half, for the phrase and keys to be shown: needs a fresh proof, and the owner is told."""
        now = self._now()
        mine = (col(Half.user) == call.user, col(Half.device) == call.device.id)
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            await use_proof(connection, call.body.proof, "export", call, now)
            half = (await connection.execute(select(col(Half.half)).where(*mine))).scalar_one()
            await record(connection, "exported", at=now, user=call.user, device=call.device.id)
            await self._notices.add(connection, "exported", account, browser_text(call.browser))
            await stop_deletion(connection, self._notices, account, browser_text(call.browser), now)
        self._notices.send_soon()
        return {"half": encode(self._keys.open(half, half_row(call.user, call.device.id)))}

    async def add_device(self, call: UserCall[DeviceBody]) -> Answer:
        """Stores the set of a new device, which recovery has given leave for."""
        now = self._now()
        leave = (
            *(col(Grant.token) == digest(call.body.grant), col(Grant.user) == call.user),
            *(col(Grant.device) == call.device.id, col(Grant.expires_at) > now),
        )
        async with unit_of_work(self._engine) as connection:
            until = await connection.scalar(select(col(Grant.held_until)).where(*leave))
            if (await connection.execute(delete(Grant).where(*leave))).rowcount != 1:
                raise CallError(403, "grant", _("This took too long. Please recover the wallet again."))
            account = await self._users.unfrozen(connection, call.user, now)
            half = self._new.half_of(_owner(call, account.address), call.body.device_half, call.body.site, now)
            row = {**half, "held_until": until}
            upsert = insert_for(connection)(Half).values(row)
            fresh = {name: row[name] for name in ("half", "name", "site", "created_at", "last_seen_at", "held_until")}
            await connection.execute(upsert.on_conflict_do_update(index_elements=["user", "device"], set_=fresh))
            await record(connection, "device_added", at=now, user=call.user, device=call.device.id)
            detail = asked_by(call.browser, call.body.site, self._sites)
            await self._notices.add(connection, "new_device", account, detail)
            await stop_deletion(connection, self._notices, account, browser_text(call.browser), now)
            answer = {"user": await self._users.describe(connection, call.user, call.device, now)}
        self._notices.send_soon()
        return answer

    def _now(self) -> int:
        return to_ms(self._clock.now())


def _owner(call: UserCall[Any], address: str) -> Owner:
    return Owner(call.user, address, call.device, call.browser)
