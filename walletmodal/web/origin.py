"""Telling our own page's requests from other pages' (Fetch Metadata, RFC 6454)."""

import logging
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.core.text.display_text import clean_text

EVENT_PATH: Final = "/_event"

_HOST: Final = re.compile(r"(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?\Z")
_MARKS_OF_A_PROXY: Final = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
_MAX_SHOWN: Final = 128

_log = logging.getLogger(__name__)


def own_host(headers: Mapping[str, str]) -> str | None:
    """Returns the `Host` of a request in lower case, or None when it is missing or no host at all."""
    host = headers.get("host", "").lower()
    return host if _HOST.match(host) else None


def host_name(host: str) -> str:
    """Returns the name or the address of what `own_host` gives, without port and brackets."""
    return host.rpartition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]


def is_own_origin(headers: Mapping[str, str]) -> bool:
    """Whether the `Origin` of a request names the host that was asked.

    The scheme is not compared: behind a proxy that ends TLS we do not know it, and the same name on another scheme is nobody else's.
    """
    host = own_host(headers)
    if host is None:
        return False
    try:
        origin = urlsplit(headers.get("origin", "").lower())
    except ValueError:
        return False
    if origin.scheme not in _DEFAULT_PORTS or origin.path or origin.query or origin.fragment:
        return False
    default = _DEFAULT_PORTS[origin.scheme]
    return origin.netloc.removesuffix(default) == host.removesuffix(default)


def is_from_own_page(headers: Mapping[str, str]) -> bool:
    """Whether a request was made by a page of our own origin: `Origin` must say so, `Sec-Fetch-Site` must not contradict."""
    return is_own_origin(headers) and headers.get("sec-fetch-site", "same-origin") == "same-origin"


def is_from_this_machine(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Whether a program on this machine asks us directly.

    A proxy's visitors also come from loopback, so nothing may have been forwarded; and the host must be a loopback name, or a
    page whose name was pointed at this machine could ask through its visitor's browser.
    """
    client, host = scope.get("client"), own_host(headers)
    if client is None or host is None or any(name in headers for name in _MARKS_OF_A_PROXY):
        return False
    return is_loopback_host(client[0]) and is_loopback_host(host_name(host))


class OwnPagesOnly:
    """ASGI middleware: the event socket accepts pages of our own origin, and programs, which send no `Origin`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses with 403, or passes on."""
        if scope["type"] in ("http", "websocket") and scope["path"].startswith(EVENT_PATH):
            headers = Headers(scope=scope)
            if "origin" in headers and not is_own_origin(headers):
                page, host = (clean_text(headers.get(name, ""), limit=_MAX_SHOWN) for name in ("origin", "host"))
                _log.warning(
                    "refused: a page of %s opens the socket of %s; a proxy must pass on Host, and its port", page, host
                )
                await _refuse(scope, send)
                return
        await self._app(scope, receive, send)


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        # A close before the socket is accepted is answered with 403 by the server.
        await send({"type": "websocket.close", "code": 1008, "reason": "origin not allowed"})
        return
    await send({"type": "http.response.start", "status": 403, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})
