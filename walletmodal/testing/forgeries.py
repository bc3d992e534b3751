"""Tokens that nobody may be signed in by: those that a host's login is tested with."""

import base64
import json
from datetime import datetime, timedelta
from typing import Any, Final

import jwt

from walletmodal.core.sign_in.token_claims import TOKEN_ALGORITHM
from walletmodal.services.sign_in.keys import SigningKey, new_key

ELSEWHERE: Final = "https://elsewhere.example"
SOMEBODY_ELSE: Final = "eip155:1:0x00000000000000000000000000000000DeaDBeef"


def forged_tokens(token: str, key: SigningKey, now: datetime) -> dict[str, str]:
    """What may be made of a valid token, each by what is wrong with it.

    Args:
        token: a valid one.
        key: that signed it.
        now: the time of whoever is to refuse them.
    """
    header: dict[str, Any] = jwt.get_unverified_header(token)
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    _, _, signature = token.split(".")
    stranger = new_key()

    def signed(by: SigningKey = key, kid: str = key.kid, **changes: object) -> str:
        return jwt.encode({**claims, **changes}, by.private, TOKEN_ALGORITHM, {**header, "kid": kid})

    def at(start: timedelta) -> str:
        issued = now + start
        return signed(iat=int(issued.timestamp()), exp=int((issued + timedelta(minutes=1)).timestamp()))

    return {
        "no token": "not.a.token",
        "without a signature": f"{_part({**header, 'alg': 'none'})}.{_part(claims)}.",
        "altered after signing": f"{_part(header)}.{_part({**claims, 'sub': SOMEBODY_ELSE})}.{signature}",
        "signed with the published key as a password": _symmetric(header, claims, key),
        "signed with somebody else's key": signed(stranger),
        "signed with a key that is not published": signed(stranger, stranger.kid),
        "for another page": signed(aud=ELSEWHERE),
        "of another modal": signed(iss=ELSEWHERE),
        "expired": at(timedelta(hours=-1)),
        "not yet valid": at(timedelta(hours=1)),
        "valid for too long": signed(exp=claims["iat"] + 86_400),
    }


def _symmetric(header: dict[str, Any], claims: dict[str, Any], key: SigningKey) -> str:
    return jwt.encode(claims, key.public["x"].encode() * 2, "HS256", {**header, "alg": "HS256"})


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode("ascii")
