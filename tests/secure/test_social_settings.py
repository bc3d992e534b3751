"""The settings of social logins and Farcaster."""

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import ValidationError

from tests.secure.social_stage import SOCIAL_SETTINGS
from tests.secure.world import settings_for
from walletmodal.secure.social.providers import OWN


def settings(**changed: Any) -> Any:
    return settings_for("sqlite:///nowhere.db", "smtp://localhost:1", **changed)


def test_nothing_is_offered_that_is_not_set() -> None:
    assert (settings().social_clients, settings().farcaster_relay) == ({}, None)


def test_a_provider_is_at_its_own_addresses_unless_another_stands_for_it() -> None:
    clients = {name: value for name, value in SOCIAL_SETTINGS.items() if name != "social_url"}
    assert {one: found[0] for one, found in settings(**clients).social_clients.items()} == dict(OWN)
    stood_for, _ = settings(**SOCIAL_SETTINGS).social_clients["x"]
    assert (stood_for.authorize, stood_for.api) == ("http://localhost:8700/login/x", "http://localhost:8700/login/x")


@pytest.mark.parametrize(
    "missing", [name for name in SOCIAL_SETTINGS if name not in ("social_url", "farcaster_relay_url")]
)
def test_a_client_that_is_set_in_part_is_an_error_that_names_what_is_missing(missing: str) -> None:
    with pytest.raises(ValidationError, match=f"{missing.upper()}: must be set where SOCIAL_"):
        settings(**(SOCIAL_SETTINGS | {missing: None}))


def test_the_lines_of_apples_key_may_be_written_as_one() -> None:
    key = SOCIAL_SETTINGS["social_apple_private_key"]
    _, client = settings(**(SOCIAL_SETTINGS | {"social_apple_private_key": key.replace("\n", "\\n")})).social_clients[
        "apple"
    ]
    assert client.secret == key


def test_another_key_than_apples_is_refused() -> None:
    other = ed25519.Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for key in ("no key", other.decode()):
        with pytest.raises(ValidationError, match="as Apple gives it"):
            settings(**(SOCIAL_SETTINGS | {"social_apple_private_key": key}))


def test_the_public_relay_has_a_name() -> None:
    assert settings(farcaster_relay_url="public").farcaster_relay == "https://relay.farcaster.xyz"


def test_no_secret_is_shown() -> None:
    found = settings(**SOCIAL_SETTINGS)
    shown = repr(found) + repr(found.social_clients)
    secrets = [value for name, value in SOCIAL_SETTINGS.items() if name.endswith(("_secret", "_private_key"))]
    assert [one for one in secrets if one in shown] == []
