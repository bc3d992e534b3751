"""The demo host page: a page on another origin than the modal, as a team's own page would be, with the server behind it."""

import asyncio
import html
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from sandbox import phone
from sandbox.answers import json_answer, refusal
from sandbox.errors import PartMissingError
from sandbox.settings import SandboxSettings
from walletmodal.host import Modal, ModalUnreachableError, TokenError

_HERE = Path(__file__).parent
_PAGE = _HERE / "web" / "demo" / "index.html"
_BUILD = _HERE / "static" / "build"

FILES = {
    "demo.css": (_HERE / "web" / "demo" / "demo.css", "text/css; charset=utf-8"),
    "favicon.svg": (_HERE / "web" / "demo" / "favicon.svg", "image/svg+xml"),
    "demo.js": (_BUILD / "demo.js", "text/javascript; charset=utf-8"),
    "sandbox-wallet.js": (_BUILD / "sandbox-wallet.js", "text/javascript; charset=utf-8"),
}
_WALLET_TAG = '<script src="/demo/sandbox-wallet.js" defer></script>'


def require_build() -> None:
    """Check that the pages' scripts were built.

    Raises:
        PartMissingError: they were not.
    """
    for path, _ in (*FILES.values(), *phone.FILES.values()):
        if not path.is_file():
            where = path.relative_to(_HERE.parent)
            raise PartMissingError(f"{where} is missing; run `npm run build` in sandbox/")


def host_policy(modal_origin: str) -> str:
    """The Content-Security-Policy of the page with `?csp=strict`.

    Its script-src and frame-src are the two lines that the README tells hosts; the rest is as
    strict as the page bears.
    """
    return "; ".join(
        (
            f"script-src 'self' {modal_origin}",
            f"frame-src {modal_origin}",
            "default-src 'none'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'",
        )
    )


def demo_routes(settings: SandboxSettings) -> list[Route]:
    """The page at `/` and its files below `/demo/`."""

    async def page(request: Request) -> Response:
        headers = {"x-content-type-options": "nosniff", "cache-control": "no-cache"}
        if request.query_params.get("csp") == "strict":
            headers["content-security-policy"] = host_policy(settings.modal_origin)
        with_wallet = request.query_params.get("wallet") != "none"
        return HTMLResponse(_page(settings.modal_origin, with_wallet=with_wallet), headers=headers)

    async def file(request: Request) -> Response:
        found = FILES.get(request.path_params["name"])
        if found is None:
            return refusal(404, "path", "There is no such file")
        path, media_type = found
        headers = {"x-content-type-options": "nosniff", "cache-control": "no-cache"}
        return FileResponse(path, media_type=media_type, headers=headers)

    @cache
    def modal(audience: str) -> Modal:
        return Modal(settings.modal_origin, audience)

    async def session(request: Request) -> Response:
        """What a host's server makes of a sign-in token: the demo's only remembers nobody."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        origin = request.headers.get("origin", "")
        if origin not in settings.demo_origins:
            return refusal(403, "origin", "Tokens are taken from the demo's own pages")
        if scheme.lower() != "bearer":
            return refusal(401, "authorization", "There is no token")
        try:
            signed_in = await asyncio.to_thread(modal(origin).verify, token)
        except TokenError as error:
            return refusal(401, "authorization", f"The token is refused: {error.fault}")
        except ModalUnreachableError:
            return refusal(503, "modal", "The modal does not answer")
        verified = {"account": signed_in.account, "expiresAt": signed_in.expires_at.isoformat()}
        return json_answer({**verified, "session": signed_in.session_id}, headers={"cache-control": "no-store"})

    return [
        Route("/", page, methods=["GET"]),
        Route("/demo/session", session, methods=["POST"]),
        Route("/demo/{name}", file, methods=["GET"]),
    ]


def _page(modal_origin: str, *, with_wallet: bool) -> str:
    return (
        _PAGE.read_text(encoding="utf-8")
        .replace("<!-- sandbox-wallet -->", _WALLET_TAG if with_wallet else "")
        .replace("{{modal_origin}}", html.escape(modal_origin))
    )
