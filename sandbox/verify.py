"""The attestation service: it certifies to wallets which page a proposal comes from.

An SDK in a page loads `/v3/attestation` in a hidden frame; the frame posts a signed token to its parent, if that has the origin
which it claims, and the SDK sends it along. Wallets check it with the key at `/v3/public-key`.
"""

import base64
import html
import json
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from Crypto.Hash import SHA256
from Crypto.PublicKey import ECC
from Crypto.Signature import DSS
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.parsing.urls import is_loopback_host, is_web_url
from walletmodal.sandbox.answers import json_answer, refusal, service_app

TOKEN_SECONDS: Final = 3600
KEY_SECONDS: Final = 86_400
MAX_ATTESTED: Final = 1000

_HEX: Final = frozenset("0123456789abcdef")

# The browser itself proves the claim: it hands the message to a parent of that origin and to no other.
_PAGE: Final = """<!doctype html>
<meta charset="utf-8">
<title>Attestation</title>
<script nonce="{nonce}" data-message="{message}" data-origin="{origin}">
  const {{ message, origin }} = document.currentScript.dataset;
  if (parent !== window) parent.postMessage(message, origin);
</script>
"""


def verify_service(clock: Clock | None = None) -> Starlette:
    """The service's routes.

    Args:
        clock: by which tokens expire.
    """
    routes = _Verify(clock or SystemClock())
    return service_app(
        [
            Route("/v3/attestation", routes.attest, methods=["GET"]),
            Route("/v3/public-key", routes.public_key, methods=["GET"]),
            Route("/attestation/{id}", routes.attested, methods=["GET"]),
        ]
    )


class _Verify:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._key = ECC.generate(curve="P-256")
        # Origins by the hash of what was attested, for wallets that ask for that instead of a token.
        self._attested: OrderedDict[str, str] = OrderedDict()

    async def attest(self, request: Request) -> Response:
        """`GET /v3/attestation`: the page for the hidden frame."""
        query = request.query_params
        number, hashed, origin = query.get("id", ""), query.get("decryptedId", ""), query.get("origin", "")
        if not _is_hash(number):
            return refusal(400, "id", "The hash of the sealed message, 64 hexadecimal digits")
        if hashed and not _is_hash(hashed):
            return refusal(400, "decryptedId", "The hash of the message, 64 hexadecimal digits")
        if not is_web_url(origin) or urlsplit(origin).geturl() != "{0.scheme}://{0.netloc}".format(urlsplit(origin)):
            return refusal(400, "origin", "An origin such as https://app.example")
        if hashed:
            self._remember(hashed, origin)
        token = self._signed({"id": number, "exp": self._now() + TOKEN_SECONDS, **_judged(origin)})
        nonce = secrets.token_urlsafe(16)
        message = json.dumps({"type": "verify_attestation", "attestation": token})
        page = _PAGE.format(nonce=nonce, message=html.escape(message), origin=html.escape(origin))
        policy = f"default-src 'none'; script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'"
        return HTMLResponse(page, headers={"content-security-policy": policy, "cache-control": "no-store"})

    async def public_key(self, _: Request) -> Response:
        """`GET /v3/public-key`: the key of the tokens, as JSON Web Key."""
        point = self._key.pointQ
        key = {
            "kty": "EC",
            "crv": "P-256",
            "x": _base64url(point.x.to_bytes(32)),
            "y": _base64url(point.y.to_bytes(32)),
            "ext": True,
            "key_ops": ["verify"],
        }
        return json_answer({"publicKey": key, "expiresAt": self._now() + KEY_SECONDS})

    async def attested(self, request: Request) -> Response:
        """`GET /attestation/{id}`: what was attested of the message with this hash."""
        number = request.path_params["id"]
        origin = self._attested.get(number)
        if origin is None:
            return refusal(404, "id", "Nothing was attested of this message")
        return json_answer({"attestationId": number, **_judged(origin)})

    def _remember(self, number: str, origin: str) -> None:
        self._attested[number] = origin
        if len(self._attested) > MAX_ATTESTED:
            self._attested.popitem(last=False)

    def _signed(self, claims: Mapping[str, object]) -> str:
        parts = ({"alg": "ES256", "typ": "JWT"}, claims)
        text = ".".join(_base64url(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
        signature = DSS.new(self._key, "fips-186-3").sign(SHA256.new(text.encode()))
        return f"{text}.{_base64url(signature)}"

    def _now(self) -> int:
        return int(self._clock.now().timestamp())


def _judged(origin: str) -> dict[str, object]:
    """What the service thinks of an origin: it knows the pages of this machine, and nothing bad of anybody."""
    return {"origin": origin, "isVerified": is_loopback_host(urlsplit(origin).hostname or ""), "isScam": False}


def _is_hash(text: str) -> bool:
    return len(text) == 64 and _HEX.issuperset(text)


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _described() -> dict[str, Any]:
    refused = {"$ref": "#/components/responses/Refused"}
    digits = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    text = {"type": "string"}
    judged = {"origin": text, "isVerified": {"type": "boolean"}, "isScam": {"type": "boolean"}}

    def answer(properties: dict[str, Any], description: str) -> dict[str, Any]:
        schema = {"type": "object", "required": list(properties), "properties": properties}
        return {"description": description, "content": {"application/json": {"schema": schema}}}

    key = {"type": "object", "required": ["kty", "crv", "x", "y"]}
    page = {"description": "It posts the token to its parent.", "content": {"text/html": {"schema": text}}}
    return {
        "/verify/v3/attestation": {
            "get": {
                "tags": ["verify"],
                "summary": "The page that attests, for a hidden frame",
                "parameters": [
                    {"name": "id", "in": "query", "required": True, "schema": digits},
                    {"name": "decryptedId", "in": "query", "schema": digits},
                    {
                        "name": "origin",
                        "in": "query",
                        "required": True,
                        "schema": text,
                        "example": "https://app.example",
                    },
                    {"name": "projectId", "in": "query", "schema": text, "description": "Taken, and not insisted on."},
                ],
                "responses": {"200": page, "400": refused},
            }
        },
        "/verify/v3/public-key": {
            "get": {
                "tags": ["verify"],
                "summary": "The key of the tokens",
                "responses": {"200": answer({"publicKey": key, "expiresAt": {"type": "integer"}}, "The key.")},
            }
        },
        "/verify/attestation/{id}": {
            "get": {
                "tags": ["verify"],
                "summary": "What was attested of a message",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": digits}],
                "responses": {"200": answer({"attestationId": text, **judged}, "It was attested."), "404": refused},
            }
        },
    }


OPENAPI: Final[dict[str, Any]] = {"paths": _described()}
