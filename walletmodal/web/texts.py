"""`GET /v1/texts?locales=fr-CA,fr`: what the views say, in the first of these languages that the deployment offers.

With `&of=loader`: what our elements in the host page say. Where host pages must not choose the language (`EMBED_MAY_CHANGE`), the first of those
that the browser itself prefers.
"""

import asyncio
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from string import ascii_letters, digits
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from walletmodal.core.language import Text
from walletmodal.core.language.text import placeholders
from walletmodal.services.languages import Languages, accepted
from walletmodal.web.answers import error_response

PATH: Final = "/v1/texts"
_PRIME: Final = 16_777_619
_BITS: Final = 6
_MARKS: Final = f"{ascii_letters}{digits}-_"
CACHE: Final = "public, max-age=300, stale-while-revalidate=86400"


@dataclass(frozen=True, slots=True)
class _Answer:
    packed: bytes
    plain: bytes
    tag: str


class TextsEndpoint:
    """The route's handler.

    Args:
        languages: those of the deployment.
        texts: names in a catalogue of what the views say, under ""; and of what others say, under the name that `of` has for them.
        by_browser: whether `locales`, which a host page may have chosen, does not count.
    """

    def __init__(
        self,
        languages: Callable[[], Languages],
        texts: Mapping[str, Callable[[], Sequence[str]]],
        *,
        by_browser: bool = False,
    ) -> None:
        self._languages, self._texts, self._by_browser = languages, texts, by_browser
        self._varies = "Accept-Encoding, Accept-Language" if by_browser else "Accept-Encoding"
        self._answers: dict[tuple[str, str], _Answer] = {}

    async def __call__(self, request: Request) -> Response:
        """`{"locale": BCP 47, "rtl": bool, "texts": {English: translation}}`, of views as `packed` says; English has no texts."""
        whose = request.query_params.get("of", "")
        if whose not in self._texts:
            return error_response(400, "malformed", "`of` names nobody whose texts are kept.")
        languages = self._languages()
        preferred = request.query_params.get("locales", "")
        tag = languages.choose(accepted(request.headers.get("accept-language", "")) if self._by_browser else preferred)
        if (answer := self._answers.get((whose, tag))) is None:
            answer = self._answers[whose, tag] = await self._answer(languages, tag, whose)
        headers = {"Cache-Control": CACHE, "ETag": answer.tag, "Vary": self._varies}
        if request.headers.get("if-none-match") == answer.tag:
            return Response(status_code=304, headers=headers)
        packs = "gzip" in request.headers.get("accept-encoding", "")
        if packs:
            headers["Content-Encoding"] = "gzip"
        return Response(answer.packed if packs else answer.plain, media_type="application/json", headers=headers)

    async def _answer(self, languages: Languages, tag: str, whose: str) -> _Answer:
        language = await languages.load(tag)
        keys = await asyncio.to_thread(self._texts[whose]) if language.other else []
        said = {key: found for key in keys if (found := language.find(text := _text(key))) != text.message}
        texts: dict[str, object] = {"texts": said} if whose else packed(keys, said)
        plain = json.dumps(
            {"locale": tag, "rtl": language.rtl, **texts}, ensure_ascii=False, separators=(",", ":")
        ).encode()
        return _Answer(gzip.compress(plain, 9, mtime=0), plain, f'"{hashlib.sha256(plain).hexdigest()[:32]}"')


def packed(keys: Sequence[str], said: Mapping[str, str], *, least: int = 3) -> dict[str, object]:
    """What the views say, without its English, which is in the scripts: a third less to load.

    Args:
        keys: names in a catalogue.
        said: translations by those.
        least: characters that a mark has at least; a text that is none of `keys` has the mark of one the less often.

    Returns:
        `marks`: as many characters for each text, three up to a thousand texts; `texts`: the translation of each, "" where there is none;
        `seed`: that the marks were made with. All texts of the views have different marks. Another one has one of theirs once in 400 times.
        `swapped`: pairs of letters that stand for each other in `texts`.
    """
    # Alphabetically: what begins with the same words is packed best.
    ordered = sorted(set(keys))
    # So wide that a seed by which no two meet is found within a few.
    width = next(width for width in count(least) if len(ordered) ** 2 <= 4 << _BITS * width)
    seed = next(seed for seed in count() if len({mark(key, seed, width) for key in ordered}) == len(ordered))
    marks, texts = "".join(mark(key, seed, width) for key in ordered), [said.get(key, "") for key in ordered]
    swapped = _swapped(texts)
    swap = {ord(one): other for one, other in (*swapped, *map(reversed, swapped))}
    return {
        "seed": seed,
        "marks": marks,
        "swapped": "".join(map("".join, swapped)),
        "texts": [text.translate(swap) for text in texts],
    }


def _swapped(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Letters of two or three bytes that a language has often, each with one of ASCII that it has seldom: swapped, Russian takes a tenth less."""
    often = Counter(character for text in texts for character in text)
    others = sorted((one for one in often if not one.isascii()), key=lambda one: (-often[one], one))
    seldom = sorted(ascii_letters, key=lambda one: (often[one], one))
    return [(other, one) for other, one in zip(others, seldom, strict=False) if often[other] > often[one]]


def mark(key: str, seed: int, width: int) -> str:
    """So many characters of base64url out of a hash (FNV-1a); `mark.ts` makes the same."""
    code = seed
    for unit in memoryview(key.encode("utf-16-le")).cast("H"):
        code = (code ^ unit) * _PRIME & 0xFFFFFFFF
    code ^= code >> 15
    return "".join(_MARKS[code >> _BITS * place & 63] for place in range(width))


def texts_routes(endpoint: TextsEndpoint) -> Sequence[BaseRoute]:
    """The route; it answers 405 to other methods."""

    # Starlette takes an object with __call__ for an ASGI app.
    async def handle(request: Request) -> Response:
        return await endpoint(request)

    return [Route(PATH, handle, methods=["GET"]), Route(PATH, _wrong_method)]


async def _wrong_method(_request: Request) -> Response:
    refusal = error_response(405, "method_not_allowed", "Texts are asked for with GET.")
    refusal.headers["Allow"] = "GET"
    return refusal


def _text(key: str) -> Text:
    context, _, message = key.rpartition("\x04")
    # A translation counts only with placeholders that have values; the browser has them.
    return Text(message, dict.fromkeys(placeholders(message), ""), context=context)
