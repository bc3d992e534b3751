"""The environment of alembic: the tables of the secure site, once every module that has some is imported."""

from secure.db.tables import Table
from secure.db.upgrade import run_migrations
from secure.passkeys import tables as _passkeys
from secure.social import tables as _social

__all__ = ["_passkeys", "_social"]

run_migrations(Table.metadata)
