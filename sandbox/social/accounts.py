"""Who somebody says that they are at a provider, and what of it the provider tells its clients."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from starlette.datastructures import FormData

from walletmodal.sandbox.social.providers import Provider

MAX_FIELD = 254


class AccountError(ValueError):
    """The form makes no account; the text says why."""


@dataclass(frozen=True)
class Account:
    """An account, known by its name: the mail can change hands, and does not make it another.

    Attributes:
        provider: where it is.
        name: as shown.
        email: its mail.
        verified: whether the provider says that it is.
        gives_email: whether the client is told the mail; Apple tells an address of its relay instead.
    """

    provider: Provider
    name: str
    email: str
    verified: bool
    gives_email: bool

    @classmethod
    def of_form(cls, provider: Provider, form: FormData) -> Self:
        """The account of a filled form.

        Raises:
            AccountError: there is no name, or no mail.
        """
        name, email = (str(form.get(field) or "").strip() for field in ("name", "email"))
        if not 0 < len(name) <= MAX_FIELD:
            raise AccountError("An account has a name")
        if len(email) > MAX_FIELD or email.count("@") != 1:
            raise AccountError("An account has a mail, whether or not the site is told")
        return cls(provider, name, email, form.get("verified") == "on", form.get("gives_email") == "on")

    @property
    def subject(self) -> str:
        """Its id at the provider, the same for the same name."""
        return self.provider.subject(sha256(f"{self.provider.id}\n{self.name.casefold()}".encode()).digest())

    @property
    def handle(self) -> str:
        """What GitHub, X and Discord call it."""
        return "".join(char for char in self.name.casefold() if char.isalnum()) or "somebody"

    def id_claims(self, scope: str) -> dict[str, Any]:
        """What its ID token says of it."""
        claims: dict[str, Any] = {"sub": self.subject}
        scopes = scope.split()
        match self.provider.id:
            case "apple":
                if "email" in scopes:
                    # Apple writes truth as text, and has verified whatever it passes on.
                    relayed = f"{self.subject.split('.')[1][:10]}@privaterelay.appleid.com"
                    claims |= {"email": self.email if self.gives_email else relayed, "email_verified": "true"}
                    claims["is_private_email"] = "false" if self.gives_email else "true"
                if self.gives_email and not self.verified:
                    claims["email_verified"] = "false"
            case "facebook":
                claims["name"] = self.name
                if "email" in scopes and self.gives_email:
                    claims["email"] = self.email
            case _:
                if "profile" in scopes:
                    claims["name"] = self.name
                if "email" in scopes and self.gives_email:
                    claims |= {"email": self.email, "email_verified": self.verified}
        return claims

    def github_user(self) -> dict[str, Any]:
        """GitHub's `GET /user`; the public mail is the visitor's to show, and seldom shown."""
        return {"id": int(self.subject), "login": self.handle, "name": self.name, "email": None, "type": "User"}

    def github_emails(self) -> list[dict[str, Any]]:
        """GitHub's `GET /user/emails`."""
        hidden = f"{self.subject}+{self.handle}@users.noreply.github.com"
        rows = [{"email": hidden, "primary": not self.gives_email, "verified": True, "visibility": None}]
        if self.gives_email:
            rows.append({"email": self.email, "primary": True, "verified": self.verified, "visibility": "private"})
        return rows

    def x_user(self, scope: str) -> dict[str, Any]:
        """X's `GET /2/users/me?user.fields=confirmed_email`."""
        data = {"id": self.subject, "name": self.name, "username": self.handle}
        if "users.email" in scope.split() and self.gives_email and self.verified:
            data["confirmed_email"] = self.email
        return {"data": data}

    def discord_user(self, scope: str) -> dict[str, Any]:
        """Discord's `GET /users/@me`."""
        user: dict[str, Any] = {"id": self.subject, "username": self.handle, "global_name": self.name}
        if "email" in scope.split():
            user |= {"email": self.email if self.gives_email else None, "verified": self.verified}
        return user
