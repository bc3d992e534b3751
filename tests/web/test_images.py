"""Pictures over HTTP: how they are served, kept by browsers, and refused."""

from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from starlette.routing import Router

from tests.services.pictures import TYPES
from tests.web import served
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.services.client_address import ClientAddress
from walletmodal.services.images import Image, ImageError, ImageRefusal
from walletmodal.services.images.formats import ImageType
from walletmodal.services.images.store import image
from walletmodal.services.rate_limit import MemoryRateLimit, Rate
from walletmodal.web.images import image_paths, image_routes
from walletmodal.web.routes import with_routes


class Source:
    """Gives one picture, or raises, and remembers what was asked for."""

    def __init__(self, answer: Image | Exception) -> None:
        self.answer, self.asked = answer, list[tuple[str, ...]]()

    async def from_directory(self, kind: str, image_id: str) -> Image:
        """A picture of the directory."""
        self.asked.append((kind, image_id))
        return self._give()

    async def from_reference(self, reference: str) -> Image:
        """A picture of another server."""
        self.asked.append((reference,))
        return self._give()

    async def from_nft(self, reference: str) -> Image:
        """The picture of an NFT."""
        self.asked.append(("nft", reference))
        return self._give()

    def _give(self) -> Image:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def browser(source: Source, *, rate: Rate = served.PLENTY) -> httpx.AsyncClient:
    limit = MemoryRateLimit(rate, MovableClock())
    return served.client(Router(image_routes(source=lambda: source, limit=limit, client_name=ClientAddress())))


def picture(media_type: ImageType = "image/png") -> Image:
    return image(TYPES[media_type], media_type)


def policy(headers: Mapping[str, str]) -> set[str]:
    return {part.strip() for part in headers["content-security-policy"].split(";")}


@pytest.mark.parametrize("media_type", TYPES)
async def test_a_picture_is_served_with_its_type(media_type: ImageType) -> None:
    async with browser(Source(picture(media_type))) as client:
        answer = await client.get("/images/wallet/x")
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert answer.content == TYPES[media_type]


async def test_kind_and_id_reach_the_source() -> None:
    source = Source(picture())
    async with browser(source) as client:
        await client.get("/images/token/USDC%24")
        await client.get("/images/remote/abc.def")
    assert source.asked == [("token", "USDC$"), ("abc.def",)]


@pytest.mark.parametrize("known", ["", '"{tag}"'])
@pytest.mark.parametrize("path", ["/images/wallet/x", "/images/remote/x"])
async def test_a_picture_runs_no_script_wherever_it_is_opened(path: str, known: str) -> None:
    shown = picture("image/svg+xml")
    headers = {"If-None-Match": known.format(tag=shown.tag)} if known else {}
    async with browser(Source(shown)) as client:
        answer = await client.get(path, headers=headers)
    assert answer.status_code == (304 if known else 200)
    assert {"default-src 'none'", "sandbox", "frame-ancestors 'none'"} <= policy(answer.headers)
    assert "script-src" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("known", "status"),
    [
        ('"{tag}"', 304),
        ('W/"{tag}"', 304),
        ('"other", "{tag}"', 304),
        ("*", 304),
        ('"other"', 200),
        ("{tag}", 200),
        ("", 200),
    ],
)
async def test_what_a_browser_has_is_not_sent_again(known: str, status: int) -> None:
    shown = picture()
    async with browser(Source(shown)) as client:
        answer = await client.get("/images/wallet/x", headers={"If-None-Match": known.format(tag=shown.tag)})
    assert (answer.status_code, answer.headers["etag"]) == (status, f'"{shown.tag}"')
    assert bool(answer.content) is (status == 200)


@pytest.mark.parametrize(
    ("path", "kept"), [("/images/wallet/x", "max-age=86400"), ("/images/remote/x", "max-age=3600")]
)
async def test_browsers_keep_a_picture(path: str, kept: str) -> None:
    async with browser(Source(picture())) as client:
        assert kept in (await client.get(path)).headers["cache-control"]


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        ("reference", 400),
        ("url", 502),
        ("address", 502),
        ("redirect", 502),
        ("type", 502),
        ("size", 502),
        ("status", 502),
        ("unreachable", 502),
        ("timeout", 504),
    ],
)
async def test_a_refusal_says_its_kind_and_no_more(refusal: ImageRefusal, status: int) -> None:
    async with browser(Source(ImageError(refusal, "10.0.0.5 said no"))) as client:
        answer = await client.get("/images/remote/x")
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, refusal)
    assert answer.headers["cache-control"] == "no-store"
    assert "10.0.0.5" not in answer.text


async def test_without_a_directory_it_says_so() -> None:
    async with browser(Source(NotConfiguredError("DIRECTORY_URL"))) as client:
        assert (await client.get("/images/wallet/x")).status_code == 503


async def test_a_client_that_asks_too_often_is_told_so() -> None:
    source = Source(picture())
    async with browser(source, rate=Rate(per_second=0.001, burst=2)) as client:
        assert [(await client.get("/images/wallet/x")).status_code for _ in range(3)] == [200, 200, 429]
    assert len(source.asked) == 2


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
async def test_pictures_are_only_read(method: str) -> None:
    async with browser(Source(picture())) as client:
        assert (await client.request(method, "/images/wallet/x")).status_code == 405


@pytest.mark.parametrize("path", ["/images", "/images/", "/images/wallet", "/images/wallet/", "/images/wallet/a%2Fb"])
async def test_other_paths_are_no_pictures(path: str) -> None:
    source = Source(picture())
    async with browser(source) as client:
        assert (await client.get(path)).status_code == 404
    assert source.asked == []


async def test_in_front_of_the_app_all_else_goes_on_to_it(tmp_path: Path) -> None:
    limit = MemoryRateLimit(served.PLENTY, MovableClock())
    routes = image_routes(source=lambda: Source(picture()), limit=limit, client_name=ClientAddress())
    async with served.client(with_routes(served.app(served.build(tmp_path)), routes)) as client:
        assert (await client.get("/")).headers["content-type"].startswith("text/html")
        assert (await client.get("/_health")).status_code == 200
        assert "sandbox" in policy((await client.get("/images/wallet/x")).headers)


async def test_every_status_is_described() -> None:
    described = set(image_paths()["/images/{kind}/{id}"]["get"]["responses"])
    assert described == {"200", "304", "400", "429", "502", "503", "504"}
