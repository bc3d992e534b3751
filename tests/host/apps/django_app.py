"""The host in Django, with its usual session, in the database."""

from functools import partial
from inspect import iscoroutine
from pathlib import Path
from types import ModuleType
from typing import Any

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.urls import clear_url_caches, path
from django.views.decorators.csrf import csrf_exempt

from walletmodal.host import Modal
from walletmodal.host.django import asign_in, kept_nonce, require_sign_in, sign_in, sign_in_nonce, sign_out

URLS = ModuleType("urls_of_the_host")


def configure(folder: Path) -> None:
    """Once for a process: Django has one set of settings."""
    settings.configure(
        ALLOWED_HOSTS=["*"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "host.db"}},
        INSTALLED_APPS=["django.contrib.sessions"],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
        ],
        LOGGING_CONFIG=None,
        ROOT_URLCONF=URLS,
        SECRET_KEY="of the host",
        TIME_ZONE="UTC",
    )
    django.setup()
    call_command("migrate", verbosity=0)


def close() -> None:
    connections.close_all()


def session(request: HttpRequest, entered: Any) -> Any:
    if request.method == "POST":
        return entered(request)
    sign_out(request)
    return HttpResponse("out")


async def load(request: HttpRequest) -> None:
    """What is synchronous may look into the session after that."""
    await request.session.ahas_key("")


def sync_views(modal: Modal) -> list[Any]:
    def account(request: HttpRequest) -> HttpResponse:
        return HttpResponse(request.signed_in.account)

    def nonce(request: HttpRequest) -> HttpResponse:
        return HttpResponse(sign_in_nonce(request))

    def cached(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Cache-Control": "private, max-age=60"})

    @require_sign_in(modal)
    def enter(request: HttpRequest) -> HttpResponse:
        sign_in(request, request.signed_in)
        return HttpResponse("in")

    return [
        path("members", require_sign_in(modal)(account)),
        path("members-sync", require_sign_in(modal)(account)),
        path("members-cached", require_sign_in(modal)(cached)),
        path("orders", csrf_exempt(require_sign_in(modal)(account))),
        path("online", require_sign_in(modal, online=True)(account)),
        path("bound", require_sign_in(modal, nonce=kept_nonce)(account)),
        path("nonce", nonce),
        path("session", csrf_exempt(partial(session, entered=enter))),
    ]


def async_views(modal: Modal) -> list[Any]:
    async def account(request: HttpRequest) -> HttpResponse:
        return HttpResponse(request.signed_in.account)

    def account_sync(request: HttpRequest) -> HttpResponse:
        return HttpResponse(request.signed_in.account)

    async def nonce(request: HttpRequest) -> HttpResponse:
        await load(request)
        return HttpResponse(sign_in_nonce(request))

    async def cached(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Cache-Control": "private, max-age=60"})

    @require_sign_in(modal)
    async def enter(request: HttpRequest) -> HttpResponse:
        await asign_in(request, request.signed_in)
        return HttpResponse("in")

    async def session_async(request: HttpRequest) -> Any:
        await load(request)
        answer = session(request, enter)
        return await answer if iscoroutine(answer) else answer

    return [
        path("members", require_sign_in(modal)(account)),
        path("members-sync", require_sign_in(modal)(account_sync)),
        path("members-cached", require_sign_in(modal)(cached)),
        path("orders", csrf_exempt(require_sign_in(modal)(account))),
        path("online", require_sign_in(modal, online=True)(account)),
        path("bound", require_sign_in(modal, nonce=kept_nonce)(account)),
        path("nonce", nonce),
        path("session", csrf_exempt(session_async)),
    ]


def serve(views: list[Any]) -> None:
    """From now on Django has these."""
    URLS.__dict__["urlpatterns"] = views
    clear_url_caches()


def make(modal: Modal, *, is_async: bool = False) -> Any:
    serve((async_views if is_async else sync_views)(modal))
    return get_asgi_application() if is_async else get_wsgi_application()
