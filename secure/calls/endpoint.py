"""A call of the page: `POST` with JSON, signed by the device, answered with JSON."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from walletmodal.core.language import _
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.secure.browser_name import browser_name
from walletmodal.secure.calls.device import Device, DeviceCheck
from walletmodal.secure.calls.limits import Limits
from walletmodal.secure.calls.sessions import Session, Sessions, no_session
from walletmodal.secure.custody.envelope import EnvelopeError
from walletmodal.secure.custody.sealed_box import SealedBoxError
from walletmodal.secure.errors import CallError, unavailable
from walletmodal.services.client_address import ClientAddress

MAX_BODY: Final = 64 * 1024
BODY_SECONDS: Final = 10.0
_BEARER: Final = "Bearer "
NO_STORE: Final = {"Cache-Control": "no-store"}

logger = logging.getLogger(__name__)


class Body(BaseModel):
    """The body of a call. What a newer page sends besides is left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Nothing(Body):
    """A call that needs no argument."""


B = TypeVar("B", bound=Body)
Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call(Generic[B]):
    """A call of a device.

    Attributes:
        device: that has signed it.
        body: checked.
        line: the client's address, for limits.
        browser: such as `Chrome on Windows`, as the browser says.
        gone: set once nobody waits for the answer any more; on routes that watch for that.
    """

    device: Device
    body: B
    line: str
    browser: str
    gone: asyncio.Event = field(default_factory=asyncio.Event, kw_only=True)


@dataclass(frozen=True, slots=True)
class UserCall(Call[B]):
    """A call with a session."""

    session: Session

    @property
    def user(self) -> str:
        """Whose session it is."""
        return self.session.user


class Handler(Protocol[B]):
    """Answers a call."""

    def __call__(self, call: Call[B], /) -> Awaitable[Answer]:
        """The answer; raises CallError."""
        ...


class UserHandler(Protocol[B]):
    """Answers a call with a session."""

    def __call__(self, call: UserCall[B], /) -> Awaitable[Answer]:
        """The answer; raises CallError."""
        ...


class Calls:
    """What all calls go through.

    Args:
        own_origin: of this site; pages of others cannot call.
        devices: checks signatures.
        sessions: finds sessions.
        limits: how often one may call.
        client_address: tells where a request comes from.
    """

    def __init__(
        self, own_origin: str, devices: DeviceCheck, sessions: Sessions, limits: Limits, client_address: ClientAddress
    ) -> None:
        self._own_origin, self._devices, self._sessions = own_origin, devices, sessions
        self._limits, self._client_address = limits, client_address

    def route(self, path: str, model: type[B], handler: Handler[B], *, waits: bool = False) -> Route:
        """The route of a call that anyone may make.

        Args:
            path: its own.
            model: of its body.
            handler: answers it.
            waits: it may take long, and is told when nobody waits for it any more.
        """

        async def answer(request: Request) -> Answer:
            line, token, body = await self._receive(request)
            device = await self._devices(path, request.headers, token, body)
            call = Call(device, _parse(model, body), line, _browser(request))
            if not waits:
                return await handler(call)
            async with _watched(request, call.gone):
                return await handler(call)

        return _route(path, answer)

    def user_route(self, path: str, model: type[B], handler: UserHandler[B]) -> Route:
        """The route of a call that needs a session."""

        async def answer(request: Request) -> Answer:
            line, token, body = await self._receive(request)
            device = await self._devices(path, request.headers, token, body)
            if not token:
                raise no_session()
            session = await self._sessions.find(token, device)
            return await handler(UserCall(device, _parse(model, body), line, _browser(request), session))

        return _route(path, answer)

    async def _receive(self, request: Request) -> tuple[str, str, bytes]:
        origin = request.headers.get("origin")
        if origin is not None and origin != self._own_origin:
            raise CallError(403, "origin", "Calls are accepted from this site's own page.")
        line = self._client_address(request)
        await self._limits.call(line)
        authorization = request.headers.get("authorization", "")
        token = authorization.removeprefix(_BEARER) if authorization.startswith(_BEARER) else ""
        return line, token, await read_body(request)


@asynccontextmanager
async def _watched(request: Request, gone: asyncio.Event) -> AsyncIterator[None]:
    """Sets an event when the client leaves meanwhile."""

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    # Not by `is_disconnected`: it asks and cancels at once, and servers that answer from another thread have said nothing by then.
    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


def _route(path: str, answer: Callable[[Request], Awaitable[Answer]]) -> Route:
    async def endpoint(request: Request) -> Response:
        return await answered(answer(request))

    return Route(path, endpoint, methods=["POST"])


async def answered(answer: Awaitable[Answer]) -> Response:
    """The response to a call, whatever comes of it."""
    try:
        return JSONResponse(dict(await answer), headers=NO_STORE)
    except CallError as error:
        refusal = error
    except (SQLAlchemyError, OSError) as error:
        logger.warning("the database did not answer: %s", type(error).__name__)
        refusal = unavailable()
    except (EnvelopeError, SealedBoxError) as error:
        logger.error("%s", error)  # noqa: TRY400 - it says what does not open; the traceback adds nothing
        refusal = unavailable()
    return JSONResponse(refusal.body, refusal.status, headers=NO_STORE)


async def read_body(request: Request) -> bytes:
    """The body of a request.

    Raises:
        CallError: larger than 64 kB, or it does not come in time.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > MAX_BODY:
                    raise CallError(413, "too_large", _("The request is too large."))
    except (ClientDisconnect, TimeoutError) as error:
        raise CallError(400, "params", _("The request did not arrive as a whole.")) from error
    return bytes(body)


def _parse(model: type[B], body: bytes) -> B:
    try:
        return model.model_validate(read_json(body))
    except (ValidationError, ValueError):
        # What was sent may be a code or a half: nothing of it goes into an error.
        raise CallError(400, "params", _("The request is not understood.")) from None


def _browser(request: Request) -> str:
    return browser_name(request.headers.get("user-agent", ""))
