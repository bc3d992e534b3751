"""The pages that a window passes on its way to a provider and back: `/oauth/go/…`, `/oauth/back/…`."""

import asyncio
import hashlib
import logging
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Collection, Mapping
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from walletmodal.core.language import _, pgettext
from walletmodal.secure.calls.endpoint import read_body
from walletmodal.secure.encoding import digest, encode
from walletmodal.secure.errors import CallError, unavailable
from walletmodal.secure.language import said, spoken_root
from walletmodal.secure.social.attempts import ATTEMPT_MS, Failure, SocialAttempts, is_attempt
from walletmodal.secure.social.exchange import Exchange, Return
from walletmodal.secure.social.identity import Identity, ProviderError
from walletmodal.secure.social.names import told_name
from walletmodal.secure.social.origins import is_opened_by_us, is_sent_by_itself
from walletmodal.secure.social.providers import Client, Provider
from walletmodal.secure.social.return_address import with_result

EXCHANGE_SECONDS: Final = 20.0
MAX_PARAMETER: Final = 2048
_TOLD: Final = ("code", "state", "error", "iss", "user")
_DENIED: Final = frozenset({"access_denied", "user_cancelled_authorize", "user_cancelled_login"})
FILES: Final = {"back.js": "text/javascript", "pages.css": "text/css"}
"""What the pages load, by name; they stand beside this module."""
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action {forms}; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_OVER: Final = _("This login is over")
_BEGIN_AGAIN: Final = _("You can close this window, and begin again where you came from.")

logger = logging.getLogger(__name__)


class SocialPages:
    """The pages.

    Args:
        clients: the providers that are offered, and who this site is there.
        attempts: of the site.
        exchange: with the providers.
        admit: counts a request whose answer costs something; raises CallError.
        name: what the site is called.
        own_origin: of this site.
        modals: origins of the modals.
        openers: origins of all pages that may have opened a window.
    """

    def __init__(
        self,
        clients: Mapping[str, tuple[Provider, Client]],
        attempts: SocialAttempts,
        exchange: Exchange,
        admit: Callable[[Request], Awaitable[None]],
        *,
        name: str,
        own_origin: str,
        modals: Collection[str],
        openers: Collection[str],
    ) -> None:
        self._clients, self._attempts, self._exchange, self._admit = clients, attempts, exchange, admit
        self._name, self._own_origin = name, own_origin
        self._own = frozenset((own_origin, *modals))
        self._openers = " ".join(sorted({own_origin, *openers}))

    def routes(self) -> list[Route]:
        """Their routes."""
        return [
            Route("/oauth/go/{provider}/{attempt}", self._readable(self.go)),
            Route("/oauth/go/{provider}/{attempt}", self._readable(self.go_on), methods=["POST"]),
            Route("/oauth/back/{provider}", self._readable(self.back)),
            Route("/oauth/back/{provider}", self._readable(self.back_by_form), methods=["POST"]),
            Route("/oauth/{file}", _file),
        ]

    async def go(self, request: Request) -> Response:
        """Leads a window that we have opened to the provider; asks the visitor of any other."""
        provider, __ = self._client(request)
        if not is_opened_by_us(request.headers, self._own):
            return ask_page(self._name, provider)
        return await self._lead_away(request)

    async def go_on(self, request: Request) -> Response:
        """Leads it there when the visitor says so."""
        provider, __ = self._client(request)
        if not is_sent_by_itself(request.headers):
            return ask_page(self._name, provider)
        return await self._lead_away(request)

    async def back_by_form(self, request: Request) -> Response:
        """Apple's way: a form of its own page, with which no cookie comes. The same as a link is told with one."""
        provider, __ = self._client(request)
        form = (await read_body(request)).decode("utf-8", "replace") if provider.form_post else ""
        told = {name: value for name, value in parse_qsl(form, max_num_fields=16) if name in _TOLD}
        if any(len(value) > MAX_PARAMETER for value in told.values()):
            raise CallError(400, "params", _("The answer of the provider is not understood."))
        return RedirectResponse(f"/oauth/back/{provider.id}?{urlencode(told)}", 303)

    async def back(self, request: Request) -> Response:
        """Takes what the provider says, once, in the browser that was led there."""
        provider, client = self._client(request)
        told = {name: request.query_params.get(name, "")[: MAX_PARAMETER + 1] for name in _TOLD}
        cookie = _cookie(told["state"])
        found = await self._attempts.come_back(provider.id, told["state"], request.cookies.get(cookie, ""))
        if found is None:
            return over_page(self._name)
        key, device, secret = found
        result = await self._result(provider, client, told, secret["verifier"], nonce_of(device, told["state"]))
        await self._attempts.conclude(key, result)
        response = self._done(provider, result, secret.get("back", ""))
        response.delete_cookie(cookie, path="/oauth/back")
        return response

    async def _lead_away(self, request: Request) -> Response:
        provider, client = self._client(request)
        attempt = request.path_params["attempt"]
        found = await self._attempts.lead_away(attempt, provider.id) if is_attempt(attempt) else None
        if found is None:
            return self._page(404, _OVER, _("It was used before, or too long ago."), _BEGIN_AGAIN)
        device, state, verifier, browser = found
        query = {
            "response_type": "code",
            "client_id": client.id,
            "redirect_uri": self._redirect_uri(provider),
            "scope": provider.scope,
            "state": state,
        }
        if provider.pkce:
            challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode("ascii")
            query |= {"code_challenge": challenge, "code_challenge_method": "S256"}
        if provider.keys:
            query["nonce"] = nonce_of(device, state)
        if provider.form_post:
            query["response_mode"] = "form_post"
        response = RedirectResponse(f"{provider.authorize}?{urlencode(query)}", 303)
        response.set_cookie(
            _cookie(state),
            browser,
            max_age=ATTEMPT_MS // 1000,
            path="/oauth/back",
            secure=self._own_origin.startswith("https://"),
            httponly=True,
            samesite="lax",
        )
        return response

    async def _result(
        self, provider: Provider, client: Client, told: Mapping[str, str], verifier: str, nonce: str
    ) -> Identity | Failure:
        if told["error"]:
            if told["error"] in _DENIED:
                return "denied"
            logger.warning("%s: an authorization was refused", provider.id)
            return "provider"
        if told["iss"] not in ("", provider.issuer) or not 0 < len(told["code"]) <= MAX_PARAMETER:
            logger.warning("%s: an answer of another issuer, or without a code", provider.id)
            return "provider"
        redirect_uri = self._redirect_uri(provider)
        name = told_name(told["user"]) if provider.form_post else ""
        back = Return(told["code"], verifier, nonce, redirect_uri, name)
        try:
            async with asyncio.timeout(EXCHANGE_SECONDS):
                return await self._exchange.identity(provider, client, back)
        except (ProviderError, TimeoutError) as error:
            logger.warning("%s: %s", provider.id, error or "no answer in time")
            return "provider"

    def _client(self, request: Request) -> tuple[Provider, Client]:
        found = self._clients.get(request.path_params["provider"])
        if found is None:
            raise not_offered()
        return found

    def _redirect_uri(self, provider: Provider) -> str:
        return f"{self._own_origin}/oauth/back/{provider.id}"

    def _readable(self, handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """A handler whose refusals people read."""

        async def answer(request: Request) -> Response:
            try:
                await self._admit(request)
                return await handler(request)
            except CallError as error:
                return refusal_page(self._name, error)
            except (SQLAlchemyError, OSError):
                return refusal_page(self._name, unavailable())

        return answer

    def _done(self, provider: Provider, result: Identity | Failure, back: str) -> Response:
        told = f"{self._own_origin}/oauth/done/{provider.id}"
        metas = {"openers": self._openers, "result": told, "back": with_result(back, told) if back else ""}
        head = "".join(f'<meta name="walletmodal-{name}" content="{escape(value)}">' for name, value in metas.items())
        head += '<script src="/oauth/back.js" defer></script>'
        if back:
            # The page goes on by itself: a redirect after the provider's form would be held against that form's policy.
            return self._page(200, _("You are led back"), _("One moment."), head=head, link=metas["back"])
        if isinstance(result, Identity):
            return self._page(200, _("You are logged in"), _("You can close this window."), head=head)
        title = (
            _("You did not log in")
            if result == "denied"
            else _("{provider} could not log you in", provider=provider.name)
        )
        return self._page(200, title, _("You can close this window, and try again where you came from."), head=head)

    def _page(self, status: int, title: str, *sentences: str, **parts: str) -> HTMLResponse:
        return page(self._name, status, title, *sentences, **parts)


def page(
    name: str,
    status: int,
    title: str,
    *sentences: str,
    button: str = "",
    forms: str = "'none'",
    head: str = "",
    link: str = "",
) -> HTMLResponse:
    """A page of this part, in the language of who asks. `name`: what the site is called; `forms`: where its form may lead; `head`: further elements; `link`: a way back."""
    content = f"<h1>{escape(said(title))}</h1>" + "".join(f"<p>{escape(said(sentence))}</p>" for sentence in sentences)
    if button:
        content += f'<form method="post"><button type="submit">{escape(said(button))}</button></form>'
    if link:
        content += f'<p><a href="{escape(link)}">{escape(said(pgettext("button", "Go back")))}</a></p>'
    document = (
        f'<!doctype html><html{spoken_root()}><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(said(title))} · {escape(name)}</title>"
        f'<link rel="stylesheet" href="/oauth/pages.css">{head}</head><body><main>{content}</main></body></html>'
    )
    return HTMLResponse(document, status, {"Content-Security-Policy": _POLICY.format(forms=forms)})


def ask_page(name: str, provider: Provider) -> HTMLResponse:
    """Asks a visitor whether to go to a provider. `name`: as for `page`."""
    target = urlsplit(provider.authorize)
    return page(
        name,
        200,
        _("Log in with {provider}?", provider=provider.name),
        _(
            "Go on only if you have just chosen {provider} yourself, to log in to {site}.",
            provider=provider.name,
            site=name,
        ),
        _("If somebody has sent you here, close this window: they would be logged in as you."),
        button=_("Go on to {provider}", provider=provider.name),
        # Browsers hold a redirect after a form against this, too.
        forms=f"'self' {target.scheme}://{target.netloc}",
    )


def over_page(name: str) -> HTMLResponse:
    """Tells a browser that has begun no login which it could come back from."""
    return page(name, 400, _OVER, _("It was begun in another browser, or too long ago."), _BEGIN_AGAIN)


def refusal_page(name: str, error: CallError) -> HTMLResponse:
    """Tells why something is refused."""
    return page(name, error.status, _("That did not work"), error.message, _BEGIN_AGAIN)


def not_offered() -> CallError:
    """A provider that this site has no client of."""
    return CallError(404, "not_offered", _("This login is not offered here."))


def nonce_of(device: str, state: str) -> str:
    """What an ID token must have: it is bound to the device that has begun, and to the way there."""
    return encode(hashlib.sha256(f"{device}.{state}".encode()).digest())


def _cookie(state: str) -> str:
    """The name of a way's cookie: several windows of one browser have one each."""
    return f"oauth_{digest(state)[:16]}"


async def _file(request: Request) -> Response:
    name = request.path_params["file"]
    if name not in FILES:
        raise HTTPException(404)
    headers = {"Cache-Control": "no-cache"}
    return FileResponse(Path(__file__).with_name(name), media_type=FILES[name], headers=headers)
