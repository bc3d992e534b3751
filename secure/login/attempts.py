"""Codes by mail: asked for, sent again, and accepted once."""

import hmac
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from sqlalchemy import bindparam, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.language.localized import say
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.limits import Limits, network_of
from walletmodal.secure.custody.envelope import KeyRing, row_id
from walletmodal.secure.db.tables import Attempt as Row
from walletmodal.secure.db.tables import Half, User
from walletmodal.secure.encoding import digest, encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.language import language
from walletmodal.secure.login import addresses
from walletmodal.secure.login.mails import (
    Occasion,
    Sender,
    approval_mail,
    code_mail,
    move_approval_mail,
    move_mail,
    proof_mail,
)
from walletmodal.secure.login.refusals import put_refusal
from walletmodal.secure.login.smtp import Mail, Mailer, MailError
from walletmodal.secure.login.words import two_words
from walletmodal.secure.metrics import LOGINS_BEGUN, count_mail
from walletmodal.secure.pepper import Pepper
from walletmodal.secure.users import language_of

ProofPurpose = Literal["password", "escrow", "delete", "export"]
Purpose = Literal["login", "primary", "secondary"] | ProofPurpose
Approval = Literal["suspicious", "always", "never"]

CODE_MS: Final = 20 * 60_000
MOST_TRIES: Final = 5
_DIGITS: Final = 6
APPROVED: Final = "approved"
"""In the place of the link's hash: its owner has let the device in, so that wrong codes of strangers do not count against it."""
MAY_ENTER: Final = ("", APPROVED)
_ACTIONS: Final[dict[Purpose, str]] = {
    "login": "VERIFY_OTP",
    "primary": "VERIFY_PRIMARY_OTP",
    "secondary": "VERIFY_SECONDARY_OTP",
}

PROOFS: Final[dict[Purpose, str]] = {
    "password": _("This code changes the recovery password of your wallet. It logs nobody in."),
    "escrow": _("This code changes who can recover your wallet. It logs nobody in."),
    "export": _(
        "This code shows the phrase and the keys of your wallet, with which anyone can take all that is in it. It logs nobody in."
    ),
    "delete": _("This code deletes your wallet and your account for good. It logs nobody in."),
}
"""What a code of each fresh proof allows, as its mail says."""
PROOF_MS: Final = 10 * 60_000
_PROOF_DIGITS: Final = 8

_MINE = (
    *(col(Row.id) == bindparam("attempt_id"), col(Row.device) == bindparam("of_device")),
    *(col(Row.purpose) == bindparam("for_purpose"), col(Row.user) == bindparam("of_user")),
    col(Row.approval).in_(MAY_ENTER),
)
_ALIVE = (col(Row.tries) < MOST_TRIES, col(Row.expires_at) > bindparam("now"))
_FIND_MINE: Final = select(Row).where(*_MINE)
_HALF: Final = exists().where(col(Half.user) == col(User.id), col(Half.device) == bindparam("of_device"))
_FIND_HALF: Final = select(_HALF.where(col(User.address_key) == bindparam("of_address")))
# One question less that a visitor waits for: whether the device has the address's wallet comes with it.
_KNOWN: Final = _HALF.where(col(User.address_key) == col(Row.address_key)).correlate(Row).label("known")
_COUNT_TRY: Final = update(Row).where(*_MINE, *_ALIVE).values(tries=col(Row.tries) + 1).returning(Row, _KNOWN)
_FORGET: Final = delete(Row).where(col(Row.id) == bindparam("attempt_id"))

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
    return CallError(404, "attempt", _("This login is over. Please begin again."))


def mail_failed() -> CallError:
    """The relay did not take the mail."""
    return CallError(503, "mail", _("We could not send the mail. Please check the address, or try again in a moment."))


def too_many_codes() -> CallError:
    """This attempt has ended, or strangers have tried too many codes of its address."""
    return CallError(429, "too_many_tries", _("Too many wrong codes. Please ask for a new one."))


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

    async def start(
        self,
        request: Request,
        address: str,
        purpose: Purpose = "login",
        *,
        user: str = "",
        account_key: str = "",
        following: str = "",
        linked: bool = False,
    ) -> dict[str, Any]:
        """Begins an attempt. Above the address's limits, and while it is frozen, everything is the same but that no mail leaves.

        A login that the same device has begun less than 30 s ago is answered with once more, without another mail.

        Args:
            request: who asks.
            address: normal spelling.
            purpose: what the code is for.
            user: whose address changes.
            account_key: under which the account is frozen, where that is not the address's.
            following: what it changes to.
            linked: the mail has a link to a page that shows the code of a change, once that is approved there.

        Raises:
            CallError: 429 `cooldown` or `too_many`; 503 `mail`.
        """
        now, key, attempt = self._now(), self._pepper.address_key(address), encode(secrets.token_bytes(16))
        async with unit_of_work(self._engine) as connection:
            known = await self.is_known(connection, key, request.device)
            # An account's own language comes first: whoever asks is to choose no other for the mail that warns its owner.
            own = await language_of(connection, key)
        await self._limits.mail(request.line, request.device.id, known=known)
        spoken = await self._sender.languages.load(own or language().tag)
        words, link, refusal = two_words(), secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        allows = PROOFS.get(purpose)
        code = new_code(_PROOF_DIGITS if allows else _DIGITS)
        async with unit_of_work(self._engine) as connection:
            try:
                standing = await self._ask(connection, key, request, now)
            except CallError as cooldown:
                # A page that was loaded anew while its mail was being sent has not heard what its attempt is called.
                row = await self._lately(connection, key, request.device, now) if purpose == "login" else None
                if row is None:
                    raise
                by_link = row["approval"] not in MAY_ENTER
                begun = _started(row["id"], purpose, row["words"], by_link=by_link)
                return begun | {"retryAfter": cooldown.more["retryAfter"]}
            by_link = linked or (purpose == "login" and self._needs_approval(standing))
            # Of what is not mailed nothing counts: it could be guessed as often as the cooldown lets one ask.
            kept = self._pepper.code(attempt, code) if standing.may_send else secrets.token_bytes(32)
            row = {
                "id": attempt, "purpose": purpose, "device": request.device.id, "user": user, "address_key": key,
                "address": self._keys.seal(address.encode(), address_row(attempt)),
                "following": self._keys.seal(following.encode(), following_row(attempt)) if following else b"",
                "code": kept, "tries": 0, "words": words, "asked_by": say(request.asked_by, spoken.other), "language": spoken.tag,
                "approval": digest(link) if by_link else "", "created_at": now, "sent_at": now,
                "expires_at": now + (PROOF_MS if allows else CODE_MS),
            }  # fmt: skip
            await connection.execute(insert(Row).values(row))
            # Of the mail to the present address, which a change can be undone by.
            undoes = user if purpose == "primary" else ""
            await put_refusal(connection, account_key or key, refusal, now, user=undoes)
        occasion = Occasion(address, words, request.asked_by, refusal)
        if allows:
            letter = proof_mail(self._sender, occasion, code, allows)
        elif purpose == "login":
            letter = approval_mail(self._sender, occasion, link) if by_link else code_mail(self._sender, occasion, code)
        elif linked:
            letter = move_approval_mail(self._sender, occasion, link, following)
        else:
            letter = move_mail(self._sender, occasion, code, following)
        try:
            await self._send(letter.said_in(spoken), really=standing.may_send)
        except MailError:
            async with unit_of_work(self._engine) as connection:
                await connection.execute(delete(Row).where(col(Row.id) == attempt))
                await addresses.take_back(connection, standing)
            raise mail_failed() from None
        if purpose == "login":
            LOGINS_BEGUN.inc()
        return _started(attempt, purpose, words, by_link=by_link)

    async def resend(self, request: Request, attempt: str) -> dict[str, Any]:
        """Sends a fresh code, or a fresh link, for a login; the former ones no longer count.

        Raises:
            CallError: 404 `attempt`; as `start`.
        """
        now, code, link, refusal = self._now(), new_code(), secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        async with unit_of_work(self._engine) as connection:
            row = await self.of_device(connection, attempt, request.device)
            known = await self.is_known(connection, row["address_key"], request.device)
        await self._limits.mail(request.line, request.device.id, known=known)
        if row["tries"] >= MOST_TRIES or row["purpose"] != "login":
            raise no_attempt()
        async with unit_of_work(self._engine) as connection:
            standing = await self._ask(connection, row["address_key"], request, now)
            await put_refusal(connection, row["address_key"], refusal, now)
        by_link = row["approval"] not in MAY_ENTER
        address = self.address_of(row)
        occasion = Occasion(address, row["words"], row["asked_by"], refusal)
        letter = approval_mail(self._sender, occasion, link) if by_link else code_mail(self._sender, occasion, code)
        spoken = await self._sender.languages.load(row["language"])
        try:
            await self._send(letter.said_in(spoken), really=standing.may_send)
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
        return _started(attempt, "login", row["words"], by_link=by_link)

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
        mine = {"attempt_id": attempt, "of_device": device.id, "for_purpose": purpose, "of_user": user}
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            # Counted before it is looked at, so that guesses at the same moment count too.
            row = (await connection.execute(_COUNT_TRY, mine | {"now": now})).mappings().first()
            if row is None:
                row = (await connection.execute(_FIND_MINE, mine)).mappings().first()
            else:
                key = row["address_key"]
                stranger = row["approval"] != APPROVED and not row["known"]
                right = hmac.compare_digest(row["code"], self._pepper.code(attempt, code))
                if stranger and not await addresses.may_try(connection, key, now, wrong=not right):
                    raise too_many_codes()
                if right:
                    await connection.execute(_FORGET, {"attempt_id": attempt})
                    return await then(connection, row)
                if row["tries"] == MOST_TRIES:
                    await addresses.mark_killed(connection, row["address_key"], now)
                    await record(connection, "attempt_killed", at=now, user=row["user"], device=device.id)
        raise _refused(row, now)

    async def of_device(self, connection: AsyncConnection, attempt: str, device: Device) -> Any:
        """The row of an attempt of a device that is still under way.

        Raises:
            CallError: 404 `attempt`.
        """
        mine = (col(Row.id) == attempt, col(Row.device) == device.id, col(Row.expires_at) > self._now())
        row = (await connection.execute(select(Row).where(*mine))).mappings().first()
        if row is None:
            raise no_attempt()
        return row

    async def locked(self, connection: AsyncConnection, attempt: str, device: Device) -> Any:
        """The same, and nobody ends it before the end of the transaction."""
        # Takes the lock of the row, on every database.
        await connection.execute(update(Row).where(col(Row.id) == attempt).values(device=col(Row.device)))
        return await self.of_device(connection, attempt, device)

    def address_of(self, row: Any) -> str:
        """The address of an attempt's row."""
        return self._keys.open(row["address"], address_row(row["id"])).decode()

    def following_of(self, row: Any) -> str:
        """The address that a change leads to."""
        return self._keys.open(row["following"], following_row(row["id"])).decode()

    async def is_known(self, connection: AsyncConnection, key: str, device: Device) -> bool:
        """Whether a device has the wallet of an address."""
        return bool(await connection.scalar(_FIND_HALF, {"of_address": key, "of_device": device.id}))

    async def _lately(self, connection: AsyncConnection, key: str, device: Device, now: int) -> Any:
        """The login of an address that a device waits for a mail of; None where a mail for it may be asked for, or a code of it is of no use."""
        mine = (col(Row.address_key) == key, col(Row.device) == device.id, col(Row.purpose) == "login")
        alive = (col(Row.sent_at) > now - addresses.COOLDOWN_MS, col(Row.tries) < MOST_TRIES)
        query = select(Row).where(*mine, *alive).order_by(col(Row.sent_at).desc())
        return (await connection.execute(query)).mappings().first()

    async def _ask(self, connection: AsyncConnection, key: str, request: Request, now: int) -> addresses.Standing:
        """Counts a mail: for a device that has the address's wallet, else for the network, so that others do not lock the owner out."""
        known = await self.is_known(connection, key, request.device)
        network = self._pepper.network_key(key, network_of(request.line))
        counted = self._pepper.device_key(key, request.device.id) if known else network
        return await addresses.ask(connection, key, now, counted=counted, known=known)

    def _needs_approval(self, standing: addresses.Standing) -> bool:
        return self._approval == "always" or (self._approval == "suspicious" and standing.suspicious)

    async def _send(self, mail: Mail, *, really: bool = True) -> None:
        if really:
            await self._mailer.send(mail)
        else:
            count_mail("withheld")
            await self._mailer.rehearse()

    def _now(self) -> int:
        return to_ms(self._clock.now())


def _started(attempt: str, purpose: Purpose, words: str, *, by_link: bool) -> dict[str, Any]:
    action = "VERIFY_DEVICE" if by_link and purpose == "login" else _ACTIONS.get(purpose, "VERIFY_PROOF")
    return {"attempt": attempt, "action": action, "words": words, "retryAfter": addresses.COOLDOWN_MS // 1000}


def _refused(row: Any, now: int) -> CallError:
    if row is None:
        return CallError(400, "invalid_code", _("Invalid code"))
    if row["tries"] >= MOST_TRIES:
        return too_many_codes()
    if row["expires_at"] <= now:
        return CallError(400, "expired_code", _("This code has expired. Please ask for a new one."))
    return CallError(400, "invalid_code", _("Invalid code"))
