"""CORS of the whole app, in our form: Reflex asks CORS twice, and answers other pages' preflights by itself."""

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walletmodal.reflex_internals.app import OpenedApp
from walletmodal.web.answers import error_response
from walletmodal.web.headers import SecurityHeaders
from walletmodal.web.request_ids import RequestIds

REFUSED: Final = error_response(403, "origin_not_allowed", "Pages of other origins may not ask this server.")


class OwnCors:
    """ASGI middleware, outside Reflex's own: no other page may ask what needs to be asked beforehand, and each answer says once what it varies by."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        # A refusal is no document, so the policy of documents is never asked for.
        self._refusal = RequestIds(SecurityHeaders(REFUSED, document_policy=lambda _host: ""))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses with 403, or passes on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["method"] == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers:
            await self._refusal(scope, receive, send)
            return

        async def once(message: Message) -> None:
            if message["type"] == "http.response.start":
                _name_once(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, once)


def _name_once(headers: MutableHeaders) -> None:
    """Leaves no name twice in `Vary`."""
    names = [name.strip() for line in headers.getlist("vary") for name in line.split(",") if name.strip()]
    if names:
        headers["Vary"] = ", ".join({name.lower(): name for name in names}.values())


class ModalApp(OpenedApp):
    """Reflex's app with our word on CORS."""

    def __call__(self) -> ASGIApp:
        """The ASGI app that a server runs."""
        return OwnCors(super().__call__())
