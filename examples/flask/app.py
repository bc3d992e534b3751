"""A page for signed-in visitors, in Flask. How to run it: examples/README.md."""

import os
import secrets

from flask import Flask, Response, g, render_template
from werkzeug.exceptions import Forbidden, HTTPException, ServiceUnavailable, Unauthorized

from walletmodal.host.flask import require_sign_in, sign_in, sign_out

MODAL_URL = os.environ["WALLETMODAL_URL"].rstrip("/")
POLICY = f"default-src 'self'; script-src 'self' {MODAL_URL}; frame-src {MODAL_URL}; img-src 'self' data:"
"""All that a strict page must allow: its own things, and of the modal the script and the frame."""

app = Flask(__name__, template_folder="../web/templates", static_folder="../web/static")
app.secret_key = os.environ.get("SESSION_SECRET") or secrets.token_hex(32)
# Browsers take the cookie over https, and from http://localhost while you develop.
app.config.update(SESSION_COOKIE_SECURE=True, SESSION_COOKIE_SAMESITE="Lax")


def page(name: str, **values: object) -> Response:
    """One of the pages."""
    shown = Response(render_template(name, modal_url=MODAL_URL, **values))
    shown.headers["Content-Security-Policy"] = POLICY
    return shown


@app.get("/")
def home() -> Response:
    """The page with the button."""
    return page("home.html")


@app.post("/session")
@require_sign_in()
def enter() -> tuple[str, int]:
    """The page hands over the token of `modal.getSession()`: from now on this server's own session says who it is."""
    sign_in(g.signed_in)
    return "", 204


@app.delete("/session")
def leave() -> tuple[str, int]:
    """The visitor signs out here; the page signs them out at the modal too."""
    sign_out()
    return "", 204


# Asks the modal every time, so that whoever is signed out there sees this page no more.
@app.get("/members")
@require_sign_in(online=True)
def members() -> Response:
    """The page for signed-in visitors."""
    return page("members.html", member=g.signed_in)


@app.errorhandler(Unauthorized)
@app.errorhandler(Forbidden)
@app.errorhandler(ServiceUnavailable)
def refused(error: HTTPException) -> Response:
    """A page with a way in, for whoever is not signed in."""
    answer = error.get_response()
    shown = page("refused.html", message=error.description)
    shown.status_code = answer.status_code
    for name in ("WWW-Authenticate", "Retry-After", "Cache-Control"):
        if name in answer.headers:
            shown.headers[name] = answer.headers[name]
    return shown
