"""A page for signed-in visitors, in FastAPI. How to run it: examples/README.md."""

import os
import secrets
from pathlib import Path
from typing import Annotated

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException
from starlette.middleware.sessions import SessionMiddleware

from walletmodal.host import SignedIn
from walletmodal.host.fastapi import require_sign_in, sign_in, sign_out

WEB = Path(__file__).parents[1] / "web"
MODAL_URL = os.environ["WALLETMODAL_URL"].rstrip("/")
POLICY = f"default-src 'self'; script-src 'self' {MODAL_URL}; frame-src {MODAL_URL}; img-src 'self' data:"
"""All that a strict page must allow: its own things, and of the modal the script and the frame."""

Token = Annotated[SignedIn, Depends(require_sign_in())]
# Asks the modal every time, so that whoever is signed out there sees this page no more.
Member = Annotated[SignedIn, Depends(require_sign_in(online=True))]

app = FastAPI()
# Browsers take the cookie over https, and from http://localhost while you develop.
app.add_middleware(
    SessionMiddleware, secret_key=os.environ.get("SESSION_SECRET") or secrets.token_hex(32), https_only=True
)
app.mount("/static", StaticFiles(directory=WEB / "static"))
templates = Jinja2Templates(WEB / "templates")


def page(request: Request, name: str, status: int = 200, **values: object) -> HTMLResponse:
    """One of the pages."""
    headers = {"Content-Security-Policy": POLICY}
    return templates.TemplateResponse(request, name, {"modal_url": MODAL_URL, **values}, status, headers)


@app.get("/")
def home(request: Request) -> HTMLResponse:
    """The page with the button."""
    return page(request, "home.html")


@app.post("/session", status_code=204)
def enter(request: Request, visitor: Token) -> None:
    """The page hands over the token of `modal.getSession()`: from now on this server's own session says who it is."""
    sign_in(request, visitor)


@app.delete("/session", status_code=204)
def leave(request: Request) -> None:
    """The visitor signs out here; the page signs them out at the modal too."""
    sign_out(request)


@app.get("/members")
def members(request: Request, member: Member) -> HTMLResponse:
    """The page for signed-in visitors."""
    return page(request, "members.html", member=member)


@app.exception_handler(HTTPException)
async def refused(request: Request, error: HTTPException) -> Response:
    """Browsers get a page with a way in, programs the plain answer."""
    if "text/html" not in request.headers.get("accept", ""):
        return await http_exception_handler(request, error)
    shown = page(request, "refused.html", error.status_code, message=error.detail)
    shown.headers.update(error.headers or {})
    return shown
