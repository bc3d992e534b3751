"""Fresh proofs of who asks: `/v1/proof/…`. A code by mail, or a passkey (`passkeys.calls`), gives one; it counts once, for what it was asked for."""

import secrets
from typing import Annotated, Any, Literal

from pydantic import Field
from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.endpoint import Answer, Body, Calls, UserCall
from walletmodal.secure.db.tables import Proof
from walletmodal.secure.encoding import digest
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.attempts import PROOF_MS, Attempts, ProofPurpose, Request
from walletmodal.secure.login.calls import CodeBody
from walletmodal.secure.users import Users

FreshPurpose = ProofPurpose | Literal["hold"]
"""What a proof may be for; of `hold` a code is none, for a code has brought the wallet there."""


class ProofBody(Body):
    """A fresh proof."""

    proof: Annotated[str, Field(max_length=64)]


class PurposeBody(Body):
    """What a proof is for."""

    purpose: ProofPurpose


class ProofCodeBody(CodeBody):
    """A code, and what it is for."""

    purpose: ProofPurpose


async def new_proof(connection: AsyncConnection, purpose: FreshPurpose, user: str, device: Device, now: int) -> str:
    """A proof that counts on a device, once, for ten minutes."""
    proof = secrets.token_urlsafe(32)
    row = {"token": digest(proof), "purpose": purpose, "user": user, "device": device.id, "expires_at": now + PROOF_MS}
    await connection.execute(insert(Proof).values(row))
    return proof


async def use_proof(
    connection: AsyncConnection, proof: str, purpose: FreshPurpose, call: UserCall[Any], now: int
) -> None:
    """Accepts a proof within the transaction of what it is for.

    Raises:
        CallError: 403 `proof`.
    """
    mine = (
        *(col(Proof.token) == digest(proof), col(Proof.purpose) == purpose, col(Proof.user) == call.user),
        *(col(Proof.device) == call.device.id, col(Proof.expires_at) > now),
    )
    if (await connection.execute(delete(Proof).where(*mine))).rowcount != 1:
        raise CallError(403, "proof", _("This took too long. Please confirm once more that it is you."))


class ProofCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        attempts, users: of the site.
        clock: of the site.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock, *, attempts: Attempts, users: Users) -> None:
        self._engine, self._clock, self._attempts, self._users = engine, clock, attempts, users

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/proof/start", PurposeBody, self.start),
            calls.user_route("/v1/proof/finish", ProofCodeBody, self.finish),
        ]

    async def start(self, call: UserCall[PurposeBody]) -> Answer:
        """Mails a code that says what it is for."""
        async with unit_of_work(self._engine) as connection:
            account = await self._users.unfrozen(connection, call.user, self._now())
        if not account.address:
            raise CallError(409, "no_email", _("This account has no email address."))
        request = Request(call.device, call.line, browser_text(call.browser))
        return await self._attempts.start(
            request, account.address, call.body.purpose, user=call.user, account_key=account.address_key
        )

    async def finish(self, call: UserCall[ProofCodeBody]) -> Answer:
        """A proof for a code."""
        body = call.body

        async def accept(connection: AsyncConnection, _row: Any) -> Answer:
            await self._users.unfrozen(connection, call.user, self._now())
            return {"proof": await new_proof(connection, body.purpose, call.user, call.device, self._now())}

        return await self._attempts.redeem(
            call.device, body.attempt, body.otp, accept, purpose=body.purpose, user=call.user
        )

    def _now(self) -> int:
        return to_ms(self._clock.now())
