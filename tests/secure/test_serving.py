"""`python -m walletmodal.secure` and `python -m walletmodal.secure.recovery`: real processes, and what they say when they cannot start."""

import gc
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.secure.world import World
from tests.services_fixtures import wait_until
from walletmodal.gc import YOUNG
from walletmodal.secure import serving as production
from walletmodal.secure.__main__ import main as site_main
from walletmodal.secure.db.upgrade import upgrade
from walletmodal.secure.encoding import encode
from walletmodal.secure.recovery.__main__ import main as recovery_main
from walletmodal.secure.recovery.keys import new_private_key

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-of-at-least-24-characters"


def environment(folder: Path, **values: str) -> dict[str, str]:
    """A site's environment: nothing of this one's settings."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "SSL_CERT_FILE")}
    own = {
        "PYTHONPATH": str(ROOT),
        "SMTP_URL": "smtp://localhost:1025",
        "MAIL_FROM": "login@wallet.example",
        "EMBEDDED_KEK": f"1:{encode(bytes(32))}",
        "SECURE_ESCROW": "off",
        "SECURE_DATABASE_URL": f"sqlite:///{folder / 'secure.db'}",
        "RECOVERY_DATABASE_URL": f"sqlite:///{folder / 'recovery.db'}",
    }
    return {name: value for name, value in (kept | own | values).items() if value}


Told = Callable[..., tuple[int, str]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Runs a command that ends by itself, in this process: its status, and what it has said."""

    def run(*arguments: str, main: Callable[[list[str]], int] = site_main, **values: str) -> tuple[int, str]:
        with monkeypatch.context() as changed:
            changed.chdir(tmp_path)
            for name in os.environ:
                changed.delenv(name)
            for name, value in environment(tmp_path, **values).items():
                changed.setenv(name, value)
            mask = os.umask(0o022)
            try:
                status = main(list(arguments))
            finally:
                os.umask(mask)
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


@contextmanager
def serving(folder: Path, port: int, module: str, **values: str) -> Iterator[subprocess.Popen[bytes]]:
    """A service that answers."""
    process = subprocess.Popen([sys.executable, "-m", module], cwd=folder, env=environment(folder, **values))

    def answers() -> bool:
        assert process.poll() is None, "it ended"
        try:
            return httpx.get(f"http://127.0.0.1:{port}/_health").status_code == 200
        except httpx.HTTPError:
            return False

    try:
        wait_until(answers, module)
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_the_site_serves_and_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    port = free_ports()
    with serving(tmp_path, port, "walletmodal.secure", SECURE_PORT=str(port)) as process:
        answer = httpx.post(f"http://127.0.0.1:{port}/v1/me", json={})
        assert answer.json()["error"]["code"] == "device_signature"
    assert process.returncode == 0


def test_what_is_being_asked_when_the_site_has_to_end_is_answered(tmp_path: Path) -> None:
    port = free_ports()

    def takes_connections() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    with serving(tmp_path, port, "walletmodal.secure", SECURE_PORT=str(port)) as process:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as asking:
            asking.sendall(
                b"POST /v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{"
            )
            process.terminate()
            wait_until(lambda: not takes_connections(), "the end of new connections")
            asking.sendall(b"}")
            assert asking.recv(4096).startswith(b"HTTP/1.1 4")
        assert process.wait(PATIENCE) == 0


def test_the_recovery_service_serves_its_site_alone(tmp_path: Path, told: Told) -> None:
    port = free_ports()
    _, keys = told("key", main=recovery_main)
    private = re.search(r"RECOVERY_KEY=(\S+)", keys)
    assert private
    values = {"RECOVERY_PORT": str(port), "RECOVERY_KEY": private[1], "RECOVERY_TOKEN": TOKEN}
    with serving(tmp_path, port, "walletmodal.secure.recovery", **values):
        url = f"http://127.0.0.1:{port}/v1/boxes/{encode(bytes(16))}/start"
        body = {"device": "0" * 64, "asked_by": ""}
        assert httpx.post(url, json=body).status_code == 401
        assert httpx.post(url, json=body, headers={"Authorization": "Bearer x"}).status_code == 401
        assert httpx.post(url, json=body, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 404


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"SMTP_URL": ""}, "SMTP_URL: must be set"),
        ({"MAIL_FROM": ""}, "MAIL_FROM: must be set"),
        ({"SMTP_URL": "mail.example.com"}, "SMTP_URL: must be smtp://"),
        ({"EMBEDDED_KEK": ""}, "EMBEDDED_KEK: set it, or EMBEDDED_KEK_FILE"),
        ({"EMBEDDED_KEK_FILE": "kek"}, "EMBEDDED_KEK: set it, or EMBEDDED_KEK_FILE"),
        ({"EMBEDDED_KEK": "1:short"}, "EMBEDDED_KEK must be version:key pairs"),
        ({"SECURE_ESCROW": "on"}, "RECOVERY_URL: must be set where SECURE_ESCROW is on"),
        ({"SECURE_WORKERS": "2"}, "SECURE_REDIS_URL: SECURE_WORKERS above 1 needs it"),
        ({"SECURE_PUBLIC_URL": "http://wallet.example.com"}, "SECURE_PUBLIC_URL: must be https"),
        ({"RECOVERY_HOLD_ABOVE": "eip155:1"}, "RECOVERY_HOLD_ABOVE: '' of eip155:1 is no amount"),
        ({"SECURE_WINDOW_ABOVE": "usd=5"}, "SECURE_WINDOW_ABOVE: 'usd' is neither a network"),
        ({"DELETION_WAIT_HOURS": "1"}, "DELETION_WAIT_HOURS"),
        ({"SECURE_EXPIRED_HOURS": "0"}, "SECURE_EXPIRED_HOURS"),
        ({"SECURE_DATABASE_URL": "mysql://a/b"}, "SECURE_DATABASE_URL: must be"),
    ],
)
def test_a_setting_that_is_wrong_is_named(tmp_path: Path, told: Told, changed: dict[str, str], sentence: str) -> None:
    status, said = told(**changed)
    assert status == 2
    assert sentence in said
    assert "Traceback" not in said
    assert not (tmp_path / "secure.db").exists()


def test_a_key_that_is_not_the_databases_does_not_start(tmp_path: Path, told: Told) -> None:
    port = str(free_ports())
    upgrade(f"sqlite:///{tmp_path / 'secure.db'}")
    assert told("rotate", SECURE_PORT=port)[0] == 0
    with closing(sqlite3.connect(tmp_path / "secure.db")) as database:
        before = database.execute("SELECT value FROM secrets").fetchall()
    other = f"1:{encode(bytes(31) + b'1')}"
    for arguments in ((), ("rotate",)):
        status, said = told(*arguments, SECURE_PORT=port, EMBEDDED_KEK=other)
        assert status == 2
        assert "EMBEDDED_KEK does not open this database" in said
        assert other[2:] not in said
    with closing(sqlite3.connect(tmp_path / "secure.db")) as database:
        assert database.execute("SELECT value FROM secrets").fetchall() == before
    both = f"1:{encode(bytes(32))},{other.replace('1:', '2:', 1)}"
    assert told("rotate", EMBEDDED_KEK=both)[1].startswith("· 1 values are now under the newest key")


@pytest.mark.parametrize(
    ("main", "name"), [(site_main, "walletmodal.secure"), (recovery_main, "walletmodal.secure.recovery")]
)
def test_what_is_no_command_is_explained(told: Told, main: Callable[[list[str]], int], name: str) -> None:
    status, said = told("nonsense", main=main)
    assert status == 2
    assert said.startswith(f"usage: python -m {name}")


def test_a_new_key_is_one(told: Told) -> None:
    status, said = told("key")
    assert (status, len(said.strip())) == (0, 43)


def test_both_services_migrate_and_do_nothing_else(tmp_path: Path, told: Told) -> None:
    assert told("migrate") == (0, "")
    values = {"RECOVERY_KEY": new_private_key(), "RECOVERY_TOKEN": TOKEN}
    assert told("migrate", main=recovery_main, **values) == (0, "")
    for name in ("secure", "recovery"):
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as database:
            assert database.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)


def test_neither_service_starts_on_the_tables_of_a_later_version(tmp_path: Path, told: Told) -> None:
    values = {"RECOVERY_KEY": new_private_key(), "RECOVERY_TOKEN": TOKEN}
    for name, run in (("secure", told), ("recovery", partial(told, main=recovery_main, **values))):
        run("migrate")
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as database, database:
            database.execute("UPDATE alembic_version SET version_num = 'later'")
        status, said = run("migrate")
        assert (status, "tables of a later version" in said, "Traceback" in said) == (2, True, False)


def test_the_site_loads_no_reflex() -> None:
    code = "import sys, secure.serving; sys.exit(any(name.partition('.')[0] == 'reflex' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT).returncode == 0


async def test_a_worker_looks_for_garbage_as_rarely_as_one_of_the_modal(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(production, "load_settings", lambda _: world.settings)
    app = production.site()
    async with app.router.lifespan_context(app):
        assert gc.get_threshold()[0] == YOUNG
