"""Who may talk to the chains' nodes and to the control: programs of this machine, and pages of the sandbox, the modal and its hosts."""

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from walletmodal.sandbox.answers import refusal

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

# A browser extension is a program that the visitor installed, and no page can speak in its name.
_EXTENSIONS = ("chrome-extension://", "moz-extension://", "safari-web-extension://")


@dataclass(frozen=True)
class Refused:
    """Why a request is refused: which part of it, and a sentence."""

    field: str
    description: str


@dataclass(frozen=True)
class Access:
    """The pages that may talk to the nodes and to the control.

    Attributes:
        origins: of the pages, such as `http://localhost:8700`. Programs send no Origin, browsers cannot leave it out of a POST.
        extensions: whether browser extensions may too, as wallets are.
    """

    origins: Collection[str] = ()
    extensions: bool = False

    def refused(self, headers: Headers, client: str) -> Refused | None:
        """Why a request with these headers from this address is refused; None when it is not.

        The Host tells names that were rebound to this machine, to which a browser sends the requests of that name's pages.
        """
        if client not in LOOPBACK_NAMES:
            return Refused("client", "This machine only")
        if _host_name(f"//{headers.get('host', '')}") not in LOOPBACK_NAMES:
            return Refused("host", "As localhost or 127.0.0.1 only")
        if not self.admits(headers.get("origin")):
            return Refused("origin", "Programs, and pages of the sandbox, the modal and ALLOWED_ORIGINS only")
        return None

    def admits(self, origin: str | None) -> bool:
        """Whether a page of this origin may talk; None stands for a program."""
        return origin is None or origin in self.origins or (self.extensions and origin.startswith(_EXTENSIONS))


class LoopbackOnly:
    """ASGI middleware that refuses with 403 whom `access` does not let in.

    Args:
        app: the application behind it.
        access: who may.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        request = Request(scope, receive)
        refused = self._access.refused(request.headers, request.client.host if request.client else "")
        if refused is None:
            await self._app(scope, receive, send)
        else:
            await refusal(403, refused.field, refused.description)(scope, receive, send)


def _host_name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
