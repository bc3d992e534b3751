"""Codes by mail: asked for, sent again, approved where the address is under attack, and accepted once."""

import asyncio
import hmac
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from secure.audit import record
from secure.calls.device import Device
from secure.calls.limits import Limits, network_of
from secure.custody.envelope import KeyRing, row_id
from secure.db.tables import Attempt as Row
from secure.db.tables import Half, User
from secure.encoding import digest, encode
from secure.errors import CallError
from secure.login import addresses
from secure.login.mails import Occasion, Sender, approval_mail, code_mail, move_approval_mail, move_mail, proof_mail
from secure.login.purposes import ACTIONS, PROOFS, Purpose
from secure.login.refusals import put_refusal
from secure.login.smtp import Mail, Mailer, MailError
from secure.login.words import two_words
from secure.metrics import LOGINS_BEGUN, count_mail
from secure.pepper import Pepper
from walletmodal.core.clock import Clock
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms

Approval = Literal["suspicious", "always", "never"]

CODE_MS: Final = 20 * 60_000
MOST_TRIES: Final = 5
WAIT_SECONDS: Final = 25.0
_POLL_SECONDS: Final = 1.0
_DIGITS: Final = 6
_APPROVED: Final = "approved"
"""In the place of the link's hash: its owner has let the device in, so that wrong codes of strangers do not count against it."""
_MAY_ENTER: Final = ("", _APPROVED)
PROOF_MS: Final = 10 * 60_000
_PROOF_DIGITS: Final = 8

T = TypeVar("T")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for a code.

    Attributes:
        device: on which it will count.
        line: the client's address.
        asked_by: browser and site, for the mail.
    """

    device: Device
    line: str
    asked_by: str


def no_attempt() -> CallError:
    """It has ended, or was never made, or is another device's."""
    return CallError(404, "attempt", "This login is over. Please begin again.")


def mail_failed() -> CallError:
    """The relay did not take the mail."""
    return CallError(503, "mail", "We could not send the mail. Please check the address, or try again in a moment.")


def too_many_codes() -> CallError:
    """This attempt has ended, or strangers have tried too many codes of its address."""
    return CallError(429, "too_many_tries", "Too many wrong codes. Please ask for a new one.")


def new_code(digits: int = _DIGITS) -> str:
    """A code for people."""
    return f"{secrets.randbelow(10**digits):0{digits}d}"


def address_row(attempt: str) -> str:
    """The row of an attempt's address, for the envelope."""
    return row_id("attempts", attempt, "address")


def following_row(attempt: str) -> str:
    """The row of the address that a change leads to."""
    return row_id("attempts", attempt, "following")


class Attempts:
    """Attempts to show that mail to an address arrives.

    Args:
        engine: of the site's database.
        keys, pepper: under which addresses and codes lie there.
        mailer: sends.
        sender: how mails call the site.
        limits: of networks, devices and all together.
        approval: when a login needs its device approved by link first.
        clock: what every time is measured with.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: KeyRing,
        pepper: Pepper,
        mailer: Mailer,
        sender: Sender,
        limits: Limits,
        approval: Approval,
    ) -> None:
        self._engine, self._keys, self._pepper, self._mailer, self._sender = engine, keys, pepper, mailer, sender
        self._limits, self._approval, self._clock = limits, approval, clock
        self._waiting: dict[str, asyncio.Event] = {}

    async def start(
        self,
        request: Request,
        address: str,
        purpose: Purpose = "login",
        *,
        user: str = "",
        following: str = "",
        linked: bool = False,
    ) -> dict[str, Any]:
        """Begins an attempt. Above the address's limits, and while it is frozen, everything is the same but that no mail leaves.

        Args:
            request: who asks.
            address: normal spelling.
            purpose: what the code is for.
            user: whose address changes.
            following: what it changes to.
            linked: the mail has a link to a page that shows the code of a change, once that is approved there.

        Raises:
            CallError: 429 `cooldown` or `too_many`; 503 `mail`.
        """
        now, key, attempt = self._now(), self._pepper.address_key(address), encode(secrets.token_bytes(16))
        async with unit_of_work(self._engine) as connection:
            known = await self._is_known(connection, key, request.device)
        await self._limits.mail(request.line, request.device.id, known=known)
        words, link, refusal = two_words(), secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        allows = PROOFS.get(purpose)
        code = new_code(_PROOF_DIGITS if allows else _DIGITS)
        async with unit_of_work(self._engine) as connection:
            standing = await self._ask(connection, key, request, now)
            by_link = linked or (purpose == "login" and self._needs_approval(standing))
            # Of what is not mailed nothing counts: it could be guessed as often as the cooldown lets one ask.
            kept = self._pepper.code(attempt, code) if standing.may_send else secrets.token_bytes(32)
            row = {
                "id": attempt, "purpose": purpose, "device": request.device.id, "user": user, "address_key": key,
                "address": self._keys.seal(address.encode(), address_row(attempt)),
                "following": self._keys.seal(following.encode(), following_row(attempt)) if following else b"",
                "code": kept, "tries": 0, "words": words, "asked_by": request.asked_by,
                "approval": digest(link) if by_link else "", "created_at": now, "sent_at": now,
                "expires_at": now + (PROOF_MS if allows else CODE_MS),
            }  # fmt: skip
            await connection.execute(insert(Row).values(row))
            # Of the mail to the present address, which a change can be undone by.
            await put_refusal(connection, key, refusal, now, user=user if purpose == "primary" else "")
        occasion = Occasion(address, words, request.asked_by, refusal)
        if allows:
            mail = proof_mail(self._sender, occasion, code, allows)
        elif linked:
            mail = move_approval_mail(self._sender, occasion, link, following)
        elif purpose != "login":
            mail = move_mail(self._sender, occasion, code, following)
        else:
            mail = approval_mail(self._sender, occasion, link) if by_link else code_mail(self._sender, occasion, code)
        try:
            await self._send(mail, really=standing.may_send)
        except MailError:
            async with unit_of_work(self._engine) as connection:
                await connection.execute(delete(Row).where(col(Row.id) == attempt))
                await addresses.take_back(connection, standing)
            raise mail_failed() from None
        if purpose == "login":
            LOGINS_BEGUN.inc()
        return _started(attempt, purpose, words, by_link=by_link)

    async def resend(self, request: Request, attempt: str, *, user: str = "") -> dict[str, Any]:
        """Sends a fresh code, or a fresh link, for an attempt; the former ones no longer count.

        Raises:
            CallError: 404 `attempt`; as `start`.
        """
        now, code, link, refusal = self._now(), new_code(), secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        async with unit_of_work(self._engine) as connection:
            row = await self._mine(connection, attempt, request.device)
            known = await self._is_known(connection, row["address_key"], request.device)
        await self._limits.mail(request.line, request.device.id, known=known)
        if row["tries"] >= MOST_TRIES or row["user"] != user:
            raise no_attempt()
        async with unit_of_work(self._engine) as connection:
            standing = await self._ask(connection, row["address_key"], request, now)
            await put_refusal(connection, row["address_key"], refusal, now)
        by_link = row["approval"] not in _MAY_ENTER
        address = self.address_of(row)
        occasion = Occasion(address, row["words"], row["asked_by"], refusal)
        mail = approval_mail(self._sender, occasion, link) if by_link else code_mail(self._sender, occasion, code)
        try:
            await self._send(mail, really=standing.may_send)
        except MailError:
            async with unit_of_work(self._engine) as connection:
                await addresses.take_back(connection, standing)
            raise mail_failed() from None
        if standing.may_send:
            fresh: dict[str, Any] = {"sent_at": now, "expires_at": now + CODE_MS}
            fresh |= {"approval": digest(link)} if by_link else {"code": self._pepper.code(attempt, code), "tries": 0}
            same = (col(Row.id) == attempt, col(Row.approval) == row["approval"], col(Row.tries) < MOST_TRIES)
            async with unit_of_work(self._engine) as connection:
                await connection.execute(update(Row).where(*same).values(fresh))
        return _started(attempt, row["purpose"], row["words"], by_link=by_link)

    async def waiting(self, token: str, purpose: Purpose = "login") -> Any:
        """The attempt that the link of a mail approves, or None."""
        async with unit_of_work(self._engine) as connection:
            return await self._of_link(connection, token, purpose)

    async def approve(self, token: str) -> bool:
        """Approves the device of a link, and sends the code; False where the link does not count (any more).

        Raises:
            CallError: 503 `mail`: nothing has changed, the link can be used again.
        """
        refusal = secrets.token_urlsafe(24)
        async with unit_of_work(self._engine) as connection:
            found = await self._approve(connection, token, "login")
            if found is None:
                return False
            row, code = found
            await addresses.count_sent(connection, row["address_key"], self._now())
            await put_refusal(connection, row["address_key"], refusal, self._now())
        attempt, address = row["id"], self.address_of(row)
        try:
            await self._send(code_mail(self._sender, Occasion(address, row["words"], row["asked_by"], refusal), code))
        except MailError:
            async with unit_of_work(self._engine) as connection:
                back = {"approval": row["approval"], "code": row["code"]}
                await connection.execute(update(Row).where(col(Row.id) == attempt).values(back))
            raise mail_failed() from None
        if event := self._waiting.get(attempt):
            event.set()
        return True

    async def approve_change(self, token: str) -> str:
        """Approves the change of address of a link; its code, or "" where the link does not count (any more)."""
        async with unit_of_work(self._engine) as connection:
            found = await self._approve(connection, token, "primary")
        return found[1] if found else ""

    async def _approve(self, connection: AsyncConnection, token: str, purpose: Purpose) -> tuple[Any, str] | None:
        """Accepts a link: the attempt's row as it was, and the code that counts from now on."""
        now, code = self._now(), new_code()
        row = await self._of_link(connection, token, purpose)
        if row is None or await addresses.frozen_until(connection, row["address_key"], now):
            return None
        values = {
            "approval": _APPROVED,
            "code": self._pepper.code(row["id"], code),
            "sent_at": now,
            "expires_at": now + CODE_MS,
        }
        same = (col(Row.id) == row["id"], col(Row.approval) == row["approval"])
        done = await connection.execute(update(Row).where(*same).values(values))
        return (row, code) if done.rowcount == 1 else None

    async def wait(self, device: Device, attempt: str) -> bool:
        """Whether an attempt's device is approved; waits up to 25 s for it. Of two that wait for one attempt the former ends.

        Raises:
            CallError: 404 `attempt`.
        """
        former, event = self._waiting.get(attempt), asyncio.Event()
        self._waiting[attempt] = event
        if former is not None:
            former.set()
        end = self._clock.monotonic() + WAIT_SECONDS
        try:
            while True:
                async with unit_of_work(self._engine) as connection:
                    approved: bool = (await self._mine(connection, attempt, device))["approval"] in _MAY_ENTER
                if approved or self._waiting.get(attempt) is not event or self._clock.monotonic() >= end:
                    return approved
                # Another worker may have been asked.
                await self._pause(event)
        finally:
            if self._waiting.get(attempt) is event:
                del self._waiting[attempt]

    async def redeem(
        self,
        device: Device,
        attempt: str,
        code: str,
        then: Callable[[AsyncConnection, Any], Awaitable[T]],
        *,
        purpose: Purpose = "login",
        user: str = "",
    ) -> T:
        """Accepts a code once, and does what it was for within the same transaction.

        Args:
            device: must be the one that asked.
            attempt: as given.
            code: as given.
            then: gets the row of the attempt.
            purpose: must be the attempt's.
            user: must be the attempt's.

        Raises:
            CallError: 400 `invalid_code` or `expired_code`, 429 `too_many_tries`; what `then` raises.
        """
        mine = (
            *(col(Row.id) == attempt, col(Row.device) == device.id, col(Row.purpose) == purpose),
            *(col(Row.user) == user, col(Row.approval).in_(_MAY_ENTER)),
        )
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            # Counted before it is looked at, so that guesses at the same moment count too.
            alive = (*mine, col(Row.tries) < MOST_TRIES, col(Row.expires_at) > now)
            counting = update(Row).where(*alive).values(tries=col(Row.tries) + 1).returning(Row)
            row = (await connection.execute(counting)).mappings().first()
            if row is None:
                row = (await connection.execute(select(Row).where(*mine))).mappings().first()
            else:
                key = row["address_key"]
                stranger = row["approval"] != _APPROVED and not await self._is_known(connection, key, device)
                if stranger and not await addresses.count_wrong(connection, key, now):
                    raise too_many_codes()
                if hmac.compare_digest(row["code"], self._pepper.code(attempt, code)):
                    if stranger:
                        await addresses.forget_wrong(connection, key, now)
                    await connection.execute(delete(Row).where(col(Row.id) == attempt))
                    return await then(connection, row)
                if row["tries"] == MOST_TRIES:
                    await addresses.mark_killed(connection, row["address_key"], now)
                    await record(connection, "attempt_killed", at=now, user=row["user"], device=device.id)
        raise _refused(row, now)

    def address_of(self, row: Any) -> str:
        """The address of an attempt's row."""
        return self._keys.open(row["address"], address_row(row["id"])).decode()

    def following_of(self, row: Any) -> str:
        """The address that a change leads to."""
        return self._keys.open(row["following"], following_row(row["id"])).decode()

    async def _is_known(self, connection: AsyncConnection, key: str, device: Device) -> bool:
        """Whether a device has the wallet of an address."""
        own = select(col(Half.device)).join(User, col(User.id) == col(Half.user))
        mine = (col(User.address_key) == key, col(Half.device) == device.id)
        return await connection.scalar(own.where(*mine)) is not None

    async def _ask(self, connection: AsyncConnection, key: str, request: Request, now: int) -> addresses.Standing:
        """Counts a mail: for a device that has the address's wallet, else for the network, so that others do not lock the owner out."""
        known = await self._is_known(connection, key, request.device)
        network = self._pepper.network_key(key, network_of(request.line))
        counted = self._pepper.device_key(key, request.device.id) if known else network
        return await addresses.ask(connection, key, now, counted=counted, known=known)

    def _needs_approval(self, standing: addresses.Standing) -> bool:
        return self._approval == "always" or (self._approval == "suspicious" and standing.suspicious)

    async def _mine(self, connection: AsyncConnection, attempt: str, device: Device) -> Any:
        mine = (col(Row.id) == attempt, col(Row.device) == device.id, col(Row.expires_at) > self._now())
        row = (await connection.execute(select(Row).where(*mine))).mappings().first()
        if row is None:
            raise no_attempt()
        return row

    async def _of_link(self, connection: AsyncConnection, token: str, purpose: Purpose) -> Any:
        mine = (col(Row.approval) == digest(token), col(Row.purpose) == purpose, col(Row.expires_at) > self._now())
        return (await connection.execute(select(Row).where(*mine))).mappings().first()

    async def _send(self, mail: Mail, *, really: bool = True) -> None:
        if really:
            await self._mailer.send(mail)
        else:
            count_mail("withheld")
            await self._mailer.rehearse()

    async def _pause(self, event: asyncio.Event) -> None:
        ways = {asyncio.ensure_future(event.wait()), asyncio.ensure_future(self._clock.sleep(_POLL_SECONDS))}
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()

    def _now(self) -> int:
        return to_ms(self._clock.now())


def _started(attempt: str, purpose: Purpose, words: str, *, by_link: bool) -> dict[str, Any]:
    action = "VERIFY_DEVICE" if by_link and purpose == "login" else ACTIONS.get(purpose, "VERIFY_PROOF")
    return {"attempt": attempt, "action": action, "words": words, "retryAfter": addresses.COOLDOWN_MS // 1000}


def _refused(row: Any, now: int) -> CallError:
    if row is None:
        return CallError(400, "invalid_code", "Invalid code")
    if row["tries"] >= MOST_TRIES:
        return too_many_codes()
    if row["expires_at"] <= now:
        return CallError(400, "expired_code", "This code has expired. Please ask for a new one.")
    return CallError(400, "invalid_code", "Invalid code")
