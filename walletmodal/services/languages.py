"""Languages of the texts: catalogues by gettext, names and directions by CLDR (Babel).

A catalogue is `locale/<language>/LC_MESSAGES/walletmodal.po`: the product's beside this package, and the deployment's in its project,
whose texts come first. English needs none.
"""

from __future__ import annotations

import ast
import asyncio
import io
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, localcontext
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any, Final

from babel import Locale, UnknownLocaleError
from babel.core import get_global, parse_locale
from babel.dates import format_date, format_skeleton
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from cachetools import LRUCache

from walletmodal.core.errors import CatalogueError
from walletmodal.core.language import Text
from walletmodal.core.language.text import always_isolated, isolated, placeholders
from walletmodal.services.pseudo_language import PSEUDO, PseudoTranslations

ENGLISH: Final = "en"
BUNDLED: Final = Path(__file__).resolve().parents[1] / "locale"
MAX_TAGS: Final = 10
"""Of what a browser prefers, so many are looked at."""

FILE: Final = Path("LC_MESSAGES") / "walletmodal.po"
_EXACT: Final = 400
"""Digits that no number that is shown exceeds."""
_MAX_CHOSEN: Final = 1_000
_MAX_TAG: Final = 35
"""Characters: as long as the standard has every program take (RFC 5646, 4.4.1)."""
_TURNING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""What has all that follows run in another direction. Texts need none: their values are isolated."""
_PLURAL_FORMS: Final = re.compile(rb"nplurals\s*=\s*0*(\d+)")
_MAX_PLURAL_FORMS: Final = 6
_DIRECTION_MARKS: Final = dict.fromkeys((0x200E, 0x200F, 0x061C))

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A language with its texts.

    Attributes:
        tag: by BCP 47, such as `pt-BR`.
        rtl: whether it is written from right to left.
    """

    tag: str = ENGLISH
    rtl: bool = False
    _texts: NullTranslations = field(default_factory=NullTranslations)
    _locale: Locale = field(default_factory=lambda: Locale(ENGLISH))

    def find(self, text: Text) -> str:
        """The translation with its placeholders; the English text where there is none that can be used."""
        english = text.plural if text.plural and text.number != 1 else text.message
        if text.plural:
            try:
                found = self._texts.ngettext(text.message, text.plural, text.number)
            except ZeroDivisionError:
                # The rule of a catalogue, for some numbers.
                found = english
        elif text.context:
            found = self._texts.pgettext(text.context, text.message)
        else:
            found = self._texts.gettext(text.message)
        for fault in _faults_of(found, (text.message, text.plural)):
            _log.warning("%s: the translation of %r %s", self.tag, text.message, fault)
            return english
        return found

    @property
    def other(self) -> Spoken | None:
        """The language, where texts are to be put into it; None for English, in which they are."""
        return None if self.tag == ENGLISH else self

    def isolate(self, value: str) -> str:
        """Addresses, amounts and names keep their own direction within a sentence that runs the other way."""
        return always_isolated(value) if self.rtl else isolated(value)

    def number(self, value: Decimal, currency: str) -> str:
        """A number in exactly the decimals that it has, as money where `currency` (ISO 4217) is given. Digits are 0 to 9."""
        pattern = copy(self._locale.currency_formats["standard"] if currency else self._locale.decimal_formats[None])
        pattern.frac_prec = (-int(value.as_tuple().exponent),) * 2
        with localcontext() as context:
            # Babel computes by Python's own precision, which is 28 digits.
            context.prec = _EXACT
            said = str(pattern.apply(value, self._locale, currency=currency or None, currency_digits=False))
        # Digits and signs run from left to right in every language, which the marks of some patterns would turn around.
        return said.translate(_DIRECTION_MARKS)

    def date(self, day: date, skeleton: str) -> str:
        """The fields of a date that a skeleton of CLDR names, such as `MMMd`. One field alone is its own pattern."""
        if len(set(skeleton)) == 1:
            return format_date(day, skeleton, locale=self._locale)
        return format_skeleton(skeleton, day, locale=self._locale)


class Languages:
    """Those of a deployment.

    Args:
        offered: by BCP 47; empty: all that there are.
        folders: where catalogues are, those whose texts come first at the end.

    Raises:
        CatalogueError: one of `offered` has no catalogue, or a catalogue of the deployment's is broken.
    """

    def __init__(self, offered: Iterable[str] = (), folders: Sequence[Path] = (BUNDLED,)) -> None:
        self._folders = folders
        found = {file.parents[1].name for folder in folders for file in folder.glob(f"*/{FILE}")}
        self.tags: tuple[str, ...] = tuple(sorted({ENGLISH, *(offered or found)}))
        if unknown := set(self.tags) - found - {ENGLISH, PSEUDO}:
            raise CatalogueError(f"LOCALES: there is no catalogue of {', '.join(sorted(unknown))}")
        for folder in folders[1:]:
            # The product's own are checked when it is made.
            faults(folder)
        self._by_script = {_with_script(tag): tag for tag in self.tags}
        self._loaded: dict[str, Spoken] = {ENGLISH: Spoken(), PSEUDO: Spoken(PSEUDO, _texts=PseudoTranslations())}
        self._loading = asyncio.Lock()
        self._chosen: LRUCache[str, str] = LRUCache(_MAX_CHOSEN)

    def choose(self, preferred: str) -> str:
        """The first language that somebody prefers and that is offered: `zh-TW` is answered by `zh-Hant`; English without one.

        Args:
            preferred: tags by BCP 47 with commas between, the best first; from a browser, so anything may stand there.
        """
        if (known := self._chosen.get(preferred)) is not None:
            return known
        tags = [tag.strip() for tag in preferred.split(",", MAX_TAGS)[:MAX_TAGS]]
        chosen = next(
            (found for tag in tags if (found := tag if tag in self.tags else self._nearest(tag)) is not None), ENGLISH
        )
        if len(preferred) <= MAX_TAGS * _MAX_TAG:
            self._chosen[preferred] = chosen
        return chosen

    def _nearest(self, tag: str) -> str | None:
        wanted = _with_script(tag)
        language, _, script = wanted.partition("_")
        if not script:
            return None
        # Another country's way of writing the language is better than English, another script is not.
        return self._by_script.get(wanted) or next(
            (
                offered
                for known, offered in self._by_script.items()
                if known.startswith(f"{language}_{script.partition('_')[0]}")
            ),
            None,
        )

    async def load(self, tag: str) -> Spoken:
        """A language of `tags`; English for any other. The first time, its catalogue is read beside the event loop."""
        if tag not in self.tags:
            return self._loaded[ENGLISH]
        if (known := self._loaded.get(tag)) is not None:
            return known
        async with self._loading:
            if tag not in self._loaded:
                self._loaded[tag] = await asyncio.to_thread(
                    read, tag, [folder / tag / FILE for folder in self._folders]
                )
        return self._loaded[tag]


def accepted(header: str) -> str:
    """The tags of `Accept-Language`, as `Languages.choose` takes them; browsers name the best first."""
    return ",".join(part.partition(";")[0].strip() for part in header.split(","))


def _with_script(tag: str) -> str:
    """`zh-TW` as `zh_Hant_TW`, what CLDR completes it to; "" for what is no tag of a language that it knows."""
    if len(tag) > _MAX_TAG:
        return ""
    try:
        named, territory, script, *_others = parse_locale(tag, sep="-")
    except ValueError:
        return ""
    aliases: Mapping[str, str] = get_global("language_aliases")
    known: Mapping[str, str] = get_global("likely_subtags")
    language, _, usual = aliases.get(named, named).partition("_")
    parts = [part for part in (language, script or usual, territory) if part]
    for key in ("_".join(parts), f"{language}_{territory}", language):
        if likely := known.get(key):
            language, likely_script, likely_territory = likely.split("_")
            return "_".join((language, script or usual or likely_script, territory or likely_territory))
    return "_".join(parts)


def read(tag: str, files: Iterable[Path]) -> Spoken:
    """A language by its catalogues; each comes before those that stand before it."""
    texts: NullTranslations = NullTranslations()
    for file in files:
        if file.is_file():
            own = _compiled(file, _parsed(tag, file))
            own.add_fallback(texts)
            texts = own
    locale = Locale.parse(tag, sep="-")
    return Spoken(tag, locale.text_direction == "rtl", texts, locale)


def texts_of(sources: str, template: Path = BUNDLED / "walletmodal.pot") -> list[str]:
    """The names in a catalogue of what the files of a folder of the checkout say, as the template of all catalogues has it."""
    with template.open("rb") as file:
        return [
            Text(message.id, {}, context=message.context or "").key
            for message in read_po(file)
            if isinstance(message.id, str) and any(name.startswith(sources) for name, _line in message.locations)
        ]


def faults(folder: Path) -> list[str]:
    """What is in the catalogues of a folder and is not used, a sentence each.

    Raises:
        CatalogueError: a file is broken, or its language does not exist.
    """
    found = list[str]()
    for file in sorted(folder.glob(f"*/{FILE}")):
        tag = file.parents[1].name
        if tag == ENGLISH:
            found.append(f"{file}: English is not changed by a catalogue: its texts are those of the views")
        catalogue = _parsed(tag, file)
        _compiled(file, catalogue)
        found += [
            f"{file}: the translation of {_forms(message.id)[0]!r} {fault}"
            for message in catalogue
            if message.id
            for fault in _faults_of(" ".join(_forms(message.string)), _forms(message.id))
        ]
    return found


def gaps(folder: Path, modules: Iterable[Path]) -> list[str]:
    """What the catalogues of a project lack, and which of their texts are nobody's any more, a sentence each.

    Args:
        folder: where they are; `faults` finds nothing broken in it.
        modules: the project's, which may have texts of their own.
    """
    files = sorted(folder.glob(f"*/{FILE}"))
    if not files:
        return []
    found = list[str]()
    texts = [_key(message) for message in _parsed(ENGLISH, BUNDLED / "walletmodal.pot") if message.id]
    known = {text for _, text in texts}.union(*map(_strings, modules))
    for file in files:
        tag = file.parents[1].name
        has = [message for message in _parsed(tag, file) if message.id]
        found += [
            f"{file}: {text!r} is a text neither of walletmodal nor of the project's modules"
            for _, text in map(_key, has)
            if text not in known
        ]
        bundled = BUNDLED / tag / FILE
        said = {_key(one) for one in (*has, *(_parsed(tag, bundled) if bundled.is_file() else ())) if _is_said(one)}
        missing = [text for context, text in texts if (context, text) not in said]
        if missing and tag != ENGLISH:
            found.append(
                f"{file}: {len(missing)} of {len(texts)} texts of walletmodal have no translation, such as {missing[0]!r}"
            )
    return found


def _key(message: Message) -> tuple[str | None, str]:
    return message.context, _forms(message.id)[0]


def _is_said(message: Message) -> bool:
    return all(_forms(message.string)) and not message.fuzzy


def _strings(module: Path) -> Iterator[str]:
    """All strings of a module, whatever they are for; none where it is no Python, which others tell."""
    with suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(module.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def _faults_of(translation: str, texts: Iterable[str]) -> Iterator[str]:
    known = frozenset().union(*map(placeholders, texts))
    yield from (f"has {{{name}}}, which the text has not" for name in sorted(placeholders(translation) - known))
    if turning := _TURNING.search(translation):
        yield f"has U+{ord(turning[0]):04X}, which turns writing around"


def _forms(text: Any) -> tuple[str, ...]:
    """Babel has a text without a plural as it is."""
    return tuple(text) if isinstance(text, tuple | list) else (text,)


def _locale(tag: str, file: Path) -> Locale:
    """CLDR's.

    Raises:
        CatalogueError: it knows none, or the tag is written otherwise.
    """
    try:
        locale = Locale.parse(tag.replace("_", "-"), sep="-")
    except (ValueError, UnknownLocaleError):
        raise CatalogueError(f"{file}: {tag!r} is no language that CLDR knows") from None
    written = str(locale).replace("_", "-")
    if "_" in tag or (tag != written and tag.lower() == written.lower()):
        raise CatalogueError(f"{file}: {tag!r} is no language that CLDR knows; did you mean {written!r}?")
    return locale


def _parsed(tag: str, file: Path) -> Catalog:
    """A file's texts.

    Raises:
        CatalogueError: it is broken, or its language does not exist.
    """
    locale = _locale(tag, file)
    source = file.read_bytes()
    for forms in _PLURAL_FORMS.findall(source.replace(b'"\n"', b"")):
        # Babel makes as many for each text.
        if len(forms) > 1 or int(forms) > _MAX_PLURAL_FORMS:
            raise CatalogueError(
                f"{file}: nplurals={forms[:_MAX_TAG].decode()}: no language has more than {_MAX_PLURAL_FORMS} plural forms"
            )
    try:
        return read_po(io.BytesIO(source), locale=locale, abort_invalid=True)
    # LookupError: of its encoding.
    except (PoFileError, ValueError, LookupError) as error:
        raise CatalogueError(f"{file}: no catalogue of gettext: {error}") from error


def _compiled(file: Path, catalogue: Catalog) -> GNUTranslations:
    """A catalogue to look texts up in.

    Raises:
        CatalogueError: its rule for plurals is none.
    """
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    try:
        return GNUTranslations(compiled)
    except ValueError as error:
        raise CatalogueError(f"{file}: no catalogue of gettext: {error}") from error
