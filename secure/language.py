"""The language of who asks: of the pages and mails that an answer is, or leads to. By the browser's own preference, not by what a host page says."""

from collections.abc import Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from walletmodal.core.errors import CatalogueError
from walletmodal.core.language.localized import say
from walletmodal.secure.errors import StartError
from walletmodal.services.languages import BUNDLED, Languages, Spoken, accepted

ENGLISH_ROOT: Final = ' lang="en"'
"""Attributes of the first element of a page whose script says what is on it."""
_ENGLISH: Final = Spoken()
_of_request: ContextVar[Spoken] = ContextVar("language", default=_ENGLISH)


def open_languages(locales: Iterable[str]) -> Languages:
    """The languages of a deployment. `locales`: LOCALES.

    Raises:
        StartError: there is no catalogue of one, or one of the deployment's own is broken.
    """
    try:
        return Languages(locales, (BUNDLED, Path.cwd() / "locale"))
    except CatalogueError as error:
        raise StartError(str(error)) from error


def language() -> Spoken:
    """That of who asks; English where nobody does."""
    return _of_request.get()


def said(text: str) -> str:
    """A text in the language of who asks."""
    return say(text, language().other)


def spoken_root() -> str:
    """Attributes of the first element of a page in the language of who asks."""
    return f' lang="{language().tag}" dir="rtl"' if language().rtl else f' lang="{language().tag}"'


class InLanguage:
    """ASGI middleware: what is said while a request is answered is in the language that its browser prefers."""

    def __init__(self, app: ASGIApp, languages: Languages) -> None:
        self._app, self._languages = app, languages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        preferred = accepted(Headers(scope=scope).get("accept-language", ""))
        before = _of_request.set(await self._languages.load(self._languages.choose(preferred)))
        try:
            await self._app(scope, receive, send)
        finally:
            _of_request.reset(before)
