"""Texts: English in Python, translated when they are said."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import date
from decimal import Decimal

import pytest

from walletmodal.core.language import Text, _, listed, ngettext, pgettext
from walletmodal.core.language.text import recalled


class Shouted:
    """A language of capitals, and of a different order."""

    def find(self, text: Text) -> str:
        return {"{amount} to {name}": "{name} GETS {amount}", ", ": "; ", "Bad {name}": "{name.__class__} {other}"}.get(
            text.message, text.message.replace("coins", "COINS")
        )

    def isolate(self, value: str) -> str:
        return f"<{value}>"

    def number(self, value: Decimal, currency: str) -> str:
        return f"{currency}{value}"

    def date(self, day: date, skeleton: str) -> str:
        return f"{skeleton}{day}"


SENT = _("{amount} to {name}", amount=_("{count} coins", count=3), name="a {amount}")


def test_a_text_is_english() -> None:
    assert (SENT, f"{SENT}!", SENT == "3 coins to a {amount}") == (
        "3 coins to a {amount}",
        "3 coins to a {amount}!",
        True,
    )


def test_it_is_said_with_its_values_where_the_language_has_them() -> None:
    assert SENT.said_in(Shouted()) == "<a {amount}> GETS <<3> COINS>"


def test_a_translation_reaches_nothing_but_its_values() -> None:
    assert _("Bad {name}", name="x").said_in(Shouted()) == "{name.__class__} {other}"


@pytest.mark.parametrize("again", [lambda text: pickle.loads(pickle.dumps(text)), copy.deepcopy, copy.copy])
def test_it_is_kept_whole(again: object) -> None:
    assert again(SENT).said_in(Shouted()) == SENT.said_in(Shouted())  # type: ignore[operator]  # parametrized


def test_as_json_it_is_english() -> None:
    assert json.loads(json.dumps([SENT])) == ["3 coins to a {amount}"]


def test_what_was_kept_as_english_is_looked_up_again() -> None:
    kept = recalled(json.loads(json.dumps(_("2 coins"))))
    assert (kept, isinstance(kept, Text) and kept.said_in(Shouted()), recalled("")) == ("2 coins", "2 COINS", "")


def test_a_list_has_the_languages_own_comma_and_each_of_its_parts_is_said() -> None:
    names = listed(["a", _("{count} coins", count=3)])
    assert (names, copy.deepcopy(names).said_in(Shouted()), listed([])) == ("a, 3 coins", "<a>; <<3> COINS>", "")


@pytest.mark.parametrize(("count", "said"), [(1, "1 wallet"), (2, "2 wallets"), (0, "0 wallets")])
def test_a_count_decides_about_the_form(count: int, said: str) -> None:
    assert ngettext("{count} wallet", "{count} wallets", count) == said


def test_equal_words_of_different_meaning_have_different_names() -> None:
    button, tab = pgettext("button", "Send"), pgettext("tab", "Send")
    assert (button == tab, button.key == tab.key) == (True, False)


def test_braces_without_values_are_braces() -> None:
    assert _("{not a value}") == "{not a value}"
