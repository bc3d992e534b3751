"""The calls of the hand-over: `/v1/handover/…`. A window of this site's own keeps a set, and gives the wallet to the frame in another host page.

Browsers keep the storage of a frame apart for each site around it, so each of a visitor's sites is a device; a window has the same storage everywhere.
"""

import secrets
from hashlib import sha256
from typing import Annotated, Any, Final

from pydantic import Field
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.dialects import insert_for
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.endpoint import Answer, Body, Call, Calls, Nothing, UserCall
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.custody.new_wallet import half_row
from walletmodal.secure.custody.recovery import new_grant
from walletmodal.secure.db.tables import Half, Handover
from walletmodal.secure.encoding import HalfText, PointText, decode, digest, encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.metrics import HALVES
from walletmodal.secure.notices import Notices
from walletmodal.secure.users import Users

HANDOVER_MS: Final = 10 * 60_000
MOST_WINDOWS: Final = 20
"""Of one wallet: each is a browser."""
_NOT_KEPT: Final = _(
    "This browser does not keep your wallet for other sites yet. On a site where you use it choose Devices in the settings, and there Use on other sites."
)


class WindowBody(Body):
    """The key of the window's device, and the server's half of its set; without one the window goes on with the set that it has."""

    device: Annotated[PointText, Field(max_length=87)]
    device_half: Annotated[HalfText | None, Field(alias="deviceHalf")] = None


class FinishBody(Body):
    """A question that was begun."""

    handover: Annotated[str, Field(max_length=64)]


class HandoverCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: seal the halves.
        users, notices: of the site.
        clock: of the site.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock, *, keys: KeyRing, users: Users, notices: Notices) -> None:
        self._engine, self._clock = engine, clock
        self._keys, self._users, self._notices = keys, users, notices

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/handover/window", WindowBody, self.add_window),
            calls.user_route("/v1/handover/start", Nothing, self.start),
            calls.route("/v1/handover/finish", FinishBody, self.finish),
        ]

    async def add_window(self, call: UserCall[WindowBody]) -> Answer:
        """Stores the set of the browser's window, which a device of the wallet has made; the owner is told. A set that the window has stays."""
        now, window = self._now(), sha256(decode(call.body.device)).hexdigest()
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            await self._require_room(connection, call.user, window)
            if call.body.device_half is None:
                mine = (col(Half.user) == call.user, col(Half.device) == window)
                if not (await connection.execute(update(Half).where(*mine).values(own_window=True))).rowcount:
                    raise CallError(400, "params", _("The request is not understood."))
            else:
                await self._put(connection, call, window, call.body.device_half, now)
                detail = _("{browser}, for other sites in the same browser", browser=browser_text(call.browser))
                await self._notices.add(connection, "new_device", account, detail)
            await record(connection, "window_added", at=now, user=call.user, device=window)
        self._notices.send_soon()
        return {}

    async def start(self, call: UserCall[Nothing]) -> Answer:
        """A question that the window of this browser may answer, for ten minutes."""
        token, now = secrets.token_urlsafe(32), self._now()
        row = {
            "token": digest(token), "user": call.user, "device": call.device.id, "expires_at": now + HANDOVER_MS,
        }  # fmt: skip
        async with unit_of_work(self._engine) as connection:
            await self._users.unfrozen(connection, call.user, now)
            await connection.execute(insert(Handover).values(row))
        return {"handover": token}

    async def finish(self, call: Call[FinishBody]) -> Answer:
        """The server's half of the window's set, and leave for the device that has asked to become one of the wallet's.

        The window has no session: its key and its half say who it is, and who has asked is logged in as the owner. What waits in the window
        waits on the other device as well.
        """
        now = self._now()
        asked = (col(Handover.token) == digest(call.body.handover), col(Handover.expires_at) > now)
        async with unit_of_work(self._engine) as connection:
            taking = delete(Handover).where(*asked).returning(col(Handover.user), col(Handover.device))
            found = (await connection.execute(taking)).first()
            if found is None:
                raise CallError(403, "handover", _("This took too long. Please begin again on the site."))
            user, device = found
            await self._users.holder(connection, user, call.device, now, even_held=True)
            mine = (col(Half.user) == user, col(Half.device) == call.device.id)
            query = select(col(Half.half), col(Half.held_until), col(Half.own_window)).where(*mine)
            half, held_until, for_others = (await connection.execute(query)).one()
            if not for_others:
                # Of a frame that has the window's storage, and is a device for its own site alone.
                raise CallError(409, "not_kept", _NOT_KEPT)
            await connection.execute(update(Half).where(*mine).values(last_seen_at=now))
            grant = await new_grant(connection, user, Device(device), now, held_until=held_until)
            await record(connection, "handed_over", at=now, user=user, device=call.device.id)
        HALVES.labels("handover").inc()
        return {"half": encode(self._keys.open(half, half_row(user, call.device.id))), "grant": grant}

    async def _require_room(self, connection: AsyncConnection, user: str, window: str) -> None:
        others = (col(Half.user) == user, col(Half.device) != window, col(Half.own_window))
        if (
            await connection.execute(select(func.count()).select_from(Half).where(*others))
        ).scalar_one() >= MOST_WINDOWS:
            raise CallError(
                409, "windows", _("Too many browsers keep your wallet. Remove one from your devices first.")
            )

    async def _put(self, connection: AsyncConnection, call: UserCall[Any], window: str, half: str, now: int) -> None:
        row = {
            "user": call.user, "device": window, "half": self._keys.seal(decode(half), half_row(call.user, window)),
            "name": call.browser, "site": "", "created_at": now, "last_seen_at": now, "held_until": 0, "own_window": True,
        }  # fmt: skip
        upsert = insert_for(connection)(Half).values(row)
        fresh = {name: value for name, value in row.items() if name not in ("user", "device")}
        await connection.execute(upsert.on_conflict_do_update(index_elements=["user", "device"], set_=fresh))

    def _now(self) -> int:
        return to_ms(self._clock.now())
