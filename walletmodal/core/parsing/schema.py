"""Shapes of JSON, read by pydantic, and the generic messages about what does not fit them.

A `Schema` reads a value and gives it back typed, in new containers, or raises `PayloadError`: its `short_message` is the generic
message, its `details` say where, as in `params[0].to`. Keys that an object's shape does
not name are kept: dropping one, such as EIP-5792's `atomicRequired`, would change what a wallet is asked for.
"""

import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import Enum
from functools import cached_property
from typing import Any, Final, Generic, TypeAlias, TypeVar

from pydantic_core import PydanticCustomError, SchemaValidator, ValidationError, core_schema
from pydantic_core.core_schema import CoreSchema

from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.text.display_text import clean_text

_T = TypeVar("_T")
Path = tuple[str | int, ...]
Schema: TypeAlias = Callable[[object, Path], _T]
"""Reads a value at a path: the name of the whole, then keys and indexes."""


class Missing(Enum):
    """The one value that stands for a key that is not there, which is not `null`."""

    MISSING = "undefined"


MISSING: Final = Missing.MISSING

REQUIRED: Final = "Required"
INVALID: Final = "Invalid"
INVALID_INPUT: Final = "Invalid input"
INVALID_EMAIL: Final = "Invalid email"
_MAX_SHOWN: Final = 40
_MAX_EMAIL: Final = 254
_EMAIL: Final = re.compile(
    r"[A-Za-z0-9_+'-]+(?:\.[A-Za-z0-9_+'-]+)*@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,59})"
)
_MAX_LOCAL_PART: Final = 64
_OWN: Final = "own"
_EXPECTED: Final = {
    "string_type": "string",
    "number_type": "number",
    "bool_type": "boolean",
    "list_type": "array",
    "dict_type": "object",
}
"""What pydantic's errors of a wrong type expect."""


class Shape(Generic[_T]):
    """A `Schema` that others can be made of. Pydantic's validator is made when the first value is read."""

    def __init__(self, core: CoreSchema) -> None:
        self.core = core

    @cached_property
    def _validator(self) -> SchemaValidator:
        return SchemaValidator(self.core)

    def __call__(self, value: object, path: Path) -> _T:
        """Read a value; raises PayloadError."""
        if value is MISSING:
            raise PayloadError(REQUIRED, details=_written(path))
        try:
            found: _T = self._validator.validate_python(value)
        except ValidationError as error:
            raise _misfit(error, path) from None
        return found


def type_name(value: object) -> str:
    """What JavaScript calls the type of a JSON value; `unknown` for what JSON does not have."""
    if value is MISSING:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float | Decimal):
        return "number" if _is_finite(value) else "nan"
    for kind, name in ((str, "string"), (Mapping, "object"), (list | tuple, "array")):
        if isinstance(value, kind):
            return name
    return "unknown"


def check(schema: Schema[_T], value: object, name: str = "value") -> _T:
    """Read a value.

    Args:
        schema: its shape.
        value: JSON of a stranger, or `MISSING`.
        name: what the value is called in the error's path.

    Raises:
        PayloadError: it does not fit.
    """
    return schema(value, (name,))


def _text(refusal: Callable[[str], str] = lambda _text: "") -> Shape[str]:
    """A string. `refusal`: what is wrong with it, or ""."""

    def judge(value: str) -> str:
        wrong = refusal(value)
        if wrong:
            raise PydanticCustomError(_OWN, "{wrong}", {"wrong": wrong})
        return value

    return Shape(core_schema.no_info_after_validator_function(judge, core_schema.str_schema(strict=True)))


def text(*, prefix: str = "", pattern: re.Pattern[str] | None = None) -> Shape[str]:
    """A string; with `prefix` it must start so, with `pattern` all of it must match."""

    def refusal(value: str) -> str:
        if not value.startswith(prefix):
            return f'{INVALID_INPUT}: must start with "{prefix}"'
        return INVALID if pattern is not None and not pattern.fullmatch(value) else ""

    return _text(refusal)


def one_of(*choices: str) -> Shape[str]:
    """One of the texts."""
    listed = " | ".join(f"'{choice}'" for choice in choices)

    def refusal(value: str) -> str:
        shown = clean_text(value, limit=_MAX_SHOWN)
        return "" if value in choices else f"Invalid enum value. Expected {listed}, received '{shown}'"

    return _text(refusal)


def _email_refusal(address: str) -> str:
    local = address.partition("@")[0]
    fits = len(address) <= _MAX_EMAIL and len(local) <= _MAX_LOCAL_PART and _EMAIL.fullmatch(address)
    return "" if fits else INVALID_EMAIL


def array(item: Shape[_T], *, at_least: int = 0) -> Shape[list[_T]]:
    """A list whose every element fits; one that is shorter than `at_least` lacks a required element."""
    return Shape(core_schema.list_schema(item.core, min_length=at_least, fail_fast=True))


def record(
    required: Mapping[str, Shape[Any]] | None = None, optional: Mapping[str, Shape[Any]] | None = None
) -> Shape[dict[str, Any]]:
    """An object. An optional key may be missing, but not `null`; keys that are not named are kept."""
    fields = {
        key: core_schema.typed_dict_field(shape.core, required=needed)
        for shapes, needed in ((required or {}, True), (optional or {}, False))
        for key, shape in shapes.items()
    }
    return Shape(core_schema.typed_dict_schema(fields, extra_behavior="allow"))


def either(*shapes: Shape[Any]) -> Shape[Any]:
    """What fits one of the shapes, the first that it fits; the message is that of none of them."""
    return Shape(
        core_schema.union_schema(
            [shape.core for shape in shapes],
            mode="left_to_right",
            custom_error_type=_OWN,
            custom_error_message=INVALID_INPUT,
        )
    )


anything: Final[Shape[Any]] = Shape(core_schema.any_schema())
"""Any value that is there, `null` too."""
boolean: Final[Shape[bool]] = Shape(core_schema.bool_schema(strict=True))
"""True or false, and no number or text that may be meant so."""
number: Final[Shape[int | float | Decimal]] = Shape(
    core_schema.union_schema(
        [
            core_schema.int_schema(strict=True),
            core_schema.float_schema(strict=True, allow_inf_nan=False),
            core_schema.decimal_schema(strict=True),
        ],
        custom_error_type="number_type",
        custom_error_message="Expected number",
    )
)
"""A finite number."""
email: Final = _text(_email_refusal)
"""An email address: a dot-atom of letters, digits and `_+'-`, and a domain with a top level."""


def _misfit(error: ValidationError, path: Path) -> PayloadError:
    first = error.errors(include_url=False)[0]
    kind, where = first["type"], (*path, *first["loc"])
    if kind == "too_short":
        return PayloadError(REQUIRED, details=_written((*where, first["ctx"]["actual_length"])))
    if kind == "missing":
        return PayloadError(REQUIRED, details=_written(where))
    if kind in _EXPECTED:
        message = f"Expected {_EXPECTED[kind]} received {type_name(first['input'])}"
        return PayloadError(message, details=_written(where))
    # What is left is a key with an unpaired surrogate, which pydantic cannot read.
    return PayloadError(first["msg"] if kind == _OWN else INVALID, details=_written(where))


def _is_finite(value: float | Decimal) -> bool:
    if isinstance(value, Decimal):
        return value.is_finite()
    return isinstance(value, int) or math.isfinite(value)


def _written(path: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
