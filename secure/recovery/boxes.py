"""Boxes in escrow: put, opened for a code, taken back."""

import hmac
import secrets
from contextlib import nullcontext, suppress
from typing import Any, Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.language.text import with_values
from walletmodal.core.text.browser_text import browser_text
from walletmodal.core.wallets.refusals import CODES_HELD, cooldown
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.custody.sealed_box import SealedBoxError
from walletmodal.secure.encoding import encode
from walletmodal.secure.errors import CallError, spell_moment, unavailable
from walletmodal.secure.login.letters import Letter
from walletmodal.secure.login.mails import recovery_mail
from walletmodal.secure.login.notice_mails import Happening, notice_mail
from walletmodal.secure.login.smtp import Mailer, MailError
from walletmodal.secure.recovery.keys import RecoveryKeys
from walletmodal.secure.recovery.tables import Box, Code
from walletmodal.services.languages import Languages

CODE_MS: Final = 10 * 60_000
COOLDOWN_MS: Final = 60_000
MOST_TRIES: Final = 5
MOST_A_DAY: Final = 5
_DAY_MS: Final = 86_400_000
_DIGITS: Final = 8
_MOST_AHEAD_MS: Final = 2 * 60_000
"""Of a site's clock, in the order of addresses: what a site says must not keep out for ever what it says later."""


class Boxes:
    """Keeps boxes.

    Args:
        engine: of the service's database.
        clock: what every time is measured with.
        keys: of the service.
        mailer: sends codes.
        name: what mails call the site.
        languages: that mails are written in.
        hold_ms: for how long no code goes to an address that has changed.
        expired_ms: for how long a code is kept after its end, to be called expired rather than wrong.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: RecoveryKeys,
        mailer: Mailer,
        name: str,
        languages: Languages,
        hold_ms: int,
        expired_ms: int,
    ) -> None:
        self._engine, self._clock, self._keys, self._mailer, self._name = engine, clock, keys, mailer, name
        self._languages, self._hold_ms, self._expired_ms = languages, hold_ms, expired_ms

    async def put(self, box: str, *, user: str, address: str, sealed: bytes) -> None:
        """Takes a box; `address` is "" where the site does not know yet whose it becomes. It is opened once: nobody is to find out when it is needed that it cannot be.

        Raises:
            CallError: 400 `escrow`; 409, there is one of that id.
        """
        try:
            self._keys.half(sealed, user)
        except SealedBoxError as error:
            raise CallError(400, "escrow", _("The recovery half cannot be opened.")) from error
        row = {
            "id": box, "user": user, "box": sealed, "address": self._keys.seal_address(address, box),
            "asked_at": 0, "sent": "", "created_at": self._now(), "former": None, "held_until": 0, "told_at": 0,
        }  # fmt: skip
        try:
            async with unit_of_work(self._engine) as connection:
                await connection.execute(insert(Box), row)
        except IntegrityError as error:
            raise CallError(409, "box", "There is a box of that id.") from error

    async def delete(self, box: str) -> None:
        """Forgets a box."""
        async with unit_of_work(self._engine) as connection:
            await connection.execute(delete(Code).where(col(Code.box) == box))
            await connection.execute(delete(Box).where(col(Box.id) == box))

    async def start(self, box: str, *, device: str, asked_by: str, language: str = "") -> int:
        """Mails a code that counts on one device; returns after how many seconds another may be asked for.

        Raises:
            CallError: 404, 423 `held`, 429 `cooldown` or `too_many`, 503 `mail`.
        """
        now, code = self._now(), f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}d}"
        async with unit_of_work(self._engine) as connection:
            # Takes the lock of the row, on every database.
            await connection.execute(update(Box).where(col(Box.id) == box).values(user=col(Box.user)))
            row = await _find(connection, box)
            address = self._keys.open_address(row["address"], box)
            if not address:
                raise _unsent()
            _check_hold(row["held_until"], now)
            sent = [moment for moment in map(int, filter(None, row["sent"].split(","))) if now - moment < _DAY_MS]
            _check_limits(row["asked_at"], len(sent), now)
            values = {"asked_at": now, "sent": ",".join(map(str, [*sent, now]))}
            await connection.execute(update(Box).where(col(Box.id) == box).values(values))
            await connection.execute(delete(Code).where(col(Code.box) == box))
            kept = {"box": box, "device": device, "code": self._keys.code(box, device, code), "tries": 0}
            await connection.execute(insert(Code).values(kept | {"expires_at": now + CODE_MS}))
        try:
            await self._send(recovery_mail(self._name, address, code, asked_by), language)
        except MailError:
            async with unit_of_work(self._engine) as connection:
                back = {"asked_at": row["asked_at"], "sent": row["sent"]}
                await connection.execute(update(Box).where(col(Box.id) == box).values(back))
                await connection.execute(delete(Code).where(col(Code.box) == box))
            raise _unsent() from None
        return COOLDOWN_MS // 1000

    async def finish(self, box: str, *, device: str, asked_by: str, code: str, key: bytes, language: str = "") -> str:
        """Opens a box for a code, once; returns the half sealed to a key, and tells the address.

        Raises:
            CallError: 400 `invalid_code`, `expired_code` or `params`; 404; 429 `too_many_tries`; 503 `mail`: the code still counts.
        """
        now = self._now()
        mine = (col(Code.box) == box, col(Code.device) == device)
        async with unit_of_work(self._engine) as connection:
            row = await _find(connection, box)
            # Counted before it is looked at, so that guesses at the same moment count too.
            counting = update(Code).where(*mine).values(tries=col(Code.tries) + 1).returning(Code)
            found = (await connection.execute(counting)).mappings().first()
            right = (
                found is not None
                and found["expires_at"] > now
                and found["tries"] <= MOST_TRIES
                and hmac.compare_digest(found["code"], self._keys.code(box, device, code))
            )
            if right:
                # The last look at it, which nobody else can take.
                await connection.execute(delete(Code).where(col(Code.box) == box))
        if not right:
            raise _refused(found, now)
        try:
            return await self._give(row, key, asked_by, language)
        except CallError:
            async with unit_of_work(self._engine) as connection:
                await connection.execute(insert(Code).values(dict(found or {}) | {"tries": 0}))
            raise

    async def change_address(self, box: str, address: str, *, at: int = 0, language: str = "") -> None:
        """Mails to another address once the hold is over, and tells the present one. Back to what it was before the hold, and a box's first address: at once.

        Args:
            box: by id.
            address: the new one.
            at: by which the site orders what it tells, in ms; 0 of a site that does not.
            language: of the mail to the present address.

        Raises:
            CallError: 404; 503 `mail`, or `unavailable` where a later one is known or comes in between: nothing has changed.
        """
        now = self._now()
        at = min(at, now + _MOST_AHEAD_MS)
        async with unit_of_work(self._engine) as connection:
            row = await _find(connection, box)
        if at and at < row["told_at"]:
            raise unavailable()
        present = self._keys.open_address(row["address"], box)
        if present in ("", address):
            sealed = row["address"] if present else self._keys.seal_address(address, box)
            await self._change(row, at, address=sealed)
            return
        former = row["former"] if row["held_until"] > now else None
        if back := former is not None and self._keys.open_address(former, box) == address:
            held: dict[str, Any] = {"former": None, "held_until": 0}
        else:
            held = {"former": former or row["address"], "held_until": now + self._hold_ms}
        # Told first: an address that nobody has told of it must not be replaced. One that was taken wrongly has no say.
        with suppress(CallError) if back else nullcontext():
            await self._tell(notice_mail(self._name, present, Happening("recovery_moved", "", now)), language)
        await self._change(row, at, address=self._keys.seal_address(address, box), **held)

    async def sweep(self) -> None:
        """Deletes codes that have expired long enough ago for nobody to be told so any more, and former addresses to which no change goes back at once."""
        now = self._now()
        over = (col(Box.held_until) <= now, col(Box.former).is_not(None))
        async with unit_of_work(self._engine) as connection:
            await connection.execute(delete(Code).where(col(Code.expires_at) <= now - self._expired_ms))
            await connection.execute(update(Box).where(*over).values(former=None, held_until=0))

    async def _change(self, row: Any, at: int, **values: Any) -> None:
        """Changes a row that nobody has changed since it was read."""
        box, told = row["id"], max(at, row["told_at"])
        same = (col(Box.id) == box, col(Box.address) == row["address"], col(Box.told_at) == row["told_at"])
        async with unit_of_work(self._engine) as connection:
            changing = update(Box).where(*same).values(told_at=told, **values)
            if (await connection.execute(changing)).rowcount != 1:
                raise unavailable()
            if values["address"] != row["address"]:
                await connection.execute(delete(Code).where(col(Code.box) == box))

    async def _give(self, row: Any, key: bytes, asked_by: str, language: str) -> str:
        box: str = row["id"]
        try:
            sealed = self._keys.reseal(row["box"], row["user"], key)
        except SealedBoxError as error:
            raise CallError(400, "params", _("The request is not understood.")) from error
        address = self._keys.open_address(row["address"], box)
        # First: no half is given out that its owner is not told of.
        used = Happening("recovery_used", browser_text(asked_by), self._now())
        await self._tell(notice_mail(self._name, address, used), language)
        return encode(sealed)

    async def _tell(self, letter: Letter, language: str) -> None:
        try:
            await self._send(letter, language)
        except MailError:
            raise _unsent() from None

    async def _send(self, letter: Letter, language: str) -> None:
        await self._mailer.send(letter.said_in(await self._languages.load(language)))

    def _now(self) -> int:
        return to_ms(self._clock.now())


async def _find(connection: AsyncConnection, box: str) -> Any:
    row = (await connection.execute(select(Box).where(col(Box.id) == box))).mappings().first()
    if row is None:
        raise CallError(404, "box", _("There is no recovery half of this wallet."))
    return row


def _check_hold(until: int, now: int) -> None:
    if until > now:
        raise CallError(423, "held", with_values(CODES_HELD, until=spell_moment(until)), heldUntil=until)


def _check_limits(asked_at: int, sent: int, now: int) -> None:
    wait = asked_at + COOLDOWN_MS - now
    if wait > 0:
        seconds = -(-wait // 1000)
        raise CallError(429, "cooldown", cooldown(seconds), retryAfter=seconds)
    if sent >= MOST_A_DAY:
        raise CallError(429, "too_many", _("Too many codes today. Please try again tomorrow."))


def _refused(found: Any, now: int) -> CallError:
    if found is not None and found["tries"] >= MOST_TRIES:
        return CallError(429, "too_many_tries", _("Too many wrong codes. Please ask for a new one."))
    if found is not None and found["expires_at"] <= now:
        return CallError(400, "expired_code", _("This code has expired. Please ask for a new one."))
    return CallError(400, "invalid_code", _("Invalid code"))


def _unsent() -> CallError:
    return CallError(503, "mail", _("We could not send the mail. Please try again in a moment."))
