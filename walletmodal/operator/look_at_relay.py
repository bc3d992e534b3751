"""The doctor on the relay: whether it lets a client in as it would a visitor's page, and takes a subscription."""

import json
import secrets
import time
from typing import Any, Final, Literal
from urllib.parse import urlencode, urlsplit

import base58
import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException

from walletmodal.config import Settings
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.core.text.display_text import clean_text
from walletmodal.operator.findings import Finding, certificate_of, failed, host_of, ok
from walletmodal.services.http.authorities import is_unknown_authority, usual_authorities

_PART: Final = "RELAY_URL"
_SECONDS: Final = 6.0
_TOKEN_SECONDS: Final = 3600
_ED25519: Final = b"\xed\x01"
_MAX_REASON: Final = 200
_MAX_FRAME: Final = 65_536


async def relay(settings: Settings, url: str) -> Finding:
    """One connection in the name of the deployment's project and its first host page, and one subscription to nobody's topic."""
    query = {"auth": _token(url), "projectId": settings.project_id, "useOnCloseEvent": "true"}
    asked = f"{url}/?{urlencode({name: value for name, value in query.items() if value})}"
    origin: Any = next(iter(settings.allowed_origins), settings.own_origin)
    # As the other services are asked: over a proxy of the environment, but for this machine.
    proxy: Literal[True] | None = None if is_loopback_host(urlsplit(url).hostname or "") else True
    try:
        async with connect(
            asked,
            origin=origin,
            open_timeout=_SECONDS,
            close_timeout=1,
            max_size=_MAX_FRAME,
            proxy=proxy,
            ssl=usual_authorities() if url.startswith("wss:") else None,
        ) as socket:
            refused = await _subscribe(socket)
    except InvalidStatus as error:
        return failed(_PART, f"{host_of(url)} answers with status {error.response.status_code}")
    except ConnectionClosed as error:
        reason = error.rcvd.reason if error.rcvd else ""
        return failed(_PART, f"{host_of(url)} refuses the connection{_because(reason)}")
    except (InvalidHandshake, WebSocketException, OSError, ValueError) as error:
        if is_unknown_authority(error):
            return failed(_PART, certificate_of(host_of(url)))
        return failed(_PART, f"{host_of(url)} does not answer as a relay ({type(error).__name__})")
    if refused is not None:
        return failed(_PART, f"{host_of(url)} refuses PROJECT_ID, the host page or the subscription{_because(refused)}")
    return ok(_PART, f"{host_of(url)} takes a subscription")


async def _subscribe(socket: ClientConnection) -> str | None:
    """Why it was refused; None where it was not."""
    number = time.time_ns() // 1000
    asked = {
        "id": number,
        "jsonrpc": "2.0",
        "method": "irn_subscribe",
        "params": {"topic": secrets.token_hex(32)},
    }
    await socket.send(json.dumps(asked))
    while True:
        told = read_json(await socket.recv(decode=False))
        if isinstance(told, dict) and told.get("id") in (number, 0) and "method" not in told:
            error = told.get("error")
            return None if error is None else str(error.get("message", "")) if isinstance(error, dict) else ""


def _token(url: str) -> str:
    """By which a client says who it is: a key that nobody has used before."""
    key = Ed25519PrivateKey.generate()
    now = int(time.time())
    claims = {
        "iss": f"did:key:z{base58.b58encode(_ED25519 + key.public_key().public_bytes_raw()).decode()}",
        "sub": secrets.token_hex(32),
        "aud": url,
        "iat": now,
        "exp": now + _TOKEN_SECONDS,
    }
    return jwt.encode(claims, key, algorithm="EdDSA")


def _because(reason: str) -> str:
    text = clean_text(reason, limit=_MAX_REASON)
    return f": {text}" if text else ""
