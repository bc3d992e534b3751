"""The six providers: what each asks of its clients, and how it writes its accounts' ids."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Literal

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

SecretForm = Literal["client_secret_post", "client_secret_basic"]

APPLE_TEAM: Final = "SANDBOXTEAM"
APPLE_KEY_ID: Final = "SANDBOXKEY"


def _digits(count: int) -> Callable[[bytes], str]:
    """Ids of so many decimal digits."""
    lowest = 10 ** (count - 1)
    return lambda digest: str(lowest + int.from_bytes(digest, "big") % (9 * lowest))


def _of_apple(digest: bytes) -> str:
    return f"{int.from_bytes(digest[:2], 'big') % 10**6:06d}.{digest.hex()[:32]}.{int.from_bytes(digest[2:4], 'big') % 10**4:04d}"


@dataclass(frozen=True)
class Provider:
    """One provider.

    Attributes:
        id: as in its paths.
        name: for people.
        scopes: that it knows.
        secrets: how a client may show its secret; Apple's is a signed token in the place of the secret.
        oidc: whether it gives ID tokens, for which it insists on a nonce.
        pkce: whether it insists on PKCE.
        form_post: whether the answer comes as a form.
        subject: writes an account's id.
    """

    id: str
    name: str
    scopes: tuple[str, ...]
    secrets: tuple[SecretForm, ...]
    subject: Callable[[bytes], str]
    oidc: bool = False
    pkce: bool = False
    form_post: bool = False

    @property
    def client_id(self) -> str:
        """The id of its one client, the secure site."""
        return f"sandbox-{self.id}"

    @property
    def client_secret(self) -> str:
        """The client's secret; Apple's clients have a key instead."""
        return f"sandbox-{self.id}-secret"


PROVIDERS: Final[Mapping[str, Provider]] = MappingProxyType(
    {
        one.id: one
        for one in (
            Provider(
                "google",
                "Google",
                ("openid", "email", "profile"),
                ("client_secret_post", "client_secret_basic"),
                _digits(21),
                oidc=True,
            ),
            Provider(
                "apple",
                "Apple",
                ("openid", "name", "email"),
                ("client_secret_post",),
                _of_apple,
                oidc=True,
                form_post=True,
            ),
            Provider(
                "facebook",
                "Facebook",
                ("openid", "email", "public_profile"),
                ("client_secret_post",),
                _digits(16),
                oidc=True,
                pkce=True,
            ),
            Provider("github", "GitHub", ("read:user", "user:email"), ("client_secret_post",), _digits(8)),
            Provider(
                "x",
                "X",
                ("users.read", "tweet.read", "users.email", "offline.access"),
                ("client_secret_basic",),
                _digits(19),
                pkce=True,
            ),
            Provider(
                "discord",
                "Discord",
                ("identify", "email"),
                ("client_secret_post", "client_secret_basic"),
                _digits(18),
            ),
        )
    }
)


@cache
def _apple_client_key() -> ec.EllipticCurvePrivateKey:
    """The key that Apple's client signs its secrets with: derived from a published text, and so worth nothing."""
    return ec.derive_private_key(int.from_bytes(sha256(b"walletmodal sandbox: apple").digest(), "big"), ec.SECP256R1())


def apple_client_public_key() -> str:
    """The key that Apple's clients' secrets are verified with, PEM."""
    return (
        _apple_client_key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii")
    )


def social_settings(sandbox_url: str) -> dict[str, str]:
    """The settings of a secure site that uses these providers.

    Args:
        sandbox_url: such as `http://localhost:8700`.
    """
    private = _apple_client_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode("ascii")
    made = {"SOCIAL_URL": f"{sandbox_url}/login", "FARCASTER_RELAY_URL": f"{sandbox_url}/farcaster"}
    for one in PROVIDERS.values():
        name = f"SOCIAL_{one.id.upper()}"
        made[f"{name}_CLIENT_ID"] = one.client_id
        if one.id == "apple":
            made |= {
                f"{name}_TEAM_ID": APPLE_TEAM,
                f"{name}_KEY_ID": APPLE_KEY_ID,
                f"{name}_PRIVATE_KEY": private,
            }
        else:
            made[f"{name}_CLIENT_SECRET"] = one.client_secret
    return made
