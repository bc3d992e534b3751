"""Brings a database to the newest revision, at start and from the command line (`alembic upgrade head`)."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from walletmodal.db.later_tables import ALLOWED

ALEMBIC_FOLDER: Final = Path(__file__).resolve().parents[1] / "alembic"
# Alembic keeps the running migration in globals of its own.
_ONE_AT_A_TIME: Final = threading.Lock()


def alembic_config(database_url: str) -> Config:
    """The configuration of alembic for a database."""
    config = Config()
    config.set_main_option("script_location", str(ALEMBIC_FOLDER).replace("%", "%%"))
    config.attributes["database_url"] = database_url
    return config


def known_revisions(database_url: str) -> Sequence[str]:
    """The revisions that this release can migrate, the newest first."""
    return [one.revision for one in ScriptDirectory.from_config(alembic_config(database_url)).walk_revisions()]


def upgrade(database_url: str, revision: str = "head", *, allow_later: bool = False) -> None:
    """Apply what is missing; nothing happens when nothing is. Several workers may call it at once: one works, the others wait.

    Args:
        database_url: as in the settings.
        revision: which one.
        allow_later: tables of a later release are left as they are, where they have what this one needs.

    Raises:
        ValueError: another database than SQLite or PostgreSQL.
        LaterTablesError: the tables are of a later release, on which this one cannot work.
        alembic.util.CommandError: the tables are of a revision that is not known.
        sqlalchemy.exc.SQLAlchemyError, OSError: the database cannot be reached or changed.
    """
    # The environment runs an event loop of its own, which it cannot in a thread that already has one.
    with _ONE_AT_A_TIME, ThreadPoolExecutor(1, thread_name_prefix="alembic") as executor:
        config = alembic_config(database_url)
        config.attributes[ALLOWED] = allow_later
        executor.submit(command.upgrade, config, revision).result()
