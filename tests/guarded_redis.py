"""A Redis that lets nobody in without TLS, a certificate and a password, and whose user has the least rights, as docs/operations.md has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import redis

from scripts.project import ROOT
from tests.ports import free_ports
from tests.redis_groups import RedisProcess
from tests.services_fixtures import wait_until
from tests.tls import Authority

PASSWORD: Final = "pa/ss#w@rd?"
QUOTED: Final = "pa%2Fss%23w%40rd%3F"
USER: Final = "walletmodal"
_CLUSTER: Final = {
    "cluster-enabled": "yes",
    "tls-cluster": "yes",
    "cluster-announce-hostname": "localhost",
    "cluster-preferred-endpoint-type": "hostname",
}
_ADMIN: Final = "user admin on nopass ~* &* +@all"


def documented() -> str:
    """What docs/operations.md tells operators to configure."""
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    found = re.search(r"```text\n(user default off\n.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def rights() -> list[str]:
    """Commands that the page lets the user do."""
    return re.findall(r" \+(\S+)", documented())


class GuardedRedis:
    """One that runs.

    Attributes:
        url: as of REDIS_URL.
        admin: a client that may do all.
    """

    def __init__(self, url: str, admin: Any) -> None:
        self.url, self.admin = url, admin

    @contextmanager
    def without(self, *taken: str) -> Iterator[None]:
        """The user may not do these commands for the length of the block."""
        self.admin.execute_command("ACL", "SETUSER", USER, *(f"-{right}" for right in taken))
        try:
            yield
        finally:
            self.admin.execute_command("ACL", "SETUSER", USER, *(f"+{right}" for right in taken))


@contextmanager
def guarded_redis(folder: Path, *, in_cluster: bool = False) -> Iterator[GuardedRedis]:
    """One for the length of the block.

    Args:
        folder: for its files.
        in_cluster: it is the only server of a cluster.
    """
    authority, port = Authority(folder), free_ports()
    lines = {
        **dict.fromkeys(documented().replace(">password", f">{PASSWORD}").splitlines(), ""),
        _ADMIN: "",
        "tls-port": str(port),
        "tls-cert-file": str(authority.certificate),
        "tls-key-file": str(authority.key),
        "tls-ca-cert-file": str(authority.file),
        "tls-auth-clients": "yes",
        "save": '""',
        **({**_CLUSTER, "cluster-port": str(free_ports())} if in_cluster else {}),
    }
    files = f"ssl_ca_certs={authority.file}&ssl_certfile={authority.certificate}&ssl_keyfile={authority.key}"
    place = f"localhost:{port}/0?{files}"
    server = RedisProcess(folder, 0, lines)
    try:
        with redis.Redis.from_url(f"rediss://admin:none@{place}") as admin:
            wait_until(lambda: _answers(admin), "redis-server")
            if in_cluster:
                admin.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16383)
                wait_until(lambda: b"cluster_state:ok" in admin.execute_command("CLUSTER", "INFO"), "a cluster")
            kind = "rediss+cluster" if in_cluster else "rediss"
            yield GuardedRedis(f"{kind}://{USER}:{QUOTED}@{place}", admin)
    finally:
        server.stop()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False
