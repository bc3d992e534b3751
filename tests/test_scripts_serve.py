"""`make serve` and `make run` as they are started: refusals by name, the production server, and an end without orphans."""

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil
import pytest
from alembic import command
from pydantic import SecretStr

from sandbox.chains import CHAINS
from sandbox.solana.world import CHAIN as SOLANA
from scripts.build import build, build_sandbox
from scripts.project import ROOT
from scripts.run import modal_environment
from scripts.serve import migrate_for_new_code, server_command, server_environment
from tests.db.sign_in_samples import ORIGIN, proven
from tests.patience import PATIENCE
from tests.ports import free_ports
from walletmodal.config import SETTING_NAMES, START_SECRET, Settings, load_settings
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import alembic_config
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.signing_keys import SigningKeys
from walletmodal.host import Modal, TokenError
from walletmodal.logs import LogForm
from walletmodal.services.sign_in import SignInTokens
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
        # All that are wrong by themselves are told by one start.
        (
            {
                "WORKERS": "0",
                "ALLOWED_ORIGINS": "*",
                "NETWORKS": "ethereum",
                "API_KEY": "short",
                "WALLETMODAL_HOST": "everywhere",
                "DATABASE_URL": f"mysql://user:{SECRET}@localhost/x",
            },
            {"WORKERS", "ALLOWED_ORIGINS", "NETWORKS", "API_KEY", "WALLETMODAL_HOST", "DATABASE_URL"},
        ),
        ({"WORKERS": "4"}, {"REDIS_URL"}),
        ({"ALLOWED_ORIGINS": "https://app.example.com"}, {"SECRET_KEY"}),
        ({"POLICY_FILE": "nowhere.py"}, {"POLICY_FILE"}),
    ],
)
def test_a_wrong_setting_is_named_and_keeps_the_server_from_starting(
    tmp_path: Path, settings: dict[str, str], named: set[str]
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
    assert named <= set(re.findall(r"^ *([A-Z_]+): ", done.stderr, re.MULTILINE))
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stderr + done.stdout


def test_a_start_tells_what_it_will_not_run_without_and_what_nobody_meant(tmp_path: Path) -> None:
    settings = {"REDIS_URL": f"redis://127.0.0.1:{free_ports()}", "ALOWED_ORIGINS": "https://app.example"}
    done = subprocess.run(
        [sys.executable, "-m", "scripts.serve"],
        check=False,
        cwd=ROOT,
        env=environment(tmp_path, WALLETMODAL_PORT=str(free_ports()), **settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert done.stderr == "error: REDIS_URL: Redis does not answer (ConnectionError)\n"
    assert "· ALOWED_ORIGINS: did you mean ALLOWED_ORIGINS?" in done.stdout.splitlines()


@pytest.mark.parametrize("given", ["", "https://app.example"])
def test_the_demo_page_may_embed_the_modal_of_make_run_whoever_else_may(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("SANDBOX_PORT", "18700")
    origins = modal_environment({"ALLOWED_ORIGINS": given})["ALLOWED_ORIGINS"].split(",")
    assert origins == [*filter(None, [given]), "http://localhost:18700", "http://127.0.0.1:18700"]


@pytest.mark.parametrize("chain", [*(chain.caip2 for chain in CHAINS), SOLANA])
def test_make_run_leads_from_every_local_chain_to_the_sandboxs_explorer(
    monkeypatch: pytest.MonkeyPatch, chain: str
) -> None:
    monkeypatch.setenv("SANDBOX_PORT", "18700")
    for name in ("NETWORKS", "EXPLORER_URLS"):
        monkeypatch.setenv(name, modal_environment({})[name])
    settings = load_settings(None)
    assert chain in settings.networks
    assert settings.explorer_urls[chain] == f"http://localhost:18700/explorer/{chain}"


def test_a_start_without_a_secret_makes_one_that_no_signing_key_is_closed_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The next start could not open it."""
    for name in SETTING_NAMES:
        monkeypatch.delenv(name, raising=False)
    settings = Settings(_env_file=None)
    assert settings.shared_secret is None
    made = server_environment(settings, None)
    assert "SECRET_KEY" not in made
    monkeypatch.setenv(START_SECRET, made[START_SECRET])
    worker = Settings(_env_file=None)
    assert (worker.secret_key, worker.shared_secret) == (None, made[START_SECRET])
    chosen = Settings(_env_file=None, secret_key=SecretStr(SECRET + "!"))
    assert chosen.shared_secret == SECRET + "!"
    assert START_SECRET not in server_environment(chosen, None).keys() - os.environ.keys()


@pytest.mark.parametrize("chosen", ["", "1048576"])
def test_workers_give_large_texts_back_to_the_system(monkeypatch: pytest.MonkeyPatch, chosen: str) -> None:
    monkeypatch.delenv("MALLOC_MMAP_THRESHOLD_", raising=False)
    if chosen:
        monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", chosen)
    made = server_environment(Settings(_env_file=None), None)
    assert made["MALLOC_MMAP_THRESHOLD_"] == (chosen or "65536")


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_servers_own_process_writes_its_log_as_the_workers_do(form: LogForm) -> None:
    options = server_command(Settings(_env_file=None, log_format=form))
    chosen = options[options.index("--log-config") + 1]
    code = (
        "import json, sys, logging; from granian.log import configure_logging, LogLevels; "
        "configure_logging(LogLevels.warning, json.load(open(sys.argv[1]))); "
        "logging.getLogger('_granian').error('a worker\\nhas died')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, chosen], check=True, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    (line,) = done.stderr.splitlines()
    assert done.stdout == ""
    if form == "json":
        assert json.loads(line)["message"] == "a worker\nhas died"
    else:
        assert line.endswith("ERROR _granian: a worker\\nhas died")


@pytest.fixture(scope="module")
def built() -> None:
    build()
    build_sandbox()


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
    with (
        log.open("w") as file,
        subprocess.Popen(
            [sys.executable, "-m", "scripts.serve"], cwd=ROOT, env=settings, stderr=file, start_new_session=True
        ) as process,
    ):
        try:
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()


@pytest.fixture
def served(shared: Serving) -> Serving:
    """It, answering."""
    url, process = shared
    until(lambda: answers(f"{url}/_health"), "the start of the server")
    assert process.poll() is None
    return shared


def test_the_production_server_serves_the_build_as_it_is(served: Serving) -> None:
    """Reflex compiles nothing and mounts the front end: what its two internal names in scripts/serve.py are for."""
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

    with subprocess.Popen(
        [sys.executable, "-m", "scripts.serve"], cwd=ROOT, env=settings, start_new_session=True
    ) as process:
        try:
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
        finally:
            process.terminate()


def _revision(database_url: str) -> str:
    with sqlite3.connect(database_url.removeprefix("sqlite:///")) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_a_reload_migrates_before_it_replaces_the_workers(tmp_path: Path, built: None) -> None:
    port = free_ports()
    settings = environment(tmp_path, WALLETMODAL_PORT=str(port))
    reload = [sys.executable, "-m", "scripts.reload"]

    def reloading() -> subprocess.CompletedProcess[str]:
        return subprocess.run(reload, check=False, cwd=ROOT, env=settings, capture_output=True, text=True)

    assert reloading().stderr == f"error: no server of this checkout runs on port {port}\n"
    with subprocess.Popen(
        [sys.executable, "-m", "scripts.serve"], cwd=ROOT, env=settings, start_new_session=True
    ) as process:
        try:
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
        finally:
            process.terminate()
    assert reloading().returncode == 1


def test_workers_stay_where_the_database_cannot_be_migrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "no.db").write_bytes(b"something else than a database, and long enough to be seen as such")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'no.db'}")
    assert not migrate_for_new_code()


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
    assert all(ip_address(each).is_loopback for each in bound)
    assert not any(child.is_running() for child in below)
