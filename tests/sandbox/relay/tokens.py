"""Tokens as clients of the relay make them."""

import base64
import json
import time
from typing import Any

import base58
from solders.keypair import Keypair


def did(key: Keypair) -> str:
    """The client's name."""
    named = base58.b58encode(b"\xed\x01" + bytes(key.pubkey())).decode()
    return f"did:key:z{named}"


def token(key: Keypair, *, header: Any = None, signer: Any = None, **claims: object) -> str:
    """A token of a client, valid for a day from now; a claim that is None is left out.

    Args:
        key: the client's.
        header: another one than the usual.
        signer: whose signature it carries instead.
        claims: in the place of the usual ones.
    """
    now = int(time.time())
    usual = {"iss": did(key), "sub": "00" * 32, "aud": "ws://localhost:8700/relay", "iat": now, "exp": now + 86_400}
    body = {name: value for name, value in (usual | claims).items() if value is not None}
    signed = f"{_part(header or {'alg': 'EdDSA', 'typ': 'JWT'})}.{_part(body)}"
    return f"{signed}.{_base64url(bytes((signer or key).sign_message(signed.encode())))}"


def _part(value: object) -> str:
    return _base64url(json.dumps(value).encode())


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
