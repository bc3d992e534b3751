"""Tables of a later release, on which servers of this one go on: migrations add, and what is no longer used is taken away a release later.

So a server may start again while others are updated, and all may go back to the release before.
"""

import logging
from collections.abc import Collection, Iterator
from typing import Final

from alembic import context
from sqlalchemy import Connection, Table, inspect

START: Final = "starts_a_server"
"""Attribute of alembic's configuration: whether it runs because a server starts."""

_log: Final = logging.getLogger(__name__)


class LaterTablesError(ValueError):
    """The database has the tables of a later release, on which this one cannot work."""


def run_migrations(connection: Connection, tables: Collection[Table]) -> None:
    """What is missing is applied, as by alembic's own; where the tables are of a later release, a server that starts goes on with them.

    Args:
        connection: the one on which alembic is configured.
        tables: those that this release needs.

    Raises:
        LaterTablesError: it cannot.
        alembic.util.CommandError: the revision of the tables is not known, and no server starts.
    """
    known = {one.revision for one in context.script.walk_revisions()}
    later = [head for head in context.get_context().get_current_heads() if head not in known]
    if not later or not context.config.attributes.get(START):
        context.run_migrations()
        return
    if lacks := list(_lacks(connection, tables)):
        raise LaterTablesError(
            f"its tables are of a later release, revision {later[0]}, on which this one cannot work: {', '.join(lacks)}"
        )
    _log.warning("the database has the tables of a later release, revision %s; this one goes on with them", later[0])


def _lacks(connection: Connection, tables: Collection[Table]) -> Iterator[str]:
    """What keeps this release from reading and writing the tables that are there."""
    there = inspect(connection)
    for table in tables:
        if not there.has_table(table.name):
            yield f"there is no table {table.name}"
            continue
        columns = {column["name"]: column for column in there.get_columns(table.name)}
        yield from (f"{table.name} has no column {name}" for name in table.columns.keys() - columns.keys())
        for name in columns.keys() - table.columns.keys():
            if not columns[name]["nullable"] and columns[name]["default"] is None:
                yield f"{table.name} wants a value for {name}"
