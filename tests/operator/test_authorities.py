"""What certificates are checked with: the same for every call that leaves the server, and for the doctor."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.tls import Authority
from walletmodal.config import Settings
from walletmodal.operator.findings import Finding
from walletmodal.operator.look_at_nodes import nodes
from walletmodal.operator.look_at_origins import check_own_pages
from walletmodal.operator.look_at_services import services
from walletmodal.operator.look_at_settings import written_settings
from walletmodal.services.http.authorities import usual_authorities
from walletmodal.services.rpc import rpc_http_client


class Private:
    """A private authority, and what a server on this machine has of it."""

    def __init__(self, folder: Path) -> None:
        authority = Authority(folder)
        self.file = authority.file
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(authority.certificate, authority.key)

    @asynccontextmanager
    async def answering(self, body: bytes) -> AsyncIterator[int]:
        """A server on this port that answers every request with the same JSON."""

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await reader.readuntil(b"\r\n\r\n")
                head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
                await writer.drain()
            except (OSError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=self._tls)
        async with server:
            yield server.sockets[0].getsockname()[1]

    @asynccontextmanager
    async def relaying(self) -> AsyncIterator[int]:
        """A relay on this port that takes every subscription."""

        async def take(socket: ServerConnection) -> None:
            await socket.recv()
            await socket.send('{"id": 0, "jsonrpc": "2.0", "result": "taken"}')
            await socket.wait_closed()

        async with serve(take, "127.0.0.1", 0, ssl=self._tls) as server:
            yield next(iter(server.sockets)).getsockname()[1]


@pytest.fixture
def private(tmp_path: Path) -> Private:
    return Private(tmp_path)


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    usual_authorities.cache_clear()
    yield
    usual_authorities.cache_clear()


def settings(**chosen: object) -> Settings:
    return Settings(_env_file=None, **{"networks": ("eip155:1",), **chosen})  # type: ignore[arg-type]  # pydantic checks them


async def test_an_authority_of_ssl_cert_file_is_believed(private: Private, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(private.file))
    async with private.answering(b"{}") as port, rpc_http_client() as client:
        assert (await client.get(f"https://localhost:{port}/")).status_code == httpx.codes.OK


async def test_an_authority_that_nobody_named_is_not_believed(private: Private) -> None:
    async with private.answering(b"{}") as port, rpc_http_client() as client:
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            await client.get(f"https://localhost:{port}/")


def test_the_authorities_of_the_system_are_taken(monkeypatch: pytest.MonkeyPatch, private: Private) -> None:
    """The file and folder that OpenSSL was built with, which the two variables stand in for."""
    monkeypatch.setenv("SSL_CERT_FILE", str(private.file))
    (only,) = usual_authorities().get_ca_certs()
    assert only["subject"] == ((("commonName", "private authority"),),)


def test_those_of_a_package_are_taken_where_the_system_has_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "empty"))
    assert usual_authorities().cert_store_stats()["x509_ca"] > 50


async def own_page(port: int) -> Finding:
    return next(iter(await check_own_pages(settings(public_url=f"https://localhost:{port}"))))


async def node(port: int) -> Finding:
    (found,) = await nodes(settings(rpc_urls={"eip155:1": (f"https://localhost:{port}",)}))
    return found


async def service(port: int) -> Finding:
    (found,) = await services(settings(directory_url=f"https://localhost:{port}"))
    return found


async def relay(port: int) -> Finding:
    (found,) = await services(settings(relay_url=f"wss://localhost:{port}"))
    return found


@pytest.mark.parametrize("look", [own_page, node, service, relay])
async def test_the_doctor_tells_an_unknown_authority_from_a_server_that_is_away(
    private: Private, environment: pytest.MonkeyPatch, look: Callable[[int], Awaitable[Finding]]
) -> None:
    async with private.answering(b"{}") as port:
        found = await look(port)
    assert found.state == "failed"
    assert "SSL_CERT_FILE" in found.text
    assert "not running" not in found.text


async def test_the_doctor_believes_a_private_authority(private: Private, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("SSL_CERT_FILE", str(private.file))
    async with private.answering(b'{"jsonrpc": "2.0", "id": 1, "result": "0x1"}') as port:
        assert "certificate" not in (await own_page(port)).text
        assert "certificate" not in (await node(port)).text
        assert "certificate" not in (await service(port)).text
    async with private.relaying() as port:
        assert (await relay(port)).state == "ok"


async def test_the_doctor_says_that_a_file_of_authorities_is_not_there(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    assert [one.state for one in await written_settings(settings()) if one.part == "SSL_CERT_FILE"] == ["failed"]
