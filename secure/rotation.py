"""Rotation of the KEK: every data key is wrapped by the newest one; no value is decrypted for it."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import func, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.secure.custody.deletion_requests import link_row
from walletmodal.secure.custody.envelope import KeyRing, row_id
from walletmodal.secure.custody.new_wallet import half_row, recovery_row
from walletmodal.secure.custody.passwords import password_row
from walletmodal.secure.db.tables import (
    AddressChange,
    Attempt,
    DeletionRequest,
    Half,
    Notice,
    RecoveryPassword,
    Secret,
    Table,
    User,
    Wallet,
)
from walletmodal.secure.login import attempts
from walletmodal.secure.login.address_changes import former_row
from walletmodal.secure.notices import address_row as notice_row
from walletmodal.secure.notices import refusal_row
from walletmodal.secure.passkeys.calls import passkey_row
from walletmodal.secure.passkeys.tables import Passkey
from walletmodal.secure.social.attempts import attempt_row
from walletmodal.secure.social.tables import SocialAttempt
from walletmodal.secure.users import address_row as user_row

SEALED: Final[tuple[tuple[type[Table], str, Callable[[Any], str]], ...]] = (
    (Secret, "value", lambda row: row_id("secrets", row["name"])),
    (User, "address", lambda row: user_row(row["id"])),
    (Wallet, "half", lambda row: recovery_row(row["user"])),
    (Half, "half", lambda row: half_row(row["user"], row["device"])),
    (Passkey, "half", lambda row: passkey_row(row["user"], row["id"])),
    (RecoveryPassword, "half", lambda row: password_row(row["user"])),
    (Attempt, "address", lambda row: attempts.address_row(row["id"])),
    (Attempt, "following", lambda row: attempts.following_row(row["id"])),
    (AddressChange, "former", lambda row: former_row(row["user"])),
    (DeletionRequest, "link", lambda row: link_row(row["user"])),
    (Notice, "address", lambda row: notice_row(row["id"])),
    (Notice, "refusal", lambda row: refusal_row(row["id"])),
    (SocialAttempt, "secret", lambda row: attempt_row(row["id"], "secret")),
    (SocialAttempt, "result", lambda row: attempt_row(row["id"], "result")),
)
"""Every sealed column, and the row that a value of it belongs to."""

_AT_A_TIME: Final = 500


async def rotate(engine: AsyncEngine, keys: KeyRing) -> int:
    """Wraps what another KEK than the newest has wrapped; returns how many values. May be ended and begun again at any time.

    Raises:
        EnvelopeError: a value does not open; those before it are done, nothing is lost.
    """
    return sum([await _rotate_column(engine, keys, *one) for one in SEALED])


async def count_versions(engine: AsyncEngine) -> Counter[int]:
    """How many values each version of the KEK has wrapped."""
    found: Counter[int] = Counter()
    for table, name, _ in SEALED:
        column = table.metadata.tables[str(table.__tablename__)].c[name]
        # No parameters: PostgreSQL would not see that both are the same expression.
        version = func.substr(column, literal_column("1"), literal_column("1"))
        query = select(version, func.count()).where(column.is_not(None), column != b"").group_by(version)
        async with unit_of_work(engine, seconds=LONG_WORK_SECONDS) as connection:
            found.update({head[0]: count for head, count in await connection.execute(query)})
    return found


async def _rotate_column(
    engine: AsyncEngine, keys: KeyRing, table: type[Table], name: str, row_of: Callable[[Any], str]
) -> int:
    columns = table.metadata.tables[str(table.__tablename__)].c
    primary = [column for column in columns if column.primary_key]
    done, after = 0, None
    while True:
        query = select(*columns).order_by(*primary).limit(_AT_A_TIME)
        if after is not None:
            query = query.where(_beyond(primary, after))
        async with unit_of_work(engine, seconds=LONG_WORK_SECONDS) as connection:
            rows = (await connection.execute(query)).mappings().all()
            for row in rows:
                fresh = keys.rewrap(row[name], row_of(row)) if row[name] else None
                if fresh is None:
                    continue
                # Where the site has written it anew meanwhile, it has done so under the newest key.
                same = [column == row[column.name] for column in (*primary, columns[name])]
                changed = await connection.execute(update(table).where(*same).values({name: fresh}))
                done += changed.rowcount
        if len(rows) < _AT_A_TIME:
            return done
        after = [rows[-1][column.name] for column in primary]


def _beyond(primary: list[Any], after: list[Any]) -> Any:
    """Rows behind one, in the order of their keys, of which there are one or two."""
    if len(primary) == 1:
        return primary[0] > after[0]
    first, second = primary
    return (first > after[0]) | ((first == after[0]) & (second > after[1]))
