"""Registered names, in a SQLite file that outlives the process."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from walletmodal.sandbox.blockchain.failures import RefusedError

MEMORY: Final = ":memory:"

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS names (
    name TEXT PRIMARY KEY, registered_at TEXT NOT NULL, updated_at TEXT NOT NULL, attributes TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS addresses (
    name TEXT NOT NULL REFERENCES names (name), coin_type INTEGER NOT NULL, address TEXT NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (name, coin_type));
CREATE INDEX IF NOT EXISTS addresses_of_account ON addresses (address);
"""


@dataclass(frozen=True, slots=True)
class NameRecord:
    """One name.

    Attributes:
        name: whole, such as `maple.reown.id`.
        registered_at, updated_at: ISO 8601 in UTC.
        attributes: such as `bio`.
        addresses: by coin type: the address (lower case) and since when.
    """

    name: str
    registered_at: str
    updated_at: str
    attributes: Mapping[str, str]
    addresses: Mapping[int, tuple[str, str]]

    def as_json(self) -> dict[str, object]:
        """The record as the service answers it."""
        return {
            "name": self.name,
            "registered_at": self.registered_at,
            "updated_at": self.updated_at,
            "attributes": dict(self.attributes) or None,
            "addresses": {
                str(coin_type): {"address": address, "created_at": since}
                for coin_type, (address, since) in self.addresses.items()
            },
        }


class NameStore:
    """The names.

    Args:
        path: the file; None keeps them in memory.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path or MEMORY, isolation_level=None)
        self._database.executescript(_SCHEMA)

    def add(self, name: str, attributes: Mapping[str, str], addresses: Mapping[int, str], now: datetime) -> NameRecord:
        """Register a name.

        Args:
            name: whole.
            attributes: such as `bio`.
            addresses: by coin type, lower case.
            now: the moment.

        Raises:
            RefusedError: 400, somebody has it.
        """
        moment = now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        rows = [(name, coin_type, address, moment) for coin_type, address in addresses.items()]
        try:
            with self._database:
                self._database.execute("BEGIN")
                self._database.execute(
                    "INSERT INTO names VALUES (?, ?, ?, ?)", (name, moment, moment, json.dumps(dict(attributes)))
                )
                self._database.executemany("INSERT INTO addresses VALUES (?, ?, ?, ?)", rows)
        except sqlite3.IntegrityError as error:
            raise RefusedError(400, "name", "The name is already registered") from error
        return NameRecord(
            name, moment, moment, attributes, {kind: (one, moment) for kind, one in sorted(addresses.items())}
        )

    def get(self, name: str) -> NameRecord | None:
        """The record of a name."""
        found = self._database.execute("SELECT * FROM names WHERE name = ?", (name,)).fetchone()
        if found is None:
            return None
        rows = self._database.execute(
            "SELECT coin_type, address, created_at FROM addresses WHERE name = ? ORDER BY coin_type", (name,)
        )
        addresses = {coin_type: (address, since) for coin_type, address, since in rows}
        return NameRecord(found[0], found[1], found[2], json.loads(found[3]), addresses)

    def of_address(self, address: str) -> list[NameRecord]:
        """The names of an account (lower case), oldest first."""
        rows = self._database.execute(
            "SELECT DISTINCT names.name FROM names JOIN addresses USING (name) WHERE address = ? ORDER BY registered_at, names.name",
            (address,),
        ).fetchall()
        return [record for (name,) in rows if (record := self.get(name))]

    def clear(self) -> None:
        """Forget all names."""
        self._database.executescript("DELETE FROM addresses; DELETE FROM names;")

    def close(self) -> None:
        """Close the file."""
        self._database.close()
