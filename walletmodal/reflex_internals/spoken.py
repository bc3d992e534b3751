"""What leaves for a browser, in its visitor's language.

Why: a state holds texts that can be said in any language, and Reflex sends them as the English that they are; of the first state it leaves
out what the page's script holds, which is English.
Test: `test_texts_of_a_state_are_sent_in_the_language_of_the_page`, `tests/features/test_resume_hydration.py`.
Dropped when: Reflex lets an app change what it sends.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

from reflex import state as reflex_state
from reflex.state import BaseState
from reflex_base.event.context import EventContext
from reflex_base.utils.serializers import serialize

from walletmodal.core.language import Language, Localized

FRAGMENT: Final = "#locale="
"""At the end of a page's address, which every event brings, before the languages that the page is to be in."""

Languages = Callable[[str], Awaitable[Language | None]]
"""Finds the first language of those that a browser has named, by BCP 47 with commas between; None for English."""

_PLAIN: Final = (str, int, float, bool, type(None))
_languages: list[Languages] = []
_english: set[str] = set()


def speak(languages: Languages, *, english: Iterable[type[BaseState]] = ()) -> None:
    """From now on, pages in another language are sent texts in it.

    Args:
        languages: of the pages.
        english: states whose values are for hosts and wallets, which no visitor's language changes.
    """
    _languages[:] = [languages]
    _english.update(state.get_full_name() for state in english)
    reflex_state._diff_against_initial_state = _with_texts


def locales_of(router_data: Mapping[str, Any]) -> str:
    """The languages that the page of an event is to be in; "": English."""
    address = router_data.get("asPath")
    return address.partition(FRAGMENT)[2] if isinstance(address, str) else ""


async def in_language_of(
    router_data: Mapping[str, Any], delta: Mapping[str, Mapping[str, Any]]
) -> Mapping[str, Mapping[str, Any]]:
    """Values of states as the page that they go to says them."""
    locales = locales_of(router_data)
    language = await _languages[0](locales) if locales and _languages else None
    if language is None:
        return delta
    return {
        state: values if state in _english else {name: _said(value, language) for name, value in values.items()}
        for state, values in delta.items()
    }


_changed: Final = reflex_state._diff_against_initial_state


async def _with_texts(
    root_cls: type[BaseState], delta: dict[str, dict[str, Any]], hashes: list[str]
) -> dict[str, dict[str, Any]]:
    """What of the first state a page is sent: what differs from its script, and where that may be in another language, texts."""
    changed = await _changed(root_cls, delta, hashes)
    if not locales_of(EventContext.get().router_data):
        return changed
    texts = {
        state: {name: value for name, value in values.items() if _has_text(value)}
        for state, values in delta.items()
        if state not in _english
    }
    return {state: values for state in delta if (values := {**texts.get(state, {}), **changed.get(state, {})})}


def _has_text(value: Any) -> bool:
    if isinstance(value, Localized):
        return True
    if type(value) in _PLAIN:
        return False
    if isinstance(value, Mapping):
        return any(map(_has_text, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(_has_text, value))
    written = serialize(value)
    return written is not None and not isinstance(written, str) and _has_text(written)


def _said(value: Any, language: Language) -> Any:
    if isinstance(value, Localized):
        return value.said_in(language)
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        return {key: _said(one, language) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_said(one, language) for one in value]
    written = serialize(value)
    return value if written is None or isinstance(written, str) else _said(written, language)
