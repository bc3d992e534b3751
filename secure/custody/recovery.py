"""The calls of recovery: `/v1/recovery/…`. The recovery service mails the code and opens the box; this site adds its own half."""

import secrets
from typing import Annotated, Any, Final

from pydantic import Field
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.endpoint import Answer, Body, Calls, Nothing, UserCall
from walletmodal.secure.custody.box_addresses import BoxAddresses
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.custody.new_wallet import recovery_row
from walletmodal.secure.custody.recovery_client import RecoveryClient
from walletmodal.secure.db.tables import Grant, Wallet
from walletmodal.secure.encoding import PointText, digest, encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.calls import Code
from walletmodal.secure.users import Users

GRANT_MS: Final = 10 * 60_000


class FinishBody(Body):
    """The code of the mail, and a one-time key of the page that the recovery half is sealed to."""

    code: Code
    key: Annotated[PointText, Field(max_length=87)]


async def new_grant(connection: AsyncConnection, user: str, device: Device, now: int, *, held_until: int = 0) -> str:
    """Gives a device leave to become one of a user's wallet (`/v1/wallet/device`), once, for ten minutes. `held_until`: as in `Half`."""
    grant = secrets.token_urlsafe(32)
    row = {
        "token": digest(grant), "user": user, "device": device.id, "held_until": held_until,
        "expires_at": now + GRANT_MS,
    }  # fmt: skip
    await connection.execute(insert(Grant).values(row))
    return grant


def recovered(wallet: Any, half: bytes, grant: str, **own: str) -> Answer:
    """What a device is given that has shown a way to the wallet: the server's half of the way's set, and leave to become one of the wallet's.

    Args:
        wallet: its row; the page compares the addresses.
        half: the server's, opened.
        grant: of `new_grant`.
        own: the other half, by the name and in the form that the way has for it.
    """
    return {**own, "serverHalf": encode(half), "grant": grant, "evm": wallet["evm"], "solana": wallet["solana"]}


class RecoveryCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: open the server's half of the recovery set.
        users: of the site.
        recovery: None where there is no escrow.
        clock: of the site.
        addresses: where its codes go.
        hold_ms: for how long a device that was recovered signs no transfers.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        keys: KeyRing,
        users: Users,
        recovery: RecoveryClient | None,
        clock: Clock,
        *,
        addresses: BoxAddresses,
        hold_ms: int,
    ) -> None:
        self._hold_ms, self._addresses = hold_ms, addresses
        self._engine, self._keys, self._users, self._recovery, self._clock = engine, keys, users, recovery, clock

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/recovery/start", Nothing, self.start),
            calls.user_route("/v1/recovery/finish", FinishBody, self.finish),
        ]

    async def start(self, call: UserCall[Nothing]) -> Answer:
        """Has the recovery service mail a code."""
        service, wallet, tag = await self._escrow(call)
        if wallet["address_due"]:
            await self._addresses.settled(call.user)
        answer = await service.start(wallet["box"], device=call.device.id, asked_by=call.browser, language=tag)
        async with unit_of_work(self._engine) as connection:
            await record(connection, "recovery_started", at=self._now(), user=call.user, device=call.device.id)
        return {"sent": True, "retryAfter": answer["retryAfter"]}

    async def finish(self, call: UserCall[FinishBody]) -> Answer:
        """Both halves of the recovery set, and leave to make this device one of the wallet's."""
        service, wallet, tag = await self._escrow(call)
        server_half = self._keys.open(wallet["half"], recovery_row(call.user))
        sealed = await service.finish(
            wallet["box"],
            device=call.device.id,
            asked_by=call.browser,
            code=call.body.code,
            key=call.body.key,
            language=tag,
        )
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            until = now + self._hold_ms if self._hold_ms else 0
            grant = await new_grant(connection, call.user, call.device, now, held_until=until)
            await record(connection, "recovery_used", at=now, user=call.user, device=call.device.id)
        return recovered(wallet, server_half, grant, recoveryHalf=sealed)

    async def _escrow(self, call: UserCall[Any]) -> tuple[RecoveryClient, Any, str]:
        """The service, the wallet's row, and the language of mails."""
        async with unit_of_work(self._engine) as connection:
            account = await self._users.unfrozen(connection, call.user, self._now())
            query = select(Wallet).where(col(Wallet.user) == call.user)
            wallet = (await connection.execute(query)).mappings().first()
        if wallet is None or not wallet["box"] or self._recovery is None:
            raise CallError(409, "no_escrow", _("This wallet cannot be recovered with a code."))
        return self._recovery, wallet, account.language

    def _now(self) -> int:
        return to_ms(self._clock.now())
