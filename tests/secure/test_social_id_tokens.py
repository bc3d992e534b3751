"""ID tokens that must not log anybody in: forged, foreign, or not of this moment."""

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.secure.mailbox import Mailbox
from tests.secure.social_stage import LOGIN, Stage, staged
from walletmodal.secure.encoding import decode


@pytest_asyncio.fixture
async def stage(secure_url: str, mailbox: Mailbox) -> AsyncIterator[Stage]:
    async with staged(secure_url, mailbox) as found:
        yield found


def claims_of(token: str) -> dict[str, Any]:
    found: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return found


def with_claims(stage: Stage, **changes: Any) -> Callable[[str], str]:
    """A token of the provider's own key that says something else; None leaves a claim out."""
    key = stage.providers._providers["google"].key

    def forged(token: str) -> str:
        claims = {name: value for name, value in (claims_of(token) | changes).items() if value is not None}
        return jwt.encode(claims, key.as_pem(private=True), "ES256", {"kid": key.kid})

    return forged


def b64(value: object) -> str:
    return urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def unsigned(token: str) -> str:
    return f"{b64({'alg': 'none', 'kid': 'google-1'})}.{b64(claims_of(token))}."


def signed_with_the_public_key(stage: Stage) -> Callable[[str], str]:
    public = stage.providers._providers["google"].key.as_pem(private=False)

    def forged(token: str) -> str:
        signed = f"{b64({'alg': 'HS256', 'kid': 'google-1'})}.{b64(claims_of(token))}"
        mac = hmac.digest(public, signed.encode(), "sha256")
        return f"{signed}.{urlsafe_b64encode(mac).rstrip(b'=').decode()}"

    return forged


def signed_by_another(token: str) -> str:
    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return jwt.encode(claims_of(token), pem, "ES256", {"kid": "google-1"})


FORGED: Final[dict[str, Callable[[Stage], Callable[[str], Any]]]] = {
    "another nonce": lambda stage: with_claims(stage, nonce="other"),
    "no nonce": lambda stage: with_claims(stage, nonce=None),
    "another client": lambda stage: with_claims(stage, aud="other"),
    "several clients": lambda stage: with_claims(stage, aud=["sandbox-google", "other"]),
    "for another party": lambda stage: with_claims(stage, aud=["sandbox-google", "other"], azp="other"),
    "another issuer": lambda stage: with_claims(stage, iss="https://evil.example"),
    "another provider": lambda stage: with_claims(stage, iss=f"{LOGIN}/apple"),
    "over": lambda stage: with_claims(stage, exp=int(stage.clock.now().timestamp()) - 61),
    "without an end": lambda stage: with_claims(stage, exp=None),
    "of tomorrow": lambda stage: with_claims(stage, iat=int(stage.clock.now().timestamp()) + 86_400),
    "no subject": lambda stage: with_claims(stage, sub=None),
    "an empty subject": lambda stage: with_claims(stage, sub=""),
    "unsigned": lambda _: unsigned,
    "signed with the public key": signed_with_the_public_key,
    "signed by another": lambda _: signed_by_another,
    "cut off": lambda _: lambda token: token[:-6],
    "no token": lambda _: lambda _: None,
    "a number": lambda _: lambda _: 7,
    "huge": lambda _: lambda token: token + "A" * 20_000,
}


@pytest.mark.parametrize("forged", FORGED)
async def test_an_id_token_that_does_not_count_logs_nobody_in(stage: Stage, forged: str) -> None:
    change = FORGED[forged](stage)
    stage.line.change = lambda said: said | {"id_token": change(said["id_token"])}
    assert await stage.failure("google") == "provider"


async def test_an_id_token_of_an_unknown_key_asks_for_the_keys_once_a_minute(stage: Stage) -> None:
    key = stage.providers._providers["google"].key
    stage.line.change = lambda said: (
        said
        | {"id_token": jwt.encode(claims_of(said["id_token"]), key.as_pem(private=True), "ES256", {"kid": "other"})}
    )
    for _ in range(3):
        assert await stage.failure("google") == "provider"
    assert stage.line.asked.count("/login/google/jwks") == 1


async def test_a_provider_may_change_its_keys(stage: Stage) -> None:
    await stage.log_in("google")
    stage.providers.reset()
    stage.providers._providers["google"].key.ensure_kid()
    stage.clock.advance(3601)
    assert "session" in await stage.log_in("google")


async def test_the_nonce_is_bound_to_device_and_state(stage: Stage) -> None:
    device = stage.world.device()
    _, url = await stage.begin("google", device)
    query = dict(parse_qsl(urlsplit(await stage.led_away(stage.browser(), url)).query))
    text = f"{hashlib.sha256(decode(device.point)).hexdigest()}.{query['state']}"
    assert query["nonce"] == urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
