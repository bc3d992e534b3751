"""What this server says of itself to the others of its deployment."""

import asyncio
import contextlib
import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from walletmodal.config import Settings, settings
from walletmodal.core.version import VERSION
from walletmodal.db.engine import close_engine, open_engine, unit_of_work
from walletmodal.reflex_internals.state_shape import state_shape
from walletmodal.reflex_internals.web_folder import built_pages
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.servers import ServerReport, Servers, report_until, server_name

OF_ONE_SERVER: Final = frozenset(
    {
        *("walletmodal_host", "walletmodal_port", "workers", "sandbox_port", "secure_port", "evm_port", "solana_port"),
        *("database_url", "redis_url", "policy_file", "secret_key", "log_format", "log_level", "otlp_url"),
    }
)
"""Settings that may differ: they are of the machine, or compared by what they lead to."""

_CLOSE_SECONDS: Final = 2.0
_PAGE: Final = "index.html"
_SCRIPTS: Final = "assets"
_SQLITE: Final = "SQLite"
_POSTGRESQL: Final = (
    "SELECT system_identifier::text || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "FROM pg_control_system()"
)


async def server_report(chosen: Settings, engine: AsyncEngine) -> ServerReport:
    """What is true of a server with these settings on this machine.

    Args:
        chosen: its settings.
        engine: of its database. One that does not answer is in the report as "".
    """
    database = revision = ""
    with contextlib.suppress(SQLAlchemyError, OSError):
        async with unit_of_work(engine) as connection:
            database = await _identity(connection)
            revision = str(await connection.scalar(text("SELECT version_num FROM alembic_version")) or "")
    secret = (chosen.lasting_secret or "").encode()
    return ServerReport(
        name=server_name(chosen.walletmodal_port),
        version=VERSION,
        states=state_shape().decode(),
        front_end=front_end(built_pages()),
        secret_key=_keyed(secret, "SECRET_KEY") if secret else "",
        policy=_digest(chosen.policy_file.read_bytes()) if chosen.policy_file else "",
        # Without a key a hash could be tried out for what it is of.
        settings={
            name.upper(): _keyed(secret, f"{name}={value!r}")
            for name, value in _plain(chosen).items()
            if secret and name not in OF_ONE_SERVER
        },
        database=database,
        revision=revision,
    )


@lru_cache(maxsize=4)
def front_end(folder: Path) -> str:
    """A digest of what was built there: of the page, and of the scripts by their names, which have hashes; "" where nothing was."""
    page = folder / _PAGE
    if not page.exists():
        return ""
    names = sorted(one.name for one in (folder / _SCRIPTS).glob("*"))
    return _digest(page.read_bytes() + "\n".join(names).encode())


@asynccontextmanager
async def report_server() -> AsyncIterator[None]:
    """A lifespan task, `app.register_lifespan_task(report_server)`: other servers hear of this one where they share a Redis."""
    chosen = settings()
    if chosen.redis_url is None:
        yield
        return
    engine, stopped = open_engine(chosen.database_url), asyncio.Event()
    async with open_redis(chosen.redis_url) as redis:
        reporting = asyncio.create_task(
            report_until(stopped, Servers(redis), partial(server_report, chosen, engine)), name="server-report"
        )
        try:
            yield
        finally:
            stopped.set()
            await asyncio.wait({reporting}, timeout=_CLOSE_SECONDS)
            reporting.cancel()
            await asyncio.gather(reporting, return_exceptions=True)
            await close_engine(engine)


async def _identity(connection: AsyncConnection) -> str:
    if connection.dialect.name != "postgresql":
        return _SQLITE
    return str(await connection.scalar(text(_POSTGRESQL)) or "")


def _plain(chosen: Settings) -> dict[str, object]:
    return {
        name: value.get_secret_value() if hasattr(value, "get_secret_value") else value
        for name, value in ((name, getattr(chosen, name)) for name in type(chosen).model_fields)
    }


def _keyed(secret: bytes, fact: str) -> str:
    return hmac.new(secret, f"walletmodal server report: {fact}".encode(), hashlib.sha256).hexdigest()[:16]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
