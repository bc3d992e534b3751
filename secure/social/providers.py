"""The table of the providers: where each is asked, with what scope, and what is its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

SecretForm = Literal["post", "basic", "signed"]


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider.

    Attributes:
        id: as in our paths and settings.
        name: for people.
        issuer: the first part of an identity; `iss` of ID tokens. spellings: further ones in which it is written there.
        authorize: where the visitor is led.
        code_url: where a code is exchanged.
        keys: where the keys of ID tokens are; "" for a provider that has none, and is asked at `api` who it was.
        api: what the paths of those questions begin with.
        scope: what is asked for; spaces between.
        shows: how the client shows its secret: in the form, by Basic, or as a token that its key signs (Apple).
        pkce: whether it takes a challenge of a client that has a secret.
        form_post: whether it insists on answering with a form of its own page.
    """

    id: str
    name: str
    issuer: str
    authorize: str
    code_url: str
    scope: str
    keys: str = ""
    api: str = ""
    shows: SecretForm = "post"
    spellings: tuple[str, ...] = ()
    pkce: bool = True
    form_post: bool = False


@dataclass(frozen=True, slots=True)
class Client:
    """Who this site is at a provider.

    Attributes:
        id: as registered there.
        secret: of the client; of Apple's, the private key that signs its secrets, PEM.
        team, key_id: at Apple.
    """

    id: str
    secret: str
    team: str = ""
    key_id: str = ""

    def __repr__(self) -> str:
        return f"Client({self.id!r})"


OWN: Final[Mapping[str, Provider]] = MappingProxyType(
    {
        one.id: one
        for one in (
            Provider(
                id="google",
                name="Google",
                issuer="https://accounts.google.com",
                spellings=("accounts.google.com",),
                authorize="https://accounts.google.com/o/oauth2/v2/auth",
                code_url="https://oauth2.googleapis.com/token",
                keys="https://www.googleapis.com/oauth2/v3/certs",
                scope="openid email profile",
            ),
            Provider(
                id="apple",
                name="Apple",
                issuer="https://appleid.apple.com",
                authorize="https://appleid.apple.com/auth/authorize",
                code_url="https://appleid.apple.com/auth/token",
                keys="https://appleid.apple.com/auth/keys",
                scope="name email",
                shows="signed",
                form_post=True,
            ),
            Provider(
                id="facebook",
                name="Facebook",
                issuer="https://www.facebook.com",
                authorize="https://www.facebook.com/v24.0/dialog/oauth",
                code_url="https://graph.facebook.com/v24.0/oauth/access_token",
                keys="https://www.facebook.com/.well-known/oauth/openid/jwks/",
                scope="openid email public_profile",
            ),
            Provider(
                id="github",
                name="GitHub",
                issuer="https://github.com",
                authorize="https://github.com/login/oauth/authorize",
                code_url="https://github.com/login/oauth/access_token",
                api="https://api.github.com",
                scope="read:user user:email",
            ),
            Provider(
                id="x",
                name="X",
                issuer="https://x.com",
                authorize="https://x.com/i/oauth2/authorize",
                code_url="https://api.x.com/2/oauth2/token",
                api="https://api.x.com",
                scope="users.read tweet.read users.email",
                shows="basic",
            ),
            Provider(
                id="discord",
                name="Discord",
                issuer="https://discord.com",
                authorize="https://discord.com/oauth2/authorize",
                code_url="https://discord.com/api/oauth2/token",
                api="https://discord.com/api",
                scope="identify email",
                pkce=False,
            ),
        )
    }
)
"""The providers at their own addresses."""


def at(url: str, provider: Provider) -> Provider:
    """A provider that is stood for by another server, such as the sandbox's.

    Args:
        url: what its addresses begin with, before its id.
        provider: which one.
    """
    base = f"{url.rstrip('/')}/{provider.id}"
    return replace(
        provider,
        issuer=base,
        spellings=(),
        authorize=base,
        code_url=f"{base}/token",
        keys=f"{base}/jwks" if provider.keys else "",
        api=base if provider.api else "",
    )
