"""An OAuth provider out of Authlib: code flow, PKCE with S256, client secrets in the way that the provider takes them, ID tokens."""

import json
import secrets
from dataclasses import dataclass
from typing import Any, Final, cast
from urllib.parse import parse_qsl, urlsplit

from authlib.oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import (
    AuthorizationCodeMixin,
    ClientMixin,
    InvalidRequestError,
    OAuth2Request,
    grants,
)
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import OpenIDCode
from cachetools import TTLCache
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.clock import Clock
from walletmodal.sandbox.social.accounts import Account
from walletmodal.sandbox.social.providers import APPLE_KEY_ID, APPLE_TEAM, Provider, apple_client_public_key

CODE_SECONDS: Final = 60
TOKEN_SECONDS: Final = 3600
ID_TOKEN_SECONDS: Final = 600
APPLE_SECRET_SECONDS: Final = 15_777_000
"""The longest that the secret of a client of Apple may last."""

_KEPT: Final = 1000
_METHODS: Final = ("client_secret_post", "client_secret_basic")


@dataclass(frozen=True)
class AccessToken:
    """What an access token opens."""

    account: Account
    scope: str


@dataclass(frozen=True)
class _Code(AuthorizationCodeMixin):
    account: Account
    redirect_uri: str
    scope: str
    nonce: str | None
    auth_time: int
    code_challenge: str | None
    code_challenge_method: str | None

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope

    def get_nonce(self) -> str | None:
        return self.nonce

    def get_auth_time(self) -> int:
        return self.auth_time

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


class _Client(ClientMixin):
    """The secure site."""

    # Authlib asks by this name; the server says it for all clients.
    id_token_signed_response_alg = None

    def __init__(self, server: "Authorization", redirect_uri: str) -> None:
        self.server, self._provider, self._redirect_uri = server, server.provider, redirect_uri

    def get_client_id(self) -> str:
        return self._provider.client_id

    def get_default_redirect_uri(self) -> None:
        """None: a redirect URI must be named."""

    def get_allowed_scope(self, scope: str | None) -> str:
        wanted = [one for one in (scope or "").split() if one in self._provider.scopes]
        if self._provider.id == "apple":
            # Gives ID tokens whether or not it is asked for them.
            wanted.append("openid")
        return " ".join(wanted)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri == self._redirect_uri

    def check_client_secret(self, client_secret: str) -> bool:
        if self._provider.id == "apple":
            return self._is_apple_secret(client_secret)
        return secrets.compare_digest(client_secret.encode(), self._provider.client_secret.encode())

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return endpoint == "token" and method in self._provider.secrets

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"

    def _is_apple_secret(self, token: str) -> bool:
        """Whether it is a token that the client's key signed, for us, and not for longer than Apple allows."""
        now = int(self.server.clock.now().timestamp())
        rules = jwt.JWTClaimsRegistry(
            now=now,
            iss={"essential": True, "value": APPLE_TEAM},
            sub={"essential": True, "value": self._provider.client_id},
            aud={"essential": True, "value": self.server.issuer},
            iat={"essential": True},
            exp={"essential": True},
        )
        try:
            read = jwt.decode(token, ECKey.import_key(apple_client_public_key()), algorithms=["ES256"])
            rules.validate(read.claims)
        except (JoseError, ValueError):
            return False
        return read.header.get("kid") == APPLE_KEY_ID and int(read.claims["exp"]) - now <= APPLE_SECRET_SECONDS


class _Request(OAuth2Request):
    def __init__(self, request: Request, query: dict[str, str], form: dict[str, str]) -> None:
        # Authlib looks for "Authorization" as it is written.
        headers = {name.title(): value for name, value in request.headers.items()}
        super().__init__(request.method, str(request.url), headers=headers)
        self._args, self._form = query, form
        self.payload = BasicOAuth2Payload({**query, **form})

    @property
    def args(self) -> dict[str, str]:
        return self._args

    @property
    def form(self) -> dict[str, str]:
        return self._form


class _Challenge(CodeChallenge):
    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        if self.required and not grant.request.payload.data.get("code_challenge"):
            raise InvalidRequestError("Missing 'code_challenge'", redirect_uri=redirect_uri)
        super().validate_code_challenge(grant, redirect_uri)


class Authorization(AuthorizationServer):
    """One provider's authorization server, with one client.

    Args:
        provider: which one.
        issuer: its URL, as ID tokens name it.
        redirect_uri: where the client's visitors come back; nowhere else.
        clock: the time.

    Attributes:
        key: signs ID tokens.
    """

    def __init__(self, provider: Provider, issuer: str, redirect_uri: str, clock: Clock) -> None:
        super().__init__(scopes_supported=list(provider.scopes))
        self.provider, self.issuer, self.clock = provider, issuer, clock
        self.key = ECKey.generate_key("P-256", {"kid": f"{provider.id}-1", "alg": "ES256", "use": "sig"})
        self.codes: TTLCache[str, _Code] = TTLCache(_KEPT, CODE_SECONDS, timer=clock.monotonic)
        self._tokens: TTLCache[str, AccessToken] = TTLCache(_KEPT, TOKEN_SECONDS, timer=clock.monotonic)
        self._client = _Client(self, redirect_uri)
        extensions: list[object] = [_Challenge(required=provider.pkce)]
        if provider.oidc:
            extensions.append(_IdTokens(require_nonce=True))
        self.register_grant(_Grant, extensions)
        self.register_token_generator("default", _bearer_token)

    def consent(self, request: Request) -> Any:
        """The grant that a visitor is asked for.

        Raises:
            OAuth2Error: there is nothing to be asked for; `redirect_uri` says whether the client is told.
        """
        return self.get_consent_grant(_Request(request, dict(request.query_params), {}))

    def answer(self, request: Request, account: Account | None) -> tuple[str, list[tuple[str, str]]]:
        """Where the client is told, and what: a code for the account, or for None that the visitor does not want.

        Raises:
            OAuth2Error: as of `consent`.
        """
        grant = self.consent(request)
        if account is None:
            state = grant.request.payload.state
            return grant.redirect_uri, [("error", "access_denied"), *([("state", state)] if state else [])]
        _, _, headers = grant.create_authorization_response(grant.redirect_uri, account)
        return grant.redirect_uri, parse_qsl(urlsplit(dict(headers)["Location"]).query)

    def token(self, request: Request, form: FormData) -> Response:
        """The token endpoint."""
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        return cast("Response", self.create_token_response(_Request(request, {}, fields)))

    def opened_by(self, authorization: str | None) -> AccessToken | None:
        """What the bearer token of a header opens."""
        scheme, _, token = (authorization or "").partition(" ")
        return self._tokens.get(token) if scheme.casefold() in ("bearer", "token") else None

    def query_client(self, client_id: str) -> _Client | None:
        """Authlib's."""
        return self._client if client_id == self._client.get_client_id() else None

    def save_token(self, token: dict[str, Any], request: OAuth2Request) -> None:
        """Authlib's."""
        self._tokens[token["access_token"]] = AccessToken(request.user, token["scope"])

    def create_oauth2_request(self, request: OAuth2Request) -> OAuth2Request:
        """Authlib's."""
        return request

    def handle_response(self, status: int, body: Any, headers: Any) -> Response:
        """Authlib's."""
        return Response(json.dumps(body) if isinstance(body, dict) else body, status, dict(headers))

    def send_signal(self, name: str, *args: object, **kwargs: object) -> None:
        """Authlib's: nobody listens."""


class _Grant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = _METHODS
    server: Authorization

    def save_authorization_code(self, code: str, request: Any) -> None:
        asked = request.payload.data
        self.server.codes[code] = _Code(
            account=request.user,
            redirect_uri=asked["redirect_uri"],
            scope=request.scope,
            nonce=asked.get("nonce"),
            auth_time=int(self.server.clock.now().timestamp()),
            code_challenge=asked.get("code_challenge"),
            code_challenge_method=asked.get("code_challenge_method"),
        )

    def query_authorization_code(self, code: str, client: _Client) -> _Code | None:  # noqa: ARG002 - Authlib's; there is one client
        # Used up by whatever comes of it: who has stolen a code does not try twice.
        return self.server.codes.pop(code, None)

    def delete_authorization_code(self, authorization_code: _Code) -> None:
        """Nothing: it went when it was asked for."""

    def authenticate_user(self, authorization_code: _Code) -> Account:
        return authorization_code.account


class _IdTokens(OpenIDCode):
    def exists_nonce(self, nonce: str, request: Any) -> bool:  # noqa: ARG002 - Authlib's; replays are for the client to notice
        return False

    def resolve_client_private_key(self, client: _Client) -> ECKey:
        return client.server.key

    def get_client_algorithm(self, client: _Client) -> str:  # noqa: ARG002 - Authlib's
        return "ES256"

    def get_client_claims(self, client: _Client) -> dict[str, Any]:
        now = int(client.server.clock.now().timestamp())
        return {"iss": client.server.issuer, "aud": client.get_client_id(), "iat": now, "exp": now + ID_TOKEN_SECONDS}

    def get_encode_header(self, client: _Client) -> dict[str, str]:
        return {"alg": "ES256", "kid": str(client.server.key.kid)}

    def generate_user_info(self, user: Account, scope: str) -> dict[str, Any]:
        return user.id_claims(scope)


def _bearer_token(grant_type: str, client: _Client, scope: str, **_: object) -> dict[str, Any]:  # noqa: ARG001 - Authlib's
    return {
        "token_type": "Bearer",
        "access_token": secrets.token_urlsafe(32),
        "expires_in": TOKEN_SECONDS,
        "scope": scope,
    }
