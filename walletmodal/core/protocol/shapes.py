"""Base of the protocol's messages, and their validation."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from walletmodal.core.errors import ProtocolError
from walletmodal.core.parsing.validation_errors import first_problem

_T = TypeVar("_T")

MessageId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""An epoch, a command id or an envelope id: random, never shown."""


class Message(BaseModel):
    """A message that was checked: frozen, its fields in camel case on the wire."""

    # Unknown fields are dropped rather than refused: a page may still run an older loader after a deployment.
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)


def as_object(value: object, what: str) -> Mapping[str, object]:
    """The value when it is a JSON object.

    Raises:
        ProtocolError: `malformed`.
    """
    if not isinstance(value, Mapping):
        raise ProtocolError("malformed", f"{what}: not an object")
    return value


def validated(adapter: TypeAdapter[_T], value: object, what: str) -> _T:
    """The value as the adapter reads it.

    Raises:
        ProtocolError: `malformed`, with the path of the first problem.
    """
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        problem = first_problem(error)
        path = f"{what}.{problem.where}" if problem.where else what
        raise ProtocolError("malformed", f"{path}: {problem.kind}") from None
