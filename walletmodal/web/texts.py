"""`GET /v1/texts?locales=fr-CA,fr`: what the views say, in the first of these languages that the deployment offers.

With `&of=loader`: what our elements in the host page say. Where host pages must not choose the language (`EMBED_MAY_CHANGE`), the first of those
that the browser itself prefers.
"""

import asyncio
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice, pairwise
from string import ascii_letters
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from walletmodal.core.language import Text, fill
from walletmodal.core.language.text import placeholders
from walletmodal.services.languages import Languages, Spoken, accepted
from walletmodal.web.answers import error_response

PATH: Final = "/v1/texts"
_PRIME: Final = 16_777_619
_DIGIT_BITS: Final = 6
_SEEDS: Final = 4
"""So many that give all texts numbers of their own are tried: the digits of the largest gap are those of all."""
_END: Final = "\x7f"
_GZIP: Final = 31
"""zlib's name of the format, with the largest window."""
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
        return await asyncio.to_thread(self._put_together, await languages.load(tag), whose)

    def _put_together(self, language: Spoken, whose: str) -> _Answer:
        keys = self._texts[whose]() if language.other else []
        said = {key: found for key in keys if (found := _said(language, text := _text(key))) != text.message}
        texts = {"texts": said} if whose else packed(keys, said)
        plain = json.dumps(
            {"locale": language.tag, "rtl": language.rtl, **texts}, ensure_ascii=False, separators=(",", ":")
        ).encode()
        return _Answer(_compressed(plain), plain, f'"{hashlib.sha256(plain).hexdigest()[:32]}"')


def _compressed(plain: bytes) -> bytes:
    """By gzip, what stands before the texts by a code of its own: what is short for digits is long for words."""
    numbers, name, texts = plain.partition(b'"texts":')
    packer = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=_GZIP)
    return packer.compress(numbers) + packer.flush(zlib.Z_SYNC_FLUSH) + packer.compress(name + texts) + packer.flush()


def packed(keys: Iterable[str], said: Mapping[str, str], *, least: int = 18) -> dict[str, object]:
    """What the views say, without its English, which is in the scripts: a third less to load.

    Args:
        keys: names in a catalogue.
        said: translations by those.
        least: bits that a text's number has at least; a text that is none of `keys` has the number of one the less often.

    Returns:
        `seed` and `bits`: what `mark` makes the number of a text by. Each of `keys` has one of its own; another text has one of theirs once in 400 times.
        `gaps`: from the number of one translated text to that of the next, as many digits for each.
        `texts`: their translations in that order, with U+007F between them, which takes one byte.
        `swapped`: pairs of letters that stand for each other in `texts`.
    """
    names = set(keys)
    # So many that a seed by which no two meet is found within a few.
    bits = max(least, (len(names) ** 2 // 4).bit_length())
    seeds = (seed for seed in count() if len({mark(key, seed, bits) for key in names}) == len(names))
    seed, gaps = min(
        ((one, _gaps(said, one, bits)) for one in islice(seeds, _SEEDS)), key=lambda found: max(found[1], default=0)
    )
    width = -(-max(gaps, default=0).bit_length() // _DIGIT_BITS)
    texts = [said[key].replace(_END, "") for key in sorted(said, key=lambda key: mark(key, seed, bits))]
    swapped = _swapped(texts)
    swap = {ord(one): other for one, other in (*swapped, *map(reversed, swapped))}
    return {
        "seed": seed,
        "bits": bits,
        "gaps": "".join(_digits(gap, width) for gap in gaps),
        "swapped": "".join(map("".join, swapped)),
        "texts": _END.join(texts).translate(swap),
    }


def _gaps(keys: Iterable[str], seed: int, bits: int) -> list[int]:
    return [after - before for before, after in pairwise([0, *sorted(mark(key, seed, bits) for key in keys)])]


def _digits(number: int, width: int) -> str:
    """The largest first, from "0" on."""
    return "".join(chr(ord("0") + (number >> _DIGIT_BITS * place & 63)) for place in reversed(range(width)))


def _swapped(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Letters of two or three bytes that a language has often, each with one of ASCII that it has seldom: swapped, Russian takes a tenth less."""
    often = Counter(character for text in texts for character in text)
    others = sorted((one for one in often if not one.isascii()), key=lambda one: (-often[one], one))
    seldom = sorted(ascii_letters, key=lambda one: (often[one], one))
    return [(other, one) for other, one in zip(others, seldom, strict=False) if often[other] > often[one]]


def mark(key: str, seed: int, bits: int) -> int:
    """The number of so many bits by which a text is known: a hash (FNV-1a); `mark.ts` makes the same."""
    code = seed
    for unit in memoryview(key.encode("utf-16-le")).cast("H"):
        code = (code ^ unit) * _PRIME & 0xFFFFFFFF
    return (code ^ code >> 15) & (1 << bits) - 1


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


def _said(language: Spoken, text: Text) -> str:
    """The translation, in which values keep their own direction where the sentence runs the other way."""
    found = language.find(text)
    return fill(found, {name: f"{{{name}}}" for name in placeholders(found)}, language.isolate)


def _text(key: str) -> Text:
    context, _, message = key.rpartition("\x04")
    # A translation counts only with placeholders that have values; the browser has them.
    return Text(message, dict.fromkeys(placeholders(message), ""), context=context)
