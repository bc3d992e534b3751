"""A Redis that lets nobody in without TLS, a certificate and a password, and whose user has the least rights, as docs/operations.md has them; alone, or behind Sentinels that do so too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

import redis

from scripts.project import ROOT
from tests.ports import free_ports
from tests.redis_groups import SERVICE, Group, Guard, RedisProcess, behind_sentinels, in_cluster
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
_OTHERS: Final = (
    f"user replica on >{PASSWORD} +psync +replconf +ping",
    f"user sentinel on >{PASSWORD} allchannels +multi +slaveof +ping +exec +subscribe +config|rewrite +role +publish +info +client|setname +client|kill +script|kill",
)
"""As Redis' own documentation has them."""
ASKING: Final = "asking"
PASSWORD_OF_SENTINELS: Final = "an&other=p+ss"
QUOTED_OF_SENTINELS: Final = "an%26other%3Dp%2Bss"
_USERS_OF_SENTINELS: Final = (
    _ADMIN,
    f"user sentinel on >{PASSWORD} allchannels -@all +auth +ping +hello +client|setname +sentinel|is-master-down-by-addr +publish +subscribe +info",
)
Kind = Literal["redis", "redis+cluster", "redis+sentinel"]


def documented(user: str, password: str) -> list[str]:
    """What docs/operations.md tells operators to configure for one."""
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    found = re.search(rf"```text\n(user default off\nuser {user} on .*?)```", text, re.DOTALL)
    assert found is not None
    return found[1].replace(">password", f">{password}").splitlines()


def rights() -> list[str]:
    """Commands that the page lets the user do."""
    return re.findall(r" \+(\S+)", " ".join(_lines_of_servers()))


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
def guarded_redis(folder: Path, kind: Kind = "redis") -> Iterator[GuardedRedis]:
    """One for the length of the block.

    Args:
        folder: for its files.
        kind: how it is found; it is the only server of a cluster, or has a replica and Sentinels.
    """
    authority = Authority(folder)
    if kind == "redis+sentinel":
        with _guarded_sentinels(authority) as group:
            port = group.primaries()[0].port
            with redis.Redis.from_url(f"rediss://admin:none@localhost:{port}/0?{_files(authority)}") as admin:
                yield GuardedRedis(group.url, admin)
        return
    port = free_ports()
    lines = {
        **_walled(authority),
        **_users(),
        "tls-port": str(port),
        "save": '""',
        **({**_CLUSTER, "cluster-port": str(free_ports())} if kind == "redis+cluster" else {}),
    }
    place = f"localhost:{port}/0?{_files(authority)}"
    server = RedisProcess(folder, 0, lines)
    try:
        with redis.Redis.from_url(f"rediss://admin:none@{place}") as admin:
            wait_until(lambda: _answers(admin), "redis-server")
            if kind == "redis+cluster":
                admin.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16383)
                wait_until(lambda: b"cluster_state:ok" in admin.execute_command("CLUSTER", "INFO"), "a cluster")
            yield GuardedRedis(f"{kind.replace('redis', 'rediss')}://{USER}:{QUOTED}@{place}", admin)
    finally:
        server.stop()


@contextmanager
def guarded_sentinels(folder: Path) -> Iterator[Group]:
    """A primary, a replica and three Sentinels, each of whom asks for all of it.

    Args:
        folder: for certificates.
    """
    with _guarded_sentinels(Authority(folder)) as group:
        yield group


@contextmanager
def guarded_cluster(folder: Path) -> Iterator[Group]:
    """Three primaries with a replica each, who ask for all of it.

    Args:
        folder: for certificates.
    """
    authority = Authority(folder)
    with in_cluster(_guard(authority), replicas=1) as group:
        group.url = (
            group.url.replace("redis+cluster://", f"rediss+cluster://{USER}:{QUOTED}@") + f"?{_files(authority)}"
        )
        yield group


@contextmanager
def _guarded_sentinels(authority: Authority) -> Iterator[Group]:
    with behind_sentinels(_guard(authority)) as group:
        group.url = (
            group.url.replace("redis+sentinel://", f"rediss+sentinel://{USER}:{QUOTED}@")
            + f"?sentinel_username={ASKING}&sentinel_password={QUOTED_OF_SENTINELS}&{_files(authority)}"
        )
        yield group


def _guard(authority: Authority) -> Guard:
    return Guard(
        both={**_walled(authority), "tls-replication": "yes"},
        servers={
            **_users(),
            **dict.fromkeys(_OTHERS, ""),
            "tls-cluster": "yes",
            "masteruser": "replica",
            "masterauth": PASSWORD,
        },
        sentinels={
            **dict.fromkeys([*_USERS_OF_SENTINELS, *documented(ASKING, PASSWORD_OF_SENTINELS)], ""),
            f"sentinel auth-user {SERVICE}": "sentinel",
            f"sentinel auth-pass {SERVICE}": PASSWORD,
            "sentinel sentinel-user": "sentinel",
            "sentinel sentinel-pass": PASSWORD,
        },
        login={
            "username": "admin",
            "password": "none",
            "ssl": True,
            "ssl_ca_certs": str(authority.file),
            "ssl_certfile": str(authority.certificate),
            "ssl_keyfile": str(authority.key),
        },
    )


def _walled(authority: Authority) -> dict[str, str]:
    """Who has no certificate gets in nowhere."""
    return {
        "tls-cert-file": str(authority.certificate),
        "tls-key-file": str(authority.key),
        "tls-ca-cert-file": str(authority.file),
        "tls-auth-clients": "yes",
    }


def _users() -> dict[str, str]:
    return dict.fromkeys([*_lines_of_servers(), _ADMIN], "")


def _lines_of_servers() -> list[str]:
    return documented(USER, PASSWORD)


def _files(authority: Authority) -> str:
    return f"ssl_ca_certs={authority.file}&ssl_certfile={authority.certificate}&ssl_keyfile={authority.key}"


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False
