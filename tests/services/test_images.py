"""Pictures for the frame: each is fetched once, checked, and kept for all visitors within bounds."""

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from tests.services import node as nodes
from tests.services.outside import CALLER, SDK, Outside, held, refuses, way
from tests.services.outside import client as client
from tests.services.pictures import PNG, SVG, TYPES
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.services.cache import MemoryCache
from walletmodal.services.http import HttpService
from walletmodal.services.images import (
    DirectoryKind,
    Image,
    ImageError,
    ImageMemory,
    ImageReferences,
    Images,
    RemoteImages,
)
from walletmodal.services.images.store import image

ID = "0d3e4e8b-0000-4000-8000-000000000001"
PLACES: dict[DirectoryKind, tuple[str, str]] = {
    "wallet": (ID, f"/getWalletImage/{ID}"),
    "network": (ID, f"/public/getAssetImage/{ID}"),
    "connector": (ID, f"/public/getAssetImage/{ID}"),
    "currency": ("USD", "/public/getCurrencyImage/USD"),
    "token": ("USDC", "/public/getTokenImage/USDC"),
}


def picture(content: bytes = PNG, declared: str = "image/png") -> nodes.Behaviour:
    return nodes.send(nodes.http(content, headers=f"Content-Type: {declared}\r\n"))


@pytest_asyncio.fixture
async def outside() -> AsyncIterator[Outside]:
    answers = {path: picture() for _, path in PLACES.values()}
    async with Outside({**answers, "/nft.png": picture()}).running() as outside:
        yield outside


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest_asyncio.fixture
async def images(client: httpx.AsyncClient, outside: Outside, clock: MovableClock) -> AsyncIterator[Images]:
    remote = RemoteImages(allow_loopback=True, max_bytes=10_000)
    images = Images(way(client, outside), CALLER, remote, clock=clock)
    yield images
    await images.close()


def reference(images: Images, url: str) -> str:
    """What the frame is given for a URL."""
    return images.remote_path(url).removeprefix("/images/remote/")


@pytest.mark.parametrize("kind", PLACES)
async def test_each_kind_comes_from_its_place(images: Images, outside: Outside, kind: DirectoryKind) -> None:
    image_id, path = PLACES[kind]
    found = await images.from_directory(kind, image_id)
    assert (found.content, found.media_type) == (PNG, "image/png")
    asked = outside.last
    assert (asked.path, asked.query) == (path, {"projectId": "project-1", "st": "appkit", "sv": SDK})
    assert images.directory_path(kind, image_id) == f"/images/{kind}/{image_id}"


@pytest.mark.parametrize("media_type", TYPES)
async def test_the_type_is_that_of_the_bytes(images: Images, outside: Outside, media_type: str) -> None:
    outside.answers[PLACES["wallet"][1]] = picture(TYPES[media_type], "text/html")
    assert (await images.from_directory("wallet", ID)).media_type == media_type


@pytest.mark.parametrize(
    ("kind", "image_id"),
    [
        ("wallet", ""),
        ("wallet", ".."),
        ("wallet", "a/b"),
        ("wallet", "a?x=1"),
        ("wallet", "x" * 65),
        ("network", "ü"),
        ("currency", "US"),
        ("currency", "../../x"),
        ("token", ".."),
        ("token", "x" * 33),
        ("token", "<b>"),
        ("remote", ID),
        ("", ID),
        ("WALLET", ID),
    ],
)
async def test_what_is_no_id_is_never_asked_for(images: Images, outside: Outside, kind: str, image_id: str) -> None:
    with pytest.raises(ImageError) as raised:
        await images.from_directory(kind, image_id)
    assert (raised.value.refusal, outside.asked) == ("reference", [])


BAD: dict[str, tuple[nodes.Behaviour, str]] = {
    "a page": (picture(b"<html><script>alert(1)</script>"), "type"),
    "JSON": (picture(b"{}"), "type"),
    "nothing": (picture(b""), "type"),
    "missing": (refuses(404), "status"),
    "redirect": (nodes.send(nodes.http(b"", status="302 Found", headers="Location: http://10.0.0.1/\r\n")), "status"),
    "endless": (nodes.endless, "size"),
    "closed": (nodes.send_and_hang_up(b""), "unreachable"),
}


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_picture_is_refused_and_not_kept(images: Images, outside: Outside, name: str) -> None:
    behaviour, refusal = BAD[name]
    outside.answers[PLACES["wallet"][1]] = behaviour
    with pytest.raises(ImageError) as raised:
        await images.from_directory("wallet", ID)
    assert raised.value.refusal == refusal
    outside.answers[PLACES["wallet"][1]] = picture()
    assert (await images.from_directory("wallet", ID)).content == PNG


async def test_a_picture_that_does_not_come_is_refused_in_time(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers[PLACES["wallet"][1]] = nodes.silence
    impatient = Images(way(client, outside, timeout=0.5), CALLER, RemoteImages())
    with pytest.raises(ImageError) as raised:
        await impatient.from_directory("wallet", ID)
    assert raised.value.refusal == "timeout"
    await impatient.close()


async def test_a_picture_is_fetched_once_a_day(images: Images, outside: Outside, clock: MovableClock) -> None:
    await images.from_directory("wallet", ID)
    clock.advance(24 * 3600 - 1)
    await images.from_directory("wallet", ID)
    assert len(outside.asked) == 1
    clock.advance(1)
    await images.from_directory("wallet", ID)
    assert len(outside.asked) == 2


@pytest_asyncio.fixture
async def workers(client: httpx.AsyncClient, outside: Outside) -> AsyncIterator[list[Images]]:
    """Two that share a cache."""
    cache = MemoryCache()
    found = [Images(way(client, outside), CALLER, RemoteImages(), cache=cache) for _ in range(2)]
    yield found
    for one in found:
        await one.close()


@pytest.mark.parametrize(
    ("size", "asked"), [(64 * 1024, 1), (64 * 1024 + 1, 2)], ids=["a logo", "more than all workers share"]
)
async def test_the_directory_is_asked_once_for_all_workers(
    workers: list[Images], outside: Outside, size: int, asked: int
) -> None:
    outside.answers[PLACES["wallet"][1]] = picture(sized(size).content)
    found = [await worker.from_directory("wallet", ID) for worker in workers]
    assert found == [sized(size)] * 2
    assert len(outside.asked) == asked


async def test_what_is_no_picture_is_shared_with_nobody(workers: list[Images], outside: Outside) -> None:
    one, other = workers
    outside.answers[PLACES["wallet"][1]] = picture(b"{}")
    with pytest.raises(ImageError):
        await one.from_directory("wallet", ID)
    outside.answers[PLACES["wallet"][1]] = picture()
    assert (await other.from_directory("wallet", ID)).content == PNG


class Unreadable(MemoryCache):
    """Has something else under every key."""

    async def get(self, key: str) -> str | None:
        """No base64."""
        return f"? {key}"


async def test_a_shared_picture_that_cannot_be_read_is_fetched(client: httpx.AsyncClient, outside: Outside) -> None:
    images = Images(way(client, outside), CALLER, RemoteImages(), cache=Unreadable())
    assert (await images.from_directory("wallet", ID)).content == PNG
    await images.close()


async def test_visitors_who_need_it_at_once_fetch_it_once(images: Images, outside: Outside) -> None:
    gate = asyncio.Event()
    outside.answers[PLACES["wallet"][1]] = held(gate, picture())
    tasks = [asyncio.create_task(images.from_directory("wallet", ID)) for _ in range(50)]
    await outside.arrived()
    tasks[0].cancel()
    gate.set()
    assert {found.tag for found in await asyncio.gather(*tasks[1:])} == {image(PNG, "image/png").tag}
    assert len(outside.asked) == 1


async def test_a_named_picture_is_fetched_and_kept(images: Images, outside: Outside, clock: MovableClock) -> None:
    signed = reference(images, f"{outside.url}/nft.png?size=2")
    for _ in range(2):
        assert (await images.from_reference(signed)).content == PNG
    assert [asked.query for asked in outside.asked] == [{"size": "2"}]
    clock.advance(3600)
    await images.from_reference(signed)
    assert len(outside.asked) == 2


async def test_a_strangers_server_that_fails_is_left_alone_for_thirty_seconds(
    images: Images, outside: Outside, clock: MovableClock
) -> None:
    signed = reference(images, f"{outside.url}/nft.png")
    outside.answers["/nft.png"] = refuses(503)
    for _ in range(5):
        with pytest.raises(ImageError) as raised:
            await images.from_reference(signed)
        assert raised.value.refusal == "status"
    assert len(outside.asked) == 1
    outside.answers["/nft.png"] = picture()
    clock.advance(30)
    assert (await images.from_reference(signed)).content == PNG


async def test_a_failure_of_one_picture_holds_up_no_other(images: Images, outside: Outside) -> None:
    with pytest.raises(ImageError):
        await images.from_reference(reference(images, f"{outside.url}/gone.png"))
    assert (await images.from_reference(reference(images, f"{outside.url}/nft.png"))).content == PNG


@pytest.mark.parametrize("content", [b"x" * 9000, b"x" * 10_001], ids=["no picture", "too large"])
async def test_nothing_of_what_was_received_is_kept_of_a_failure(
    images: Images, outside: Outside, content: bytes
) -> None:
    outside.answers["/nft.png"] = picture(content)

    async def fail(number: int) -> None:
        with pytest.raises(ImageError):
            await images.from_reference(reference(images, f"{outside.url}/nft.png?{number}"))

    await fail(0)
    tracemalloc.start()
    try:
        for number in range(1, 31):
            await fail(number)
        outside.asked.clear()
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 30 * 9000 / 2


async def test_a_made_up_reference_fetches_nothing(images: Images, outside: Outside) -> None:
    forged = ImageReferences(b"another key").sign(f"{outside.url}/nft.png")
    for made_up in (forged, "", "x", f"{outside.url}/nft.png"):
        with pytest.raises(ImageError) as raised:
            await images.from_reference(made_up)
        assert raised.value.refusal == "reference"
    assert outside.asked == []


@pytest.mark.parametrize(
    "url",
    ["", "javascript:alert(1)", "http://user@x.example/a", "https://x.example:22/a", "https://\u2603.example/a.png"],
)
def test_what_is_not_fetched_has_no_path(images: Images, url: str) -> None:
    assert images.remote_path(url) == ""


async def test_an_svg_of_a_stranger_is_an_image_too(images: Images, outside: Outside) -> None:
    outside.answers["/nft.png"] = picture(SVG, "image/svg+xml")
    found = await images.from_reference(reference(images, f"{outside.url}/nft.png"))
    assert found.media_type == "image/svg+xml"


async def test_without_a_directory_there_are_no_pictures_of_it(client: httpx.AsyncClient) -> None:
    images = Images(HttpService(client, "directory", None, sdk=SDK), CALLER, RemoteImages())
    assert images.directory_path("wallet", ID) == ""
    with pytest.raises(NotConfiguredError):
        await images.from_directory("wallet", ID)
    await images.close()


def sized(length: int) -> Image:
    return image(PNG + b"\0" * (length - len(PNG)), "image/png")


def test_the_memory_is_bounded_by_bytes_and_the_least_used_go_first() -> None:
    memory = ImageMemory(MovableClock(), max_bytes=5000)
    for key in "abc":
        memory.put(key, sized(1000), 60)
    memory.get("a")
    memory.put("d", sized(1000), 60)
    assert [memory.get(key) is not None for key in "abcd"] == [True, False, True, True]
    assert memory.bytes_held <= 5000


def test_tiny_pictures_count_too() -> None:
    memory = ImageMemory(MovableClock(), max_bytes=100_000)
    for n in range(10_000):
        memory.put(str(n), sized(50), 60)
    assert memory.bytes_held <= 100_000


def test_a_picture_that_is_put_twice_counts_once() -> None:
    memory = ImageMemory(MovableClock())
    memory.put("a", sized(1000), 60)
    held_once = memory.bytes_held
    memory.put("a", sized(1000), 60)
    assert memory.bytes_held == held_once


def test_a_picture_larger_than_the_memory_is_not_kept() -> None:
    memory = ImageMemory(MovableClock(), max_bytes=5000)
    memory.put("a", sized(5000), 60)
    assert (memory.get("a"), memory.bytes_held) == (None, 0)


def test_equal_bytes_have_one_tag() -> None:
    assert image(PNG, "image/png").tag == image(PNG, "image/png").tag != image(SVG, "image/svg+xml").tag
