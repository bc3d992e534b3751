"""Running the services in production: granian's workers, and the log of each."""

import asyncio
import logging
import os
import socket
import sys
from pathlib import Path
from typing import Final

from alembic.util.exc import CommandError
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from sqlalchemy import delete
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette

from walletmodal.core.clock import SystemClock
from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.db.engine import close_engine, open_engine, unit_of_work
from walletmodal.gc import rare_collections
from walletmodal.secure import app as site_app
from walletmodal.secure.custody.box_addresses import BoxAddresses
from walletmodal.secure.custody.envelope import EnvelopeError
from walletmodal.secure.db.upgrade import MIGRATIONS, upgrade
from walletmodal.secure.errors import StartError
from walletmodal.secure.login.smtp import parse_smtp_url
from walletmodal.secure.pepper import open_pepper
from walletmodal.secure.recovery import app as recovery_app
from walletmodal.secure.recovery.settings import RecoverySettings
from walletmodal.secure.recovery.tables import Code
from walletmodal.secure.restored import end_restored
from walletmodal.secure.rotation import rotate
from walletmodal.secure.settings import FileSettings, Settings, load_settings
from walletmodal.secure.users import Users

_HEADER_MS: Final = 10_000
_DRAIN_SECONDS: Final = 30
_CONNECTIONS: Final = 4_000


def say(text: str) -> None:
    """Tells the operator."""
    sys.stdout.write(f"· {text}\n")
    sys.stdout.flush()


def site() -> Starlette:
    """The secure site of a worker."""
    settings = load_settings(Settings)
    _log(settings)
    return site_app.create(settings, process=rare_collections)


def recovery() -> Starlette:
    """The recovery service of a worker."""
    settings = load_settings(RecoverySettings)
    _log(settings)
    return recovery_app.create(settings)


def serve_site() -> None:
    """Checks, migrates and serves the secure site until a signal ends it.

    Raises:
        SettingsError, StartError: it cannot start.
    """
    settings = load_settings(Settings)
    os.umask(0o077)
    _require_free(settings.secure_host, settings.secure_port, "SECURE_PORT")
    settings.key_ring()
    _migrate("SECURE_DATABASE_URL", settings.secure_database_url, MIGRATIONS)
    asyncio.run(_check_keys(settings))
    _tell_of_plain_mail(settings)
    say(f"serving {settings.own_origin} on {settings.secure_host}:{settings.secure_port}")
    _serve("walletmodal.secure.serving:site", settings.secure_host, settings.secure_port, settings.secure_workers)


def serve_recovery() -> None:
    """The same for the recovery service.

    Raises:
        SettingsError, StartError: it cannot start.
    """
    settings = load_settings(RecoverySettings)
    os.umask(0o077)
    _require_free(settings.recovery_host, settings.recovery_port, "RECOVERY_PORT")
    _migrate("RECOVERY_DATABASE_URL", settings.recovery_database_url, recovery_app.MIGRATIONS)
    asyncio.run(recovery_app.check_key(settings))
    _tell_of_plain_mail(settings)
    say(f"serving the recovery service on {settings.recovery_host}:{settings.recovery_port}")
    _serve("walletmodal.secure.serving:recovery", settings.recovery_host, settings.recovery_port, 1)


def migrate_site() -> None:
    """Brings the database of the secure site to the newest revision, and does nothing else.

    Raises:
        SettingsError, StartError: it cannot be done.
    """
    _migrate("SECURE_DATABASE_URL", load_settings(Settings).secure_database_url, MIGRATIONS)


def migrate_recovery() -> None:
    """The same for the recovery service.

    Raises:
        SettingsError, StartError: it cannot be done.
    """
    _migrate("RECOVERY_DATABASE_URL", load_settings(RecoverySettings).recovery_database_url, recovery_app.MIGRATIONS)


def end_restored_site() -> None:
    """Ends what a restored database brings back to life; the site must not run.

    Raises:
        SettingsError, StartError: it cannot be done.
    """
    settings = load_settings(Settings)
    _migrate("SECURE_DATABASE_URL", settings.secure_database_url, MIGRATIONS)

    async def work() -> tuple[int, int]:
        engine = open_engine(settings.secure_database_url, durable=True)
        try:
            return await end_restored(engine, SystemClock(), wait_ms=settings.deletion_wait_hours * 3_600_000)
        finally:
            await close_engine(engine)

    try:
        ended, waiting = asyncio.run(work())
    except (SQLAlchemyError, OSError) as error:
        raise StartError(f"the database of SECURE_DATABASE_URL cannot be used: {type(error).__name__}") from error
    say(f"{ended} sessions, codes and proofs have ended; {waiting} deletions wait anew")


def tell_addresses_site() -> None:
    """Has the recovery service told anew where codes go; the site may go on meanwhile, and does it.

    Raises:
        SettingsError, StartError: it cannot be done.
    """
    settings = load_settings(Settings)

    async def work() -> int:
        engine = open_engine(settings.secure_database_url, durable=True)
        try:
            return await BoxAddresses(engine, None, Users(settings.key_ring()), SystemClock()).begin_anew()
        finally:
            await close_engine(engine)

    try:
        count = asyncio.run(work())
    except (SQLAlchemyError, OSError) as error:
        raise StartError(f"the database of SECURE_DATABASE_URL cannot be used: {type(error).__name__}") from error
    say(f"the site tells the recovery service the addresses of {count} wallets within the next minutes")


def end_restored_recovery() -> None:
    """The same for the recovery service: its codes end.

    Raises:
        SettingsError, StartError: it cannot be done.
    """
    settings = load_settings(RecoverySettings)
    _migrate("RECOVERY_DATABASE_URL", settings.recovery_database_url, recovery_app.MIGRATIONS)

    async def work() -> int:
        engine = open_engine(settings.recovery_database_url, durable=True)
        try:
            async with unit_of_work(engine) as connection:
                return (await connection.execute(delete(Code))).rowcount
        finally:
            await close_engine(engine)

    try:
        ended = asyncio.run(work())
    except (SQLAlchemyError, OSError) as error:
        raise StartError(f"the database of RECOVERY_DATABASE_URL cannot be used: {type(error).__name__}") from error
    say(f"{ended} codes have ended")


def rotate_site() -> None:
    """Wraps everything by the newest KEK; the site may go on meanwhile.

    Raises:
        SettingsError, StartError: it cannot be done.
    """
    settings = load_settings(Settings)

    async def work() -> int:
        engine = open_engine(settings.secure_database_url, durable=True)
        try:
            keys = settings.key_ring()
            await open_pepper(engine, keys)
            return await rotate(engine, keys)
        finally:
            await close_engine(engine)

    try:
        count = asyncio.run(work())
    except EnvelopeError as error:
        raise StartError(f"{error}; what was wrapped before it is done") from error
    except (SQLAlchemyError, OSError) as error:
        raise StartError(f"the database of SECURE_DATABASE_URL cannot be used: {type(error).__name__}") from error
    say(
        f"{count} values are now under the newest key; the older ones may leave EMBEDDED_KEK once `doctor` finds none under them"
    )


async def _check_keys(settings: Settings) -> None:
    engine = open_engine(settings.secure_database_url, durable=True)
    try:
        await open_pepper(engine, settings.key_ring())
    except (SQLAlchemyError, OSError) as error:
        raise StartError(f"the database of SECURE_DATABASE_URL cannot be used: {type(error).__name__}") from error
    finally:
        await close_engine(engine)


def _migrate(setting: str, database_url: str, folder: Path) -> None:
    try:
        upgrade(database_url, folder=folder)
    except CommandError as error:
        raise StartError(
            f"the database of {setting} has the tables of a later version, on which this one does not start: {error}"
        ) from error
    except (SQLAlchemyError, OSError, ValueError) as error:
        raise StartError(f"the database of {setting} cannot be used: {error}") from error


def _tell_of_plain_mail(settings: FileSettings) -> None:
    relay = parse_smtp_url(settings.smtp_url.get_secret_value())
    if not relay.tls and not relay.starttls and not is_loopback_host(relay.host):
        say("codes go to the mail relay unencrypted: SMTP_URL says starttls=0")


def _require_free(host: str, port: int, setting: str) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise StartError(f"port {port} cannot be used ({error.strerror}); {setting} names another") from error


def _serve(target: str, host: str, port: int, workers: int) -> None:
    Granian(
        target,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        factory=True,
        workers=workers,
        # asyncio's own loop can lose a SIGTERM while it has much to do.
        loop=Loops.uvloop,
        # While granian waits to see which version a client speaks it sets no time limit; proxies speak this one.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=_HEADER_MS),
        backpressure=_CONNECTIONS,
        respawn_failed_workers=True,
        workers_kill_timeout=_DRAIN_SECONDS,
        log_access=False,
        log_level=LogLevels.warning,
    ).serve()


def _log(settings: FileSettings) -> None:
    """Sends entries to standard error; what libraries tell at `info` has addresses and URLs in it."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    logging.getLogger("walletmodal.secure").setLevel(settings.log_level)
