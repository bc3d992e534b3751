"""The environment of alembic: the tables of the secure site."""

from secure.db.tables import Table
from secure.db.upgrade import run_migrations

run_migrations(Table.metadata)
