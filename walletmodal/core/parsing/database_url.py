"""Parameters of a PostgreSQL URL: those of libpq, which every tool and provider of PostgreSQL writes."""

from typing import Final
from urllib.parse import parse_qsl, urlsplit

SSL_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
DRIVER_PARAMETERS: Final = frozenset({"host", "port", "prepared_statement_cache_size"})
"""Those that SQLAlchemy reads itself."""

POOL_MODE: Final = "pool_mode"
"""What a pooler in between does, by PgBouncer's word: `transaction` gives each transaction any of its connections; `session`, the default."""
_POOL_MODES: Final = ("session", "transaction")

# Of those that asyncpg has no part for, the values that ask for nothing.
_WITHOUT_EFFECT: Final = {"channel_binding": ("disable", "prefer"), "gssencmode": ("disable", "prefer")}
_SUPPORTED: Final = frozenset(
    {
        *("sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslcrl", "sslnegotiation"),
        *("ssl_min_protocol_version", "ssl_max_protocol_version"),
        *("connect_timeout", "application_name", "options", "target_session_attrs"),
        *("user", "password", "passfile", "dbname", "krbsrvname", "gsslib"),
    }
)


def postgres_parameters(url: str) -> dict[str, str]:
    """The parameters of a PostgreSQL URL by libpq's names, checked; `POOL_MODE` and those of `DRIVER_PARAMETERS` are left out.

    Raises:
        ValueError: names the one that is unknown, given twice or wrong.
    """
    found: dict[str, str] = {}
    for given, value in parse_qsl(urlsplit(url).query, keep_blank_values=True):
        # SQLAlchemy's spelling of the same.
        name = "sslmode" if given == "ssl" else given
        if name in DRIVER_PARAMETERS:
            continue
        if name in found:
            raise ValueError(f"has {given} twice")
        _check(name, value)
        found[name] = value
    if found.get("sslrootcert") == "system" and found.setdefault("sslmode", "verify-full") != "verify-full":
        raise ValueError("has sslrootcert=system, which needs sslmode=verify-full")
    return {name: value for name, value in found.items() if name not in _WITHOUT_EFFECT and name != POOL_MODE}


def pools_transactions(url: str) -> bool:
    """Whether a pooler in between gives each transaction another connection: then nothing of a session outlives one."""
    return (POOL_MODE, "transaction") in parse_qsl(urlsplit(url).query)


def _check(name: str, value: str) -> None:
    if name in _WITHOUT_EFFECT:
        if value not in _WITHOUT_EFFECT[name]:
            raise ValueError(f"has {name}={value[:32]}, which the driver (asyncpg) cannot do: leave it out")
    elif name == POOL_MODE:
        if value not in _POOL_MODES:
            raise ValueError(f"has pool_mode={value[:32]!r}; it must be one of {', '.join(_POOL_MODES)}")
    elif name not in _SUPPORTED:
        known = ", ".join(sorted(_SUPPORTED | DRIVER_PARAMETERS | {POOL_MODE}))
        raise ValueError(f"has the unknown parameter {name[:64]!r}; known are {known}")
    elif not value:
        raise ValueError(f"has {name} without a value")
    elif name == "sslmode" and value not in SSL_MODES:
        raise ValueError(f"has sslmode={value[:32]!r}; it must be one of {', '.join(SSL_MODES)}")
    elif name == "connect_timeout" and not (value.isascii() and value.isdigit() and len(value) < 6):
        raise ValueError(f"has connect_timeout={value[:32]!r}; it must be whole seconds")
