"""The calls of social logins: `/v1/oauth/start` and `/v1/oauth/finish`, and what Farcaster's share with them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Final

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.language.text import with_values
from walletmodal.core.wallets.refusals import NOT_ALLOWED, NOT_LOGGED_IN
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.endpoint import Answer, Body, Call, Calls
from walletmodal.secure.calls.limits import Limits
from walletmodal.secure.calls.sessions import Sessions
from walletmodal.secure.errors import CallError
from walletmodal.secure.social.accounts import SocialUsers
from walletmodal.secure.social.attempts import FINISH_SECONDS, Failure, SocialAttempts, is_attempt
from walletmodal.secure.social.providers import Client, Provider
from walletmodal.secure.social.return_address import MAX_ADDRESS, return_address
from walletmodal.secure.users import Users

AttemptId = Annotated[str, Field(max_length=64)]
ENDED: Final = ("done", "failed")


class StartBody(Body):
    """A login that a device begins; `attempt`: 24 random bytes that it has made; `back`: the host page that it leaves for it."""

    provider: Annotated[str, Field(max_length=16)]
    attempt: AttemptId
    back: Annotated[str, Field(max_length=MAX_ADDRESS)] = ""


class FinishBody(Body):
    """A login that was begun."""

    attempt: AttemptId


class Completion:
    """What becomes of an attempt that has ended: a session for the device that began it.

    Args:
        engine: of the site's database.
        clock: of the site.
        attempts, sessions, users, social_users: of the site.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        attempts: SocialAttempts,
        sessions: Sessions,
        users: Users,
        social_users: SocialUsers,
    ) -> None:
        self._engine, self._clock, self._attempts = engine, clock, attempts
        self._sessions, self._users, self._social_users = sessions, users, social_users

    async def complete(self, row: Any, device: Device, failures: Mapping[Failure, CallError]) -> Answer:
        """Takes the result.

        Args:
            row: of the attempt.
            device: that has begun it.
            failures: what a device is told where it failed.

        Raises:
            CallError: 410 `taken`, or one of `failures`.
        """
        now = to_ms(self._clock.now())
        async with unit_of_work(self._engine) as connection:
            found = await self._attempts.take(connection, row)
            if found.identity is not None:
                user = await self._social_users.of_identity(connection, found.identity, now)
                session = await self._sessions.begin(connection, user, device)
                await record(connection, "login", at=now, user=user, device=device.id)
                told = await self._users.describe(connection, user, device, now)
                return {"session": session, "user": told, "userName": found.identity.name, "provider": found.provider}
        raise failures[found.failure]


class SocialCalls:
    """Answers them.

    Args:
        clients: the providers that are offered, and who this site is there.
        attempts: of the site.
        completion: see there.
        limits: how many may be begun.
        own_origin: of this site.
        sites: origins of host pages.
    """

    def __init__(
        self,
        clients: Mapping[str, tuple[Provider, Client]],
        attempts: SocialAttempts,
        completion: Completion,
        limits: Limits,
        *,
        own_origin: str,
        sites: frozenset[str],
    ) -> None:
        self._clients, self._attempts, self._completion = clients, attempts, completion
        self._limits, self._own_origin, self._sites = limits, own_origin, sites

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.route("/v1/oauth/start", StartBody, self.start),
            calls.route("/v1/oauth/finish", FinishBody, self.finish, waits=True),
        ]

    async def start(self, call: Call[StartBody]) -> Answer:
        """Begins a login; a window may have gone to its address before."""
        provider, attempt = call.body.provider, call.body.attempt
        if not is_attempt(attempt):
            raise CallError(400, "params", _("The request is not understood."))
        if provider not in self._clients:
            raise CallError(400, "not_offered", _("This login is not offered here."))
        back = return_address(call.body.back, self._sites)
        if call.body.back and not back:
            raise CallError(400, "params", _("The request is not understood."))
        await self._limits.outside(call.line)
        expires_at = await self._attempts.start(attempt, provider, call.device, {"back": back} if back else None)
        return {"url": f"{self._own_origin}/oauth/go/{provider}/{attempt}", "expiresAt": expires_at}

    async def finish(self, call: Call[FinishBody]) -> Answer:
        """Waits until it has ended: a session, or `pending` where it has not within 25 s."""

        async def row_of(row: Any) -> Any:
            if row["provider"] not in self._clients:
                raise CallError(404, "attempt", _("This login is over. Please begin again."))
            return row if row["status"] in ENDED else None

        row = await ended(self._attempts, call, row_of)
        if row is None:
            return {"pending": True}
        name = self._clients[row["provider"]][0].name
        return await self._completion.complete(row, call.device, failures_of(name))


async def ended(
    attempts: SocialAttempts,
    call: Call[FinishBody],
    look: Callable[[Any], Awaitable[Any]],
    *,
    every: float = 1.0,
) -> Any:
    """The row of an attempt once `look` gives it, within 25 s; None where it does not. Raises as `SocialAttempts.row`."""

    async def once() -> Any:
        return await look(await attempts.row(call.body.attempt, call.device))

    row = await attempts.waiting.until(attempts.key_of(call.body.attempt), once, FINISH_SECONDS, every=every)
    # The page that asked may have been loaded anew: the result, which is given once, is for the call of the next one.
    return None if call.gone.is_set() else row


def failures_of(name: str) -> dict[Failure, CallError]:
    """What a visitor is told of a login that failed at a provider of this name."""
    return {
        "denied": CallError(400, "denied", with_values(NOT_ALLOWED, provider=name), reason="access_denied"),
        "provider": CallError(400, "provider", with_values(NOT_LOGGED_IN, provider=name)),
    }
