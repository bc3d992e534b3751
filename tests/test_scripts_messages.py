"""`make messages`: what is collected, and what is wrong with a translation."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from scripts.messages import CATALOGUES, LOCALE, TEMPLATE, faults, messages_of, read

TEXT = "Send {amount}"


def catalogue(text: str | tuple[str, ...], said: str | tuple[str, ...]) -> Catalog:
    """A Polish one with one text; the language has three forms."""
    made = Catalog(locale="pl")
    made.add(text, said)
    return made


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEXT, "Wyślij {amount}"),
        (TEXT, ""),
        (("{count} token", "{count} tokens"), ("token", "{count} tokeny", "{count} tokenów")),
        ("Ends ", "Kończy "),
    ],
)
def test_a_good_translation_has_no_fault(text: str | tuple[str, ...], said: str | tuple[str, ...]) -> None:
    assert faults(catalogue(text, said)) == []


@pytest.mark.parametrize(
    ("text", "said", "wrong"),
    [
        (TEXT, "Wyślij {kwota}", "other placeholders"),
        (TEXT, "Wyślij", "other placeholders"),
        (TEXT, "<b>Wyślij</b> {amount}", "markup"),
        (TEXT, "Wyślij&nbsp;{amount}", "markup"),
        (TEXT, "Wyślij {amount} ", "blank"),
        (TEXT, "Wyślij\n{amount}", "line break"),
        (("{count} token", "{count} tokens"), ("token", "{count} tokeny", ""), "forms"),
    ],
)
def test_a_bad_translation_is_named(text: str | tuple[str, ...], said: str | tuple[str, ...], wrong: str) -> None:
    (fault,) = faults(catalogue(text, said))
    assert wrong in fault


def test_a_script_says_what_it_shows_and_its_errors(tmp_path: Path) -> None:
    script = tmp_path / "card.tsx"
    script.write_text(
        '// Translators: a button\nt("button\\u0004Send");\nexport const wait = (n) => t("In {n} s", { n });\n'
        'throw new PairingError(-32603, "The relay gave no code");\nthrow new PairingError(-1, "orphaned");\nat("Nothing");\n'
    )
    assert [(message, context) for message, _, context in messages_of(script)] == [
        ("Send", "button"),
        ("In {n} s", None),
        ("The relay gave no code", None),
    ]


def test_every_language_in_the_box_has_every_text() -> None:
    with TEMPLATE.open("rb") as file:
        texts = {(one.context, one.id) for one in read_po(file) if one.id}
    missing = {
        file.parents[1].name: texts - {(one.context, one.id) for one in read(file) if one.string and all(one.string)}
        for file in LOCALE.glob(CATALOGUES)
    }
    assert {language: len(left) for language, left in missing.items() if left} == {}
