"""Tables of a later release, on which servers of this one go on: migrations add, and what is no longer used is taken away a release later.

So a server may start again while others are updated, and all may go back to the release before.
"""

import logging
from collections.abc import Iterable, Iterator
from typing import Any, Final

from alembic import context
from sqlalchemy import Connection, Inspector, Table, UniqueConstraint, inspect
from sqlmodel import SQLModel

from walletmodal.db.tables import TABLES

ALLOWED: Final = "allow_later"
"""Attribute of alembic's configuration: whether tables of a later release are left as they are."""

_log: Final = logging.getLogger(__name__)


class LaterTablesError(ValueError):
    """The database has the tables of a later release, on which this one cannot work."""


def run_migrations(connection: Connection) -> None:
    """Applies what is missing, as alembic's own; where it may, it leaves tables of a later release as they are.

    Args:
        connection: the one on which alembic is configured.

    Raises:
        LaterTablesError: it cannot work on them.
        alembic.util.CommandError: the revision of the tables is not known, and they may not be left as they are.
    """
    known = {one.revision for one in context.script.walk_revisions()}
    later = [head for head in context.get_context().get_current_heads() if head not in known]
    if not later or not context.config.attributes.get(ALLOWED):
        context.run_migrations()
        return
    if found := list(lacks(connection)):
        raise LaterTablesError(
            f"its tables are of a later release, revision {later[0]}, on which this one cannot work: {', '.join(found)}"
        )
    _log.warning("the database has the tables of a later release, revision %s; this one goes on with them", later[0])


def lacks(connection: Connection) -> Iterator[str]:
    """What this release needs to read and write the tables that are there, and lacks. Types, checks and what is unique in part or by an expression are not compared."""
    there = inspect(connection)
    for table in (SQLModel.metadata.tables[name] for name in TABLES):
        if there.has_table(table.name):
            yield from _lacks_columns(there, table)
            yield from _lacks_keys(there, table)
        else:
            yield f"there is no table {table.name}"


def _lacks_columns(there: Inspector, table: Table) -> Iterator[str]:
    columns: dict[str, Any] = {column["name"]: column for column in there.get_columns(table.name)}
    # SQLite counts without a default.
    counted = table.autoincrement_column if there.dialect.name == "postgresql" else None
    yield from (f"{table.name} has no column {name}" for name in table.columns.keys() - columns.keys())
    for name, column in columns.items():
        by_itself = column["default"] is not None or column.get("identity") or column.get("computed")
        own = table.columns.get(name)
        written = own is not None and own is not counted and not own.nullable
        if not column["nullable"] and not by_itself and not written:
            yield f"{table.name} wants a value for {name}"
        if column["nullable"] and own is not None and not own.nullable and not own.primary_key:
            yield f"{table.name} may be without a value for {name}"


def _lacks_keys(there: Inspector, table: Table) -> Iterator[str]:
    # A table without a primary key has one of no columns.
    kept: set[frozenset[Any]] = {
        frozenset(there.get_pk_constraint(table.name)["constrained_columns"]),
        *(frozenset(one["column_names"]) for one in there.get_unique_constraints(table.name)),
        *(
            frozenset(one["column_names"])
            for one in there.get_indexes(table.name)
            if one["unique"] and not _is_partial(one) and None not in one["column_names"]
        ),
    } - {frozenset()}
    ours = {
        frozenset(column.name for column in table.primary_key),
        *(_names(one) for one in table.constraints if isinstance(one, UniqueConstraint)),
        *(_names(one) for one in table.indexes if one.unique),
    }
    for names in ours:
        if not any(fewer <= names for fewer in kept):
            yield f"{table.name} may have two of the same {_listed(names)}"
    # What is new may be unique where it may also be missing, as it is in all that this release writes.
    missing = {one["name"] for one in there.get_columns(table.name) if one["nullable"] and one["default"] is None}
    missing -= {column.name for column in table.columns}
    for stricter in kept:
        if not stricter & missing and not any(fewer <= stricter for fewer in ours):
            yield f"{table.name} takes no two of the same {_listed(stricter)}"


def _is_partial(index: Any) -> bool:
    return any(name.endswith("_where") for name in index.get("dialect_options", ()))


def _listed(names: Iterable[str]) -> str:
    return " and ".join(sorted(names))


def _names(key: Any) -> frozenset[str]:
    return frozenset(column.name for column in key.columns)
