"""Who is let in by a token, and with which words others are turned away."""

from time import time

import pytest
from solders.keypair import Keypair

from tests.cases import every_case
from tests.sandbox.relay.tokens import did, token
from walletmodal.sandbox.relay.tokens import EXPIRED, LEEWAY, NOT_YET_VALID, TokenRefusedError, client_of

KEY = Keypair()


def test_the_client_is_the_key_that_signed() -> None:
    assert client_of(token(KEY), time()) == did(KEY)


@pytest.mark.parametrize(
    "audience",
    ["ws://localhost:8700/relay", "ws://127.0.0.1:9", "wss://relay.walletconnect.com", "ws://[::1]:8700/relay"],
)
def test_a_token_for_this_relay_or_the_public_one_is_taken(audience: str) -> None:
    assert client_of(token(KEY, aud=audience), time()) == did(KEY)


def test_a_clock_that_is_a_little_wrong_is_forgiven() -> None:
    assert client_of(token(KEY, iat=int(time()) + LEEWAY - 5, exp=int(time()) - LEEWAY + 5), time())


@pytest.mark.parametrize("claim", ["iat", "nbf"])
def test_a_token_of_the_future_is_refused_in_the_public_relays_words(claim: str) -> None:
    with pytest.raises(TokenRefusedError) as refused:
        client_of(token(KEY, **{claim: int(time()) + 3600}), time())
    assert str(refused.value) == NOT_YET_VALID == "JWT validation error: JWT Token is not yet valid"


def test_an_old_token_is_refused() -> None:
    with pytest.raises(TokenRefusedError, match=EXPIRED):
        client_of(token(KEY, exp=int(time()) - 3600), time())


@every_case(
    "wrong",
    [
        token(KEY, signer=Keypair()),
        token(KEY, header={"alg": "none"}),
        token(KEY, header={"alg": "HS256"}),
        token(KEY, header=[1]),
        token(KEY, aud="wss://relay.example"),
        token(KEY, aud=["ws://localhost"]),
        token(KEY, aud=None),
        token(KEY, iss="did:key:z6"),
        token(KEY, iss="did:web:example"),
        token(KEY, iss=None),
        token(KEY, iss=7),
        token(KEY, exp=None),
        token(KEY, exp="soon"),
        token(KEY, exp=True),
        token(KEY) + "AAAA",
        token(KEY) + ".x",
        token(KEY, sub="x" * 3000),
        "a.b.c",
        "....",
        "",
        "é.é.é",
        "e30.e30.",
    ],
)
def test_anything_else_is_refused(wrong: str) -> None:
    with pytest.raises(TokenRefusedError, match=r"^JWT validation error: "):
        client_of(wrong, time())
