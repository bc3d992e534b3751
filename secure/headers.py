"""The headers of every answer."""

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OFF: Final = (
    *("accelerometer", "autoplay", "camera", "clipboard-read", "clipboard-write", "display-capture", "encrypted-media"),
    *("fullscreen", "geolocation", "gyroscope", "hid", "idle-detection", "magnetometer", "microphone", "midi"),
    *("payment", "picture-in-picture", "screen-wake-lock", "serial", "storage-access", "usb", "web-share"),
)
PERMISSIONS: Final = ", ".join(
    ["publickey-credentials-get=(self)", "publickey-credentials-create=(self)", *(f"{name}=()" for name in _OFF)]
)
HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": PERMISSIONS,
    "Origin-Agent-Cluster": "?1",
}
"""What every answer says."""


def complete_headers(headers: MutableHeaders) -> MutableHeaders:
    """Adds what every answer says."""
    headers.update(HEADERS)
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Cache-Control", "no-store")
    headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    return headers


class SiteHeaders:
    """ASGI middleware: what every answer says, unless its own headers say it already."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on, and completes the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                complete_headers(MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, complete)
