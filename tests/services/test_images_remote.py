"""Fetching pictures from strangers' servers: what is asked, where, and every way in which it can be an attack."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.patience import PATIENCE, patience
from tests.ports import free_ports
from tests.services import node as nodes
from tests.services.outside import Outside, refuses
from tests.services.pictures import HOST, PNG, PUBLIC, Names, Rerouted, served_tls, trusting_tls
from walletmodal.services.http.pinned_network import PinnedNetwork, resolve_name
from walletmodal.services.images import ImageError, RemoteImages
from walletmodal.services.images.remote import MAX_CONNECTIONS, MAX_PER_HOST

PICTURE = nodes.send(nodes.http(PNG, headers="Content-Type: image/png\r\n"))


def moved(location: str, status: int = 302) -> nodes.Behaviour:
    return nodes.send(nodes.http(b"", status=f"{status} Moved", headers=f"Location: {location}\r\n"))


class Stage:
    """A server that stands for the whole internet, the resolver, and the fetcher between them, which waits for so many seconds."""

    def __init__(self, outside: Outside, seconds: float = PATIENCE) -> None:
        self.outside = outside
        self.network = Rerouted(outside.port)
        self.names = Names(**{HOST: [PUBLIC], "other.test": ["1.1.1.1"], "inside.test": ["10.0.0.5"]})
        pinned = PinnedNetwork(self.names, sockets=self.network)
        self.images = RemoteImages(pinned, timeout=seconds, max_bytes=10_000, tls=trusting_tls())

    async def refused(self, url: str) -> ImageError:
        with pytest.raises(ImageError) as raised:
            await self.images.fetch(url)
        return raised.value


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    async with Outside({"/a.png": PICTURE}).running() as outside:
        stage = Stage(outside)
        yield stage
        await stage.images.close()


@pytest_asyncio.fixture
async def impatient() -> AsyncIterator[Stage]:
    """The same with a fetcher that soon gives up."""
    async with Outside({"/a.png": PICTURE}).running() as outside:
        stage = Stage(outside, 5)
        yield stage
        await stage.images.close()


async def test_a_picture_is_fetched_from_the_address_that_was_checked(stage: Stage) -> None:
    assert await stage.images.fetch(f"http://{HOST}/a.png?size=2") == PNG
    assert (stage.network.asked, stage.names.asked) == ([(PUBLIC, 80)], [HOST])
    assert stage.outside.last.headers["host"] == HOST
    assert stage.outside.last.query == {"size": "2"}


async def test_nothing_of_the_visitor_goes_out(stage: Stage) -> None:
    await stage.images.fetch(f"http://{HOST}/a.png")
    assert set(stage.outside.last.headers) == {"host", "accept", "accept-encoding", "user-agent"}


async def test_tls_names_and_checks_the_host_although_its_address_is_asked() -> None:
    names: list[str] = []
    async with Outside({"/a.png": PICTURE}).running(served_tls(names)) as outside:
        stage = Stage(outside)
        assert await stage.images.fetch(f"https://{HOST}/a.png") == PNG
        assert (names, outside.last.headers["host"], stage.network.asked) == ([HOST], HOST, [(PUBLIC, 443)])
        assert (await stage.refused("https://other.test/a.png")).refusal == "unreachable"
        await stage.images.close()


async def test_a_name_that_changes_its_address_after_the_check_reaches_nothing(stage: Stage) -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"]])

    async def rebinding(_host: str) -> list[str]:
        return next(answers)

    network = Rerouted(stage.outside.port)
    images = RemoteImages(PinnedNetwork(rebinding, sockets=network))
    stage.outside.answers["/a.png"] = nodes.send_and_hang_up(nodes.http(PNG, headers="Connection: close\r\n"))
    assert await images.fetch(f"http://{HOST}/a.png") == PNG
    with pytest.raises(ImageError) as raised:
        await images.fetch(f"http://{HOST}/a.png")
    assert (raised.value.refusal, network.asked) == ("address", [(PUBLIC, 80)])
    await images.close()


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.1.2.3"],
        ["169.254.169.254"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["fd00:ec2::254"],
        ["fe80::1%eth0"],
        ["64:ff9b::7f00:1"],
        [PUBLIC, "127.0.0.1"],
        ["nonsense"],
    ],
)
async def test_a_name_with_an_address_inside_is_not_asked(stage: Stage, addresses: list[str]) -> None:
    stage.names.addresses[HOST] = addresses
    assert (await stage.refused(f"http://{HOST}/a.png")).refusal == "address"
    assert stage.network.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/a.png",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:10.0.0.1]/a.png",
        "http://[fd00::1]/a.png",
        "http://0.0.0.0/a.png",
    ],
)
async def test_an_address_inside_is_not_asked(stage: Stage, url: str) -> None:
    images = RemoteImages(PinnedNetwork(resolve_name, sockets=stage.network))
    with pytest.raises(ImageError) as raised:
        await images.fetch(url)
    assert (raised.value.refusal, stage.network.asked) == ("address", [])
    await images.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://pictures.test/a.png",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:image/png;base64,AA",
        "http://user:word@pictures.test/a.png",
        "http://127.0.0.1/a.png",
        "http://localhost/a.png",
        "http://127.1/a.png",
        "http://2130706433/a.png",
        "http://0x7f.1/a.png",
        "http://[::1]/a.png",
        "http://pictures.test:22/a.png",
        "http://pictures.test:6379/a.png",
        "http://pictures.test/a b",
        "http://pictures.test/a\r\nX: y",
        "http://",
        "http://x" + "x" * 3000,
        "https://\u2603.test/a.png",
        "https://xn--a.test/a.png",
        "https://xn--/a.png",
        "https://a\u200db.test/a.png",
    ],
)
async def test_a_url_of_another_form_is_not_asked(stage: Stage, url: str) -> None:
    assert not stage.images.may_ask(url)
    assert (await stage.refused(url)).refusal == "url"
    assert (stage.names.asked, stage.network.asked) == ([], [])


async def test_redirects_are_followed_and_each_is_checked(stage: Stage) -> None:
    stage.outside.answers["/start"] = moved("http://other.test/next", 301)
    stage.outside.answers["/next"] = moved("/a.png", 308)
    assert await stage.images.fetch(f"http://{HOST}/start") == PNG
    assert stage.names.asked == [HOST, "other.test", "other.test"]
    assert [asked.headers["host"] for asked in stage.outside.asked] == [HOST, "other.test", "other.test"]


@pytest.mark.parametrize(
    ("location", "refusal"),
    [
        ("http://169.254.169.254/latest/meta-data/", "address"),
        ("http://inside.test/a.png", "address"),
        ("http://[::ffff:a9fe:a9fe]/", "address"),
        ("http://127.0.0.1/a.png", "redirect"),
        ("http://localhost:8700/a.png", "redirect"),
        ("http://pictures.test:6379/", "redirect"),
        ("file:///etc/passwd", "redirect"),
        ("gopher://pictures.test/", "redirect"),
        ("//user@pictures.test/", "redirect"),
        ("http://[pictures.test/", "redirect"),
        ("//xn--a.test/", "redirect"),
    ],
)
async def test_a_redirect_to_where_nothing_is_asked_is_refused(stage: Stage, location: str, refusal: str) -> None:
    stage.names.addresses |= {"169.254.169.254": ["169.254.169.254"], "::ffff:a9fe:a9fe": ["::ffff:a9fe:a9fe"]}
    stage.outside.answers["/start"] = moved(location)
    assert (await stage.refused(f"http://{HOST}/start")).refusal == refusal
    assert stage.network.asked == [(PUBLIC, 80)]


async def test_after_three_redirects_it_is_enough(stage: Stage) -> None:
    stage.outside.answers["/loop"] = moved("/loop")
    assert (await stage.refused(f"http://{HOST}/loop")).refusal == "redirect"
    assert len(stage.outside.asked) == 4


async def test_no_redirect_leads_out_of_tls() -> None:
    async with Outside({"/start": moved(f"http://{HOST}/a.png")}).running(served_tls([])) as outside:
        stage = Stage(outside)
        assert (await stage.refused(f"https://{HOST}/start")).refusal == "redirect"
        await stage.images.close()


BAD: dict[str, tuple[nodes.Behaviour, str]] = {
    "status": (refuses(404), "status"),
    "endless": (nodes.endless, "size"),
    "announced too large": (
        nodes.send(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"),
        "size",
    ),
    "too large": (nodes.send(nodes.http(b"x" * 10_001)), "size"),
    "a byte at a time": (nodes.drip, "size"),
    "closed": (nodes.send_and_hang_up(b""), "unreachable"),
    "half": (nodes.send_and_hang_up(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\nx"), "unreachable"),
    "no HTTP": (nodes.send_and_hang_up(b"SSH-2.0-OpenSSH\r\n\r\n"), "unreachable"),
    "endless headers": (nodes.send(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 40_000), "unreachable"),
    "compressed": (nodes.send(nodes.http(PNG, headers="Content-Encoding: gzip\r\n")), "type"),
    "redirect without a place": (nodes.send(nodes.http(b"", status="302 Found", headers="")), "status"),
}


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_answer_is_refused(stage: Stage, name: str) -> None:
    behaviour, refusal = BAD[name]
    stage.outside.answers["/a.png"] = behaviour
    assert (await stage.refused(f"http://{HOST}/a.png")).refusal == refusal


async def test_silence_ends_with_the_time(impatient: Stage) -> None:
    impatient.outside.answers["/a.png"] = nodes.silence
    assert (await impatient.refused(f"http://{HOST}/a.png")).refusal == "timeout"


async def test_a_trickle_ends_with_the_time_as_a_whole(impatient: Stage) -> None:
    async def trickle(_request: object, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)

    impatient.outside.answers["/a.png"] = trickle
    assert (await impatient.refused(f"http://{HOST}/a.png")).refusal == "timeout"


async def test_a_name_that_nobody_has_is_unreachable(stage: Stage) -> None:
    assert (await stage.refused("http://nobody.test/a.png")).refusal == "unreachable"


async def test_slow_name_servers_of_strangers_hold_up_no_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    answered, lookup = threading.Event(), socket.getaddrinfo
    asked: list[str] = []

    def slow(host: str, *rest: Any, **options: Any) -> Any:
        if host.endswith(".slow.test"):
            asked.append(host)
            answered.wait(2 * PATIENCE)
            raise OSError("no such name")
        return lookup(host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    waiting = [asyncio.create_task(resolve_name(f"{n}.slow.test")) for n in range(100)]
    try:
        async with patience():
            while not asked:
                await asyncio.sleep(0.001)
            # As httpx asks for the names of nodes and services.
            assert await asyncio.get_running_loop().getaddrinfo("localhost", 80)
    finally:
        answered.set()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_slow_server_holds_up_no_other() -> None:
    async with Outside({"/a.png": PICTURE, "/slow.png": nodes.silence}).running() as outside:
        network = Rerouted(outside.port)
        names = Names(**{HOST: [PUBLIC], "slow.test": ["1.1.1.1"]})
        images = RemoteImages(PinnedNetwork(names, sockets=network), timeout=2 * PATIENCE)
        waiting = [asyncio.create_task(images.fetch(f"http://slow.test/slow.png?{n}")) for n in range(MAX_CONNECTIONS)]
        await outside.arrived(MAX_PER_HOST)
        try:
            async with patience():
                assert await images.fetch(f"http://{HOST}/a.png") == PNG
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            await images.close()


async def test_a_server_that_was_slow_is_asked_again(impatient: Stage) -> None:
    impatient.outside.answers["/slow.png"] = nodes.silence
    slow = [impatient.refused(f"http://{HOST}/slow.png?{n}") for n in range(MAX_PER_HOST)]
    assert {error.refusal for error in await asyncio.gather(*slow)} == {"timeout"}
    assert await impatient.images.fetch(f"http://{HOST}/a.png") == PNG


async def test_this_machine_is_asked_where_the_sandbox_says_so() -> None:
    async with Outside({"/a.png": PICTURE}).running() as outside:
        images = RemoteImages(allow_loopback=True)
        for host in ("127.0.0.1", "localhost"):
            assert await images.fetch(f"http://{host}:{outside.port}/a.png") == PNG
        await images.close()


async def test_the_sandbox_opens_no_other_inside() -> None:
    images = RemoteImages(PinnedNetwork(Names(**{HOST: ["10.0.0.1"]}), allow_loopback=True), allow_loopback=True)
    with pytest.raises(ImageError) as raised:
        await images.fetch(f"http://{HOST}/a.png")
    assert raised.value.refusal == "address"
    await images.close()


async def test_a_port_that_nobody_listens_on_is_unreachable() -> None:
    images = RemoteImages(allow_loopback=True)
    with pytest.raises(ImageError) as raised:
        await images.fetch(f"http://127.0.0.1:{free_ports()}/a.png")
    assert raised.value.refusal == "unreachable"
    await images.close()
