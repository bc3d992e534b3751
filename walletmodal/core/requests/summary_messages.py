"""A message that is to be signed, in words for the visitor: its text, and whether it is a sign-in to somewhere else."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.errors import AddressError
from walletmodal.core.language import _, listed, with_values
from walletmodal.core.requests.summary_parts import (
    WHOLE,
    Limits,
    Part,
    Row,
    Summary,
    Tokens,
    count_of_bytes,
    plain_text,
    reveal_hidden,
    short_text,
)
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.sign_in.recap import RECAP, read_recap

UNREADABLE: Final = _(
    "Nobody can read what is signed here. Some messages of this kind give away what the account owns."
)
HIDDEN: Final = _(
    "The message has characters that cannot be seen or that turn the writing round. They stand in brackets."
)
NOT_WHOLLY: Final = _("It is too long to be shown here as a whole.")

RECAP_GRANTS: Final = _(
    "It is more than a sign-in: it lets the site act in your name as listed, for as long as the sign-in lasts."
)
RECAP_UNREADABLE: Final = _(
    "It is more than a sign-in: it lets the site act in your name, and what it may do cannot be read."
)
RECAP_ELSEWHERE: Final = _(
    "It speaks of what the site may do in your name where no wallet looks for that. Read it carefully."
)

_TARGETS: Final = {"eip155": _("Of your wallet")}
_CUT: Final = Row("", "…", tone="warning")
_HASH: Final = 32
_WORDS: Final = re.compile(r"[A-Za-z .,!?]+")
_SIGN_IN: Final = re.compile(
    r"\s*(?:[a-z][a-z0-9+.-]*://)?(\S{1,255}) wants you to sign in with your [\w ]{1,64} account:"
)
_ANYWHERE: Final = re.compile(r"wants\s+you\s+to\s+sign\s+in\s+with\s+your", re.IGNORECASE)


def message_summary(request: HostedRequest, limits: Limits, _tokens: Tokens) -> Summary:
    """The summary of a request that has a message signed."""
    whole = limits == WHOLE
    raw = request.message or b""
    text = _text(raw)
    if text is None:
        shown = "0x" + raw[: limits.text].hex()
        size = (Row(_("Size"), count_of_bytes(raw)),)
        left = len(raw) > limits.text
        return Summary(
            title=_("Sign data"),
            text=shown,
            encoded=True,
            parts=(Part(_("Message"), size),),
            warnings=(UNREADABLE, *((NOT_WHOLLY,) if left and whole else ())),
            hidden=left,
        )
    shown, hides = reveal_hidden(text[: limits.text], lines=True)
    left = len(text) > limits.text
    title, warnings = _sign_in(text, request)
    allowed, danger = _recap(text, limits)
    warnings = (*warnings, *danger)
    if hides or (left and reveal_hidden(text[limits.text :], lines=True)[1]):
        warnings = (*warnings, HIDDEN)
    if _may_be_hash(raw, text):
        warnings = (*warnings, UNREADABLE)
    if left and whole:
        warnings = (*warnings, NOT_WHOLLY)
    return Summary(title=title, text=shown, parts=allowed, warnings=warnings, hidden=left or _is_cut(allowed))


def _text(raw: bytes) -> str | None:
    """The bytes as the text that they are, or None where they are none."""
    try:
        return raw.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def _may_be_hash(raw: bytes, text: str) -> bool:
    """Whether a text may be a hash: written out, or as many bytes that are no words, for whoever tries long enough finds one that is a text."""
    if len(raw) == _HASH:
        return _WORDS.fullmatch(text) is None
    return re.fullmatch(r"(?:0x)?[0-9a-fA-F]{64}", text.strip()) is not None


def _sign_in(text: str, request: HostedRequest) -> tuple[str, tuple[str, ...]]:
    """Title and warnings of what may be a sign-in (EIP-4361 and its like)."""
    if not _ANYWHERE.search(text):
        return _("Sign a message"), ()
    host = urlsplit(request.origin).netloc
    found = _SIGN_IN.match(text)
    if found is None:
        return (
            _("Sign a message"),
            (_("It speaks of a sign-in, but is none that {host} could make. Read it carefully.", host=host),),
        )
    domain, lines = found[1], text[found.end() :].split("\n", 12)
    warnings = []
    if domain.lower() != host.lower():
        warnings.append(
            _(
                "This signs you in to {site}, and {host} asks for it. Whoever gets it can act as you there.",
                site=short_text(domain, 100),
                host=host,
            )
        )
    account = lines[1].strip() if len(lines) > 1 else ""
    if not _is_account(account, request):
        warnings.append(_("It names another account than the one that signs."))
    uri = next((line.removeprefix("URI: ") for line in lines if line.startswith("URI: ")), "")
    if uri and _host_of(uri) not in (host.lower(), domain.lower()):
        warnings.append(_("The page that it leads to is not of that site."))
    return _("Sign in"), tuple(warnings)


def _recap(text: str, limits: Limits) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """What a sign-in allows besides (EIP-5573), which stands in its last resource for programs alone."""
    last = text.rstrip("\n").rpartition("\n")[2]
    if not last.startswith(f"- {RECAP}"):
        return (), (RECAP_ELSEWHERE,) if f"- {RECAP}" in text else ()
    found = read_recap(last.removeprefix("- "))
    if found is None:
        return (), (RECAP_UNREADABLE,)
    rows = [row for target, abilities in found.items() for row in _allowed(target, abilities, limits)]
    shown = rows[: limits.rows]
    if len(rows) > len(shown):
        shown.append(_CUT)
    return (Part(_("It also allows"), tuple(shown)),), (RECAP_GRANTS,)


def _allowed(target: str, abilities: Mapping[str, list[object]], limits: Limits) -> Iterator[Row]:
    """One row for all that may be done with a resource under the same limits."""
    alike = dict[str, list[str]]()
    for ability, given in abilities.items():
        alike.setdefault(_within(given), []).append(ability)
    for where, names in alike.items():
        told = _limited(short_text(listed(map(_action, names)), limits.value), short_text(where, limits.value))
        yield Row(_TARGETS.get(target) or short_text(target, 100), told, tone="warning")


def _limited(actions: str, where: str) -> str:
    if where.startswith("("):
        return with_values("{actions} {limits}", actions=actions, limits=where)
    return _("{actions} on {networks}", actions=actions, networks=where) if where else actions


def _action(ability: str) -> str:
    """`request/personal_sign`: what is done, with what."""
    verb, _slash, what = ability.partition("/")
    return _("ask for {method}", method=what) if verb == "request" and what else ability


def _within(limits: list[object]) -> str:
    """On which networks, where that is all that limits it; else the limits as they came."""
    if all(limit == {} for limit in limits):
        return ""
    chains = limits[0].get("chains") if isinstance(limits[0], dict) and limits[0].keys() == {"chains"} else None
    if len(limits) > 1 or not isinstance(chains, list):
        return f"({json.dumps(limits)})"
    known = bundled_networks()
    return listed(known[one].name if one in known else plain_text(one) for one in map(str, chains))


def _is_cut(parts: Sequence[Part]) -> bool:
    return any(part.rows[-1:] == (_CUT,) for part in parts)


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
