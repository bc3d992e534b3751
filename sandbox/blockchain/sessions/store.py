"""Granted permissions, in a SQLite file that outlives the process."""

import json
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

MEMORY: Final = ":memory:"

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS sessions (
    pci TEXT PRIMARY KEY, account TEXT NOT NULL, created_at INTEGER NOT NULL, private_key TEXT NOT NULL, terms TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS sessions_of_account ON sessions (account);
"""


@dataclass(frozen=True, slots=True)
class Terms:
    """What was granted to whom.

    Attributes:
        project: id, name, url and iconUrl of the page.
        expiry: Unix seconds.
        signer, permissions, policies: as the page sent them.
        context: what the wallet answered when the grant was made; None until then.
        revoked_at: Unix seconds.
    """

    project: dict[str, Any]
    expiry: int
    signer: dict[str, Any]
    permissions: list[dict[str, Any]]
    policies: list[dict[str, Any]]
    context: str | None = None
    revoked_at: int | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """One permission.

    Attributes:
        pci: its id, a UUID.
        account: CAIP-10, lower case.
        created_at: Unix seconds.
        private_key: the service's key for it, hexadecimal.
        terms: what was granted.
    """

    pci: str
    account: str
    created_at: int
    private_key: str
    terms: Terms

    def as_json(self) -> dict[str, object]:
        """The permission as the list answers it."""
        terms = self.terms
        return {
            "project": terms.project,
            "pci": self.pci,
            "expiry": terms.expiry,
            "createdAt": self.created_at,
            "permissions": terms.permissions,
            "policies": terms.policies,
            "context": terms.context,
            "revokedAt": terms.revoked_at,
        }


class SessionStore:
    """The permissions.

    Args:
        path: the file; None keeps them in memory.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path or MEMORY, isolation_level=None)
        self._database.executescript(_SCHEMA)

    def put(self, session: Session) -> None:
        """Add a permission, or replace the one with its id."""
        terms = {name: getattr(session.terms, name) for name in Terms.__dataclass_fields__}
        self._database.execute(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?)",
            (session.pci, session.account, session.created_at, session.private_key, json.dumps(terms)),
        )

    def get(self, account: str, pci: str) -> Session | None:
        """An account's permission by its id."""
        row = self._database.execute("SELECT * FROM sessions WHERE pci = ? AND account = ?", (pci, account)).fetchone()
        return None if row is None else _session(row)

    def of_account(self, account: str) -> list[Session]:
        """An account's permissions, newest first."""
        rows = self._database.execute(
            "SELECT * FROM sessions WHERE account = ? ORDER BY created_at DESC, pci", (account,)
        ).fetchall()
        return [_session(row) for row in rows]

    def revoke(self, session: Session, now: int) -> None:
        """Mark a permission as revoked at a moment in Unix seconds."""
        self.put(replace(session, terms=replace(session.terms, revoked_at=now)))

    def clear(self) -> None:
        """Forget all permissions."""
        self._database.execute("DELETE FROM sessions")

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _session(row: tuple[str, str, int, str, str]) -> Session:
    pci, account, created_at, private_key, terms = row
    return Session(pci, account, created_at, private_key, Terms(**json.loads(terms)))
