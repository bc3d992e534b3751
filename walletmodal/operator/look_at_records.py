"""The doctor on stored data: the database and its tables, Redis, and the signing keys."""

from collections.abc import Awaitable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

from redis.exceptions import NoPermissionError, RedisError
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.config import Settings
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.core.sign_in.message import iso_text
from walletmodal.db.deliveries import DeliveryStore
from walletmodal.db.engine import unit_of_work
from walletmodal.db.later_tables import lacks
from walletmodal.db.migrations import known_revisions
from walletmodal.db.signing_keys import KeyOnRecord
from walletmodal.operator.findings import Finding, failed, ok, right_of, warning
from walletmodal.operator.keys import signing_keys
from walletmodal.operator.tables import missing_file, revision, tables
from walletmodal.services.redis_clients import open_redis, primaries_of

_SECONDS: Final = 2.0
_SLOW: Final = timedelta(minutes=5)
_NO_DATABASE: Final = "there is no {} yet; the server makes it at its start"


async def database(settings: Settings) -> Sequence[Finding]:
    """Checks whether the database answers, and has the tables of this version."""
    if missing := missing_file(settings):
        return [warning("database", _NO_DATABASE.format(missing))]
    known = known_revisions(settings.database_url)
    try:
        async with tables(settings) as engine, unit_of_work(engine) as connection:
            kind = "SQLite" if engine.dialect.name == "sqlite" else "PostgreSQL"
            there = await revision(connection)
            later = bool(there) and there not in known
            lacking = await connection.run_sync(lambda sync: list(lacks(sync))) if later else []
    except (SQLAlchemyError, OSError) as error:
        return [failed("database", f"does not answer ({type(error).__name__})")]
    if there == known[0]:
        return [ok("database", f"{kind} answers, its tables are those of this version ({there})")]
    if later:
        has = f"{kind} has the tables of a later version ({there})"
        if lacking:
            return [failed("database", f"{has}, on which this one cannot work: {', '.join(lacking)}")]
        return [warning("database", f"{has}; update this server")]
    has = f"has the tables of revision {there}" if there else "has no tables"
    return [failed("database", f"{kind} {has}, this version needs {known[0]}; the server's start migrates it")]


async def redis(settings: Settings) -> Sequence[Finding]:
    """Checks whether Redis answers, and keeps what it is given."""
    if settings.redis_url is None:
        return [ok("redis", "is not set; one worker on one machine needs none")]
    client = open_redis(settings.redis_url, patience=_SECONDS)
    try:
        await cast("Awaitable[bool]", client.ping())
        memory = [cast("dict[str, Any]", await one.info("memory")) for one in await primaries_of(client)]
    except NoPermissionError as error:
        return [failed("redis", f"refuses what servers need: {right_of(error) or type(error).__name__}")]
    except (RedisError, OSError) as error:
        return [failed("redis", f"does not answer ({type(error).__name__})")]
    finally:
        await client.aclose()
    policies = [str(one.get("maxmemory_policy", "")) for one in memory if one.get("maxmemory")]
    if evicts := next((one for one in policies if one.startswith("allkeys")), ""):
        return [
            warning(
                "redis", f"answers, but forgets visitors' sessions when its memory is full (maxmemory-policy {evicts})"
            )
        ]
    return [ok("redis", "answers")]


async def keys(settings: Settings) -> Sequence[Finding]:
    """Checks whether SECRET_KEY opens the key that is to sign."""
    if missing := missing_file(settings):
        return [warning("signing keys", _NO_DATABASE.format(missing))]
    try:
        async with tables(settings) as engine:
            found = await signing_keys(engine, settings).on_record()
    except SignInUnavailableError:
        return [failed("signing keys", "cannot be read from the database")]
    return _of_keys(found)


async def webhooks(settings: Settings) -> Sequence[Finding]:
    """Checks whether events reach WEBHOOK_URL."""
    if settings.webhook_url is None:
        return [ok("webhooks", "WEBHOOK_URL is not set; nobody is told of what happens")]
    if missing := missing_file(settings):
        return [warning("webhooks", _NO_DATABASE.format(missing))]
    try:
        async with tables(settings) as engine:
            counts = await DeliveryStore(engine).count()
    except (SQLAlchemyError, OSError):
        return [failed("webhooks", "cannot be read from the database")]
    found = ok("webhooks", f"{counts.waiting} events wait to be delivered")
    if counts.failed:
        found = warning("webhooks", f"{counts.failed} events were given up; see `webhooks list`, then `webhooks retry`")
    elif counts.oldest is not None and datetime.now(UTC) - counts.oldest > _SLOW:
        found = warning("webhooks", f"{counts.waiting} events wait, one since {iso_text(counts.oldest)}")
    return [found]


def _of_keys(found: Sequence[KeyOnRecord]) -> Sequence[Finding]:
    counting = [key for key in found if not key.withdrawn]
    closed = sum(not key.readable for key in counting)
    signing = next((key for key in counting if key.signs), None)
    if not counting:
        return [ok("signing keys", "there is none yet; the first sign-in makes one")]
    if signing is None:
        return [
            failed(
                "signing keys", f"SECRET_KEY opens none of {closed}: a new key would sign; is it the same as before?"
            )
        ]
    days = (datetime.now(UTC) - signing.starts_at).days
    published = sum(key.published for key in counting)
    told = ok("signing keys", f"the one that signs is {days} days old; {published} published")
    if not closed:
        return [told]
    return [
        told,
        warning("signing keys", f"{closed} on record cannot be opened with this SECRET_KEY; their tokens stay valid"),
    ]
