"""The calls of who has nothing here yet and makes a wallet with a passkey: `/v1/login/passkey/new` and `/v1/login/passkey/made`.

Such an account has no email address. Its passkey logs in, and opens the wallet; nobody can be mailed a code.
"""

import secrets
from typing import Annotated

from pydantic import Field
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import Kind, record
from walletmodal.secure.calls.endpoint import Answer, Call, Calls, Nothing
from walletmodal.secure.calls.limits import Limits
from walletmodal.secure.calls.sessions import Sessions
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.custody.new_wallet import NewWallets, Owner, WalletBody
from walletmodal.secure.db.tables import User
from walletmodal.secure.encoding import encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.passkeys.calls import AddedBody, passkey_known, passkey_values
from walletmodal.secure.passkeys.ceremony import RelyingParty, read_client_data
from walletmodal.secure.passkeys.challenges import new_challenge, use_challenge
from walletmodal.secure.passkeys.tables import Passkey
from walletmodal.secure.pepper import Pepper
from walletmodal.secure.users import Users, address_row


class MadeBody(AddedBody):
    """A passkey that was made, and its set. `user`: as the account was going to be called; `wallet`: what it is to have, without escrow."""

    user: Annotated[str, Field(max_length=32)]
    wallet: WalletBody


class NewcomerCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: seal the halves.
        pepper: under which accounts are looked up.
        party: verifies what authenticators sign.
        users, sessions, limits: of the site.
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
        pepper: Pepper,
        party: RelyingParty,
        users: Users,
        sessions: Sessions,
        new: NewWallets,
        limits: Limits,
        sites: frozenset[str],
    ) -> None:
        self._engine, self._clock, self._keys, self._pepper, self._party = engine, clock, keys, pepper, party
        self._users, self._sessions, self._new, self._limits, self._sites = users, sessions, new, limits, sites

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.route("/v1/login/passkey/new", Nothing, self.begin),
            calls.route("/v1/login/passkey/made", MadeBody, self.made),
        ]

    async def begin(self, call: Call[Nothing]) -> Answer:
        """Begins an account; `user` is what it is going to be called, which the page seals the passkey's half for."""
        await self._limits.newcomer(call.line, call.device.id)
        user = encode(secrets.token_bytes(16))
        async with unit_of_work(self._engine) as connection:
            challenge = await new_challenge(connection, "new", call.device, user=user, now=self._now())
        return {"challenge": challenge, "user": user}

    async def made(self, call: Call[MadeBody]) -> Answer:
        """Account, wallet, passkey and session at once, or nothing of them."""
        body, now = call.body, self._now()
        client = read_client_data(body.client_data)
        async with unit_of_work(self._engine) as connection:
            await use_challenge(connection, client.challenge, "new", call.device, user=body.user, now=now)
        made = self._party.registered(client, body.attestation)
        values = passkey_values(self._keys, body.user, made, body, browser=call.browser, sites=self._sites, now=now)
        async with unit_of_work(self._engine) as connection:
            await connection.execute(insert(User).values(self._account(body.user, now)))
            owner = Owner(body.user, "", call.device, call.browser)
            if not await self._new.store_with(connection, owner, body.wallet):
                raise CallError(400, "params", _("The request is not understood."))
            try:
                await connection.execute(insert(Passkey).values(values))
            except IntegrityError:
                raise passkey_known() from None
            session = await self._sessions.begin(connection, body.user, call.device)
            happened: tuple[Kind, ...] = ("wallet_created", "passkey_added", "login")
            await record(connection, *happened, at=now, user=body.user, device=call.device.id)
            return {"session": session, "user": await self._described(connection, call, now)}

    def _account(self, user: str, now: int) -> dict[str, object]:
        # No address has this key, so that nobody becomes this user by a mail.
        key = self._pepper.identity_key("passkey", user)
        return {"id": user, "address_key": key, "address": self._keys.seal(b"", address_row(user)), "created_at": now}

    async def _described(self, connection: AsyncConnection, call: Call[MadeBody], now: int) -> dict[str, object]:
        return await self._users.describe(connection, call.body.user, call.device, now)

    def _now(self) -> int:
        return to_ms(self._clock.now())
