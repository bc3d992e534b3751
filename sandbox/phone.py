"""The phone: a page that runs a real wallet SDK over the sandbox's relay."""

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from walletmodal.sandbox.answers import refusal

_HERE: Final = Path(__file__).parent
_PAGE: Final = _HERE / "web" / "phone" / "index.html"

FILES: Final = {
    "phone.css": (_HERE / "web" / "phone" / "phone.css", "text/css; charset=utf-8"),
    "phone.js": (_HERE / "static" / "build" / "phone.js", "text/javascript; charset=utf-8"),
}


def page_policy(host: str) -> str:
    """The Content-Security-Policy of the page: whatever the SDK would ask elsewhere, nothing leaves this machine.

    Args:
        host: name and port by which the page was asked for; the relay is there too.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            # Pictures of the apps that it is connected to.
            "img-src 'self' data: http://localhost:* http://127.0.0.1:*",
            f"connect-src 'self' ws://{host}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def phone_routes() -> list[Route]:
    """The page at `/phone`, at `/phone/wc` as deep links open it, and its files."""

    async def page(request: Request) -> Response:
        url = request.url
        # Any other name is not this machine's own, and text of a header has no place in the policy.
        host = url.netloc if url.hostname in ("localhost", "127.0.0.1") else "localhost"
        headers = {
            "content-security-policy": page_policy(host),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cache-control": "no-cache",
        }
        return FileResponse(_PAGE, media_type="text/html; charset=utf-8", headers=headers)

    async def file(request: Request) -> Response:
        found = FILES.get(request.path_params["name"])
        if found is None:
            return refusal(404, "path", "There is no such file")
        path, media_type = found
        headers = {"x-content-type-options": "nosniff", "cache-control": "no-cache"}
        return FileResponse(path, media_type=media_type, headers=headers)

    return [
        Route("/phone", page, methods=["GET"]),
        Route("/phone/", page, methods=["GET"]),
        Route("/phone/wc", page, methods=["GET"]),
        Route("/phone/{name}", file, methods=["GET"]),
    ]
