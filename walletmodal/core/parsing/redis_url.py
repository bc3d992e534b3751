"""Where Redis is: one server, servers that Sentinels watch, or a cluster, as a URL says it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast
from urllib.parse import parse_qsl, unquote, urlsplit

Kind = Literal["single", "unix", "sentinel", "cluster"]

_KINDS: Final[dict[str, tuple[Kind, bool]]] = {
    "redis": ("single", False),
    "rediss": ("single", True),
    "unix": ("unix", False),
    "redis+sentinel": ("sentinel", False),
    "rediss+sentinel": ("sentinel", True),
    "redis+cluster": ("cluster", False),
    "rediss+cluster": ("cluster", True),
}
_TLS: Final = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname", "ssl_cert_reqs"})
_SENTINEL: Final = frozenset({"sentinel_username", "sentinel_password"})
_PARAMETERS: Final = frozenset({"db", "username", "password", "client_name", "max_connections", *_TLS, *_SENTINEL})
_YES, _NO = ("1", "true", "yes"), ("0", "false", "no")
_PORT, _SENTINEL_PORT, _MAX_PORT = 6379, 26379, 65535


@dataclass(frozen=True)
class RedisAddress:
    """A URL of Redis in its parts.

    Attributes:
        kind: how its servers are found; tls: whether they are asked over TLS.
        hosts: names and ports, of Sentinels where there are some, of a cluster those that tell of the others; path: of the socket of a `unix://`.
        service: what the Sentinels call the servers.
        db: the number of the database.
        username, password, sentinel_username, sentinel_password: None where there is none.
        connection: what else the URL says of connections, by redis-py's names.
    """

    kind: Kind
    tls: bool
    hosts: tuple[tuple[str, int], ...]
    path: str
    service: str
    db: int
    username: str | None
    password: str | None
    sentinel_username: str | None
    sentinel_password: str | None
    connection: Mapping[str, str | int | bool]


def redis_address(url: str) -> RedisAddress:
    """The parts of a URL.

    Raises:
        ValueError: it is none; says why, and nothing that the URL says itself: it has passwords.
    """
    scheme = url.partition("://")[0]
    if scheme not in _KINDS or any(one <= " " for one in url):
        raise ValueError(f"must be a URL that begins with one of {', '.join(f'{one}://' for one in _KINDS)}")
    kind, tls = _KINDS[scheme]
    # Not by urlsplit, which takes no list of IPv6 addresses.
    rest, _, fragment = url.partition("://")[2].partition("#")
    rest, _, queried = rest.partition("?")
    netloc, slash, path = rest.partition("/")
    login, _, servers = netloc.rpartition("@")
    if fragment or "@" in path + queried:
        raise ValueError("has a part too much: in a password # / ? and @ are written as %23 %2F %3F and %40")
    query = dict(parse_qsl(queried, keep_blank_values=True))
    known = _PARAMETERS - (frozenset() if tls else _TLS) - (frozenset() if kind == "sentinel" else _SENTINEL)
    if not known.issuperset(query):
        raise ValueError(f"has a parameter that does not count there; those that do are {', '.join(sorted(known))}")
    service, db = _service_and_db(kind, path, query)
    username, _, password = login.partition(":")
    return RedisAddress(
        kind=kind,
        tls=tls,
        hosts=() if kind == "unix" else _hosts(kind, servers),
        path=unquote(slash + path) if kind == "unix" else "",
        service=service,
        db=db,
        username=query.get("username") or unquote(username) or None,
        password=query.get("password") or unquote(password) or None,
        sentinel_username=query.get("sentinel_username") or None,
        sentinel_password=query.get("sentinel_password") or None,
        connection=_connection(query, tls=tls),
    )


def _hosts(kind: Kind, servers: str) -> tuple[tuple[str, int], ...]:
    named = servers.split(",")
    if kind == "single" and len(named) > 1:
        raise ValueError("names several servers: that is redis+sentinel:// or redis+cluster://")
    if kind != "single" and not all(named):
        raise ValueError("must name servers: host:port,host:port")
    return tuple(_host(one or "localhost", _SENTINEL_PORT if kind == "sentinel" else _PORT) for one in named)


def _host(text: str, port: int) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname or "", parts.port if parts.port is not None else port
    except ValueError:
        host = ""
    if not host or not 0 < port <= _MAX_PORT:
        raise ValueError("has a server that is not a host, or a host and a port from 1 to 65535")
    return unquote(host), port


def _service_and_db(kind: Kind, path: str, query: Mapping[str, str]) -> tuple[str, int]:
    if kind == "unix" and not path:
        raise ValueError("must have the path of a socket: unix:///run/redis/redis.sock")
    number, service = "" if kind == "unix" else path.strip("/"), ""
    if kind == "sentinel":
        service, _, number = number.partition("/")
        if not service:
            raise ValueError(
                "must say what the Sentinels call the servers: redis+sentinel://host:26379,host:26379/mymaster/0"
            )
    number = query.get("db", number) or "0"
    if not (number.isascii() and number.isdigit()):
        raise ValueError("has a database that is no number")
    if kind == "cluster" and int(number):
        raise ValueError("has a database other than 0, which is all that a cluster has")
    return unquote(service), int(number)


def _connection(query: Mapping[str, str], *, tls: bool) -> Mapping[str, str | int | bool]:
    found: dict[str, str | int | bool] = {
        name: value for name, value in query.items() if name in _TLS or name == "client_name"
    }
    if "max_connections" in query:
        if not (query["max_connections"].isascii() and query["max_connections"].isdigit()):
            raise ValueError("has a max_connections that is no number")
        found["max_connections"] = int(query["max_connections"])
    if "ssl_check_hostname" in found:
        asked = cast("str", found["ssl_check_hostname"]).lower()
        if asked not in (*_YES, *_NO):
            raise ValueError("has an ssl_check_hostname that is neither true nor false")
        found["ssl_check_hostname"] = asked in _YES
    if found.get("ssl_cert_reqs", "required") not in ("required", "optional", "none"):
        raise ValueError("has an ssl_cert_reqs that is neither required, optional nor none")
    if tls and found.get("ssl_cert_reqs", "required") != "required":
        found.setdefault("ssl_check_hostname", False)
    return found
