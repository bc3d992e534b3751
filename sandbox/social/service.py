"""The providers over HTTP, below `/login`: the page that asks a visitor, and what clients ask behind it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from authlib.oauth2.rfc6749 import OAuth2Error
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from walletmodal.core.clock import Clock
from walletmodal.sandbox.answers import json_answer, service_app
from walletmodal.sandbox.social.accounts import Account, AccountError
from walletmodal.sandbox.social.authorization import AccessToken, Authorization
from walletmodal.sandbox.social.pages import form_post_page, login_page, refusal_page
from walletmodal.sandbox.social.providers import PROVIDERS

STYLE: Final = Path(__file__).with_name("login.css")


class SocialService:
    """All six; an ASGI application.

    Args:
        url: where it is mounted, such as `http://localhost:8700/login`; each provider's issuer is below it.
        secure_origin: the secure site, the one client of each.
        clock: the time.
    """

    def __init__(self, url: str, secure_origin: str, clock: Clock) -> None:
        self._secure_origin, self._url, self._clock = secure_origin, url, clock
        self._named: set[tuple[str, str]] = set()
        self._providers: dict[str, Authorization] = {}
        self.reset()
        self._app = service_app(
            [
                Route("/login.css", _style, methods=["GET"]),
                Route("/{provider}", self._ask, methods=["GET"]),
                Route("/{provider}", self._answer, methods=["POST"]),
                Route("/{provider}/token", self._token, methods=["POST"]),
                Route("/{provider}/jwks", self._keys, methods=["GET"]),
                Route("/github/user", self._about("github", lambda token: token.account.github_user())),
                Route("/github/user/emails", self._about("github", _github_emails)),
                Route("/x/2/users/me", self._about("x", lambda token: token.account.x_user(token.scope))),
                Route(
                    "/discord/users/@me", self._about("discord", lambda token: token.account.discord_user(token.scope))
                ),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._app(scope, receive, send)

    def reset(self) -> None:
        """Forget codes, tokens, and whom Apple has told the name of."""
        self._named.clear()
        self._providers = {
            one.id: Authorization(
                one, f"{self._url}/{one.id}", f"{self._secure_origin}/oauth/back/{one.id}", self._clock
            )
            for one in PROVIDERS.values()
        }

    def _provider(self, request: Request) -> Authorization:
        found = self._providers.get(request.path_params["provider"])
        if found is None:
            raise HTTPException(404)
        return found

    async def _ask(self, request: Request) -> Response:
        server = self._provider(request)
        try:
            server.consent(request)
        except OAuth2Error as error:
            return self._refused(server, request, error)
        return login_page(server.provider, request.query_params, self._secure_origin)

    async def _answer(self, request: Request) -> Response:
        server = self._provider(request)
        form = await request.form()
        account: Account | None = None
        try:
            if form.get("decision") == "allow":
                account = Account.of_form(server.provider, form)
            target, fields = server.answer(request, account)
        except AccountError as error:
            return login_page(server.provider, request.query_params, self._secure_origin, str(error), form)
        except OAuth2Error as error:
            return self._refused(server, request, error)
        return self._tell(server, target, fields, account)

    def _tell(
        self, server: Authorization, target: str, fields: list[tuple[str, str]], account: Account | None
    ) -> Response:
        """Sends the visitor back, in the way of the provider."""
        if not server.provider.form_post:
            return RedirectResponse(f"{target}?{urlencode(fields)}", 303, {"referrer-policy": "no-referrer"})
        if account is None:
            fields = [("error", "user_cancelled_authorize"), *fields[1:]]
        elif (key := (server.provider.id, account.subject)) not in self._named:
            self._named.add(key)
            first, _, last = account.name.partition(" ")
            user = {"name": {"firstName": first, "lastName": last}, "email": account.id_claims("email")["email"]}
            fields = [*fields, ("user", json.dumps(user))]
        return form_post_page(target, fields, self._secure_origin)

    def _refused(self, server: Authorization, request: Request, error: OAuth2Error) -> Response:
        """The client is told, where it is known to be ours; else the visitor alone."""
        if not error.redirect_uri:
            return refusal_page(server.provider, str(error.description or error.error))
        state = request.query_params.get("state")
        fields = [("error", str(error.error)), *([("state", state)] if state else [])]
        return self._tell(server, str(error.redirect_uri), fields, None)

    async def _token(self, request: Request) -> Response:
        server = self._provider(request)
        response = server.token(request, await request.form())
        return _as_github(request, response) if server.provider.id == "github" else response

    async def _keys(self, request: Request) -> Response:
        server = self._provider(request)
        if not server.provider.oidc:
            raise HTTPException(404)
        return json_answer({"keys": [server.key.as_dict(private=False)]}, headers={"cache-control": "max-age=300"})

    def _about(self, provider: str, tell: Callable[[AccessToken], Any]) -> Callable[[Request], Any]:
        async def about(request: Request) -> Response:
            token = self._providers[provider].opened_by(request.headers.get("authorization"))
            if token is None:
                return json_answer({"message": "Bad credentials"}, 401, {"www-authenticate": "Bearer"})
            answer = tell(token)
            return json_answer({"message": "Not Found"}, 404) if answer is None else json_answer(answer)

        return about


def _github_emails(token: AccessToken) -> list[dict[str, Any]] | None:
    return token.account.github_emails() if "user:email" in token.scope.split() else None


def _as_github(request: Request, response: Response) -> Response:
    """GitHub answers as a form unless it is asked for JSON, and says of an error in its text alone."""
    said = json.loads(bytes(response.body))
    if "error" in said:
        names = {"invalid_grant": "bad_verification_code", "invalid_client": "incorrect_client_credentials"}
        said["error"] = names.get(said["error"], said["error"])
    if "application/json" in request.headers.get("accept", ""):
        return json_answer(said)
    return Response(urlencode(said), media_type="application/x-www-form-urlencoded")


async def _style(_: Request) -> Response:
    return FileResponse(STYLE, media_type="text/css; charset=utf-8", headers={"cache-control": "no-cache"})
