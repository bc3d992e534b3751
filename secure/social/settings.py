"""The settings of social logins and Farcaster: what is not set is not offered."""

from typing import Annotated, Final, Self

from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings

from walletmodal.config.types import ServiceUrl
from walletmodal.secure.social.providers import OWN, Client, Provider, at

PUBLIC_RELAY: Final = "https://relay.farcaster.xyz"


def _ec_key(secret: SecretStr) -> SecretStr:
    # In a `.env` file, and in many an environment, the lines of a PEM are written as one.
    text = secret.get_secret_value().replace("\\n", "\n")
    try:
        key = load_pem_private_key(text.encode(), None)
    except (ValueError, TypeError):
        raise ValueError("must be a private key in PEM, as Apple gives it") from None
    if getattr(getattr(key, "curve", None), "name", "") != "secp256r1":
        raise ValueError("must be a key of P-256, as Apple gives it")
    return SecretStr(text)


ClientId = Annotated[str, Field(pattern=r"^[!-~]{1,255}$", examples=["0123456789.apps.googleusercontent.com"])]
ClientSecret = Annotated[SecretStr, Field(min_length=1, max_length=512, examples=["<the provider's secret>"])]
AppleId = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,32}$", examples=["ABCDE12345"])]
PrivateKey = Annotated[SecretStr, AfterValidator(_ec_key), Field(examples=["-----BEGIN PRIVATE KEY-----\\n…"])]


class SocialSettings(BaseSettings):
    """The clients of the providers, and Farcaster's relay."""

    social_url: Annotated[ServiceUrl, Field(examples=["http://localhost:8700/login"])] | None = None
    social_google_client_id: ClientId | None = None
    social_google_client_secret: ClientSecret | None = None
    social_apple_client_id: ClientId | None = None
    social_apple_team_id: AppleId | None = None
    social_apple_key_id: AppleId | None = None
    social_apple_private_key: PrivateKey | None = None
    social_facebook_client_id: ClientId | None = None
    social_facebook_client_secret: ClientSecret | None = None
    social_github_client_id: ClientId | None = None
    social_github_client_secret: ClientSecret | None = None
    social_x_client_id: ClientId | None = None
    social_x_client_secret: ClientSecret | None = None
    social_discord_client_id: ClientId | None = None
    social_discord_client_secret: ClientSecret | None = None
    farcaster_relay_url: Annotated[ServiceUrl, Field(examples=["public", PUBLIC_RELAY])] | None = None

    @model_validator(mode="after")
    def _clients_complete(self) -> Self:
        for provider in OWN:
            names = _names(provider)
            given = [name for name in names if getattr(self, name) is not None]
            missing = next((name for name in names if name not in given), None)
            if given and missing:
                raise ValueError(f"{missing.upper()}: must be set where {given[0].upper()} is")
        return self

    @property
    def social_clients(self) -> dict[str, tuple[Provider, Client]]:
        """The providers that are offered, by their ids, and who this site is at each."""
        found: dict[str, tuple[Provider, Client]] = {}
        for provider in OWN:
            values = [getattr(self, name) for name in _names(provider)]
            if None in values:
                continue
            secret = values[-1].get_secret_value()
            team, key = (values[1], values[2]) if provider == "apple" else ("", "")
            own = OWN[provider] if self.social_url is None else at(self.social_url, OWN[provider])
            found[provider] = own, Client(values[0], secret, team=team, key_id=key)
        return found

    @property
    def logins(self) -> tuple[str, ...]:
        """Ways to log in besides email: `social` where a provider is offered, `farcaster`."""
        found = {"social": bool(self.social_clients), "farcaster": self.farcaster_relay is not None}
        return tuple(name for name, offered in found.items() if offered)

    @property
    def farcaster_relay(self) -> str | None:
        """FARCASTER_RELAY_URL, `public` resolved."""
        return PUBLIC_RELAY if self.farcaster_relay_url == "public" else self.farcaster_relay_url


def _names(provider: str) -> tuple[str, ...]:
    """The settings of a provider's client, its secret last."""
    parts = ("client_id", "team_id", "key_id", "private_key") if provider == "apple" else ("client_id", "client_secret")
    return tuple(f"social_{provider}_{part}" for part in parts)
