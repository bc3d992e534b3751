"""`GET /v1/texts?locales=fr-CA,fr`: what the views say, in the first of these languages that the deployment offers."""

import gzip
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from walletmodal.core.language import Text
from walletmodal.services.languages import Languages
from walletmodal.web.answers import error_response

PATH: Final = "/v1/texts"
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
        texts: names in a catalogue of what the views say.
    """

    def __init__(self, languages: Callable[[], Languages], texts: Callable[[], Sequence[str]]) -> None:
        self._languages, self._texts = languages, texts
        self._answers: dict[str, _Answer] = {}

    async def __call__(self, request: Request) -> Response:
        """`{"locale": BCP 47, "rtl": bool, "texts": {English: translation}}`; English has no texts."""
        languages = self._languages()
        tag = languages.choose(request.query_params.get("locales", ""))
        if (answer := self._answers.get(tag)) is None:
            answer = self._answers[tag] = await self._answer(languages, tag)
        headers = {"Cache-Control": CACHE, "ETag": answer.tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == answer.tag:
            return Response(status_code=304, headers=headers)
        packs = "gzip" in request.headers.get("accept-encoding", "")
        if packs:
            headers["Content-Encoding"] = "gzip"
        return Response(answer.packed if packs else answer.plain, media_type="application/json", headers=headers)

    async def _answer(self, languages: Languages, tag: str) -> _Answer:
        language = await languages.load(tag)
        texts = (_text(key) for key in self._texts())
        said = {text.key: found for text in texts if (found := language.find(text)) != text.message}
        plain = json.dumps(
            {"locale": tag, "rtl": language.rtl, "texts": said}, ensure_ascii=False, separators=(",", ":")
        ).encode()
        return _Answer(gzip.compress(plain, 9, mtime=0), plain, f'"{hashlib.sha256(plain).hexdigest()[:32]}"')


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
    return Text(message, {}, context=context)
