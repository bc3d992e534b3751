"""The environment of alembic: the tables of the secure site, once every module that has some is imported."""

from walletmodal.secure.db.tables import Table
from walletmodal.secure.db.upgrade import run_migrations
from walletmodal.secure.passkeys import tables as _passkeys
from walletmodal.secure.social import tables as _social

__all__ = ["_passkeys", "_social"]

run_migrations(Table.metadata)
