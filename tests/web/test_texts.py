"""`GET /v1/texts`: what the views say in another language."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from tests.services.test_languages import write
from tests.web.served import client
from walletmodal.services.languages import Languages
from walletmodal.web.headers import SecurityHeaders
from walletmodal.web.routes import with_routes
from walletmodal.web.texts import PATH, TextsEndpoint, mark, packed, texts_routes

ENTRIES = 'msgid "Close"\nmsgstr "<b>Schließen</b>"\n\nmsgid "About {amount}"\nmsgstr "Rund {amount}"\n\nmsgctxt "tab"\nmsgid "Send"\nmsgstr "Gesendet"\n\nmsgid "Unused"\nmsgstr "Unbenutzt"\n'


async def _nothing(*_: object) -> None:
    raise AssertionError("the route did not answer")


@pytest.fixture
def languages(tmp_path: Path) -> Languages:
    """Of a deployment with German."""
    return Languages((), (write(tmp_path, "de", ENTRIES),))


@pytest.fixture
def app(languages: Languages) -> Any:
    """The route alone."""
    return with_routes(
        _nothing,
        texts_routes(
            TextsEndpoint(
                lambda: languages, {"": lambda: ["Close", "tab\x04Send", "Back"], "loader": lambda: ["About {amount}"]}
            )
        ),
    )


async def ask(app: Any, locales: str, method: str = "GET", of: str = "", **headers: str) -> httpx.Response:
    """An answer."""
    async with client(app) as asking:
        return await asking.request(
            method, PATH, params={"locales": locales, **({"of": of} if of else {})}, headers=headers
        )


def unpacked(found: Any) -> dict[int, str]:
    """The texts of views by their numbers, as the page's script reads them."""
    texts = found["texts"].split("\x7f")
    digits = [ord(digit) - ord("0") for digit in found["gaps"]]
    width = len(digits) // len(texts)
    gaps = [sum(digit << 6 * place for place, digit in enumerate(reversed(one))) for one in batched(digits, width)]
    pairs = list(zip(found["swapped"][::2], found["swapped"][1::2], strict=True))
    back = {ord(one): other for one, other in [*pairs, *((other, one) for one, other in pairs)]}
    return dict(zip(accumulate(gaps), [text.translate(back) for text in texts], strict=True))


def batched(digits: list[int], width: int) -> list[list[int]]:
    """So many at a time."""
    return [digits[at : at + width] for at in range(0, len(digits), width)]


async def test_a_page_gets_what_its_views_say(app: Any) -> None:
    answer = await ask(app, "fr,de-AT")
    found = answer.json()
    assert (found["locale"], found["rtl"]) == ("de", False)
    wanted = {"Close": "<b>Schließen</b>", "tab\x04Send": "Gesendet"}
    assert unpacked(found) == {mark(key, found["seed"], found["bits"]): text for key, text in wanted.items()}


async def test_values_keep_their_direction_where_the_sentence_has_another(tmp_path: Path) -> None:
    arabic = Languages((), (write(tmp_path, "ar", 'msgid "To {name}"\nmsgstr "إلى {name}"\n'),))
    endpoint = TextsEndpoint(lambda: arabic, {"": lambda: ["To {name}"]})
    found = (await ask(with_routes(_nothing, texts_routes(endpoint)), "ar")).json()
    assert (found["rtl"], [*unpacked(found).values()]) == (True, ["إلى \u2068{name}\u2069"])


@pytest.mark.parametrize(
    ("key", "seed", "made"), [("Close", 0, 125916), ("tab\x04Send", 1, 91528), ("Zurück – 戻る 🙂", 7, 9710)]
)
def test_a_texts_number_is_that_of_the_pages_script(key: str, seed: int, made: int) -> None:
    assert mark(key, seed, 18) == made


def test_texts_whose_numbers_meet_get_others() -> None:
    said = {f"Text {number}": f"Wort {number}" for number in range(1_000)}
    assert len({mark(key, 0, 18) for key in said}) < len(said)
    found = packed(said, said)
    numbers = {mark(key, cast("int", found["seed"]), 18): text for key, text in said.items()}
    assert (found["bits"], unpacked(found)) == (18, numbers)


def test_letters_of_another_script_are_sent_as_what_takes_one_byte() -> None:
    found = packed(["Two words"], {"Two words": "два слова ok"})
    assert (str(found["texts"]).isascii(), [*unpacked(found).values()]) == (True, ["два слова ok"])


def test_a_text_that_has_what_stands_between_texts_moves_no_other() -> None:
    found = packed(["One", "Two"], {"One": "Ei\x7fns", "Two": "Zwei"})
    assert sorted(unpacked(found).values()) == ["Eins", "Zwei"]


def test_very_many_texts_have_larger_numbers() -> None:
    assert packed([f"Text {number}" for number in range(2_000)], {})["bits"] == 20


async def test_the_elements_in_host_pages_get_their_own_alone(app: Any) -> None:
    assert (await ask(app, "de", of="loader")).json()["texts"] == {"About {amount}": "Rund {amount}"}


async def test_a_host_page_that_must_not_choose_gets_the_browsers_language(languages: Languages) -> None:
    endpoint = TextsEndpoint(lambda: languages, {"": lambda: ["Close"]}, by_browser=True)
    app = with_routes(_nothing, texts_routes(endpoint))
    answers = [
        await ask(app, host, **{"accept-language": browser})
        for host, browser in [("en", "fr;q=0.9, de-CH;q=0.8"), ("de", "en-GB,en;q=0.9")]
    ]
    assert [answer.json()["locale"] for answer in answers] == ["de", "en"]
    assert "Accept-Language" in answers[0].headers["vary"]


async def test_nobody_else_gets_any(app: Any) -> None:
    assert (await ask(app, "de", of="nobody")).status_code == 400


async def test_host_pages_may_read_them(app: Any) -> None:
    answer = await ask(SecurityHeaders(app, document_policy=lambda _host: ""), "de", of="loader")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


async def test_english_has_no_texts(app: Any) -> None:
    answers = [(await ask(app, "en-GB", of=whose)).json()["texts"] for whose in ("", "loader")]
    assert answers == ["", {}]


async def test_it_is_compressed_and_asked_for_again_by_its_tag(app: Any) -> None:
    first = await ask(app, "de", **{"accept-encoding": "gzip"})
    again = await ask(app, "de", **{"if-none-match": first.headers["etag"]})
    assert (first.headers["content-encoding"], again.status_code, again.content) == ("gzip", 304, b"")


async def test_who_takes_no_compression_gets_none(app: Any) -> None:
    answer = await ask(app, "de", **{"accept-encoding": "identity"})
    assert ("content-encoding" in answer.headers, answer.content[:1]) == (False, b"{")


async def test_other_methods_are_refused(app: Any) -> None:
    assert (await ask(app, "de", method="POST")).status_code == 405
