"""A page for signed-in visitors, in Django: a whole project in one file. How to run it: examples/README.md."""

import os
import secrets
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import execute_from_command_line
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.static import serve

from walletmodal.host.admission import Refusal
from walletmodal.host.django import require_sign_in, sign_in, sign_out

WEB = Path(__file__).parents[1] / "web"
MODAL_URL = os.environ["WALLETMODAL_URL"].rstrip("/")
POLICY = f"default-src 'self'; script-src 'self' {MODAL_URL}; frame-src {MODAL_URL}; img-src 'self' data:"
"""All that a strict page must allow: its own things, and of the modal the script and the frame."""

settings.configure(
    SECRET_KEY=os.environ.get("SESSION_SECRET") or secrets.token_hex(32),
    ALLOWED_HOSTS=["localhost", "127.0.0.1"],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
    ],
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
    # Browsers take the cookies over https, and from http://localhost while you develop.
    SESSION_COOKIE_SECURE=True,
    CSRF_COOKIE_SECURE=True,
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [WEB / "templates"]}],
)
django.setup()


def page(request: HttpRequest, name: str, status: int = 200, **values: object) -> HttpResponse:
    """One of the pages."""
    shown = render(request, name, {"modal_url": MODAL_URL, **values}, status=status)
    shown["Content-Security-Policy"] = POLICY
    return shown


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """A page with a way in, for whoever is not signed in."""
    shown = page(request, "refused.html", refusal.status, message=refusal.message)
    for name, value in refusal.headers.items():
        shown[name] = value
    return shown


def home(request: HttpRequest) -> HttpResponse:
    """The page with the button."""
    return page(request, "home.html")


def session(request: HttpRequest) -> HttpResponse:
    """What the page tells: somebody has signed in, or out."""
    if request.method not in ("POST", "DELETE"):
        return HttpResponseNotAllowed(["POST", "DELETE"])
    return enter(request) if request.method == "POST" else leave(request)


@require_sign_in(refused=refused)
def enter(request: HttpRequest) -> HttpResponse:
    """The page hands over the token of `modal.getSession()`: from now on this server's own session says who it is."""
    sign_in(request, request.signed_in)
    return HttpResponse(status=204)


def leave(request: HttpRequest) -> HttpResponse:
    """The visitor signs out here; the page signs them out at the modal too."""
    sign_out(request)
    return HttpResponse(status=204)


# Asks the modal every time, so that whoever is signed out there sees this page no more.
@require_sign_in(online=True, refused=refused)
def members(request: HttpRequest) -> HttpResponse:
    """The page for signed-in visitors."""
    return page(request, "members.html", member=request.signed_in)


urlpatterns = [
    path("", home),
    # No other page can send the token's header, nor DELETE: neither needs Django's own token against forgery besides.
    path("session", csrf_exempt(session)),
    path("members", members),
    path("static/<path:path>", serve, {"document_root": WEB / "static"}),
]
application = WSGIHandler()

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
