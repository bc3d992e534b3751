"""Who somebody is at a provider: issuer and subject. A mail only tells where to write, and only one that the provider calls verified."""

from dataclasses import dataclass
from typing import Any, Final

from walletmodal.secure.errors import CallError
from walletmodal.secure.login.email_address import normal_email

MAX_SUBJECT: Final = 255
MAX_NAME: Final = 64


class ProviderError(Exception):
    """A provider did not say who it was, or not so that it can be believed; the text says why, and names nobody."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody.

    Attributes:
        issuer: of the identity.
        subject: the issuer's own id for them, which it gives to nobody else.
        email: in its one spelling, "" where there is none or it is not verified.
        name: for people, "" where there is none.
    """

    issuer: str
    subject: str
    email: str = ""
    name: str = ""


def subject_of(value: object) -> str:
    """A subject: a text, or a number as GitHub has it.

    Raises:
        ProviderError: it is neither.
    """
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not 0 < len(text) <= MAX_SUBJECT or not text.isascii() or not text.isprintable():
        raise ProviderError("no subject")
    return text


def email_of(value: object, *, verified: bool) -> str:
    """A mail that somebody can be written to, or ""."""
    if not verified or not isinstance(value, str):
        return ""
    try:
        return normal_email(value)
    except CallError:
        return ""


def name_of(*values: object) -> str:
    """The first that is a name: one line, cut where it is long."""
    for value in values:
        if isinstance(value, str):
            line = " ".join("".join(char if char.isprintable() else " " for char in value).split())
            if line:
                return line[:MAX_NAME]
    return ""


def of_claims(provider: str, issuer: str, claims: dict[str, Any], told_name: object) -> Identity:
    """The identity of an ID token that was checked.

    Args:
        provider: its id.
        issuer: in our spelling.
        claims: of the token.
        told_name: what the provider's form said beside it: Apple tells the name there, once.
    """
    # Apple writes truth as text; Facebook says nothing of it.
    verified = claims.get("email_verified") in (True, "true") and provider != "facebook"
    email = email_of(claims.get("email"), verified=verified)
    return Identity(issuer, subject_of(claims.get("sub")), email, name_of(claims.get("name"), told_name))


def of_github(issuer: str, user: Any, emails: Any) -> Identity:
    """The identity of `/user` and `/user/emails`: its number, for the login changes hands; the primary mail alone."""
    rows = [row for row in emails if isinstance(row, dict)] if isinstance(emails, list) else []
    primary = next((row for row in rows if row.get("primary") is True), {})
    email = email_of(primary.get("email"), verified=primary.get("verified") is True)
    said = _object(user)
    return Identity(issuer, subject_of(said.get("id")), email, name_of(said.get("name"), said.get("login")))


def of_x(issuer: str, user: Any) -> Identity:
    """The identity of `/2/users/me`."""
    said = _object(_object(user).get("data"))
    email = email_of(said.get("confirmed_email"), verified=True)
    return Identity(issuer, subject_of(said.get("id")), email, name_of(said.get("name"), said.get("username")))


def of_discord(issuer: str, user: Any) -> Identity:
    """The identity of `/users/@me`."""
    said = _object(user)
    email = email_of(said.get("email"), verified=said.get("verified") is True)
    return Identity(issuer, subject_of(said.get("id")), email, name_of(said.get("global_name"), said.get("username")))


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ProviderError("not the shape of an account")
    return value
