"""The calls of escrow: `/v1/escrow/…`. Who has another way to the wallet may do without the recovery service, and come back to it."""

from typing import Annotated, Any, Literal

from pydantic import Field
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.endpoint import Answer, Calls, UserCall
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.custody.loose_boxes import LooseBoxes
from walletmodal.secure.custody.new_wallet import recovery_row
from walletmodal.secure.custody.ways import locked_ways, ways_of
from walletmodal.secure.db.tables import Wallet
from walletmodal.secure.encoding import BytesText, HalfText, decode
from walletmodal.secure.errors import CallError, unavailable
from walletmodal.secure.login.address_changes import pending_change
from walletmodal.secure.login.proofs import ProofBody, use_proof
from walletmodal.secure.notices import Notices
from walletmodal.secure.users import Users


class OnBody(ProofBody):
    """A fresh proof, and a new recovery set: the server's half, and the other one sealed to the recovery service."""

    recovery_half: Annotated[HalfText, Field(alias="recoveryHalf")]
    escrow: Annotated[BytesText, Field(max_length=512)]


class EscrowCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: seal the server's half.
        users, notices: of the site.
        boxes: gives recovery halves into escrow, and takes them back.
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
        boxes: LooseBoxes,
    ) -> None:
        self._engine, self._clock, self._keys = engine, clock, keys
        self._users, self._notices, self._boxes = users, notices, boxes

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/escrow/off", ProofBody, self.off),
            calls.user_route("/v1/escrow/on", OnBody, self.on),
        ]

    async def off(self, call: UserCall[ProofBody]) -> Answer:
        """Takes the recovery half back, where the visitor has another way to the wallet. What the service keeps until it answers is worth nothing without the server's half."""
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            await self._allow(connection, call, now)
            box = await connection.scalar(select(col(Wallet.box)).where(col(Wallet.user) == call.user))
            if box:
                mine = (col(Wallet.user) == call.user, col(Wallet.box) == box)
                await connection.execute(update(Wallet).where(*mine).values(box="", half=b"", address_due=0))
                await self._boxes.loosen(connection, box)
                await self._tell(connection, call, "escrow_off", now)
            answer = {"user": await self._users.describe(connection, call.user, call.device, now)}
        self._notices.send_soon()
        await self._boxes.take_back(waiting=True)
        return answer

    async def on(self, call: UserCall[OnBody]) -> Answer:
        """Gives a new recovery half into escrow. Not while the address can change back: codes would go to it at once."""
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            if not account.address:
                raise CallError(409, "no_email", _("This account has no email address."))
            if await pending_change(connection, call.user, now):
                raise CallError(
                    423, "held", _("The email address of this wallet has changed lately. Please try again in a day.")
                )
            if (await ways_of(connection, call.user)).code:
                raise CallError(409, "escrow_on", _("This wallet can be recovered with a code already."))
        box = await self._boxes.put(user=call.user, address=account.address, sealed=call.body.escrow)
        async with unit_of_work(self._engine) as connection:
            await use_proof(connection, call.body.proof, "escrow", call, now)
            half = self._keys.seal(decode(call.body.recovery_half), recovery_row(call.user))
            mine = (col(Wallet.user) == call.user, col(Wallet.box) == "")
            if (await connection.execute(update(Wallet).where(*mine).values(box=box, half=half))).rowcount != 1:
                raise CallError(409, "escrow_on", _("This wallet can be recovered with a code already."))
            # Of one that has changed meanwhile the service was not told.
            if (await self._users.account(connection, call.user)).address != account.address:
                raise unavailable()
            await self._boxes.keep(connection, box)
            await self._tell(connection, call, "escrow_on", now)
            answer = {"user": await self._users.describe(connection, call.user, call.device, now)}
        self._notices.send_soon()
        return answer

    async def _allow(self, connection: AsyncConnection, call: UserCall[ProofBody], now: int) -> None:
        await self._users.holder(connection, call.user, call.device, now)
        if not (await locked_ways(connection, call.user)).own:
            raise CallError(
                409,
                "last_way",
                _("Add a passkey or set a recovery password first. Without one nobody could recover your wallet."),
            )
        await use_proof(connection, call.body.proof, "escrow", call, now)

    async def _tell(
        self, connection: AsyncConnection, call: UserCall[Any], kind: Literal["escrow_on", "escrow_off"], now: int
    ) -> None:
        account = await self._users.account(connection, call.user)
        await record(connection, kind, at=now, user=call.user, device=call.device.id)
        await self._notices.add(connection, kind, account, browser_text(call.browser))

    def _now(self) -> int:
        return to_ms(self._clock.now())
