"""A page for signed-in visitors, in Starlette. How to run it: examples/README.md."""

import os
import secrets
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from walletmodal.host.starlette import require_sign_in, sign_in, sign_out

WEB = Path(__file__).parents[1] / "web"
MODAL_URL = os.environ["WALLETMODAL_URL"].rstrip("/")
POLICY = f"default-src 'self'; script-src 'self' {MODAL_URL}; frame-src {MODAL_URL}; img-src 'self' data:"
"""All that a strict page must allow: its own things, and of the modal the script and the frame."""

templates = Jinja2Templates(WEB / "templates")


def page(request: Request, name: str, status: int = 200, **values: object) -> Response:
    """One of the pages."""
    headers = {"Content-Security-Policy": POLICY}
    return templates.TemplateResponse(request, name, {"modal_url": MODAL_URL, **values}, status, headers)


async def home(request: Request) -> Response:
    """The page with the button."""
    return page(request, "home.html")


@require_sign_in()
async def enter(request: Request) -> Response:
    """The page hands over the token of `modal.getSession()`: from now on this server's own session says who it is."""
    sign_in(request, request.state.signed_in)
    return Response(status_code=204)


async def leave(request: Request) -> Response:
    """The visitor signs out here; the page signs them out at the modal too."""
    sign_out(request)
    return Response(status_code=204)


# Asks the modal every time, so that whoever is signed out there sees this page no more.
@require_sign_in(online=True)
async def members(request: Request) -> Response:
    """The page for signed-in visitors."""
    return page(request, "members.html", member=request.state.signed_in)


async def refused(request: Request, error: Exception) -> Response:
    """A page with a way in, for whoever is not signed in."""
    if not isinstance(error, HTTPException):
        raise error
    shown = page(request, "refused.html", error.status_code, message=error.detail)
    shown.headers.update(error.headers or {})
    return shown


app = Starlette(
    routes=[
        Route("/", home),
        Route("/session", enter, methods=["POST"]),
        Route("/session", leave, methods=["DELETE"]),
        Route("/members", members),
        Mount("/static", StaticFiles(directory=WEB / "static")),
    ],
    middleware=[
        # Browsers take the cookie over https, and from http://localhost while you develop.
        Middleware(
            SessionMiddleware, secret_key=os.environ.get("SESSION_SECRET") or secrets.token_hex(32), https_only=True
        ),
    ],
    exception_handlers={HTTPException: refused},
)
