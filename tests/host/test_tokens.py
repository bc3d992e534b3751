"""Sign-in tokens, from the modal that signs them to the host that verifies them; and what nobody is signed in by."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP384R1, generate_private_key
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.clock import MovableClock
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.sign_in.token_claims import MAX_KEYS, MAX_TOKEN, TOKEN_LIFETIME, TOKEN_TYPE
from walletmodal.host import PublishedKeys, TokenError, read_token
from walletmodal.services.sign_in import SigningKey, SignInTokens
from walletmodal.services.sign_in.keys import new_key

MODAL, PAGE = "https://modal.example", "https://app.example"
ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
KEY, OTHER_KEY = new_key(), new_key()
KEYS = PublishedKeys({"keys": [KEY.public]})
SESSION = SignInSession(
    id="5e55" * 8,
    origin=PAGE,
    chain="eip155:1",
    address=ADDRESS,
    statement="",
    request_id="host-nonce",
    text="",
    signature="",
    nonce="nonce0001",
    issued_at=NOW,
    proven_at=NOW,
    expires_at=NOW + timedelta(days=7),
)
CLAIMS: dict[str, Any] = {
    "iss": MODAL,
    "aud": PAGE,
    "sub": f"eip155:1:{ADDRESS}",
    "iat": int(NOW.timestamp()),
    "exp": int((NOW + TOKEN_LIFETIME).timestamp()),
    "jti": "one",
    "sid": SESSION.id,
    "nonce": "host-nonce",
}
HEADER: dict[str, Any] = {"kid": KEY.kid, "typ": TOKEN_TYPE}


class OneKey:
    """Keys of a modal that has one."""

    def __init__(self, key: SigningKey = KEY) -> None:
        self.key = key

    async def current(self) -> SigningKey:
        return self.key


def signed(claims: dict[str, Any] | None = None, header: dict[str, Any] | None = None, key: Any = None, algorithm: str = "ES256") -> str:  # fmt: skip
    return jwt.encode({**CLAIMS, **(claims or {})}, KEY.private if key is None else key, algorithm, {**HEADER, **(header or {})})  # fmt: skip


def checked(token: object, **changes: Any) -> Any:
    given = {"keys": KEYS, "issuer": MODAL, "audience": PAGE, "now": NOW, **changes}
    return read_token(token, **given)


def part(value: object) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


async def test_a_host_learns_who_is_signed_in() -> None:
    minted = await SignInTokens(OneKey(), MODAL, clock=MovableClock(NOW)).mint(SESSION)
    signed_in = checked(minted.token, nonce="host-nonce")
    assert (signed_in.account, signed_in.address, signed_in.chain_id) == (f"eip155:1:{ADDRESS}", ADDRESS, "eip155:1")
    assert (signed_in.origin, signed_in.session_id, signed_in.nonce) == (PAGE, SESSION.id, "host-nonce")
    assert (signed_in.issued_at, signed_in.expires_at) == (NOW, NOW + TOKEN_LIFETIME)
    assert minted.expires_at == signed_in.expires_at


async def test_no_two_tokens_are_the_same() -> None:
    tokens = SignInTokens(OneKey(), MODAL, clock=MovableClock(NOW))
    ids = {jwt.decode((await tokens.mint(SESSION)).token, options={"verify_signature": False})["jti"] for _ in range(9)}
    assert len(ids) == 9


async def test_a_token_does_not_outlive_its_session() -> None:
    ends = NOW + timedelta(seconds=40)
    minted = await SignInTokens(OneKey(), MODAL, clock=MovableClock(NOW)).mint(replace(SESSION, expires_at=ends))
    assert minted.expires_at == ends


@pytest.mark.parametrize("change", [{"revoked_at": NOW}, {"expires_at": NOW}])
async def test_a_session_that_is_over_gets_no_token(change: dict[str, Any]) -> None:
    with pytest.raises(TokenError) as refused:
        await SignInTokens(OneKey(), MODAL, clock=MovableClock(NOW)).mint(replace(SESSION, **change))
    assert refused.value.fault == "revoked"


def test_a_token_of_the_form_that_is_documented_is_verified() -> None:
    assert checked(signed()).account == CLAIMS["sub"]


def none_algorithm(_: str) -> str:
    return f"{part({'alg': 'none', **HEADER})}.{part(CLAIMS)}."


def none_with_signature(token: str) -> str:
    return f"{part({'alg': 'none', **HEADER})}.{token.split('.')[1]}.{token.split('.')[2]}"


def public_key_as_a_password(_: str) -> str:
    """The oldest trick: the published key, which everybody has, as the secret of a symmetric algorithm."""
    secret = part(KEY.public["x"].encode()) * 2
    return jwt.encode(CLAIMS, secret, "HS256", HEADER)


def altered(field: str, value: object) -> Callable[[str], str]:
    def change(token: str) -> str:
        header, _, signature = token.split(".")
        return f"{header}.{part({**CLAIMS, field: value})}.{signature}"

    return change


def with_header(**members: object) -> Callable[[str], str]:
    return lambda _: signed(header=dict(members))


def without(*names: str) -> Callable[[str], str]:
    left = {name: value for name, value in CLAIMS.items() if name not in names}
    return lambda _: jwt.encode(left, KEY.private, "ES256", HEADER)


def claims(**members: object) -> Callable[[str], str]:
    return lambda _: signed(dict(members))


def with_a_loose_bit(token: str) -> str:
    """The last of 86 characters has four bits that no byte of the signature has."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return token[:-1] + letters[letters.index(token[-1]) + 1]


def signed_anew() -> str:
    return signed()


P384 = generate_private_key(SECP384R1())
ATTACKS: dict[str, tuple[Callable[[str], object], str]] = {
    "alg none": (none_algorithm, "form"),
    "alg none with a signature": (none_with_signature, "form"),
    "the public key as a password": (public_key_as_a_password, "form"),
    "another algorithm on another curve": (lambda _: signed(key=P384, algorithm="ES384"), "form"),
    "another key under our key's name": (lambda _: signed(key=OTHER_KEY.private), "signature"),
    "another key under its own name": (lambda _: signed(header={"kid": OTHER_KEY.kid}, key=OTHER_KEY.private), "key"),
    "no key's name": (lambda _: jwt.encode(CLAIMS, KEY.private, "ES256", {"typ": TOKEN_TYPE}), "form"),
    "a key's name that is no text": (lambda token: f"{part({**HEADER, 'alg': 'ES256', 'kid': ['x']})}.{token.split('.', 1)[1]}", "form"),
    "a key of its own in the header": (with_header(jwk=dict(OTHER_KEY.public)), "form"),
    "a place for keys in the header": (with_header(jku="https://evil.example/jwks.json"), "form"),
    "something critical in the header": (with_header(crit=["x"], x=1), "form"),
    "another kind of token of our keys": (with_header(typ="JWT"), "form"),
    "another account": (altered("sub", f"eip155:1:0x{'9' * 40}"), "signature"),
    "a later end": (altered("exp", CLAIMS["exp"] + 1), "signature"),
    "another audience": (claims(aud="https://evil.example"), "audience"),
    "our audience among others": (claims(aud=["https://evil.example", PAGE]), "form"),
    "our audience with a slash": (claims(aud=PAGE + "/"), "audience"),
    "another modal": (claims(iss="https://evil.example"), "issuer"),
    "a token that is expired": (claims(iat=CLAIMS["iat"] - 331, exp=CLAIMS["exp"] - 331), "time"),
    "a token that is not yet valid": (claims(iat=CLAIMS["iat"] + 91, exp=CLAIMS["exp"] + 91), "time"),
    "a token that lasts too long": (claims(exp=CLAIMS["exp"] + 1), "time"),
    "a token that counts from later on": (claims(nbf=CLAIMS["iat"] + 91), "time"),
    "a beginning that is no number": (claims(nbf="now"), "form"),
    "a beginning that is true": (claims(nbf=True), "form"),
    "a beginning beyond all time": (claims(nbf=10**18), "form"),
    "a signature with bits that stand for nothing": (with_a_loose_bit, "form"),
    "a signature with padding": (lambda token: token + "==", "form"),
    "a signature in base64's other letters": (lambda _: next(t for t in iter(signed_anew, "") if "_" in t.rpartition(".")[2]).replace("_", "/"), "form"),
    "an end before the beginning": (claims(exp=CLAIMS["iat"] - 1), "form"),
    "an end that is no whole number": (claims(exp=CLAIMS["exp"] + 0.5), "form"),
    "an end that is true": (claims(exp=True), "form"),
    "an end beyond all time": (claims(iat=10**18, exp=10**18), "form"),
    "a subject that is no account": (claims(sub=ADDRESS), "form"),
    "a subject that is no text": (without("sub"), "form"),
    "no end": (without("exp"), "form"),
    "no session": (without("sid"), "form"),
    "claims that are a list": (lambda _: jwt.api_jws.encode(b"[1]", KEY.private, "ES256", HEADER), "form"),
    "claims nested without an end": (lambda _: jwt.api_jws.encode(b"[" * 2500, KEY.private, "ES256", HEADER), "form"),
    "a header nested without an end": (lambda _: f"{part(b'[' * 2500)}.{part(CLAIMS)}.x", "form"),
    "an oversized token": (claims(pad="x" * MAX_TOKEN), "form"),
    "nothing": (lambda _: "", "form"),
    "no token": (lambda _: "Bearer", "form"),
    "half a token": (lambda token: token[: len(token) // 2], "form"),
    "no signature": (lambda token: token.rpartition(".")[0] + ".", "signature"),
    "a signature cut short": (lambda token: token[:-6], "signature"),
    "signs that are none of ASCII": (lambda token: token + "ü", "form"),
    "half a character": (lambda token: "\ud800" + token, "form"),
    "bytes": (lambda token: token.encode(), "form"),
    "what is no text": (lambda _: {"token": 1}, "form"),
}  # fmt: skip


@every_case("name", ATTACKS)
def test_nobody_is_signed_in_by(name: str) -> None:
    make, fault = ATTACKS[name]
    with pytest.raises(TokenError) as refused:
        checked(make(signed()))
    assert refused.value.fault == fault
    assert (refused.value.code, refused.value.short_message) == (4100, "The sign-in token is not valid")


@pytest.mark.parametrize("nonce", ["", "another", "host-nonce ", "höst-nonce"])
def test_a_token_for_another_request_of_the_host_is_none_for_this_one(nonce: str) -> None:
    with pytest.raises(TokenError) as refused:
        checked(signed(), nonce=nonce)
    assert refused.value.fault == "nonce"


def test_a_token_may_say_from_when_on_it_counts() -> None:
    assert checked(signed({"nbf": CLAIMS["iat"] + 30}))


@pytest.mark.parametrize("seconds", [-90, 0, 299, 329])
def test_the_clocks_of_modal_and_host_may_differ(seconds: int) -> None:
    assert checked(signed(), now=NOW + timedelta(seconds=seconds))


def test_without_a_time_the_machines_own_counts() -> None:
    now = int(datetime.now(UTC).timestamp())
    assert checked(signed({"iat": now, "exp": now + 60}), now=None)
    with pytest.raises(TokenError):
        checked(signed(), now=None)


@given(st.data())
def test_a_token_with_one_other_character_says_nothing_else(data: st.DataObject) -> None:
    token = signed()
    at = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.sampled_from("abcXYZ019-_.=") | st.characters())
    try:
        signed_in = checked(token[:at] + other + token[at + 1 :])
    except TokenError:
        return
    assert signed_in == checked(token)


@given(st.text() | st.binary() | st.integers() | st.none())
def test_nothing_that_is_handed_in_makes_it_fail(token: object) -> None:
    with pytest.raises(TokenError):
        checked(token)


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"keys": None},
        {"keys": {"a": 1}},
        {"keys": [None, 5, {}, {"kid": KEY.kid}]},
        {"keys": [{**KEY.public, "kty": "RSA"}]},
        {"keys": [{**KEY.public, "crv": "P-384"}]},
        {"keys": [{**KEY.public, "alg": "HS256"}]},
        {"keys": [{**KEY.public, "y": KEY.public["x"]}]},
        {"keys": [{**KEY.public, "x": "!"}]},
        {"keys": [{**KEY.public, "kid": 5}]},
        {"keys": [*[dict(OTHER_KEY.public) for _ in range(MAX_KEYS)], KEY.public]},
    ],
)
def test_what_is_no_key_of_ours_verifies_nothing(document: object) -> None:
    with pytest.raises(TokenError) as refused:
        checked(signed(), keys=PublishedKeys(document))
    assert refused.value.fault == "key"


def test_a_key_that_cannot_be_read_does_not_hide_the_others() -> None:
    assert checked(signed(), keys=PublishedKeys({"keys": [{"kid": "x"}, {**OTHER_KEY.public, "x": ""}, KEY.public]}))


def test_the_module_of_hosts_brings_no_library_of_the_server() -> None:
    heavy = ("reflex", "web3", "eth_account", "eth_utils", "pydantic", "sqlalchemy", "starlette", "httpx", "solders")
    code = f"import sys, walletmodal.host; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
