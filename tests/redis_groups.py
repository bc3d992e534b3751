"""Redis that stand for each other, behind Sentinels or in a cluster, as real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import redis

from tests.ports import free_ports
from tests.services_fixtures import program, wait_until

Failing = Literal["killed", "frozen"]

SERVICE = "main"
DOWN_AFTER_MS = 3_000
"""As docs/operations.md has it."""
SHARDS = 3


class RedisProcess:
    """One of them.

    Args:
        folder: for its files.
        port: where it listens.
        lines: of its configuration.
        sentinel: it is one.
        login: how a client that may ask all gets in; without a word where it is not said.

    Attributes:
        port: where it listens.
    """

    def __init__(
        self,
        folder: Path,
        port: int,
        lines: Mapping[str, str],
        *,
        sentinel: bool = False,
        login: Mapping[str, Any] | None = None,
    ) -> None:
        self.port = port
        self._client: Any = redis.Redis(port=port, socket_timeout=5, decode_responses=True, **(login or {}))
        place = folder / str(port)
        place.mkdir()
        written = {"port": str(port), "bind": "127.0.0.1", "dir": str(place), **lines}
        configuration = place / "redis.conf"
        # Sentinels write down in it what they find.
        configuration.write_text("".join(f"{name} {value}\n" for name, value in written.items()))
        command = [program("redis-server"), str(configuration), *(["--sentinel"] if sentinel else [])]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place)

    def ask(self, *words: Any) -> Any:
        """The answer to a command; an empty one while there is none."""
        try:
            return self._client.execute_command(*words)
        except redis.RedisError:
            return ""

    @property
    def is_primary(self) -> bool:
        """Whether it takes what is written, as it says itself."""
        return bool(self.ask("ROLE")[:1] == ["master"])

    def copies(self) -> int:
        """How many replicas get what is written: one that has just connected gets nothing for up to a second, until it says that it is there."""
        return sum(int(got) > 0 for _, _, got in self.ask("ROLE")[2])

    def fail(self, way: Failing) -> None:
        """As a process does that is killed, or a machine that hangs."""
        self._process.send_signal(signal.SIGKILL if way == "killed" else signal.SIGSTOP)

    def resume(self) -> None:
        """Let one go on that is frozen."""
        os.kill(self._process.pid, signal.SIGCONT)

    def stop(self) -> None:
        """End it."""
        self._client.close()
        self._process.kill()
        self._process.wait()


class Group:
    """Servers of the same data.

    Attributes:
        url: where they are asked for, as of REDIS_URL.
        servers: all that have data.
        shards: how many of them take what is written.
        sentinels: that watch them, in the order of the URL.
    """

    def __init__(
        self, url: str, servers: list[RedisProcess], *, shards: int = 1, sentinels: Sequence[RedisProcess] = ()
    ) -> None:
        self.url, self.servers, self.shards, self.sentinels = url, servers, shards, sentinels

    def primaries(self) -> list[RedisProcess]:
        """Those that take what is written and answer."""
        return [one for one in self.servers if one.is_primary]

    def is_whole(self, *, without: RedisProcess) -> bool:
        """Whether the others take all that is written."""
        return sum(one.is_primary for one in self.servers if one is not without) == self.shards

    def is_copied(self) -> bool:
        """Whether a replica of each primary has what it has."""
        return sum(one.copies() for one in self.primaries()) == self.shards


@dataclass(frozen=True)
class Guard:
    """Who is let in.

    Attributes:
        both: lines of the configuration of servers and Sentinels.
        servers, sentinels: more of theirs.
        login: how a client that may ask all gets in, as of redis-py's `Redis`.
    """

    both: Mapping[str, str]
    servers: Mapping[str, str]
    sentinels: Mapping[str, str]
    login: Mapping[str, Any]

    def ports(self, port: int) -> dict[str, str]:
        """Lines that have one listen there; over TLS at no other."""
        return {"port": "0", "tls-port": str(port)} if self.login.get("ssl") else {}

    def options(self) -> list[str]:
        """Those of redis-cli."""
        login = self.login
        if not login:
            return []
        files = ["--cacert", login["ssl_ca_certs"], "--cert", login["ssl_certfile"], "--key", login["ssl_keyfile"]]
        return ["--user", login["username"], "--pass", login["password"], "--no-auth-warning", "--tls", *files]


_NO_GUARD: Final = Guard({}, {}, {}, {})


@contextmanager
def behind_sentinels(guard: Guard = _NO_GUARD) -> Iterator[Group]:
    """A primary, a replica and three Sentinels that watch them."""
    with ExitStack() as stack, tempfile.TemporaryDirectory(prefix="walletmodal-redis-") as folder:

        def run(lines: Mapping[str, str], *, sentinel: bool = False) -> RedisProcess:
            port = free_ports()
            lines = {**guard.both, **guard.ports(port), **lines}
            process = RedisProcess(Path(folder), port, lines, sentinel=sentinel, login=guard.login)
            stack.callback(process.stop)
            wait_until(lambda: process.ask("PING"), "redis-server")
            return process

        data = {"save": '""', "repl-diskless-sync-delay": "0", **guard.servers}
        primary = run(data)
        servers = [primary, run({**data, "replicaof": f"127.0.0.1 {primary.port}"})]
        wait_until(lambda: primary.copies() > 0, "a replica")
        watched = {
            f"sentinel monitor {SERVICE}": f"127.0.0.1 {primary.port} 2",
            f"sentinel down-after-milliseconds {SERVICE}": str(DOWN_AFTER_MS),
            f"sentinel failover-timeout {SERVICE}": "10000",
            **guard.sentinels,
        }
        sentinels = [run(watched, sentinel=True) for _ in range(3)]
        wait_until(lambda: all(map(_knows_all, sentinels)), "Sentinels that know each other")
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in sentinels)
        yield Group(f"redis+sentinel://{hosts}/{SERVICE}/0", servers, sentinels=sentinels)


def _knows_all(sentinel: RedisProcess) -> bool:
    found = sentinel.ask("SENTINEL", "MASTER", SERVICE)
    told = dict(zip(found[::2], found[1::2], strict=True))
    return (int(told.get("num-other-sentinels", 0)), int(told.get("num-slaves", 0))) == (2, 1)


@contextmanager
def in_cluster(guard: Guard = _NO_GUARD, *, replicas: int = 0) -> Iterator[Group]:
    """Three primaries that share the keys, and so many replicas of each."""
    with ExitStack() as stack, tempfile.TemporaryDirectory(prefix="walletmodal-redis-") as folder:
        servers = []
        for _ in range(SHARDS * (1 + replicas)):
            port = free_ports()
            lines = {
                **guard.both,
                **guard.ports(port),
                **guard.servers,
                "save": '""',
                "repl-diskless-sync-delay": "0",
                "cluster-enabled": "yes",
                "cluster-port": str(free_ports()),
                "cluster-node-timeout": str(DOWN_AFTER_MS),
            }
            servers.append(process := RedisProcess(Path(folder), port, lines, login=guard.login))
            stack.callback(process.stop)
        for one in servers:
            wait_until(partial(one.ask, "PING"), "redis-server")
        hosts = [f"127.0.0.1:{one.port}" for one in servers]
        command = [program("redis-cli"), *guard.options(), "--cluster", "create", *hosts]
        command += ["--cluster-replicas", str(replicas), "--cluster-yes"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found = Group(f"redis+cluster://{','.join(hosts)}", servers, shards=SHARDS)
        wait_until(lambda: all("cluster_state:ok" in one.ask("CLUSTER", "INFO") for one in servers), "a cluster")
        wait_until(lambda: sum(one.copies() for one in found.primaries()) == SHARDS * replicas, "replicas")
        yield found
