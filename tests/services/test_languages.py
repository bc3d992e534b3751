"""Languages: which one somebody gets, and what catalogues may hold."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from walletmodal.core.errors import CatalogueError
from walletmodal.core.language import _, ngettext, pgettext
from walletmodal.services.languages import Languages, faults, texts_of

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {plurals}\\n"\n\n'
TWO = "nplurals=2; plural=(n != 1);"
POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"


def write(folder: Path, tag: str, entries: str = "", plurals: str = TWO) -> Path:
    """Writes a catalogue; returns the folder."""
    file = folder / tag / "LC_MESSAGES" / "walletmodal.po"
    file.parent.mkdir(parents=True)
    file.write_text(HEADER.format(plurals=plurals) + entries, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Languages:
    """Languages whose names differ in more than the language."""
    folder = tmp_path_factory.mktemp("locale")
    for tag in ("ar", "de", "he", "pt-BR", "zh-Hans", "zh-Hant"):
        write(folder, tag)
    return Languages((), (folder,))


@pytest.mark.parametrize(
    ("preferred", "chosen"),
    [
        ("de", "de"),
        ("de-CH,fr", "de"),
        ("fr,de", "de"),
        ("fr", "en"),
        ("en-GB,de", "en"),
        ("pt-PT", "pt-BR"),
        ("zh", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("iw", "he"),
        ("cmn-TW", "zh-Hant"),
        ("ar-Latn", "en"),
        ("ar-latn-eg,de", "de"),
        ("", "en"),
        ("../../etc/passwd", "en"),
        ("x" * 10_000, "en"),
        (",".join(["fr"] * 11) + ",de", "en"),
        ("de_DE", "en"),
    ],
)
def test_a_visitor_gets_the_first_language_that_there_is(many: Languages, preferred: str, chosen: str) -> None:
    assert many.choose(preferred) == chosen


async def test_texts_are_looked_up_with_their_context_and_number(tmp_path: Path) -> None:
    entries = (
        'msgctxt "button"\nmsgid "Send"\nmsgstr "Wyślij"\n\n'
        'msgid "{count} wallet"\nmsgid_plural "{count} wallets"\nmsgstr[0] "{count} portfel"\nmsgstr[1] "{count} portfele"\nmsgstr[2] "{count} portfeli"\n'
    )
    polish = await Languages((), (write(tmp_path, "pl", entries, POLISH),)).load("pl")
    counted = [ngettext("{count} wallet", "{count} wallets", count).said_in(polish) for count in (1, 3, 5)]
    assert (pgettext("button", "Send").said_in(polish), pgettext("tab", "Send").said_in(polish)) == ("Wyślij", "Send")
    assert counted == ["1 portfel", "3 portfele", "5 portfeli"]


async def test_a_deployments_own_text_comes_first_and_ours_stay(tmp_path: Path) -> None:
    ours = write(tmp_path / "ours", "de", 'msgid "Close"\nmsgstr "Schließen"\n\nmsgid "Back"\nmsgstr "Zurück"\n')
    own = write(tmp_path / "own", "de", 'msgid "Close"\nmsgstr "Zumachen"\n')
    german = await Languages((), (ours, own)).load("de")
    assert (_("Close").said_in(german), _("Back").said_in(german), _("Next").said_in(german)) == (
        "Zumachen",
        "Zurück",
        "Next",
    )


async def test_a_translation_with_other_placeholders_is_not_used(tmp_path: Path) -> None:
    entries = 'msgid "Pay {amount}"\nmsgstr "Zahle {summe}"\n'
    german = await Languages((), (write(tmp_path, "de", entries),)).load("de")
    assert _("Pay {amount}", amount=3).said_in(german) == "Pay 3"


async def test_values_keep_their_direction_where_the_sentence_has_another(tmp_path: Path) -> None:
    entries = 'msgid "To {address}"\nmsgstr "إلى {address}"\n'
    arabic = await Languages((), (write(tmp_path, "ar", entries),)).load("ar")
    assert (arabic.rtl, _("To {address}", address="0x1").said_in(arabic)) == (True, "إلى \u20680x1\u2069")


async def test_a_value_that_runs_the_other_way_moves_no_number_beside_it(tmp_path: Path) -> None:
    entries = 'msgid "{amount} of {symbol}"\nmsgstr "{symbol}: {amount}"\n'
    german = await Languages((), (write(tmp_path, "de", entries),)).load("de")
    said = _("{amount} of {symbol}", amount="1.5", symbol="שקל 900")
    assert (said, said.said_in(german)) == ("1.5 of \u2068שקל 900\u2069", "\u2068שקל 900\u2069: 1.5")
    assert _("{amount} of {symbol}", amount="1.5", symbol="€").said_in(german) == "€: 1.5"


@pytest.mark.parametrize("language", ["de", "ar"])
async def test_a_value_turns_nothing_around_that_follows_it(tmp_path: Path, language: str) -> None:
    known = await Languages(
        (), (write(tmp_path, language, 'msgid "To {name}, {amount}"\nmsgstr "{name}: {amount}"\n'),)
    ).load(language)
    within = _("{count} of {symbol}", count="9", symbol="שקל")
    said = _("To {name}, {amount}", name=f"\u202ea\u2069{within}\u2066", amount="1.5").said_in(known)
    amount = "\u20681.5\u2069" if known.rtl else "1.5"
    assert said == f"\u2068a9 of \u2068שקל\u2069\u2069: {amount}"


async def test_an_amount_has_no_marks_that_would_turn_it_around(tmp_path: Path) -> None:
    arabic = await Languages((), (write(tmp_path, "ar"),)).load("ar")
    assert arabic.number(Decimal("-1234.50"), "USD") == "-1,234.50\u00a0US$"


async def test_what_is_not_offered_is_english(tmp_path: Path) -> None:
    languages = Languages(("de",), (write(write(tmp_path, "de"), "fr"),))
    assert (languages.tags, (await languages.load("fr")).tag) == (("de", "en"), "en")


def test_a_language_without_a_catalogue_cannot_be_offered(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="no catalogue of fr, xx"):
        Languages(("de", "fr", "xx"), (write(tmp_path, "de"),))


def test_a_broken_catalogue_of_a_deployment_ends_the_start(tmp_path: Path) -> None:
    folder = write(tmp_path / "own", "de", "this is no catalogue\n")
    with pytest.raises(CatalogueError, match=r"de.*walletmodal\.po.*on 5"):
        Languages((), (tmp_path / "ours", folder))


@pytest.mark.parametrize(
    ("tag", "plurals", "told"),
    [
        ("xx", TWO, "'xx' is no language that CLDR knows"),
        ("pt_BR", TWO, "'pt_BR' is no language that CLDR knows; did you mean 'pt-BR'"),
        ("de_XX", TWO, "'de_XX' is no language that CLDR knows"),
        ("pt-br", TWO, "'pt-br' is no language that CLDR knows; did you mean 'pt-BR'"),
        ("de", "nplurals=2; plural=__import__(n);", "invalid token"),
        ("de", "nplurals=30000000; plural=0;", "nplurals=30000000: no language has more than 6 plural forms"),
        ("de", 'nplu"\n"rals = 7; plural=0;', "nplurals=7: no language has more than 6 plural forms"),
        ("de", 'nplurals=2; plural=0;\\n"\n"Content-Type: text/plain; charset=CHARSET', "unknown encoding"),
    ],
)
def test_a_catalogue_that_no_visitor_could_get_ends_the_start(
    tmp_path: Path, tag: str, plurals: str, told: str
) -> None:
    folder = write(tmp_path / "own", tag, 'msgid "Close"\nmsgstr "Zu"\n', plurals)
    with pytest.raises(CatalogueError, match=re.escape(told)):
        Languages((), (tmp_path / "ours", folder))


async def test_a_rule_for_plurals_that_cannot_be_computed_leaves_english(tmp_path: Path) -> None:
    entries = 'msgid "{count} day"\nmsgid_plural "{count} days"\nmsgstr[0] "{count} Tag"\nmsgstr[1] "{count} Tage"\n'
    folder = write(tmp_path, "de", entries, "nplurals=2; plural=(n%(n-5) != 0);")
    german = await Languages((), (folder,)).load("de")
    said = [ngettext("{count} day", "{count} days", count).said_in(german) for count in (5, 6)]
    assert said == ["5 days", "6 Tag"]


@pytest.mark.parametrize("mark", ["\u202e", "\u2067"])
async def test_a_translation_that_would_turn_a_value_around_is_told_and_not_used(tmp_path: Path, mark: str) -> None:
    write(tmp_path, "de", f'msgid "To {{address}}"\nmsgstr "An {mark}{{address}}"\n')
    german = await Languages((), (tmp_path,)).load("de")
    (fault,) = faults(tmp_path)
    assert _("To {address}", address="0x12").said_in(german) == "To 0x12"
    assert f"has U+{ord(mark):04X}, which turns writing around" in fault


def test_a_catalogue_of_english_is_told(tmp_path: Path) -> None:
    (fault,) = faults(write(tmp_path, "en", 'msgid "Close"\nmsgstr "Shut"\n'))
    assert "English is not changed by a catalogue" in fault


def test_a_placeholder_that_the_text_has_not_is_told(tmp_path: Path) -> None:
    write(tmp_path, "de", 'msgid "Pay {amount}"\nmsgstr "Zahle {summe}"\n\nmsgid "Close"\nmsgstr "Zu"\n')
    (fault,) = faults(tmp_path)
    assert "'Pay {amount}' has {summe}, which the text has not" in fault


def test_the_texts_of_a_folder_are_those_that_the_template_finds_there(tmp_path: Path) -> None:
    template = tmp_path / "walletmodal.pot"
    template.write_text(
        HEADER.format(plurals=TWO)
        + '#: loader/src/elements.ts walletmodal/views.py\nmsgid "Account"\nmsgstr ""\n\n'
        + '#: loader/src/onramp/index.ts\nmsgctxt "button"\nmsgid "Buy"\nmsgstr ""\n\n'
        + '#: walletmodal/views.py\nmsgid "Close"\nmsgstr ""\n'
    )
    assert texts_of("loader/", template) == ["Account", "button\x04Buy"]


async def test_the_pseudo_language_changes_all_but_the_values_and_is_offered_on_request_alone(tmp_path: Path) -> None:
    languages = Languages(("en", "qps-ploc"), (tmp_path,))
    pseudo = await languages.load(languages.choose("qps-ploc"))
    assert _("Pay {amount} now", amount="3 ETH").said_in(pseudo) == "[Påý 3 ETH ñøw one two]"
    assert Languages((), (tmp_path,)).choose("qps-ploc") == "en"


async def test_a_message_is_translated_where_its_values_are_put_in_later(tmp_path: Path) -> None:
    entries = 'msgid "Pay {amount}"\nmsgstr "Zahle {amount}"\n'
    german = await Languages((), (write(tmp_path, "de", entries),)).load("de")
    assert german.find(_("Pay {amount}")) == "Zahle {amount}"
