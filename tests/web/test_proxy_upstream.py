"""nginx before several servers, as docs/operations.md has it, while these are replaced one after the other."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.proxies import nginx_command, sample, with_own
from tests.services_fixtures import wait_until

ADDRESSES = ("10.0.0.11:3000", "10.0.0.12:3000", "10.0.0.13:3000")
QUESTIONS = 2 * len(ADDRESSES)
"""Each server would be asked twice."""


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")
    await writer.drain()
    writer.close()


def listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


async def serve(port: int) -> asyncio.Server:
    """A server of which all that nginx sees is whether it answers."""
    return await asyncio.start_server(answer, "127.0.0.1", port)


async def end(server: asyncio.Server) -> None:
    server.close()
    await server.wait_closed()


@pytest.fixture
def ports() -> list[int]:
    return [free_ports() for _ in ADDRESSES]


@pytest.fixture
def nginx(tmp_path: Path, ports: list[int]) -> Iterator[int]:
    """Its port; it leads to these."""
    port = free_ports()
    upstream = with_own(
        sample("nginx", "upstream "),
        {theirs: f"127.0.0.1:{ours}" for theirs, ours in zip(ADDRESSES, ports, strict=True)},
    )
    site = f"access_log off; server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://walletmodal; }} }}\n"
    running = subprocess.Popen(nginx_command(tmp_path, upstream + site), stdin=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(port), "nginx")
        yield port
    finally:
        running.terminate()
        running.wait()


@pytest.fixture
async def ask(nginx: int) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{nginx}", trust_env=False, timeout=PATIENCE) as client:
        yield client


async def test_servers_that_are_replaced_one_after_the_other_are_never_missed(
    ask: httpx.AsyncClient, ports: list[int]
) -> None:
    """One that was away is asked as soon as it is there again: the next may end then."""
    here = [await serve(port) for port in ports]
    seen = []
    for number, port in enumerate(ports):
        await end(here[number])
        seen += [(await ask.get("/")).status_code for _ in range(QUESTIONS)]
        here[number] = await serve(port)
    # All of them were away within these moments.
    for server in here[1:]:
        await end(server)
    seen += [(await ask.get("/")).status_code for _ in range(QUESTIONS)]
    await end(here[0])
    assert seen == [200] * len(seen)
