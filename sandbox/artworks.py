"""What NFTs show whose metadata lies on a server: documents and pictures, drawn anew at each asking and always the same."""

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from walletmodal.sandbox.answers import CORS, json_answer, refusal
from walletmodal.sandbox.solana.world import COLLECTION

PATH: Final = "/artworks"
MAX_NUMBER: Final = 10**6

_FILE: Final = re.compile(r"(0|[1-9][0-9]{0,6})\.(json|svg)")
_HEADERS: Final = {**CORS, "x-content-type-options": "nosniff", "cache-control": "public, max-age=3600"}
_SKIES: Final = ((232, 262), (210, 330), (196, 248), (258, 18), (222, 176))
"""Hues of the sky above, and of its glow at the horizon."""


def artwork_routes(sandbox_url: str) -> list[Route]:
    """The routes of the documents and of their pictures.

    Args:
        sandbox_url: without a slash at the end.
    """

    async def file(request: Request) -> Response:
        found = _FILE.fullmatch(request.path_params["file"])
        if found is None or int(found[1]) > MAX_NUMBER:
            return refusal(404, "path", "There is no such artwork")
        number = int(found[1])
        if found[2] == "json":
            return json_answer(_document(f"{sandbox_url}{PATH}", number), headers=_HEADERS)
        return Response(_drawing(number), media_type="image/svg+xml", headers=_HEADERS)

    return [Route(f"{PATH}/{{file}}", file, methods=["GET"])]


def _document(base: str, number: int) -> dict[str, object]:
    picture = f"{base}/{number}.svg"
    described = f"One of the {COLLECTION.name}: lights on the water, drawn by the sandbox."
    return {
        "name": COLLECTION.title(number),
        "symbol": COLLECTION.symbol,
        "description": described if number else "Small towns at the sea by night, no two of them alike.",
        "image": picture,
        "attributes": [{"trait_type": "Lights", "value": len(list(_houses(_seed(number))))}],
        "properties": {"category": "image", "files": [{"uri": picture, "type": "image/svg+xml"}]},
    }


def _seed(number: int) -> bytes:
    return sha256(f"{COLLECTION.name} {number}".encode()).digest()


def _drawing(number: int) -> str:
    seed = _seed(number)
    above, glow = _SKIES[seed[0] % len(_SKIES)]
    moon_x, moon_y, moon = 70 + seed[1] % 260, 60 + seed[2] % 70, 22 + seed[3] % 16
    stars = "".join(
        f'<circle cx="{seed[i] * 400 // 256}" cy="{seed[31 - i] * 170 // 256}" r="{1 + i % 2}"/>' for i in range(4, 16)
    )
    town = "".join(_house(*house) for house in _houses(seed))
    ripples = "".join(
        f'<path d="M{moon_x - width // 2} {y}h{width}" stroke-width="{3 + step % 2}"/>'
        for step, (y, width) in enumerate((y, 20 + (seed[(y // 14) % 32] % 60)) for y in range(282, 392, 14))
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><defs>'
        f'<linearGradient id="s" x2="0" y2="1"><stop stop-color="hsl({above},55%,14%)"/>'
        f'<stop offset="1" stop-color="hsl({glow},62%,52%)"/></linearGradient>'
        f'<linearGradient id="w" x2="0" y2="1"><stop stop-color="hsl({glow},48%,34%)"/>'
        f'<stop offset="1" stop-color="hsl({above},60%,10%)"/></linearGradient></defs>'
        '<rect width="400" height="270" fill="url(#s)"/><rect y="268" width="400" height="132" fill="url(#w)"/>'
        f'<g fill="#fff" opacity=".7">{stars}</g><circle cx="{moon_x}" cy="{moon_y}" r="{moon}" fill="#fff4d6"/>'
        f'<path d="M0 268V{214 + seed[4] % 24}Q{80 + seed[5] % 60} {176 + seed[6] % 40} 200 {210 + seed[7] % 26}'
        f'T400 {200 + seed[8] % 40}V268z" fill="hsl({above},45%,18%)"/>{town}'
        f'<g stroke="#fff4d6" stroke-linecap="round" opacity=".5">{ripples}</g>{_boat(seed)}</svg>'
    )


def _houses(seed: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Left edge, width, height and hue of each house at the water."""
    at = 6 + seed[9] % 40
    for index in range(10, 28):
        width, height = 20 + seed[index] % 26, 24 + seed[index] // 4
        if at + width > 396:
            return
        yield at, width, height, seed[index]
        at += width + 3 + seed[31 - index % 8] % 30


def _house(x: int, width: int, height: int, drawn: int) -> str:
    top = 270 - height
    lights = "".join(
        f'<rect x="{x + left}" y="{y}" width="6" height="7"/>'
        for row, y in enumerate(range(top + 8, 258, 16))
        for column, left in enumerate(range(5, width - 8, 12))
        if (drawn + 3 * row + 5 * column) % 4
    )
    return (
        f'<path d="M{x} 270V{top}l{width // 2} -{8 + drawn % 8}l{width - width // 2} {8 + drawn % 8}V270z" '
        f'fill="hsl({200 + drawn % 80},32%,{11 + drawn % 8}%)"/><g fill="#ffd27a">{lights}</g>'
    )


def _boat(seed: bytes) -> str:
    x, y, hue = 60 + seed[29] % 240, 318 + seed[30] % 40, seed[31] * 360 // 256
    return (
        f'<g transform="translate({x} {y})"><path d="M-38 0h76l-14 18h-48z" fill="hsl({hue},55%,42%)"/>'
        '<path d="M-2 -6V-70L-32 -6z" fill="#fdf6e6"/><path d="M4 -6V-60L28 -6z" fill="#e9dcc3"/></g>'
    )
