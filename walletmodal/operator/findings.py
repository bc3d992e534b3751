"""Findings of the doctor."""

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from redis.exceptions import NoPermissionError, ResponseError

State = Literal["ok", "warning", "failed"]
"""warning: it works, but somebody should know. failed: something that the settings ask for does not work."""
_RIGHT: Final = re.compile(r"'([\w|-]+)' command")


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


def right_of(error: ResponseError) -> str:
    """Returns the command that the user of REDIS_URL may not do, as Redis has said; "" where it was something else."""
    named = _RIGHT.search(str(error)) if isinstance(error, NoPermissionError) else None
    return named[1].lower() if named else ""
