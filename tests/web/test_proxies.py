"""The proxies of docs/operations.md, run as they stand there before a server of ours."""

from __future__ import annotations

import gzip
import json
import re
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from ssl import SSLContext, create_default_context

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tests.patience import PATIENCE, eventually, patience
from tests.ports import free_ports
from tests.proxies import NAME, nginx_command, sample, with_own
from tests.services_fixtures import program, wait_until
from tests.tls import Authority
from tests.web import served
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen
from walletmodal.web.origin import OwnPagesOnly

SOCKET = "/_event/?EIO=4&transport=websocket&token=of-the-visitor"


@dataclass(frozen=True)
class Proxy:
    """A proxy that runs.

    Attributes:
        port: where it takes encrypted connections.
        authority: of its certificate; a file.
        log: what it writes about requests.
    """

    port: int
    authority: Path
    log: Path

    @property
    def host(self) -> str:
        return f"{NAME}:{self.port}"

    @property
    def tls(self) -> SSLContext:
        """Believes its certificate."""
        return create_default_context(cafile=str(self.authority))

    async def get(self, path: str, **headers: str) -> httpx.Response:
        """What a browser on another machine gets."""
        async with httpx.AsyncClient(verify=self.tls, trust_env=False, timeout=PATIENCE) as client:
            return await client.get(
                f"https://127.0.0.1:{self.port}{path}",
                headers={"Host": self.host, **headers},
                extensions={"sni_hostname": NAME},
            )

    def socket(self, origin: str) -> connect:
        """The event socket, as a page of this origin opens it."""
        return connect(
            f"wss://{self.host}{SOCKET}",
            host="127.0.0.1",
            port=self.port,
            ssl=self.tls,
            origin=Origin(origin),
            proxy=None,
        )


Start = Callable[[Path, int, int], tuple[list[str], Proxy]]
"""In a folder, on a port, before a server on another one."""


def nginx(folder: Path, port: int, upstream: int) -> tuple[list[str], Proxy]:
    authority, log = Authority(folder, NAME), folder / "modal.log"
    site = with_own(
        sample("nginx", "map "),
        {
            "127.0.0.1:3000": f"127.0.0.1:{upstream}",
            "listen 443 ": f"listen 127.0.0.1:{port} ",
            "/etc/ssl/modal.example.com.pem": str(authority.certificate),
            "/etc/ssl/modal.example.com.key": str(authority.key),
            "/var/log/nginx/modal.log": str(log),
            "/var/log/nginx/error.log": str(folder / "error.log"),
        },
    )
    return nginx_command(folder, site), Proxy(port, authority.file, log)


def caddy(folder: Path, port: int, upstream: int) -> tuple[list[str], Proxy]:
    plain, log = free_ports(), folder / "modal.log"
    site = with_own(sample("caddy"), {"/var/log/caddy/modal.log": str(log), "127.0.0.1:3000": f"127.0.0.1:{upstream}"})
    # A certificate of its own making: no authority can be asked from here.
    local = f"{{\nadmin off\nhttp_port {plain}\nhttps_port {port}\nlocal_certs\nskip_install_trust\nstorage file_system {folder}/storage\n"
    (folder / "Caddyfile").write_text(site.replace("{\n", local, 1))
    root = folder / "storage" / "pki" / "authorities" / "local" / "root.crt"
    command = [program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    return command, Proxy(port, root, log)


@pytest.fixture
def port() -> int:
    """Where the proxy listens."""
    return free_ports()


@pytest.fixture
async def upstream(tmp_path: Path, port: int) -> AsyncIterator[int]:
    """Our middleware and routes on this port, and behind the check of origins a socket that says what it was asked with."""
    (tmp_path / "built").mkdir()
    built = served.build(tmp_path / "built")
    (built / "assets" / "a-1b2c.js.gz").write_bytes(gzip.compress(b"1;"))
    pages = served.app(built, public_url=f"https://{NAME}:{port}")

    async def told(scope: Scope, receive: Receive, send: Send) -> None:
        opened = WebSocket(scope, receive, send)
        await opened.accept()
        names = ("host", "x-forwarded-for", "x-forwarded-proto")
        await opened.send_json({name: opened.headers.get(name, "") for name in names})
        await opened.send_text(await opened.receive_text())
        await opened.close()

    guarded = OwnPagesOnly(told)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await (guarded if scope["type"] == "websocket" else pages)(scope, receive, send)

    own_port = free_ports()
    http = HttpServer(app, listen(own_port, "TEST"), websocket_frame=4096)
    await http.start()
    yield own_port
    await http.stop()


@contextmanager
def running(start: Start, folder: Path, port: int, upstream: int) -> Iterator[Proxy]:
    command, made = start(folder, port, upstream)
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env={"HOME": str(folder)}
        )
    try:
        wait_until(lambda: process.poll() is not None or _takes(made), "the proxy")
        assert process.poll() is None, (folder / "output").read_text("utf-8")
        yield made
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "Caddy"])
def start(request: pytest.FixtureRequest) -> Start:
    found: Start = request.param
    return found


@pytest.fixture
def proxy(start: Start, tmp_path: Path, port: int, upstream: int) -> Iterator[Proxy]:
    with running(start, tmp_path, port, upstream) as found:
        yield found


def _takes(proxy: Proxy) -> bool:
    """Whether it speaks TLS already, with the certificate that it is to have."""
    try:
        with (
            socket.create_connection(("127.0.0.1", proxy.port)) as plain,
            proxy.tls.wrap_socket(plain, server_hostname=NAME),
        ):
            return True
    except OSError:
        return False


async def test_a_page_of_the_modal_opens_the_socket(proxy: Proxy) -> None:
    async with patience(), proxy.socket(f"https://{proxy.host}") as opened:
        told = json.loads(await opened.recv())
        await opened.send("Grüße")
        assert await opened.recv() == "Grüße"
    assert told == {"host": proxy.host, "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https"}


async def test_another_page_does_not_open_it(proxy: Proxy, caplog: pytest.LogCaptureFixture) -> None:
    async with patience():
        with pytest.raises(InvalidStatus) as refused:
            await proxy.socket("https://other.example.com").__aenter__()
    assert refused.value.response.status_code == httpx.codes.FORBIDDEN
    (entry,) = [entry.getMessage() for entry in caplog.records if entry.name == "walletmodal.web.origin"]
    assert "https://other.example.com" in entry
    assert proxy.host in entry


async def test_pages_come_with_their_headers(proxy: Proxy) -> None:
    page = await proxy.get("/")
    assert page.status_code == httpx.codes.OK
    assert page.headers["content-security-policy"].startswith("default-src")
    assert page.headers["x-content-type-options"] == "nosniff"
    assert re.fullmatch(r"[A-Za-z0-9._-]{8,64}", page.headers["x-request-id"])


async def test_what_is_compressed_stays_so(proxy: Proxy) -> None:
    script = await proxy.get("/assets/a-1b2c.js", **{"Accept-Encoding": "gzip"})
    assert script.headers["content-encoding"] == "gzip"
    assert script.text == "1;"


async def test_the_name_of_a_session_is_not_logged(proxy: Proxy) -> None:
    async with patience(), proxy.socket(f"https://{proxy.host}") as opened:
        await opened.send("over")
        await opened.wait_closed()
    await eventually(lambda: proxy.log.exists() and proxy.log.stat().st_size, "an entry")
    assert "of-the-visitor" not in proxy.log.read_text("utf-8")


async def test_the_name_of_a_session_is_not_logged_where_no_server_is_reached(
    start: Start, tmp_path: Path, port: int
) -> None:
    with running(start, tmp_path, port, free_ports()) as proxy:
        answer = await proxy.get(SOCKET)
    logs = [file for file in (tmp_path / "output", tmp_path / "error.log", proxy.log) if file.exists()]
    assert (answer.status_code, proxy.log in logs) == (httpx.codes.BAD_GATEWAY, True)
    assert [file.name for file in logs if "of-the-visitor" in file.read_text("utf-8")] == []
