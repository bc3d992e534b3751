"""The mailbox's page: the newest mail first, without a reload."""

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from walletmodal.sandbox.answers import refusal

_HERE: Final = Path(__file__).parents[1]
_PAGE: Final = _HERE / "web" / "mail" / "index.html"
_HEADERS: Final = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-cache"}
# A mail's HTML is shown in a frame without scripts that inherits this policy; its links open elsewhere.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

FILES: Final = {
    "mail.css": (_HERE / "web" / "mail" / "mail.css", "text/css; charset=utf-8"),
    "mail.js": (_HERE / "static" / "build" / "mail.js", "text/javascript; charset=utf-8"),
}


def mailbox_routes() -> list[Route]:
    """The page at `/mail` and its files below it. What it shows it asks of the control."""

    async def page(_: Request) -> Response:
        headers = {**_HEADERS, "content-security-policy": _POLICY}
        return FileResponse(_PAGE, media_type="text/html; charset=utf-8", headers=headers)

    async def file(request: Request) -> Response:
        found = FILES.get(request.path_params["name"])
        if found is None:
            return refusal(404, "path", "There is no such file")
        path, media_type = found
        return FileResponse(path, media_type=media_type, headers=_HEADERS)

    return [
        Route("/mail", page, methods=["GET"]),
        Route("/mail/", page, methods=["GET"]),
        Route("/mail/{name}", file, methods=["GET"]),
    ]
