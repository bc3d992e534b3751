"""Names of accounts: what may be registered, what the service knows, and identities."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final

from pydantic import BeforeValidator, Field

from walletmodal.core.chains.caip import ChainId, name_coin_chain
from walletmodal.core.constants import NAME_COIN_TYPE_BASE, NAME_ZONES
from walletmodal.core.errors.rules import AccountNameError
from walletmodal.core.language import _
from walletmodal.core.parsing.shapes import (
    IdText,
    Instant,
    Name,
    Picture,
    Sentence,
    Shape,
    SnakeShape,
    Truth,
    read_all,
    read_field,
    read_rows,
    read_shape,
)

MIN_NAME: Final = 4
MAX_NAME: Final = 64
MAX_SUGGESTED: Final = 4
NAME_TOO_SHORT: Final = _("Name must be at least 4 characters long")
NAME_TOO_LONG: Final = _("Name must be at most 64 characters long")
NAME_WRONG_CHARACTERS: Final = _("Can only contain letters, numbers and - characters")
NAME_UNUSABLE: Final = _("The third and fourth character cannot both be -")
"""Wallets and explorers refuse such names (ENSIP-15): they are the encoded form of others."""
NAME_ALREADY_OWNED: Final = _("You already own a name")
_LABEL: Final = re.compile(r"[a-zA-Z0-9-]+")


def check_account_name(label: str) -> str:
    """Checks a name to be registered; returns its label in the lower case that the service wants.

    Args:
        label: what the visitor typed, without the zone: letters, digits and hyphens, 4 to 64 characters.

    Raises:
        AccountNameError: with a text for the visitor.
    """
    if label and not _LABEL.fullmatch(label):
        raise AccountNameError(NAME_WRONG_CHARACTERS)
    if len(label) < MIN_NAME:
        raise AccountNameError(NAME_TOO_SHORT)
    if len(label) > MAX_NAME:
        raise AccountNameError(NAME_TOO_LONG)
    if label[2:4] == "--":
        raise AccountNameError(NAME_UNUSABLE)
    return label.lower()


def full_name(label: str, zone: str) -> str:
    """Appends the zone that is offered to a label.

    Raises:
        AccountNameError: the label may not be registered.
    """
    return f"{check_account_name(label)}.{zone}"


def is_zone_name(text: str, zone: str) -> bool:
    """Whether a text is a name of the service's zones: the one that is offered, or one of those in which names were registered before."""
    return bool(_zone_suffix(text, zone))


def bare_label(name: str, zone: str) -> str:
    """Strips the zone off a name, as the visitor types it; any other text stays as it is."""
    return name[: len(name) - len(_zone_suffix(name, zone))]


def _zone_suffix(name: str, zone: str) -> str:
    """The end of a name, with its dot, that is one of the service's zones; "" where it is none, or nothing stands before it."""
    suffixes = (f".{known}" for known in (zone, *NAME_ZONES))
    return next((suffix for suffix in suffixes if name.lower().endswith(suffix) and len(name) > len(suffix)), "")


def name_coin_type(chain: ChainId) -> int:
    """Returns the coin type of an EVM chain's address (ENSIP-11): 0x80000000 or-ed with the chain id.

    Raises:
        CaipError: `Invalid chainId`: no EVM chain, or an id of 2^31 or more.
    """
    return NAME_COIN_TYPE_BASE | name_coin_chain(chain)


def registration_message(name: str, now: datetime) -> str:
    """Builds the text that the owner signs: compact JSON with the name, no attributes, and the time in seconds, which the service checks to 10 s."""
    return json.dumps({"name": name, "attributes": {}, "timestamp": int(now.timestamp())}, separators=(",", ":"))


class NameAddress(SnakeShape):
    """An address that a name points to. Unchecked: validate it for its namespace before anything is sent to it."""

    address: Annotated[str, Field(min_length=1, max_length=128)]
    created_at: Instant | None = None


def _objects_only(value: object) -> object:
    return {} if value is None else value


class NameRecord(SnakeShape):
    """A registered name.

    Attributes:
        addresses: by coin type (SLIP-44, ENSIP-11) as decimal text.
    """

    name: IdText
    registered_at: Instant | None = None
    updated_at: Instant | None = None
    attributes: Annotated[
        dict[str, Sentence], BeforeValidator(_objects_only), Field(max_length=64, default_factory=dict)
    ]
    addresses: Annotated[
        dict[Annotated[str, Field(pattern=r"^[0-9]{1,10}$")], NameAddress],
        BeforeValidator(_objects_only),
        Field(max_length=512, default_factory=dict),
    ]

    def address_on(self, chain: ChainId) -> str | None:
        """The address for an EVM chain: its own, else that of Ethereum's coin type 60; None when it has neither.

        Raises:
            CaipError: `Invalid chainId`.
        """
        found = self.addresses.get(str(name_coin_type(chain))) or self.addresses.get("60")
        return None if found is None else found.address


def parse_name_record(raw: object) -> NameRecord | None:
    """The answer of `GET /v1/profile/account/{name}`, or None for a name that nobody has registered: `[]`, or an object without a name.

    Raises:
        ShapeError: it is neither.
    """
    if raw == [] or (isinstance(raw, Mapping) and "name" not in raw and not raw.get("addresses")):
        return None
    return read_shape(NameRecord, raw)


def parse_names(raw: object) -> tuple[NameRecord, ...]:
    """The answer of `GET /v1/profile/reverse/{address}`: the names of an address, the first one is shown.

    Raises:
        ShapeError: no list of names, or none of them is right.
    """
    return read_rows(raw, lambda row: read_shape(NameRecord, row), of="names")


class NameSuggestion(SnakeShape):
    """A name, zone included, and whether somebody has it; None where the service does not say."""

    name: IdText
    registered: Truth | None = None


def parse_name_suggestions(raw: object) -> tuple[NameSuggestion, ...]:
    """The answer of `GET /v1/profile/suggestions/{name}`; the first is the very name that was asked for.

    Raises:
        ShapeError: no list of suggestions, or one of them is wrong.
    """
    suggestions = read_field(raw, "suggestions", of="suggestions")
    return read_all(suggestions, lambda row: read_shape(NameSuggestion, row), of="suggestions")


def is_registered(name: str, suggestions: tuple[NameSuggestion, ...]) -> bool | None:
    """Whether somebody has a full name, as far as suggestions tell; None when they do not."""
    return next((entry.registered for entry in suggestions if entry.name.lower() == name.lower()), None)


def free_labels(name: str, suggestions: tuple[NameSuggestion, ...], zone: str) -> tuple[str, ...]:
    """Labels of other names that the service suggests, without the zone; none that is taken, of another zone, or against the rules."""
    entries = (entry.name.lower() for entry in suggestions if not entry.registered)
    labels = (entry.removesuffix(f".{zone}") for entry in entries if entry.endswith(f".{zone}") and entry != name)
    return tuple(dict.fromkeys(label for label in labels if _may_be_registered(label)))[:MAX_SUGGESTED]


def _may_be_registered(label: str) -> bool:
    try:
        check_account_name(label)
    except AccountNameError:
        return False
    return True


class Identity(Shape):
    """The name and picture of an address; both "" when it has none."""

    name: Annotated[Name, BeforeValidator(lambda value: "" if value is None else value)] = ""
    avatar: Picture = ""


def parse_identity(raw: object) -> Identity:
    """The answer of `GET /v1/identity/{address}`.

    Raises:
        ShapeError: names the field that is wrong.
    """
    return read_shape(Identity, raw)
