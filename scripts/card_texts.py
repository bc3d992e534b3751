"""What the cards of the secure site say in each other language, as their build takes it. A card never has a deployment's own texts: what is published is what is read."""

from collections.abc import Iterable
from typing import Any, Final

from scripts.messages import card_texts_of, messages_of
from scripts.project import ROOT
from walletmodal.core.language import Text
from walletmodal.core.language.text import fill, placeholders
from walletmodal.core.wallets.refusals import cooldown, wrong_password
from walletmodal.services.languages import BUNDLED, ENGLISH, FILE, Languages, Spoken, read
from walletmodal.web.texts import packed

SCRIPTS: Final = ROOT / "secure" / "web" / "src"
_REFUSING: Final = (
    *("web/src/api.ts", "web/src/user.ts", "errors.py", "calls/limits.py", "login/attempts.py"),
    *("recovery/boxes.py", "custody/handover.py", "custody/passwords.py"),
)
"""Whose errors a card shows, so that the visitor can try again."""
INPUTS: Final = (
    *(ROOT / "scripts" / name for name in ("card_texts.py", "messages.py")),
    *(ROOT / "walletmodal" / name for name in ("web/texts.py", "services/languages.py", "core/wallets/refusals.py")),
    *(ROOT / "secure" / name for name in _REFUSING),
)
"""What else than catalogues and scripts decides what they say."""
_MOST_SECONDS, _MOST_TRIES = 60, 10
_BITS: Final = 30
"""Of a text's number: a script that is newer than the texts shows none of another sentence."""


def card_texts() -> dict[str, dict[str, Any]]:
    """By the language's tag, what `said.ts` takes: the answer of `packed`, `rtl`, and `errors` by their English."""
    texts = sorted({text for file in SCRIPTS.rglob("*.ts") for text in card_texts_of(file)})
    return {tag: _of_language(read(tag, [BUNDLED / tag / FILE]), texts) for tag in Languages().tags if tag != ENGLISH}


def _of_language(language: Spoken, texts: Iterable[str]) -> dict[str, Any]:
    said = {_numbered(text, text): _numbered(language.find(_text(text)), text) for text in texts}
    errors = {str(error): error.said_in(language) for error in _errors()}
    return {"rtl": language.rtl, **packed(said, said, least=_BITS), "errors": errors}


def _numbered(text: str, english: str) -> str:
    """Scripts know values by their places in the English text."""
    names = [part.partition("}")[0] for part in english.split("{")[1:]]
    return fill(text, {name: f"{{{place}}}" for place, name in enumerate(names)})


def _errors() -> list[Text]:
    files = [ROOT / "secure" / name for name in _REFUSING]
    messages = {
        text for file in files for text, _, context in messages_of(file) if isinstance(text, str) and not context
    }
    plain = [_text(text) for text in sorted(messages) if not placeholders(text)]
    return [*plain, *map(cooldown, range(1, _MOST_SECONDS + 1)), *map(wrong_password, range(_MOST_TRIES))]


def _text(message: str) -> Text:
    return Text(message, {name: f"{{{name}}}" for name in placeholders(message)})
