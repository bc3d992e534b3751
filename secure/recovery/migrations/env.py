"""The environment of alembic: the tables of the recovery service."""

from walletmodal.secure.db.upgrade import run_migrations
from walletmodal.secure.recovery.tables import Table

run_migrations(Table.metadata)
