"""`make messages`: collects the texts of the product into `walletmodal/locale/walletmodal.pot`, and brings every language's catalogue up to it.

A text that is new has no translation yet, and is English until it has one. A translation with other placeholders, with markup or without one of
its language's forms fails. `--check` changes nothing, and fails where something would change.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po, write_po

from scripts.project import ROOT
from walletmodal.core.language.text import placeholders

LOCALE: Final = ROOT / "walletmodal" / "locale"
TEMPLATE: Final = LOCALE / "walletmodal.pot"
CATALOGUES: Final = "*/LC_MESSAGES/walletmodal.po"
SOURCES: Final = ("walletmodal", "components", "secure", "loader/src")
"""Folders whose texts visitors see."""
NO_VISITORS: Final = frozenset(
    {"node_modules", "alembic", "sandbox", "external", "gallery", "static", "tests", "dist", "v"}
)
"""Folders within them whose texts nobody translates."""

_COMMENTS: Final = ("Translators:",)
_KEYWORDS: Final = {name: DEFAULT_KEYWORDS[name] for name in ("_", "ngettext", "pgettext", "npgettext")}
_IN_SCRIPT: Final = re.compile(
    r"""(?P<comment>//\s*Translators:[^\n]*\n\s*)?(?:^|[^\w.])(?:t\(\s*|new (?:Frame|Link|Pairing|Secure)Error\(\s*(?:[-\w]+,\s*)?(?="[A-Z])(?!"Invalid params))(?P<text>"(?:[^"\\\n]|\\.)+")""",
    re.MULTILINE,
)
"""What a script says, and its errors, which stay English on their way and are looked up where a visitor reads them."""
_ON_CARD: Final = re.compile(r"(?<![\w.$])t`([^`\\]+)`")
"""What a card of the secure site says; its values are names alone."""
_VALUE: Final = re.compile(r"\$(\{\w+\})")
_WIDTH: Final = 140
_MARKUP: Final = re.compile(r"<[A-Za-z/!]|&#?\w+;")
_UNSEEN: Final = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def sources() -> Iterator[Path]:
    """The files that may have texts; a folder that is a link has them where it leads."""
    for folder in SOURCES:
        for file in sorted((ROOT / folder).rglob("*")):
            parts = file.relative_to(ROOT).parts
            if file.suffix in (".py", ".ts", ".tsx") and not NO_VISITORS.intersection(parts) and not _is_linked(file):
                yield file


def _is_linked(file: Path) -> bool:
    return any(parent.is_symlink() for parent in (file, *file.parents) if parent.is_relative_to(ROOT))


def messages_of(file: Path) -> Iterable[tuple[str | tuple[str, str], list[str], str | None]]:
    """The texts of a file: message (or singular and plural), translators' comments, context."""
    if file.suffix != ".py":
        for found in _IN_SCRIPT.finditer(file.read_text(encoding="utf-8")):
            context, _, message = json.loads(found["text"]).rpartition("\x04")
            comment = (found["comment"] or "").strip().removeprefix("//").strip()
            yield message, [comment] if comment else [], context or None
        for text in card_texts_of(file):
            yield text, [], None
        return
    with file.open("rb") as source:
        for _line, message, comments, context in extract(
            "python", source, _KEYWORDS, _COMMENTS, strip_comment_tags=False
        ):
            yield (message if isinstance(message, str) else (message[0], message[1])), list(comments), context


def card_texts_of(file: Path) -> list[str]:
    """What the cards say that a script of the secure site draws.

    Raises:
        ValueError: a value of a text has no name.
    """
    texts = [_VALUE.sub(r"\1", text) for text in _ON_CARD.findall(file.read_text(encoding="utf-8"))]
    if nameless := next((text for text in texts if "${" in text), ""):
        raise ValueError(f"{file}: a value needs a name of its own in {nameless!r}")
    return texts


def collect() -> Catalog:
    """All texts of the product."""
    found = Catalog(project="WalletModal", fuzzy=False, charset="utf-8")
    for file in sources():
        for message, comments, context in messages_of(file):
            found.add(message, locations=[(str(file.relative_to(ROOT)), 1)], auto_comments=comments, context=context)
    return found


def written(catalogue: Catalog, *, header: bool = True) -> bytes:
    """A catalogue as its file has it: without line numbers and dates, which would change with every edit."""
    text = io.BytesIO()
    write_po(
        text, catalogue, width=_WIDTH, include_lineno=False, omit_header=True, ignore_obsolete=True, sort_output=True
    )
    return (_header(catalogue) if header else b"") + text.getvalue()


def _header(catalogue: Catalog) -> bytes:
    lines = ['msgid ""', 'msgstr ""']
    if catalogue.locale is not None:
        lines.append(f'"Language: {str(catalogue.locale).replace("_", "-")}\\n"')
    lines += [
        '"MIME-Version: 1.0\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
    ]
    if catalogue.locale is not None:
        lines.append(f'"Plural-Forms: {catalogue.plural_forms}\\n"')
    return ("\n".join(lines) + "\n\n").encode()


def read(file: Path) -> Catalog:
    """A language's catalogue."""
    with file.open("rb") as source:
        return read_po(source, locale=file.parents[1].name.replace("-", "_"))


def updated(catalogue: Catalog, template: Catalog) -> bytes:
    """A language's catalogue with exactly the texts that there are now; no translation is guessed from a similar one."""
    catalogue.update(template, no_fuzzy_matching=True)
    return written(catalogue)


def faults(catalogue: Catalog) -> list[str]:
    """What is wrong with the translations of a catalogue, a sentence each."""
    found = []
    for message in catalogue:
        english, forms = _forms(message.id), _forms(message.string)
        if not english[0] or not any(forms):
            continue
        wanted = catalogue.num_plurals if len(english) > 1 else 1
        checks = {
            f"has {len(forms)} forms, not {wanted}": len(forms) != wanted or not all(forms),
            "has other placeholders": any(not _fits(form, english) for form in forms),
            "has markup": any(_MARKUP.search(form) for form in forms) and not _MARKUP.search(english[0]),
            "begins or ends with a blank": any(form != form.strip() for form in forms)
            and english[0] == english[0].strip(),
            "has a line break": any("\n" in form for form in forms) and "\n" not in english[0],
            "has a character that is not seen, or turns writing around": any(map(_UNSEEN.search, forms)),
        }
        found += [
            f"{catalogue.locale}: the translation of {english[0]!r} {what}" for what, wrong in checks.items() if wrong
        ]
    return found


def _forms(text: Any) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (text,)


def _fits(form: str, english: tuple[str, ...]) -> bool:
    """A form for one may be without the number."""
    names, wanted = placeholders(form), placeholders(english[-1])
    return names <= wanted and wanted - names <= ({"count"} if len(english) > 1 else set())


def main(arguments: list[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(
        prog="make messages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="change nothing, and fail where something would change")
    checks = parser.parse_args(arguments).check
    template = collect()
    catalogues = {file: read(file) for file in sorted(LOCALE.glob(CATALOGUES))}
    wrong = [fault for catalogue in catalogues.values() for fault in faults(catalogue)]
    wanted = {
        TEMPLATE: written(template),
        **{file: updated(catalogue, template) for file, catalogue in catalogues.items()},
    }
    stale = [file for file, text in wanted.items() if not file.exists() or file.read_bytes() != text]
    if not checks:
        for file in stale:
            file.write_bytes(wanted[file])
    for file in stale:
        print(f"{'stale' if checks else 'written'}: {file.relative_to(ROOT)}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong or (checks and stale) else 0


if __name__ == "__main__":
    sys.exit(main())
