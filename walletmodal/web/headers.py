"""Response headers: security, caching, and who may read an answer."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walletmodal.core.sign_in.token_claims import KEYS_PATH
from walletmodal.web.origin import own_host
from walletmodal.web.texts import PATH as TEXTS_PATH

IMMUTABLE: Final = "public, max-age=31536000, immutable"
REVALIDATED: Final = "no-cache"
LOADER_CACHE: Final = "public, max-age=300, must-revalidate"

_DENIED: Final = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "usb",
)


def permissions_policy(secure_origin: str = "") -> str:
    """Makes the value of `Permissions-Policy`. `secure_origin`: of the embedded wallet, which may copy too; "" without one."""
    copying = f'(self "{secure_origin}")' if secure_origin else "(self)"
    return ", ".join([*(f"{feature}=()" for feature in _DENIED), f"clipboard-write={copying}"])


_LOADER: Final = re.compile(r"/walletmodal(?:-wallets|-onramp)?\.(?:js|d\.ts)(?:\.map)?\Z")
_VERSIONED: Final = re.compile(r"/v/[0-9A-Za-z.+-]+/walletmodal(?:-wallets|-onramp)?\.(?:js|d\.ts)(?:\.map)?\Z")
_HASHED: Final = "/assets/"
_FOR_EVERY_PAGE: Final = frozenset({KEYS_PATH, TEXTS_PATH})
"""What is public and the same for everyone: keys, for whoever verifies tokens in a browser, and texts, for our elements in host pages."""
_UNAVAILABLE: Final = 503
_NOT_MODIFIED: Final = 304
_SUCCESSES: Final = frozenset({200, 206, _NOT_MODIFIED})

DocumentPolicy = Callable[[str | None], str]
"""Makes the content security policy of a document from the host that was asked."""


def is_loader(path: str) -> bool:
    """Whether a path belongs to the host-page scripts and their types, which host pages load from another origin."""
    return bool(_LOADER.match(path) or _VERSIONED.match(path))


def is_document(path: str, status: int, content_type: str) -> bool:
    """Whether an answer is a page, or says that the browser's copy of a page is still good.

    The second has no type, and its headers replace those of the copy: with another policy the page would stop working, and
    with none it would keep the hosts that were allowed before.
    """
    if status != _NOT_MODIFIED:
        return content_type.startswith("text/html")
    return not path.startswith(_HASHED) and not is_loader(path) and PurePosixPath(path).suffix in {"", ".html"}


def cache_control(path: str, *, success: bool) -> str:
    """Returns how long an answer may be cached that does not say so itself.

    Names that carry a content hash or a version never change their content; all else is asked for again and answered with 304.
    """
    if not success:
        return REVALIDATED
    if path.startswith(_HASHED) or _VERSIONED.match(path):
        return IMMUTABLE
    return LOADER_CACHE if _LOADER.match(path) else REVALIDATED


class SecurityHeaders:
    """ASGI middleware that completes the headers of every HTTP answer; see docs/operations.md for the reasons."""

    def __init__(self, app: ASGIApp, *, document_policy: DocumentPolicy, secure_origin: str = "") -> None:
        self._app, self._document_policy = app, document_policy
        self._permissions = permissions_policy(secure_origin)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and complete the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._complete(scope, message)
            await send(message)

        await self._app(scope, receive, complete)

    def _complete(self, scope: Scope, message: Message) -> None:
        path: str = scope["path"]
        headers = MutableHeaders(scope=message)
        headers["X-Content-Type-Options"] = "nosniff"
        # Pictures and explorers would otherwise learn through which deployment their visitor came.
        headers["Referrer-Policy"] = "no-referrer"
        if message["status"] == _UNAVAILABLE:
            # A balancer of connections leads the next one to a server that can.
            headers["Connection"] = "close"
        headers.setdefault("Cache-Control", cache_control(path, success=message["status"] in _SUCCESSES))
        if is_document(path, message["status"], headers.get("content-type", "")):
            # A host that isolates itself (COEP) may frame only documents that say so.
            headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            headers["Content-Security-Policy"] = self._document_policy(own_host(Headers(scope=scope)))
            headers["Permissions-Policy"] = self._permissions
        elif is_loader(path):
            # With `integrity` a host page's browser asks with CORS; the script is public and the same for everyone.
            headers["Access-Control-Allow-Origin"] = "*"
            headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            if path.endswith(".d.ts"):
                headers["Content-Type"] = "application/typescript; charset=utf-8"
        else:
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
            if path in _FOR_EVERY_PAGE:
                headers["Access-Control-Allow-Origin"] = "*"
                headers["Cross-Origin-Resource-Policy"] = "cross-origin"
