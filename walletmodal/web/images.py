"""`GET /images/{kind}/{id}`: pictures of the wallet directory, of other servers and of NFTs by signed reference, out of our own cache.

The answers carry all their headers themselves: a picture's policy is stricter than any other answer's, and a 304 must repeat it.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.services.images import DIRECTORY_KINDS, Image, ImageError, ImageRefusal
from walletmodal.services.outside_budget import Asker, as_asker
from walletmodal.services.rate_limit import Rate, RateLimit
from walletmodal.web.answers import error_response
from walletmodal.web.schemas import error_answer

RATE: Final = Rate(per_second=50, burst=500)
REMOTE_KIND: Final = "remote"
NFT_KIND: Final = "nft"
DIRECTORY_CACHE: Final = "public, max-age=86400, stale-while-revalidate=604800"
REMOTE_CACHE: Final = "public, max-age=3600"

_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    # An SVG that is opened by itself is a document: it gets an origin of its own, and no script.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
}
_CACHES: Final = {REMOTE_KIND: REMOTE_CACHE, NFT_KIND: REMOTE_CACHE}
_STATUSES: Final[dict[ImageRefusal, int]] = {"reference": 400, "timeout": 504}
_BAD_GATEWAY: Final = 502


class ImageSource(Protocol):
    """Where pictures come from: `services.images.Images`."""

    async def from_directory(self, kind: str, image_id: str) -> Image:
        """A picture of the directory."""
        ...

    async def from_reference(self, reference: str) -> Image:
        """A picture of another server."""
        ...

    async def from_nft(self, reference: str) -> Image:
        """The picture of an NFT."""
        ...


class ImageEndpoint:
    """The route's handler.

    Args:
        source: gives the pictures of the process.
        limit: how many a client may ask for.
        client_name: who a request comes from, for the limit.
    """

    def __init__(
        self, *, source: Callable[[], ImageSource], limit: RateLimit, client_name: Callable[[Request], str]
    ) -> None:
        self._source, self._limit, self._client_name = source, limit, client_name

    async def __call__(self, request: Request) -> Response:
        """The picture, 304 for one that the browser has, or a refusal."""
        answer = await self._answer(request)
        answer.headers.update(_HEADERS)
        return answer

    async def _answer(self, request: Request) -> Response:
        if not await self._limit.allows(self._client_name(request)):
            return error_response(429, "limited", "Too many images were asked for.")
        kind, image_id = request.path_params["kind"], request.path_params["id"]
        try:
            with as_asker(Asker("", self._client_name(request))):
                image = await self._image(kind, image_id)
        except NotConfiguredError:
            return error_response(503, "not_configured", "There is no wallet directory.")
        except ImageError as error:
            return error_response(_STATUSES.get(error.refusal, _BAD_GATEWAY), error.refusal, error.short_message)
        return _picture(image, request.headers.get("if-none-match", ""), _CACHES.get(kind, DIRECTORY_CACHE))

    async def _image(self, kind: str, image_id: str) -> Image:
        source = self._source()
        if kind == REMOTE_KIND:
            return await source.from_reference(image_id)
        return await (source.from_nft(image_id) if kind == NFT_KIND else source.from_directory(kind, image_id))


def image_routes(
    *, source: Callable[[], ImageSource], limit: RateLimit, client_name: Callable[[Request], str]
) -> Sequence[BaseRoute]:
    """The route; the arguments are those of `ImageEndpoint`."""
    return [Route("/images/{kind}/{id}", _handler(ImageEndpoint(source=source, limit=limit, client_name=client_name)))]


def image_paths() -> dict[str, Any]:
    """The route in the OpenAPI document."""

    def parameter(name: str, schema: dict[str, Any]) -> dict[str, Any]:
        return {"name": name, "in": "path", "required": True, "schema": schema}

    refusals = {
        "400": "No such kind, no such form of an id, or a reference that this deployment has not signed.",
        "429": "Too many images were asked for.",
        "502": "What is there is no image, too large, or not to be had.",
        "503": "There is no wallet directory.",
        "504": "The server that has the image took too long.",
    }
    image = {"description": "The image.", "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}}
    kinds = {"type": "string", "enum": [*DIRECTORY_KINDS, REMOTE_KIND, NFT_KIND]}
    return {
        "/images/{kind}/{id}": {
            "get": {
                "summary": "A picture of the wallet directory by its id, or of another server or of an NFT by signed reference",
                "parameters": [parameter("kind", kinds), parameter("id", {"type": "string"})],
                "responses": {"200": image, "304": {"description": "The browser has it."}}
                | {status: error_answer(text) for status, text in refusals.items()},
            }
        }
    }


def _picture(image: Image, known: str, cache: str) -> Response:
    tag = f'"{image.tag}"'
    headers = {"ETag": tag, "Cache-Control": cache}
    if any(part.strip().removeprefix("W/") in {tag, "*"} for part in known.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(image.content, headers={**headers, "Content-Type": image.media_type})


def _handler(endpoint: ImageEndpoint) -> Callable[[Request], Awaitable[Response]]:
    # Starlette takes an object with __call__ for an ASGI app.
    async def handle(request: Request) -> Response:
        return await endpoint(request)

    return handle
