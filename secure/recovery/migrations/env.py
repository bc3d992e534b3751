"""The environment of alembic: the tables of the recovery service."""

from secure.db.upgrade import run_migrations
from secure.recovery.tables import Table

run_migrations(Table.metadata)
