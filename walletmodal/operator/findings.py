"""Findings of the doctor."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

State = Literal["ok", "warning", "failed"]
"""warning: it works, but somebody should know. failed: something that the settings ask for does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about one part."""

    state: State
    part: str
    text: str


def ok(part: str, text: str) -> Finding:
    """Finding: it works."""
    return Finding("ok", part, text)


def warning(part: str, text: str) -> Finding:
    """Finding: it works, but."""
    return Finding("warning", part, text)


def failed(part: str, text: str) -> Finding:
    """Finding: it does not work."""
    return Finding("failed", part, text)


def certificate_of(host: str) -> str:
    """Explains what to do about a certificate that no authority vouches for."""
    return (
        f"{host} has a certificate that no authority known here vouches for, or that is not its own: "
        "SSL_CERT_FILE names a file with private authorities"
    )


def host_of(url: str) -> str:
    """Returns host and port: what comes before and after them may be a password or a key."""
    return urlsplit(url).netloc.rpartition("@")[2]
