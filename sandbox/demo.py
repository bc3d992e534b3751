"""The demo host page: a page on another origin than the modal, as a team's own page would be, with the server behind it."""

import html
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from walletmodal.sandbox import phone
from walletmodal.sandbox.answers import refusal
from walletmodal.sandbox.demo_session import session_endpoint
from walletmodal.sandbox.errors import PartMissingError
from walletmodal.sandbox.mailbox import page as mailbox
from walletmodal.sandbox.settings import SandboxSettings

_HERE = Path(__file__).parent
_PAGE = _HERE / "web" / "demo" / "index.html"
_BUILD = _HERE / "static" / "build"

FILES = {
    "demo.css": (_HERE / "web" / "demo" / "demo.css", "text/css; charset=utf-8"),
    "controls.css": (_HERE / "web" / "demo" / "controls.css", "text/css; charset=utf-8"),
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
    for path, _ in (*FILES.values(), *phone.FILES.values(), *mailbox.FILES.values()):
        if not path.is_file():
            where = path.relative_to(_HERE.parent)
            raise PartMissingError(f"{where} is missing; run `npm run build` in sandbox/")


def host_policy(modal_origin: str) -> str:
    """The Content-Security-Policy of the page with `?csp=strict`.

    Its script-src, frame-src and connect-src are the lines that the README tells hosts; the rest is as
    strict as the page bears.
    """
    return "; ".join(
        (
            f"script-src 'self' {modal_origin}",
            f"frame-src {modal_origin}",
            f"connect-src 'self' {modal_origin}",
            "default-src 'none'",
            "style-src 'self'",
            "img-src 'self' data:",
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

    return [
        Route("/", page, methods=["GET"]),
        Route("/demo/session", session_endpoint(settings), methods=["POST"]),
        Route("/demo/{name}", file, methods=["GET"]),
    ]


def _page(modal_origin: str, *, with_wallet: bool) -> str:
    return (
        _PAGE.read_text(encoding="utf-8")
        .replace("<!-- sandbox-wallet -->", _WALLET_TAG if with_wallet else "")
        .replace("{{modal_origin}}", html.escape(modal_origin))
    )
