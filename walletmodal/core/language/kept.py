"""Texts in records that outlive a visitor's session, which are JSON: read again, they can be said in any language."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, TypeAdapter

from walletmodal.core.language.text import Text
from walletmodal.core.language.values import NumberText


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _KeptNumber(_Kept):
    value: Decimal
    currency: Literal["", "USD"] = ""
    prefix: str = ""
    grouped: bool = True


class _KeptMessage(_Kept):
    message: str
    values: dict[str, _KeptMessage | _KeptNumber | int | str] = {}
    plural: str = ""
    number: int = 1
    context: str = ""


_READER: Final = TypeAdapter[_KeptMessage | _KeptNumber | str](_KeptMessage | _KeptNumber | str)


def as_kept(text: str) -> Any:
    """What JSON has of a text: an object of one that can be said in other languages, else itself. Dates stay English."""
    if isinstance(text, Text) and not (text.values or text.plural or text.context):
        # Most are, and each view pushed has one for each view below it.
        return {"message": text.message}
    kept = _kept(text)
    return kept.model_dump(mode="json", exclude_defaults=True) if isinstance(kept, _Kept) else kept


def kept_line(text: str) -> str:
    """A text on one line, for a column of a table."""
    kept = as_kept(text)
    return kept if isinstance(kept, str) else json.dumps(kept, ensure_ascii=False)


def read_line(line: str) -> str:
    """The text of such a line.

    Raises:
        ValueError: it has another shape.
    """
    return _read(json.loads(line)) if line.startswith("{") else line


def _kept(value: object) -> _KeptMessage | _KeptNumber | int | str:
    if isinstance(value, Text):
        values = {name: _kept(one) for name, one in value.values.items()}
        return _KeptMessage(
            message=value.message, values=values, plural=value.plural, number=value.number, context=value.context
        )
    if type(value) is NumberText:
        return _KeptNumber.model_validate(value, from_attributes=True)
    return value if isinstance(value, int) else str(value)


def _read(kept: object) -> str:
    return kept if isinstance(kept, Text) else _text(_READER.validate_python(kept))


def _text(kept: _KeptMessage | _KeptNumber | str) -> str:
    if isinstance(kept, _KeptMessage):
        values = {name: one if isinstance(one, int) else _text(one) for name, one in kept.values.items()}
        return Text(kept.message, values, plural=kept.plural, number=kept.number, context=kept.context)
    if isinstance(kept, _KeptNumber):
        return NumberText(kept.value, kept.currency, kept.prefix, grouped=kept.grouped)
    return kept


KeptText = Annotated[str, PlainValidator(_read), PlainSerializer(as_kept, when_used="json")]
"""A field of a record: in Python a text, in JSON what is kept of it."""
