"""`make serve` and `make run` before they run: refusals by name, and what they give to the processes that they start."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr
from redis import Redis

from scripts.project import ROOT
from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.production_server import SECRET, environment
from walletmodal.commands.run import modal_environment
from walletmodal.commands.serve import Server, migrate_for_new_code, server_command, server_environment
from walletmodal.config import SETTING_NAMES, START_SECRET, Settings, load_settings
from walletmodal.logs import LogForm
from walletmodal.operator.start_checks import is_alone
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.solana.world import CHAIN as SOLANA
from walletmodal.services.servers import PREFIX, ServerReport, server_name


def refused(tmp_path: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """A start that ends by itself."""
    return subprocess.run(
        [sys.executable, "-m", "walletmodal", "serve"],
        check=False,
        cwd=ROOT,
        env=environment(tmp_path, **settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def report(name: str) -> ServerReport:
    """Of a server that has said no more."""
    nothing = dict.fromkeys(("version", "states", "front_end", "secret_key", "policy", "revision"), "")
    return ServerReport.model_validate({**nothing, "name": name, "settings": {}, "database": "SQLite"})


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
    done = refused(tmp_path, **settings)
    assert done.returncode == 2
    assert named <= set(re.findall(r"^ *([A-Z_]+): ", done.stderr, re.MULTILINE))
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stderr + done.stdout


def test_a_language_without_a_catalogue_keeps_the_server_from_starting(tmp_path: Path) -> None:
    done = refused(tmp_path, WALLETMODAL_PORT=str(free_ports()), LOCALES="de,xx")
    assert (done.returncode, done.stderr) == (2, "error: LOCALES: there is no catalogue of xx\n")


def test_a_start_tells_what_it_will_not_run_without_and_what_nobody_meant(tmp_path: Path) -> None:
    settings = {"REDIS_URL": f"redis://127.0.0.1:{free_ports()}", "ALOWED_ORIGINS": "https://app.example"}
    done = refused(tmp_path, WALLETMODAL_PORT=str(free_ports()), **settings)
    assert done.returncode == 1
    assert done.stderr == "error: REDIS_URL: Redis does not answer (ConnectionError)\n"
    assert "· ALOWED_ORIGINS: did you mean ALLOWED_ORIGINS?" in done.stdout.splitlines()


def test_a_start_tells_what_a_cluster_would_lack(tmp_path: Path, redis_url: str) -> None:
    other = report("b:3000")
    with Redis.from_url(redis_url) as client:
        client.set(f"{PREFIX}{other.name}", other.model_dump_json())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        # So that the start ends by itself, after what it tells.
        port = str(taken.getsockname()[1])
        done = refused(tmp_path, WALLETMODAL_PORT=port, REDIS_URL=redis_url)
    assert done.returncode == 1
    lines = [line.removeprefix("· ") for line in done.stdout.splitlines()]
    (others,) = [line for line in lines if "b:3000" in line]
    assert "doctor --cluster" in others
    for name in ("DATABASE_URL is of SQLite", "SECRET_KEY is not set"):
        assert [line for line in lines if line.startswith(name)]


@pytest.mark.parametrize("redis", ["alone", "with another", "with another release", "emptied", "away", "none"])
def test_a_server_knows_whether_another_could_go_on_with_its_pages(
    monkeypatch: pytest.MonkeyPatch, redis: str, redis_url: str
) -> None:
    monkeypatch.setattr("walletmodal.operator.start_checks._REDIS_SECONDS", 0.1)
    url = {"away": f"redis://127.0.0.1:{free_ports()}", "none": None}.get(redis, redis_url)
    settings = Settings(_env_file=None, redis_url=url)
    own = server_name(settings.walletmodal_port)
    with Redis.from_url(redis_url) as client:
        if redis != "emptied":
            client.set(f"{PREFIX}{own}", report(own).model_dump_json())
        if redis.startswith("with another"):
            client.set(f"{PREFIX}b:3000", "{}" if redis.endswith("release") else report("b:3000").model_dump_json())
    assert is_alone(settings) == (redis == "alone")


# In granian's place; says which signals come.
CHILD = """
import signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, numbers := [signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM])
awaited = {"SIGTERM", sys.argv[2]}
with open(sys.argv[1], "w", buffering=1) as heard:
    heard.write("ready\\n")
    while awaited:
        name = signal.Signals(signal.sigwait(numbers)).name
        heard.write(f"{name}\\n")
        awaited.discard(name)
"""


@pytest.fixture
def signals_kept() -> Iterator[None]:
    """What is done on signals is afterwards as it was before."""
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    yield
    for number, handler in before.items():
        if signal.getsignal(number) != handler:
            signal.signal(number, handler)


@pytest.mark.parametrize(
    ("alone", "asked", "last"),
    [(False, 1, "SIGTERM"), (True, 1, "SIGUSR2"), (False, 2, "SIGUSR2")],
    ids=["others are there", "nobody is there", "it is asked again"],
)
@pytest.mark.usefixtures("signals_kept")
def test_pages_go_first_unless_nobody_is_there_or_the_server_is_asked_again(
    tmp_path: Path, alone: bool, asked: int, last: str
) -> None:
    os.mkfifo(pipe := tmp_path / "heard")
    server = Server(
        [sys.executable, "-c", CHILD, str(pipe), last],
        dict(os.environ),
        lambda: True,
        delay_seconds=0,
        end_seconds=PATIENCE,
        is_alone=lambda: alone,
    )

    def ask() -> set[str]:
        with pipe.open() as lines:
            told = [lines.readline()]
            signal.raise_signal(signal.SIGTERM)
            if asked > 1:
                told += [lines.readline(), lines.readline()]
                signal.raise_signal(signal.SIGTERM)
            return {line.strip() for line in (*told, *lines)}

    with ThreadPoolExecutor(1) as visitor:
        heard = visitor.submit(ask)
        server.run()
    assert heard.result() == {"ready", "SIGUSR1", "SIGTERM", last}


# A worker of granian that is deaf while it starts, and granian, which asks it once.
STARTING = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
if worker := os.fork():
    open(sys.argv[1], "w").close()
    signal.sigwait([signal.SIGTERM])
    os.kill(worker, signal.SIGTERM)
    os.waitpid(worker, 0)
else:
    signal.sigwait([signal.SIGTERM])
    signal.sigwait([signal.SIGTERM])
"""


@pytest.mark.usefixtures("signals_kept")
def test_a_worker_that_does_not_hear_of_the_end_while_it_starts_hears_of_it_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(pipe := tmp_path / "ready")
    server = Server(
        [sys.executable, "-c", STARTING, str(pipe)],
        dict(os.environ),
        lambda: True,
        delay_seconds=0,
        end_seconds=PATIENCE,
        is_alone=lambda: False,
    )

    def ask() -> None:
        pipe.read_text()
        signal.raise_signal(signal.SIGTERM)

    with ThreadPoolExecutor(1) as visitor:
        visitor.submit(ask)
        server.run()
    assert "killed" not in capsys.readouterr().out


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


def test_workers_stay_where_the_database_cannot_be_migrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "no.db").write_bytes(b"something else than a database, and long enough to be seen as such")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'no.db'}")
    assert not migrate_for_new_code()
