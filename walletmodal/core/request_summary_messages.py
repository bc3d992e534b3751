"""A message that is to be signed, in words for the visitor: its text, and whether it is a sign-in to somewhere else."""

import re
from typing import Final
from urllib.parse import urlsplit

from walletmodal.core.addresses import normal_address
from walletmodal.core.errors import AddressError
from walletmodal.core.request_summary_parts import Limits, Part, Row, Summary, short, visible
from walletmodal.core.typed_request import HostedRequest

UNREADABLE: Final = "Nobody can read what is signed here. Some messages of this kind give away what the account owns."
HIDDEN: Final = "The message has characters that cannot be seen or that turn the writing round. They stand in brackets."
NOT_WHOLLY: Final = "It is too long to be shown here as a whole."

_HASH: Final = 32
_SIGN_IN: Final = re.compile(
    r"\s*(?:[a-z][a-z0-9+.-]*://)?(\S{1,255}) wants you to sign in with your [\w ]{1,64} account:"
)
_ANYWHERE: Final = re.compile(r"wants\s+you\s+to\s+sign\s+in\s+with\s+your", re.IGNORECASE)


def message_summary(request: HostedRequest, limits: Limits, *, whole: bool) -> Summary:
    """The summary of a request that has a message signed."""
    raw = request.message or b""
    text = _text(raw)
    if text is None:
        shown = "0x" + raw[: limits.text].hex()
        size = (Row("Size", f"{len(raw)} bytes"),)
        left = len(raw) > limits.text
        return Summary(
            title="Sign data",
            text=shown,
            encoded=True,
            parts=(Part("Message", size),),
            warnings=(UNREADABLE, *((NOT_WHOLLY,) if left and whole else ())),
            hidden=left,
        )
    shown, hides = visible(text[: limits.text], lines=True)
    left = len(text) > limits.text
    title, warnings = _sign_in(text, request)
    if hides or (left and visible(text[limits.text :], lines=True)[1]):
        warnings = (*warnings, HIDDEN)
    if _looks_like_hash(text):
        warnings = (*warnings, UNREADABLE)
    if left and whole:
        warnings = (*warnings, NOT_WHOLLY)
    return Summary(title=title, text=shown, warnings=warnings, hidden=left)


def _text(raw: bytes) -> str | None:
    """The bytes as the text that they are, or None where they are none."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    controls = sum(char < " " and char not in "\n\r\t" for char in text)
    return None if len(raw) == _HASH and controls > 1 else text.replace("\r\n", "\n")


def _looks_like_hash(text: str) -> bool:
    return re.fullmatch(r"(?:0x)?[0-9a-fA-F]{64}", text.strip()) is not None


def _sign_in(text: str, request: HostedRequest) -> tuple[str, tuple[str, ...]]:
    """Title and warnings of what may be a sign-in (EIP-4361 and its like)."""
    if not _ANYWHERE.search(text):
        return "Sign a message", ()
    host = urlsplit(request.origin).netloc
    found = _SIGN_IN.match(text)
    if found is None:
        return (
            "Sign a message",
            (f"It speaks of a sign-in, but is none that {host} could make. Read it carefully.",),
        )
    domain, lines = found[1], text[found.end() :].split("\n", 12)
    warnings = []
    if domain.lower() != host.lower():
        warnings.append(
            f"This signs you in to {short(domain, 100)}, and {host} asks for it. Whoever gets it can act as you there."
        )
    account = lines[1].strip() if len(lines) > 1 else ""
    if not _is_account(account, request):
        warnings.append("It names another account than the one that signs.")
    uri = next((line.removeprefix("URI: ") for line in lines if line.startswith("URI: ")), "")
    if uri and _host_of(uri) not in (host.lower(), domain.lower()):
        warnings.append("The page that it leads to is not of that site.")
    return "Sign in", tuple(warnings)


def _is_account(text: str, request: HostedRequest) -> bool:
    try:
        return normal_address(request.namespace, text) == request.account
    except AddressError:
        return False


def _host_of(uri: str) -> str:
    try:
        return urlsplit(uri).netloc.lower()
    except ValueError:
        return ""
