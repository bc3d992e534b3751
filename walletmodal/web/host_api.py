"""Host HTTP API, for hosts' servers: the keys of sign-in tokens, and with the API key whether a session still counts, or its end."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

from prometheus_client import Counter
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.core.sign_in.message import iso_text
from walletmodal.core.sign_in.session import SESSION_ID, SignInSession
from walletmodal.core.sign_in.token_claims import KEYS_PATH, KeyDocument
from walletmodal.services.rate_limit import Rate, RateLimit
from walletmodal.web.answers import NO_STORE, error_response, json_response
from walletmodal.web.metrics import valid_api_key

KEYS_CACHE: Final = "public, max-age=300"
"""A key is published an hour before it signs, so nobody who keeps the set for minutes meets a token of an unknown one."""

RATE: Final = Rate(per_second=200, burst=1000)
"""For hosts that ask about a session at every request."""
GUESS_RATE: Final = Rate(per_second=0.2, burst=20)
"""For those that bring no key, or a wrong one."""
KEYS_RATE: Final = Rate(per_second=10, burst=200)
ACCOUNTS_RATE: Final = Rate(per_second=20, burst=400)
"""For questions about accounts, which go on to nodes and services."""

_CALLS: Final = Counter(
    "walletmodal_host_api_calls", "Calls of the host HTTP API, by what was asked and the outcome.", ["call", "outcome"]
)
_MOST_RETRY: Final = 60

_log: Final = logging.getLogger(__name__)


class Sessions(Protocol):
    """Who has the sign-ins on record, such as `db.sign_ins.SignInStore`."""

    async def live(self, session_id: str, /) -> SignInSession | None:
        """A sign-in that counts now, or None."""
        ...

    async def revoke(self, session_id: str, /) -> bool:
        """End one; False where none counts by that id."""
        ...


class Rechecks(Protocol):
    """Who asks contract accounts again, such as `services.sign_in.SignInRechecks`."""

    async def holds(self, session: SignInSession, /) -> bool:
        """Whether a session that counts still does by the word of its account."""
        ...


class Keys(Protocol):
    """Who has the keys of tokens, such as `db.signing_keys.SigningKeys`."""

    async def document(self) -> KeyDocument:
        """What is published of them."""
        ...


@dataclass(frozen=True, slots=True)
class HostLimits:
    """The limits of the routes, each a bucket per client.

    Attributes:
        calls: with the API key. guesses: without it. keys: of the published keys.
        accounts: of what nodes and services are asked for; a bucket per API key, wherever it is used from.
    """

    calls: RateLimit
    guesses: RateLimit
    keys: RateLimit
    accounts: RateLimit


class RefusedError(Exception):
    """A call that is answered with an error of the API's form. `headers`: with `_` for `-`."""

    def __init__(self, status: int, code: str, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.headers = status, code, message, headers

    def answer(self) -> Response:
        """The answer."""
        refusal = error_response(self.status, self.code, self.message)
        refusal.headers.update({name.replace("_", "-"): value for name, value in self.headers.items()})
        return refusal


class HostApi:
    """The handlers of the routes.

    Args:
        sessions: who has the sign-ins, asked for at each call.
        rechecks: who asks contract accounts about theirs, likewise.
        keys: who has the keys, likewise.
        api_key: API_KEY of the deployment, or None: nobody may ask about sessions.
        limits: how many calls a client may make.
        client_name: who a request comes from.
    """

    def __init__(
        self,
        *,
        sessions: Callable[[], Sessions],
        rechecks: Callable[[], Rechecks],
        keys: Callable[[], Keys],
        api_key: str | None,
        limits: HostLimits,
        client_name: Callable[[Request], str],
    ) -> None:
        self._sessions, self._rechecks, self._keys, self._api_key = sessions, rechecks, keys, api_key
        self._limits, self._client_name = limits, client_name

    async def published_keys(self, request: Request) -> Response:
        """`GET /.well-known/jwks.json`: the same for everyone."""
        return await self.counted("keys", self._published_keys, request)

    async def read(self, request: Request) -> Response:
        """`GET /v1/sessions/{id}`: the session, or 404 for one that does not count."""
        return await self.counted("read", self._read, request)

    async def revoke(self, request: Request) -> Response:
        """`DELETE /v1/sessions/{id}`: 204, or 404 where there was nothing to end."""
        return await self.counted("revoke", self._revoke, request)

    async def counted(self, call: str, handle: Callable[[Request], Awaitable[Response]], request: Request) -> Response:
        """Counts and returns the answer of a handler, or of what it has raised; `call`: its name in the figures."""
        try:
            answer = await handle(request)
        except RefusedError as refusal:
            _CALLS.labels(call, refusal.code).inc()
            return refusal.answer()
        except (SignInUnavailableError, SQLAlchemyError, RedisError, OSError) as error:
            _CALLS.labels(call, "unavailable").inc()
            _log.warning("the host API cannot answer: %s", type(error).__name__)
            return RefusedError(503, "unavailable", "The service is not available.", Retry_After="5").answer()
        _CALLS.labels(call, "answered").inc()
        return answer

    async def _published_keys(self, request: Request) -> Response:
        await self._spend(self._limits.keys, request, KEYS_RATE)
        answer = json_response(await self._keys().document())
        answer.headers["Cache-Control"] = KEYS_CACHE
        return answer

    async def _read(self, request: Request) -> Response:
        session = await self._sessions().live(await self._requested_id(request))
        if session is None or not await self._rechecks().holds(session):
            raise _unknown()
        return json_response(
            {
                "id": session.id,
                "address": str(session.account),
                "chainId": session.chain,
                "origin": session.origin,
                "issuedAt": iso_text(session.issued_at),
                "expiresAt": iso_text(session.expires_at),
                "statement": session.statement,
            }
        )

    async def _revoke(self, request: Request) -> Response:
        session_id = await self._requested_id(request)
        if not await self._sessions().revoke(session_id):
            raise _unknown()
        _log.info("the session %s was revoked by a host", session_id)
        return Response(status_code=204, headers=NO_STORE)

    async def admit(self, request: Request) -> str:
        """Admits holders of an API key, as often as they may call; returns the key.

        Raises:
            RefusedError: it is none, or too often.
        """
        if self._api_key is None:
            raise _unauthorized("This deployment has no API_KEY, so nobody may ask.", "Bearer")
        given = request.headers.getlist("authorization")
        key = valid_api_key(given[0], self._api_key) if len(given) == 1 else None
        if key is None:
            await self._spend(self._limits.guesses, request, GUESS_RATE)
            challenge = 'Bearer error="invalid_token"' if given else "Bearer"
            raise _unauthorized("This is for holders of the API key.", challenge)
        await self._spend(self._limits.calls, request, RATE)
        return key

    async def spend_on_account(self, key: str) -> None:
        """Counts a call that nodes or services are asked for, by the API key that it came with.

        Raises:
            RefusedError: too many.
        """
        if not await self._limits.accounts.allows(sha256(key.encode()).hexdigest()):
            raise _limited(ACCOUNTS_RATE)

    async def _requested_id(self, request: Request) -> str:
        """Returns the id that was asked for, by whoever may ask."""
        await self.admit(request)
        session_id: str = request.path_params["id"]
        # What no session is called need not be looked for; a database would also trip over some of it.
        if not SESSION_ID.fullmatch(session_id):
            raise _unknown()
        return session_id

    async def _spend(self, limit: RateLimit, request: Request, rate: Rate) -> None:
        if not await limit.allows(self._client_name(request)):
            raise _limited(rate)


class _Rest(StringConvertor):
    """All that follows in a path, line breaks too: Starlette's own `path` leaves those to whoever comes next."""

    regex = r"[\s\S]*"


register_url_convertor("rest", _Rest())


class ByMethod:
    """An ASGI app that answers each method with its handler, and others with 405."""

    def __init__(self, **handlers: Callable[[Request], Awaitable[Response]]) -> None:
        self._handlers = {**handlers, "HEAD": handlers["GET"]}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        request = Request(scope, receive)
        handler = self._handlers.get(request.method, self._refuse)
        answer = await handler(request)
        await answer(scope, receive, send)

    async def _refuse(self, _request: Request) -> Response:
        allowed = ", ".join(self._handlers)
        return RefusedError(405, "method_not_allowed", f"Allowed here: {allowed}.", Allow=allowed).answer()


def host_api_routes(api: HostApi) -> Sequence[BaseRoute]:
    """The routes; each answers 405 to other methods."""
    return [
        Route(KEYS_PATH, ByMethod(GET=api.published_keys)),
        Route("/v1/sessions/{id:rest}", ByMethod(GET=api.read, DELETE=api.revoke)),
    ]


def _limited(rate: Rate) -> RefusedError:
    seconds = min(_MOST_RETRY, max(1, round(1 / rate.per_second)))
    return RefusedError(429, "limited", "Too many calls.", Retry_After=str(seconds))


def _unknown() -> RefusedError:
    return RefusedError(404, "not_found", "No session counts by this id: it is unknown, over, or revoked.")


def _unauthorized(message: str, challenge: str) -> RefusedError:
    return RefusedError(401, "unauthorized", message, WWW_Authenticate=challenge)
