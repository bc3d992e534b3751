"""Parsing of service answers into models: strict types of JSON values.

An answer is JSON of `strict_json.read_exact_json`, so numbers are `int` or `Decimal`. Unknown fields are dropped, links and pictures that
must not be followed are emptied, texts are cleaned for display; anything else that is wrong makes a `ShapeError` that names the field.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from walletmodal.core.errors import ShapeError
from walletmodal.core.parsing.urls import MAX_URL, is_secure_url, is_web_url
from walletmodal.core.parsing.validation_errors import first_problem
from walletmodal.core.text.display_text import clean_text

MAX_ROWS: Final = 5000
MAX_NAME: Final = 120
_MAX_DIGITS: Final = 96
_NUMBER: Final = re.compile(r"-?[0-9]{1,96}(?:\.[0-9]{1,96})?(?:[eE][+-]?[0-9]{1,3})?")
_INTEGER: Final = re.compile(r"[0-9]{1,96}")
_CAIP2: Final = r"[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}"
_FORBIDDEN_SCHEMES: Final = frozenset(
    {"javascript", "data", "vbscript", "blob", "file", "about", "filesystem", "view-source"}
)
_LINK_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{0,63}")
_EARLIEST, _LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)

_Model = TypeVar("_Model", bound=BaseModel)
_Row = TypeVar("_Row")


class _MisfitError(ValueError):
    """What pydantic makes its own error of; never leaves `read_shape`."""


class Shape(BaseModel):
    """An entity as a service writes it, in camel case on the wire."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)


class SnakeShape(BaseModel):
    """An entity that is in snake case on the wire too."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def exact_number(value: object) -> Decimal:
    """Reads a JSON number, or a text that is one, as a `Decimal` of at most 96 digits on either side of the point.

    A float, which only the browser's JSON still has, counts as the shortest text that means it.

    Raises:
        ValueError: no number, not finite, or beyond any amount that there is; inside a model it becomes the model's error.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        raise _MisfitError("must be a number")
    if isinstance(value, int) and value.bit_length() > 512:
        raise _MisfitError("is too large")
    text = value if isinstance(value, str) else str(value)
    if not _NUMBER.fullmatch(text):
        raise _MisfitError("must be a number")
    number = Decimal(text)
    if number and not -_MAX_DIGITS <= number.adjusted() <= _MAX_DIGITS:
        raise _MisfitError("is too large or too small")
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -2 * _MAX_DIGITS:
        raise _MisfitError("has too many digits")
    return number


def _number(value: object) -> Decimal:
    if isinstance(value, str):
        raise _MisfitError("must be a number")
    return exact_number(value)


def _number_text(value: object) -> Decimal:
    if not isinstance(value, str):
        raise _MisfitError("must be a text of digits")
    return exact_number(value)


def _base_units(value: object) -> int:
    if not isinstance(value, str) or not _INTEGER.fullmatch(value):
        raise _MisfitError("must be a text of decimal digits")
    return int(value)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _MisfitError("must be a whole number")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise _MisfitError("must be true or false")
    return value


def _seconds(value: object) -> datetime:
    seconds = _whole(value)
    if not 0 <= seconds < _LATEST.timestamp():
        raise _MisfitError("must be seconds since 1970")
    return datetime.fromtimestamp(seconds, UTC)


def _instant(value: object) -> datetime:
    """An ISO 8601 instant; one without a zone is UTC, as the service means it."""
    if not isinstance(value, str) or len(value) > 40:
        raise _MisfitError("must be an ISO 8601 time")
    try:
        read = datetime.fromisoformat(value)
        instant = read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _MisfitError("must be an ISO 8601 time") from error
    if not _EARLIEST <= instant < _LATEST:
        raise _MisfitError("must be a time after 1970")
    return instant


def _clean(limit: int) -> Callable[[str], str]:
    return lambda text: clean_text(text, limit=limit)


def _text_or_none(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _MisfitError("must be a text")
    return value


def _picture(value: object) -> str:
    text = _text_or_none(value) or ""
    return text if is_secure_url(text) else ""


def _page(value: object) -> str | None:
    text = _text_or_none(value)
    return text if text and is_web_url(text) else None


def safe_link(text: str) -> str | None:
    """Returns the link of an app (`lantern://`, `https://…`), or None when a browser would run it or it cannot be one."""
    if len(text) > MAX_URL or any(c <= " " or c in '\\"<>`\x7f' or "\ud800" <= c <= "\udfff" for c in text):
        return None
    scheme, colon, _ = text.partition(":")
    if scheme.lower() in ("http", "https"):
        return text if is_web_url(text) else None
    # A bare name such as `lantern` is completed to `lantern://` where the link is built.
    if not _LINK_SCHEME.fullmatch(scheme) or (colon and scheme.lower() in _FORBIDDEN_SCHEMES):
        return None
    return text


def _link(value: object) -> str | None:
    text = _text_or_none(value)
    return safe_link(text) if text else None


Name = Annotated[str, AfterValidator(_clean(MAX_NAME))]
"""A text to show, cleaned; may be empty."""
Sentence = Annotated[str, AfterValidator(_clean(500))]
IdText = Annotated[str, Field(min_length=1, max_length=4096, pattern=r"^[!-~]+$")]
"""An id, code or cursor: printable ASCII without blanks."""
Number = Annotated[Decimal, BeforeValidator(_number)]
"""A price or value: a JSON number."""
NumberText = Annotated[Decimal, BeforeValidator(_number_text)]
"""An amount that is a text on the wire."""
BaseUnits = Annotated[int, BeforeValidator(_base_units)]
"""An amount of base units, a decimal text on the wire."""
Whole = Annotated[int, BeforeValidator(_whole)]
Decimals = Annotated[int, BeforeValidator(_whole), Field(ge=0, le=36)]
DecimalsText = Annotated[int, BeforeValidator(_base_units), Field(ge=0, le=36)]
Truth = Annotated[bool, BeforeValidator(_truth)]
Seconds = Annotated[datetime, BeforeValidator(_seconds)]
"""Whole seconds since 1970 on the wire."""
Instant = Annotated[datetime, BeforeValidator(_instant)]
"""An ISO 8601 text on the wire; in UTC here."""
Picture = Annotated[str, BeforeValidator(_picture)]
"""An https URL (http on loopback), "" for anything else; only our server fetches it."""
PictureText = Annotated[str, AfterValidator(_picture)]
"""As `Picture`, where the service always writes a text."""
PageUrl = Annotated[str | None, BeforeValidator(_page)]
"""An http(s) URL, or None."""
Link = Annotated[str | None, BeforeValidator(_link)]
"""The link of an app or a web URL, or None."""
Caip2 = Annotated[str, Field(pattern=rf"^{_CAIP2}$")]
"""A CAIP-2 id of any namespace, also of those that we do not serve."""
Caip10 = Annotated[str, Field(pattern=rf"^{_CAIP2}:[-.%a-zA-Z0-9]{{1,128}}$")]
HexData = Annotated[str, Field(pattern=r"^0x(?:[0-9a-fA-F]{2})*$", max_length=262_144)]


def read_shape(model: type[_Model], raw: object) -> _Model:
    """The entity of a JSON value.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    if not isinstance(raw, Mapping):
        raise ShapeError(f"{model.__name__}: must be an object")
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problem = first_problem(error)
        raise ShapeError(f"{model.__name__}.{clean_text(problem.where, limit=120)}: {problem.what}") from None


def read_field(raw: object, field: str, *, of: str) -> Any:
    """One field of an object that wraps an answer, such as `balances`.

    Raises:
        ShapeError: no object, or the field is missing.
    """
    if not isinstance(raw, Mapping) or field not in raw:
        raise ShapeError(f"{of}: must be an object with {field}")
    return raw[field]


def read_rows(raw: object, parse: Callable[[object], _Row], *, of: str) -> tuple[_Row, ...]:
    """Reads the rows of a list that strangers contribute to, such as tokens or wallets: a row that is wrong is left out.

    Raises:
        ShapeError: no list, too long, or not one row of it is right: the service then speaks another language.
    """
    if not isinstance(raw, list) or len(raw) > MAX_ROWS:
        raise ShapeError(f"{of}: must be a list of at most {MAX_ROWS}")
    kept: list[_Row] = []
    first_error: ShapeError | None = None
    for row in raw:
        try:
            kept.append(parse(row))
        except ShapeError as error:
            first_error = first_error or error
    if first_error is not None and not kept:
        raise first_error
    return tuple(kept)


def read_all(raw: object, parse: Callable[[object], _Row], *, of: str) -> tuple[_Row, ...]:
    """Reads the rows of a list that is right only as a whole.

    Raises:
        ShapeError: no list, too long, or one row of it is wrong.
    """
    if not isinstance(raw, list) or len(raw) > MAX_ROWS:
        raise ShapeError(f"{of}: must be a list of at most {MAX_ROWS}")
    return tuple(parse(row) for row in raw)
