"""The calls of devices: `/v1/devices…`. A device whose half is deleted has nothing any more."""

from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.browser_name import browser_at
from walletmodal.secure.calls.endpoint import Answer, Body, Calls, Nothing, UserCall
from walletmodal.secure.custody.holds import end_hold
from walletmodal.secure.custody.ways import locked_ways
from walletmodal.secure.db.tables import Grant, Half, Session
from walletmodal.secure.errors import CallError
from walletmodal.secure.notices import Notices
from walletmodal.secure.users import Users


class DeviceIdBody(Body):
    """The id of a device."""

    id: Annotated[str, Field(max_length=64)]


class DeviceCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        users, notices: of the site.
        escrow: whether the site has a recovery service.
        clock: of the site.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock, *, users: Users, notices: Notices, escrow: bool) -> None:
        self._engine, self._clock, self._users, self._notices = engine, clock, users, notices
        self._escrow = escrow

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/devices", Nothing, self.devices),
            calls.user_route("/v1/devices/revoke", DeviceIdBody, self.revoke),
            calls.user_route("/v1/devices/release", DeviceIdBody, self.release),
        ]

    async def devices(self, call: UserCall[Nothing]) -> Answer:
        """The devices that have a part of the wallet, the latest first."""
        async with unit_of_work(self._engine) as connection:
            return {"devices": await _listed(connection, call, to_ms(self._clock.now()))}

    async def revoke(self, call: UserCall[DeviceIdBody]) -> Answer:
        """Deletes a device's half, and ends its sessions.

        Only a device of the wallet may, and one whose transfers wait removes itself alone: who has taken over a mailbox, and nothing else, must
        not lock the owner out.
        """
        device, now = call.body.id, to_ms(self._clock.now())
        async with unit_of_work(self._engine) as connection:
            own = device == call.device.id
            account = await self._users.holder(connection, call.user, call.device, now, even_held=own)
            ways = await locked_ways(connection, call.user)
            mine = (col(Half.user) == call.user, col(Half.device) == device)
            deleting = delete(Half).where(*mine).returning(col(Half.name), col(Half.site))
            gone = (await connection.execute(deleting)).first()
            if gone is None:
                raise CallError(404, "device_unknown", _("This device is not on the list any more."))
            rest = await _listed(connection, call, now)
            if not rest and not ways.names(escrow=self._escrow):
                raise CallError(
                    409,
                    "last_way",
                    _("Nothing else opens your wallet. Add a passkey or a recovery password first, or export it."),
                )
            sessions = (col(Session.user) == call.user, col(Session.device) == device)
            await connection.execute(delete(Session).where(*sessions))
            # It must not come back by leave that it was given before.
            leave = (col(Grant.user) == call.user, col(Grant.device) == device)
            await connection.execute(delete(Grant).where(*leave))
            await record(connection, "device_revoked", at=now, user=call.user, device=device)
            by = _("{browser}. Removed: {device}", browser=browser_text(call.browser), device=browser_at(*gone))
            await self._notices.add(connection, "device_removed", account, by)
        self._notices.send_soon()
        return {"devices": rest}

    async def release(self, call: UserCall[DeviceIdBody]) -> Answer:
        """Ends the hold of another device. Only one whose own transfers do not wait may: it has had the wallet before, or was let by such a one."""
        now = to_ms(self._clock.now())
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            released = await end_hold(connection, call.user, call.body.id, now)
            if released is None:
                raise CallError(404, "not_held", _("This device need not wait any more, or is not on the list."))
            await record(connection, "hold_lifted", at=now, user=call.user, device=call.body.id)
            by = _("{browser}. Device: {device}", browser=browser_text(call.browser), device=browser_at(*released))
            await self._notices.add(connection, "hold_lifted", account, by)
            listed = await _listed(connection, call, now)
        self._notices.send_soon()
        return {"devices": listed}


async def _listed(connection: AsyncConnection, call: UserCall[Any], now: int) -> list[dict[str, Any]]:
    columns = (
        *(col(Half.device), col(Half.name), col(Half.site)),
        *(col(Half.created_at), col(Half.last_seen_at), col(Half.held_until), col(Half.own_window)),
    )
    query = select(*columns).where(col(Half.user) == call.user).order_by(col(Half.last_seen_at).desc())
    return [
        {
            "id": device, "name": name, "site": site, "createdAt": created_at, "lastSeenAt": last_seen_at,
            "heldUntil": held_until if held_until > now else None, "current": device == call.device.id,
            "window": own_window,
        }
        for device, name, site, created_at, last_seen_at, held_until, own_window in (await connection.execute(query)).all()
    ]  # fmt: skip
