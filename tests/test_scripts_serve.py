"""`make serve` and `make run` as they are started: refusals by name, the production server, and an end without orphans."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from scripts.build import build, build_sandbox
from scripts.project import ROOT
from tests.patience import PATIENCE
from tests.ports import free_ports
from walletmodal.config import SETTING_NAMES
from walletmodal.web.content_policy import script_hashes

SECRET = "hunter2-of-the-database"


def environment(tmp_path: Path, **settings: str) -> dict[str, str]:
    """The caller's environment without any setting of ours, then `settings`."""
    kept = {name: value for name, value in os.environ.items() if name not in SETTING_NAMES}
    return kept | {"DATABASE_URL": f"sqlite:///{tmp_path / 'test.db'}"} | settings


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.05)


def answers(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"WORKERS": "0"}, "WORKERS"),
        ({"WORKERS": "4"}, "REDIS_URL"),
        ({"ALLOWED_ORIGINS": "*"}, "ALLOWED_ORIGINS"),
        ({"NETWORKS": "ethereum"}, "NETWORKS"),
        ({"API_KEY": "short"}, "API_KEY"),
        ({"WALLETMODAL_HOST": "everywhere"}, "WALLETMODAL_HOST"),
        ({"DATABASE_URL": f"mysql://user:{SECRET}@localhost/x"}, "DATABASE_URL"),
    ],
)
def test_a_wrong_setting_is_named_and_keeps_the_server_from_starting(
    tmp_path: Path, settings: dict[str, str], named: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scripts.serve"],
        check=False,
        cwd=ROOT,
        env=environment(tmp_path, **settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 2
    assert re.search(rf"^ *{named}: ", done.stderr, re.MULTILINE)
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stderr + done.stdout


@pytest.fixture(scope="module")
def built() -> None:
    build()
    build_sandbox()


@pytest.fixture
def served(tmp_path: Path, built: None) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A production server and its URL."""
    port = free_ports()
    settings = environment(tmp_path, WALLETMODAL_PORT=str(port), ALLOWED_ORIGINS="https://app.example.com")
    with subprocess.Popen(
        [sys.executable, "-m", "scripts.serve"], cwd=ROOT, env=settings, start_new_session=True
    ) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            until(lambda: answers(f"{url}/_health"), "the start of the server")
            yield url, process
        finally:
            process.terminate()


def test_the_production_server_serves_the_build_as_it_is(served: tuple[str, subprocess.Popen[bytes]]) -> None:
    """Reflex compiles nothing and mounts the front end: what its two internal names in scripts/serve.py are for."""
    url, _ = served
    page = httpx.get(f"{url}/", trust_env=False)
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert set(script_hashes(page.text)) <= set(re.findall(r"'sha256-[^']+'", policy))
    assert "frame-ancestors 'self'" in policy
    assert "https://app.example.com" in policy
    scripts = re.findall(r'href="(/assets/[^"]+\.js)"', page.text)
    assert scripts
    script = httpx.get(f"{url}{scripts[0]}", headers={"Accept-Encoding": "gzip"}, trust_env=False)
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-encoding"] == "gzip"


def test_a_killed_worker_comes_back(served: tuple[str, subprocess.Popen[bytes]]) -> None:
    url, process = served
    (granian,) = psutil.Process(process.pid).children()
    (worker,) = granian.children()
    worker.kill()
    until(lambda: worker not in granian.children() and answers(f"{url}/_health"), "an answer of the new worker")


def test_a_killed_granian_comes_back(served: tuple[str, subprocess.Popen[bytes]]) -> None:
    url, process = served
    (granian,) = psutil.Process(process.pid).children()
    old = granian.children()
    granian.kill()
    until(lambda: not any(worker.is_running() for worker in old), "the end of the old workers")
    until(lambda: answers(f"{url}/_health"), "an answer of the new server")


def test_the_production_server_ends_with_success_when_it_is_asked_to(
    served: tuple[str, subprocess.Popen[bytes]],
) -> None:
    url, process = served
    below = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    assert not any(child.is_running() for child in below)
    assert not answers(f"{url}/_health")


def test_make_run_says_ready_and_an_interrupt_leaves_nothing_behind(tmp_path: Path, built: None) -> None:
    ports = range(first := free_ports(9), first + 9)
    names = ("WALLETMODAL_PORT", "SANDBOX_PORT", "SOLANA_PORT", "", "EVM_PORT")
    chosen = {name: str(port) for name, port in zip(names, ports, strict=False) if name}
    settings = environment(tmp_path, SANDBOX_KEEP="false", **chosen)
    output = tmp_path / "output"
    with (
        output.open("w") as file,
        subprocess.Popen(
            [sys.executable, "-m", "scripts.run"], cwd=ROOT, env=settings, stdout=file, start_new_session=True
        ) as process,
    ):
        try:
            until(lambda: "Ready: " in output.read_text() or process.poll() is not None, "the start")
            below = psutil.Process(process.pid).children(recursive=True)
            bound = {c.laddr.ip for child in below for c in child.net_connections("tcp") if c.status == "LISTEN"}
            os.killpg(process.pid, signal.SIGINT)
            assert process.wait(PATIENCE) == 0
        finally:
            process.terminate()
    lines = output.read_text().splitlines()
    assert f"Ready: http://localhost:{ports[1]}/" in lines
    assert bound <= {"127.0.0.1", "::1"}
    assert not any(child.is_running() for child in below)
