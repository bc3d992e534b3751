"""Logins at a provider on their way: begun by a device, led through a browser, concluded by the provider, taken by that device, once."""

import json
import secrets
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from sqlalchemy import and_, insert, not_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.calls.device import Device
from walletmodal.secure.custody.envelope import KeyRing, row_id
from walletmodal.secure.encoding import decode, digest
from walletmodal.secure.errors import CallError
from walletmodal.secure.social.identity import Identity
from walletmodal.secure.social.tables import SocialAttempt as Row
from walletmodal.secure.waiting import Waiting

ATTEMPT_MS: Final = 600_000
ATTEMPT_BYTES: Final = 24
FINISH_SECONDS: Final = 25.0
GO_SECONDS: Final = 10.0

Failure = Literal["denied", "provider"]
Status = Literal["waiting", "away", "back", "done", "failed", "taken"]


def attempt_row(key: str, column: str) -> str:
    """The row of what an attempt knows, for the envelope."""
    return row_id("social_attempts", key, column)


def is_attempt(text: str) -> bool:
    """Whether it is an attempt's id as a frame makes them: 24 bytes."""
    try:
        decode(text, ATTEMPT_BYTES)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Found:
    """An attempt that has come to its end.

    Attributes:
        identity: of who has logged in; None where it failed.
        failure: why.
        provider: of the attempt.
    """

    provider: str
    identity: Identity | None = None
    failure: Failure = "provider"


class SocialAttempts:
    """Keeps them.

    Args:
        engine: of the site's database.
        keys: seal what an attempt knows.
        clock: what their time is measured with.
    """

    def __init__(self, engine: AsyncEngine, keys: KeyRing, clock: Clock) -> None:
        self._engine, self._keys, self._clock = engine, keys, clock
        self.waiting = Waiting(clock)

    async def start(self, attempt: str, provider: str, device: Device, secret: dict[str, str] | None = None) -> int:
        """Writes one down; returns when it expires.

        Args:
            attempt: its id, a secret of who has begun it.
            provider: of the table, or `farcaster`.
            device: that has begun it, and alone may take the result.
            secret: what is to be remembered.

        Raises:
            CallError: 409, there is one already.
        """
        now, key = self._now(), digest(attempt)
        row = {
            "id": key, "provider": provider, "device": device.id, "state": "", "browser": "", "status": "waiting",
            "secret": self._seal(key, "secret", secret or {}), "result": b"",
            "created_at": now, "expires_at": now + ATTEMPT_MS,
        }  # fmt: skip
        try:
            async with unit_of_work(self._engine) as connection:
                await connection.execute(insert(Row).values(row))
        except IntegrityError as error:
            raise CallError(409, "attempt", _("This login was begun before. Please begin again.")) from error
        self.waiting.notify(key)
        return now + ATTEMPT_MS

    async def lead_away(self, attempt: str, provider: str) -> tuple[str, str, str, str] | None:
        """Device, state, verifier and the browser's token of an attempt that goes to its provider now; None where there is none.

        A browser may ask before the device's own call has come: waits 10 s for that. Each attempt goes once.
        """
        key = digest(attempt)

        async def look() -> tuple[str, str, str, str] | None:
            state, verifier, browser = (secrets.token_urlsafe(size) for size in (24, 48, 24))
            ready = (col(Row.provider) == provider, col(Row.status) == "waiting", self._in_time())
            async with unit_of_work(self._engine) as connection:
                row = (await connection.execute(select(Row).where(col(Row.id) == key, *ready))).mappings().first()
                known = self._open(row, "secret") if row else {}
                values = {
                    "status": "away",
                    "state": digest(state),
                    "browser": digest(browser),
                    "secret": self._seal(key, "secret", {**known, "verifier": verifier}),
                }
                changed = update(Row).where(col(Row.id) == key, *ready).values(values).returning(col(Row.device))
                device: str | None = await connection.scalar(changed)
                over = select(col(Row.id)).where(col(Row.id) == key, not_(and_(*ready)))
                if device is None and await connection.scalar(over):
                    # Somebody was led away by it before, or it is over: waiting changes nothing.
                    return "", "", "", ""
            return None if device is None else (device, state, verifier, browser)

        found = await self.waiting.until(key, look, GO_SECONDS)
        return found if found and found[0] else None

    async def come_back(self, provider: str, state: str, browser: str) -> tuple[str, str, dict[str, str]] | None:
        """Id, device and secret, with its verifier, of the attempt of a state, once; None where there is none in this browser."""
        mine = (
            *(col(Row.state) == digest(state), col(Row.browser) == digest(browser), col(Row.provider) == provider),
            *(col(Row.status) == "away", self._in_time()),
        )
        async with unit_of_work(self._engine) as connection:
            changed = update(Row).where(*mine).values(status="back").returning(Row)
            row = (await connection.execute(changed)).mappings().first()
        if row is None:
            return None
        return row["id"], row["device"], self._open(row, "secret")

    async def conclude(self, key: str, identity: Identity | Failure) -> None:
        """Writes down how an attempt has ended, and wakes who waits for it.

        Args:
            key: its id in the database.
            identity: who it was, or why it is nobody.
        """
        result = {"failure": identity} if isinstance(identity, str) else asdict(identity)
        status: Status = "failed" if isinstance(identity, str) else "done"
        values = {"status": status, "result": self._seal(key, "result", result), "secret": b""}
        async with unit_of_work(self._engine) as connection:
            await connection.execute(update(Row).where(col(Row.id) == key, col(Row.status) == "back").values(values))
        self.waiting.notify(key)

    async def keep(self, key: str, answer: dict[str, Any]) -> None:
        """Writes down what a relay tells only once, until it has been checked."""
        values = {"status": "back", "result": self._seal(key, "result", answer)}
        async with unit_of_work(self._engine) as connection:
            await connection.execute(update(Row).where(col(Row.id) == key, col(Row.status) == "waiting").values(values))

    async def row(self, attempt: str, device: Device) -> Any:
        """The row of an attempt of a device.

        Raises:
            CallError: 404 `attempt`, 403 `started_elsewhere`, 410 `taken`.
        """
        query = select(Row).where(col(Row.id) == digest(attempt), self._in_time())
        async with unit_of_work(self._engine) as connection:
            row = (await connection.execute(query)).mappings().first()
        if row is None:
            raise CallError(404, "attempt", _("This login is over. Please begin again."))
        if row["device"] != device.id:
            raise CallError(403, "started_elsewhere", _("This login was begun on another device."))
        if row["status"] == "taken":
            raise CallError(410, "taken", _("This login was completed before. Please begin again."))
        return row

    async def take(self, connection: AsyncConnection, row: Any) -> Found:
        """The result of a row whose attempt has ended; nobody gets it again.

        Raises:
            CallError: 410 `taken`.
        """
        same = (col(Row.id) == row["id"], col(Row.status) == row["status"])
        taken = update(Row).where(*same).values(status="taken", result=b"")
        if (await connection.execute(taken)).rowcount != 1:
            raise CallError(410, "taken", _("This login was completed before. Please begin again."))
        said = self._open(row, "result")
        if row["status"] == "failed":
            return Found(row["provider"], failure=said["failure"])
        return Found(row["provider"], Identity(**said))

    def key_of(self, attempt: str) -> str:
        """The id of an attempt in the database."""
        return digest(attempt)

    def secret_of(self, row: Any) -> dict[str, Any]:
        """What an attempt was begun with."""
        return self._open(row, "secret")

    def answer_of(self, row: Any) -> dict[str, Any]:
        """What `keep` was given."""
        return self._open(row, "result")

    def _in_time(self) -> Any:
        return col(Row.expires_at) > self._now()

    def _seal(self, key: str, column: str, value: dict[str, Any]) -> bytes:
        return self._keys.seal(json.dumps(value).encode(), attempt_row(key, column))

    def _open(self, row: Any, column: str) -> dict[str, Any]:
        opened = self._keys.open(row[column], attempt_row(row["id"], column))
        said: dict[str, Any] = json.loads(opened)
        return said

    def _now(self) -> int:
        return to_ms(self._clock.now())
