"""`make serve` and `make run` while they run: what the production server serves, restarts and reloads without a gap, and an end without orphans."""

import asyncio
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil
import pytest
from alembic import command

from scripts.project import ROOT
from tests.db.sign_in_samples import ORIGIN, proven
from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.production_server import SECRET, answers, built, environment, started, until
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import alembic_config
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.signing_keys import SigningKeys
from walletmodal.host import Modal, TokenError
from walletmodal.services.sign_in import SignInTokens
from walletmodal.web.content_policy import script_hashes

__all__ = ["built"]


Serving = tuple[str, subprocess.Popen[bytes]]
"""The URL of a production server, and its process."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the shared server writes to standard error."""
    return tmp_path_factory.mktemp("log") / "stderr"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, built: None, log: Path) -> Iterator[Serving]:
    """One that comes back from whatever its tests do to it."""
    port = free_ports()
    folder = tmp_path_factory.mktemp("served")
    settings = environment(
        folder, WALLETMODAL_PORT=str(port), ALLOWED_ORIGINS="https://app.example.com", SECRET_KEY=SECRET + "!"
    )
    with log.open("w") as file, started("serve", settings, stderr=file) as process:
        yield f"http://127.0.0.1:{port}", process


@pytest.fixture
def served(shared: Serving) -> Serving:
    """It, answering."""
    url, process = shared
    until(lambda: answers(f"{url}/_health"), "the start of the server")
    assert process.poll() is None
    return shared


def test_the_production_server_serves_the_build_as_it_is(served: Serving) -> None:
    """Reflex compiles nothing and mounts the front end: what its two internal names in walletmodal/commands/serve.py are for."""
    url, _ = served
    page = httpx.get(f"{url}/", trust_env=False, timeout=PATIENCE)
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert set(script_hashes(page.text)) <= set(re.findall(r"'sha256-[^']+'", policy))
    assert "frame-ancestors 'self'" in policy
    assert "https://app.example.com" in policy
    # That of the page alone is too small to be compressed.
    scripts = re.findall(r'(?:href|src)="(/assets/frame-[^"]+\.js)"', page.text)
    assert scripts
    for accepted, sent in (("gzip", "gzip"), ("gzip, deflate, br", "br")):
        script = httpx.get(
            f"{url}{scripts[0]}", headers={"Accept-Encoding": accepted}, trust_env=False, timeout=PATIENCE
        )
        assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert script.headers["content-encoding"] == sent


async def _signed_in(database: str, issuer: str) -> tuple[str, str]:
    """Somebody signs in; the id of the session, and a token that one of the workers might have made."""
    engine = open_engine(database)
    try:
        session = await SignInStore(engine).add(proven("nonce0001", at=datetime.now(UTC)), "browser")
        return session.id, (await SignInTokens(SigningKeys(engine), issuer).mint(session)).token
    finally:
        await engine.dispose()


def test_all_workers_know_one_set_of_keys_before_and_after_a_restart(
    tmp_path: Path, built: None, redis_url: str
) -> None:
    """And a host's server verifies with what any of them tells, online too."""
    port = free_ports()
    chosen = {"WALLETMODAL_PORT": str(port), "WORKERS": "2", "REDIS_URL": redis_url, "API_KEY": SECRET + "!"}
    settings = environment(tmp_path, **chosen, LOG_FORMAT="json")
    url = f"http://localhost:{port}"

    def published() -> set[str]:
        answers = (httpx.get(f"{url}/.well-known/jwks.json", trust_env=False, timeout=PATIENCE) for _ in range(20))
        return {key["kid"] for answer in answers for key in answer.json()["keys"]}

    with started("serve", settings) as process:
        until(lambda: answers(f"{url}/_health"), "the start of the server")
        session, token = asyncio.run(_signed_in(settings["DATABASE_URL"], url))
        before = published()
        assert len(before) == 1
        assert Modal(url, ORIGIN, api_key=SECRET + "!").verify(token, online=True).session_id == session
        assert "walletmodal_signed_in 1.0" in httpx.get(f"{url}/metrics", trust_env=False, timeout=PATIENCE).text
        (granian,) = psutil.Process(process.pid).children()
        old = granian.children()
        process.send_signal(signal.SIGHUP)
        until(lambda: not any(worker.is_running() for worker in old), "the end of the old workers")
        until(lambda: answers(f"{url}/_health"), "an answer of the new ones")
        assert published() == before
        host = Modal(url, ORIGIN, api_key=SECRET + "!")
        assert host.verify(token, online=True).session_id == session
        ended = httpx.delete(
            f"{url}/v1/sessions/{session}", headers={"Authorization": f"Bearer {SECRET}!"}, trust_env=False
        )
        assert ended.status_code == 204
        with pytest.raises(TokenError):
            host.verify(token, online=True)


def _revision(database_url: str) -> str:
    with sqlite3.connect(database_url.removeprefix("sqlite:///")) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_a_reload_migrates_before_it_replaces_the_workers(tmp_path: Path, built: None) -> None:
    port = free_ports()
    settings = environment(tmp_path, WALLETMODAL_PORT=str(port))
    reload = [sys.executable, "-m", "walletmodal", "reload"]

    def reloading() -> subprocess.CompletedProcess[str]:
        return subprocess.run(reload, check=False, cwd=ROOT, env=settings, capture_output=True, text=True)

    assert reloading().stderr == f"error: no server of this project runs on port {port}\n"
    with started("serve", settings) as process:
        until(lambda: answers(f"http://127.0.0.1:{port}/_health"), "the start of the server")
        newest = _revision(settings["DATABASE_URL"])
        (granian,) = psutil.Process(process.pid).children()
        old = granian.children()
        command.downgrade(alembic_config(settings["DATABASE_URL"]), "-1")
        assert _revision(settings["DATABASE_URL"]) != newest
        assert str(process.pid) in reloading().stdout
        until(lambda: not any(worker.is_running() for worker in old), "the end of the old workers")
        assert _revision(settings["DATABASE_URL"]) == newest
        until(lambda: answers(f"http://127.0.0.1:{port}/_health"), "an answer of the new ones")
    assert reloading().returncode == 1


def test_a_killed_worker_comes_back(served: Serving) -> None:
    url, process = served
    (granian,) = psutil.Process(process.pid).children()
    (worker,) = granian.children()
    worker.kill()
    until(lambda: worker not in granian.children() and answers(f"{url}/_health"), "an answer of the new worker")


def test_a_killed_granian_comes_back(served: Serving) -> None:
    url, process = served
    (granian,) = psutil.Process(process.pid).children()
    old = granian.children()
    granian.kill()
    until(lambda: not any(worker.is_running() for worker in old), "the end of the old workers")
    until(lambda: answers(f"{url}/_health"), "an answer of the new server")


def test_the_production_server_ends_with_success_when_it_is_asked_to(served: Serving, log: Path) -> None:
    """The last of those that share it. A client that never finishes its request holds it no longer than a head may take."""
    url, process = served
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    silent = socket.create_connection((address.hostname, address.port))
    silent.sendall(b"GET /_health HTTP/1.1\r\nHost: localh")
    below = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    silent.close()
    assert not any(child.is_running() for child in below)
    assert not answers(f"{url}/_health")
    assert "Killing" not in log.read_text()


def test_a_server_ends_also_while_its_worker_starts(tmp_path: Path, built: None) -> None:
    settings = environment(tmp_path, WALLETMODAL_PORT=str(free_ports()))
    log = tmp_path / "log"
    with log.open("w") as file, started("serve", settings, stderr=file) as process:
        until(lambda: len(psutil.Process(process.pid).children(recursive=True)) > 1, "the start of the worker")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert "Killing" not in log.read_text()


def test_a_server_that_is_going_to_end_says_so_while_it_still_serves(tmp_path: Path, built: None) -> None:
    """Until its balancer has noticed, or a second signal says that nobody has to."""
    port = free_ports()
    url = f"http://127.0.0.1:{port}"
    settings = environment(tmp_path, WALLETMODAL_PORT=str(port), DRAIN_DELAY_SECONDS="600")

    def drains() -> bool:
        answer = httpx.get(f"{url}/_health", trust_env=False, timeout=PATIENCE)
        return (answer.status_code, answer.json()) == (503, {"status": "draining"})

    with started("serve", settings) as process:
        until(lambda: answers(f"{url}/_health"), "the start of the server")
        process.send_signal(signal.SIGTERM)
        until(drains, "word of the end")
        assert answers(f"{url}/_live")
        assert answers(f"{url}/")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


def test_make_run_says_ready_and_an_interrupt_leaves_nothing_behind(tmp_path: Path, built: None) -> None:
    ports = range(first := free_ports(9), first + 9)
    names = ("WALLETMODAL_PORT", "SANDBOX_PORT", "SOLANA_PORT", "", "EVM_PORT")
    chosen = {name: str(port) for name, port in zip(names, ports, strict=False) if name}
    settings = environment(tmp_path, SANDBOX_KEEP="false", **chosen)
    output = tmp_path / "output"
    with output.open("w") as file, started("run", settings, stdout=file) as process:
        until(lambda: "Ready: " in output.read_text() or process.poll() is not None, "the start")
        below = psutil.Process(process.pid).children(recursive=True)
        bound = {c.laddr.ip for child in below for c in child.net_connections("tcp") if c.status == "LISTEN"}
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    lines = output.read_text().splitlines()
    assert f"Ready: http://localhost:{ports[1]}/" in lines
    assert all(ip_address(each).is_loopback for each in bound)
    assert not any(child.is_running() for child in below)
