"""Texts in records: read again, they are what they were."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from tests.core.language.test_text import Shouted
from walletmodal.core.language import Localized, Text, _, ngettext, pgettext
from walletmodal.core.language.kept import KeptText, kept_line, read_line
from walletmodal.core.language.values import NumberText

FIELD = TypeAdapter(KeptText)
AMOUNT = _("{amount} {symbol}", amount=NumberText(Decimal("0.10")), symbol="ETH")


@pytest.mark.parametrize(
    "text",
    [
        _("Close"),
        _("{amount} to {name}", amount=AMOUNT, name="Ann"),
        pgettext("button", "Send"),
        ngettext("{count} coin", "{count} coins", 3),
    ],
)
def test_a_text_is_said_in_any_language_again(text: Text) -> None:
    again = FIELD.validate_json(FIELD.dump_json(text))
    assert isinstance(again, Localized)
    assert (again, again.said_in(Shouted())) == (text, text.said_in(Shouted()))


def test_a_text_is_one_line_of_a_column_and_a_line_of_an_older_release_stays() -> None:
    text = _("{mined} instead of {proposed}", mined=AMOUNT, proposed="one\nline")
    line = kept_line(text)
    assert ("\n" in line, read_line(line), read_line("1 ETH instead of 2")) == (False, text, "1 ETH instead of 2")
    assert read_line(line).said_in(Shouted()) == text.said_in(Shouted())  # type: ignore[attr-defined]  # a text again


@pytest.mark.parametrize("name", ["", "Close", "{"])
def test_what_is_nobodys_text_stays_as_it_is(name: str) -> None:
    again = FIELD.validate_json(FIELD.dump_json(name))
    assert (again, type(again)) == (name, str)


@pytest.mark.parametrize(
    "kept", [5, None, {}, {"message": "a", "more": 1}, {"message": "a", "values": {"b": None}}, {"value": "x"}]
)
def test_what_is_no_text_is_refused(kept: Any) -> None:
    with pytest.raises(ValidationError):
        FIELD.validate_python(kept)
