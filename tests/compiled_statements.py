"""SQL statements are compiled once for all engines of a process.

A test has an engine of its own, which would compile each statement anew: a tenth of what the states' tests do, and a fifth of what those of
the secure site do.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, event


class _Compiled(dict[Any, Any]):
    """SQLAlchemy's cache, in which a statement is found for any dialect of the same kind, not for the engine's own object alone."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(_of_any_engine(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_of_any_engine(key), value)


def _of_any_engine(key: Any) -> Any:
    dialect, *statement = key
    return (type(dialect), *statement)


_compiled = _Compiled()


@event.listens_for(Engine, "engine_connect")
def _share(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_compiled)
