"""What a name may be, who may have which coin type, and what a registration says."""

import os
import re
from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from walletmodal.core.parsing.strict_json import read_json
from walletmodal.sandbox.blockchain.failures import RefusedError

ZONES: Final = tuple(dict.fromkeys((os.environ.get("NAME_ZONE") or "reown.id", "reown.id", "wcn.id")))
"""The modal's own zone (its setting NAME_ZONE) first, and those of the public service."""
LABEL_LENGTH: Final = range(3, 65)
TIMESTAMP_SECONDS: Final = 10
ETH_COIN_TYPE: Final = 60
_EVM_COIN_BIT: Final = 0x8000_0000

_NAME: Final = re.compile(r"[a-z0-9.-]+")
_BIO: Final = re.compile(r"[a-zA-Z0-9@:/._\-?&=+ ]{1,255}")


class RegistrationMessage(BaseModel):
    """What is signed: the whole name, attributes, Unix seconds."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: str
    timestamp: Annotated[int, Field(ge=0, lt=2**63)]
    attributes: dict[str, str] | None = None


def read_message(text: str) -> RegistrationMessage:
    """The message of a registration.

    Raises:
        RefusedError: 400, it is not the JSON of one.
    """
    try:
        return RegistrationMessage.model_validate(read_json(text.encode()))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise RefusedError(400, f"message.{field}"[:200], first["msg"]) from error
    except ValueError as error:
        raise RefusedError(400, "message", "The message must be JSON") from error


def require_name(name: str, field: str = "name") -> str:
    """Check a whole name such as `maple.reown.id`.

    Raises:
        RefusedError: 400, its form, length or zone is wrong.
    """
    if not _NAME.fullmatch(name):
        raise RefusedError(400, field, "A name has lower case letters, digits, dots and hyphens only")
    label, _, zone = name.partition(".")
    if len(label) not in LABEL_LENGTH:
        raise RefusedError(400, field, "A name is 3 to 64 characters long")
    if zone not in ZONES:
        raise RefusedError(400, field, f"The zone is one of {', '.join(ZONES)}")
    return name


def require_attributes(attributes: dict[str, str] | None) -> dict[str, str]:
    """Check the attributes of a name.

    Raises:
        RefusedError: 400, an unknown one, or one that is too long or has other signs.
    """
    for key, value in (attributes or {}).items():
        if key != "bio":
            raise RefusedError(400, "attributes", "The only attribute is bio")
        if not _BIO.fullmatch(value):
            raise RefusedError(400, "attributes", "A bio has at most 255 letters, digits, spaces and @:/._-?&=+")
    return attributes or {}


def require_fresh(timestamp: int, now: float) -> None:
    """Check that a message was made just now.

    Raises:
        RefusedError: 400, it was not.
    """
    if abs(timestamp - now) > TIMESTAMP_SECONDS:
        raise RefusedError(400, "timestamp", "The timestamp is more than 10 seconds away from now")


def chain_number(coin_type: int, known: Iterable[int]) -> int:
    """The EVM chain id of a coin type: 60 is mainnet's, others are ENSIP-11.

    Raises:
        RefusedError: 400, no such coin type is supported.
    """
    number = 1 if coin_type == ETH_COIN_TYPE else coin_type ^ _EVM_COIN_BIT
    if number not in known:
        raise RefusedError(400, "coin_type", "This coin type is not supported")
    return number
