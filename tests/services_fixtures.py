"""Real servers for tests, each private to the test run: Redis and PostgreSQL. Import a fixture by name into a conftest.

from tests.patience import START_SECONDS
from tests.services_fixtures import redis_url as redis_url
from tests.services_fixtures import postgres_server as postgres_server, postgres_url as postgres_url
"""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
import redis

from tests.patience import START_SECONDS
from tests.ports import free_ports


def program(name: str, *folders: str) -> str:
    """Path of a program on PATH or in one of the folders (globs from the root)."""
    found = shutil.which(name)
    places = [str(path) for pattern in folders for path in sorted(Path("/").glob(pattern), reverse=True)]
    found = found or next((f"{place}/{name}" for place in places if Path(place, name).is_file()), None)
    if found is None:
        raise RuntimeError(f"{name} is not installed; `make test` installs what the tests need")
    return found


def wait_until(ready: Callable[[], bool], what: str) -> None:
    """Poll until the condition holds."""
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not start within {START_SECONDS:.0f} s")
        time.sleep(0.02)


class RedisServer:
    """A Redis that a test may stop and start again on the same port."""

    def __init__(self) -> None:
        self.port = free_ports()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [
            program("redis-server"),
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/tmp")
        with redis.Redis(port=self.port) as client:
            wait_until(lambda: _pings(client), "redis-server")

    def stop(self) -> None:
        """End it; its data is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _pings(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """One Redis for the whole run."""
    server = RedisServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """URL of an empty Redis."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    return redis_server.url


class PostgresServer:
    """A private PostgreSQL cluster; it refuses root, so under root it runs as the user postgres."""

    def __init__(self) -> None:
        self.port = free_ports()
        self._folder = Path(tempfile.mkdtemp(prefix="walletmodal-postgres-"))
        self._data = self._folder / "data"

    def start(self) -> None:
        """Make the cluster and wait until it answers."""
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres", "postgres")
        self._run("initdb", "-D", str(self._data), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        self.resume()

    def resume(self) -> None:
        """Start the cluster again after `halt`."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder} -c fsync=off"
        self._run("pg_ctl", "-D", str(self._data), "-l", str(self._folder / "log"), "-o", options, "-w", "start")

    def halt(self) -> None:
        """Stop at once, as a crash would; the data stays."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def stop(self) -> None:
        """Stop and remove the data."""
        self.halt()
        shutil.rmtree(self._folder)

    @property
    def pid(self) -> int:
        """Of the process that started all others."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def url(self, database: str) -> str:
        """URL of one of its databases."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def speak_tls(self, certificate: Path, key: Path) -> None:
        """Take encrypted connections from now on, unencrypted ones too."""
        for file in (certificate, key):
            shutil.copy(file, self._folder)
            (self._folder / file.name).chmod(0o600)
            if os.geteuid() == 0:
                shutil.chown(self._folder / file.name, "postgres", "postgres")
        settings = {"ssl_cert_file": certificate.name, "ssl_key_file": key.name}
        lines = [f"{name} = '{self._folder / file}'\n" for name, file in settings.items()]
        with (self._data / "postgresql.auto.conf").open("a") as configuration:
            configuration.writelines([*lines, "ssl = on\n"])
        self._run("pg_ctl", "-D", str(self._data), "reload")

    def create_database(self) -> str:
        """URL of a new, empty database."""
        name = f"t{uuid4().hex}"

        async def create() -> None:
            connection = await asyncpg.connect(self.url("postgres"))
            await connection.execute(f"CREATE DATABASE {name}")
            await connection.close()

        # In a thread of its own, for a test's event loop may already run in this one.
        with ThreadPoolExecutor(1) as executor:
            executor.submit(asyncio.run, create()).result()
        return self.url(name)

    def _run(self, name: str, *arguments: str) -> None:
        command = [program(name, "usr/lib/postgresql/*/bin"), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One cluster for the whole run."""
    server = PostgresServer()
    server.start()
    yield server
    server.stop()


class PgBouncer:
    """A pooler before a PostgreSQL, in transaction mode with two connections; it refuses root, as PostgreSQL does."""

    def __init__(self, server: PostgresServer) -> None:
        self._server, self.port = server, free_ports()
        self._folder = Path(tempfile.mkdtemp(prefix="walletmodal-pgbouncer-"))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        lines = [
            f"[databases]\n* = host=127.0.0.1 port={self._server.port} user=postgres\n[pgbouncer]",
            f"listen_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =",
            "auth_type = any\npool_mode = transaction\ndefault_pool_size = 2\nmin_pool_size = 0",
        ]
        configuration = self._folder / "pgbouncer.ini"
        configuration.write_text("\n".join(lines) + "\n", "utf-8")
        command = [program("pgbouncer", "usr/sbin"), "--quiet", str(configuration)]
        if os.geteuid() == 0:
            for path in (self._folder, configuration):
                shutil.chown(path, "postgres", "postgres")
            command += ["--user", "postgres"]
        self._process = subprocess.Popen(command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: _listens(self.port), "pgbouncer")

    def stop(self) -> None:
        """End it; its connections go with it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder)

    def url(self, url: str) -> str:
        """The URL of a database of the server by way of the pooler."""
        return url.replace(f":{self._server.port}/", f":{self.port}/") + "?pool_mode=transaction"


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="session")
def pgbouncer(postgres_server: PostgresServer) -> Iterator[PgBouncer]:
    """One pooler for the whole run."""
    pooler = PgBouncer(postgres_server)
    pooler.start()
    yield pooler
    pooler.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """URL of a new, empty PostgreSQL database."""
    return postgres_server.create_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a new, empty database: each test runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'walletmodal.db'}"
    server = request.getfixturevalue("postgres_server")
    assert isinstance(server, PostgresServer)
    return server.create_database()
