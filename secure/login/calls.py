"""The calls of logins: `/v1/login/…`, `/v1/me`, `/v1/logout`."""

from typing import Annotated, Any

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import Kind, record
from walletmodal.secure.browser_name import browser_at
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.endpoint import Answer, Body, Call, Calls, Nothing, UserCall
from walletmodal.secure.calls.sessions import Sessions
from walletmodal.secure.custody.loose_boxes import LooseBoxes
from walletmodal.secure.custody.new_wallet import NewWallets, Owner, WalletBody
from walletmodal.secure.encoding import BytesText
from walletmodal.secure.login.approvals import Approvals
from walletmodal.secure.login.attempts import Attempts, Request, no_attempt
from walletmodal.secure.login.email_address import normal_email
from walletmodal.secure.users import Users

AttemptId = Annotated[str, Field(max_length=32)]
Code = Annotated[str, Field(max_length=16)]


class EmailBody(Body):
    """An address to log in with. `site`: origin of the host page, for the mail."""

    email: Annotated[str, Field(max_length=512)]
    site: Annotated[str, Field(max_length=255)] = ""


class AttemptBody(Body):
    """An attempt that was begun."""

    attempt: AttemptId


class EscrowBody(AttemptBody):
    """The recovery half of the wallet that comes with its code, sealed to the recovery service."""

    escrow: Annotated[BytesText, Field(max_length=512)]


class CodeBody(AttemptBody):
    """A code for it. `wallet`: what a new account that comes of it is to have."""

    otp: Code
    wallet: WalletBody | None = None


def asked_by(browser: str, site: str, known: frozenset[str]) -> str:
    """Browser and site for a mail; a site that this one does not know is not named."""
    return browser_at(browser, site if site in known else "")


class LoginCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        attempts, approvals, sessions, users: of the site.
        new: stores first wallets.
        boxes: gives their recovery halves into escrow.
        sites: origins that may be named in a mail.
        clock: of the site.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        attempts: Attempts,
        approvals: Approvals,
        sessions: Sessions,
        users: Users,
        new: NewWallets,
        boxes: LooseBoxes,
        sites: frozenset[str],
    ) -> None:
        self._engine, self._attempts, self._sessions, self._users = engine, attempts, sessions, users
        self._approvals, self._new, self._boxes = approvals, new, boxes
        self._sites, self._clock = sites, clock

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.route("/v1/login/email", EmailBody, self.email),
            calls.route("/v1/login/resend", AttemptBody, self.resend),
            calls.route("/v1/login/device", AttemptBody, self.device),
            calls.route("/v1/login/escrow", EscrowBody, self.escrow),
            calls.route("/v1/login/otp", CodeBody, self.otp),
            calls.user_route("/v1/me", Nothing, self.me),
            calls.user_route("/v1/logout", Nothing, self.logout),
        ]

    async def email(self, call: Call[EmailBody]) -> Answer:
        """Begins a login; everything is the same for addresses that have an account and those that have none."""
        address = normal_email(call.body.email)
        request = Request(call.device, call.line, asked_by(call.browser, call.body.site, self._sites))
        return await self._attempts.start(request, address)

    async def resend(self, call: Call[AttemptBody]) -> Answer:
        """Sends a fresh code."""
        return await self._attempts.resend(
            Request(call.device, call.line, browser_text(call.browser)), call.body.attempt
        )

    async def device(self, call: Call[AttemptBody]) -> Answer:
        """Waits until the device is approved."""
        return {"approved": await self._approvals.wait(call.device, call.body.attempt)}

    async def escrow(self, call: Call[EscrowBody]) -> Answer:
        """Gives a recovery half into escrow while the mail is read: the code is not to wait for the recovery service."""
        attempt = call.body.attempt
        async with unit_of_work(self._engine) as connection:
            row = await self._attempts.locked(connection, attempt, call.device)
            if row["purpose"] != "login":
                raise no_attempt()
            known = await self._attempts.is_known(connection, row["address_key"], call.device)
            # Who has the wallet here gets no other.
            reserved = not known and await self._boxes.reserve(connection, attempt, row["expires_at"])
        if reserved:
            await self._boxes.give(attempt, call.body.escrow)
        return {}

    async def otp(self, call: Call[CodeBody]) -> Answer:
        """Accepts a code: a session for this device, and with a wallet in the body an account that is new has it."""
        attempt, wallet = call.body.attempt, call.body.wallet

        async def log_in(connection: AsyncConnection, row: Any) -> Answer:
            now = to_ms(self._clock.now())
            address = self._attempts.address_of(row)
            # What a browser seals for its user ahead of the login is bound to an id that it knows.
            owner = await self._users.of_address(connection, address, row["address_key"], now, new=attempt)
            user, fresh, stored = owner.id, owner.told is not None, dict[str, Any]()
            session = await self._sessions.begin(connection, user, call.device, spoken=fresh)
            found = owner.told or await self._users.describe(connection, user, call.device, now)
            if wallet is not None and fresh and not found["frozenUntil"]:
                # One commit for the account and its wallet: the disk is what a visitor waits for longest here.
                stored = await self._new.store_with(connection, Owner(user, address, call.device, call.browser), wallet)
            happened: tuple[Kind, ...] = ("login", "wallet_created") if stored else ("login",)
            await record(connection, *happened, at=now, user=user, device=call.device.id)
            return {"session": session, "user": found | stored}

        return await self._attempts.redeem(call.device, attempt, call.body.otp, log_in)

    async def me(self, call: UserCall[Nothing]) -> Answer:
        """Who is logged in."""
        return {"user": await self._describe(call.user, call.device)}

    async def logout(self, call: UserCall[Nothing]) -> Answer:
        """Ends the session; the device keeps its half."""
        await self._sessions.end(call.session)
        async with unit_of_work(self._engine) as connection:
            await record(connection, "logout", at=to_ms(self._clock.now()), user=call.user, device=call.device.id)
        return {}

    async def _describe(self, user: str, device: Device) -> dict[str, Any]:
        async with unit_of_work(self._engine) as connection:
            return await self._users.describe(connection, user, device, to_ms(self._clock.now()))
