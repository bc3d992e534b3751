"""Changes of address that can still be undone: as long as recovery by a code to the new address waits."""

from typing import Any, Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from walletmodal.db.dialects import insert_for
from walletmodal.secure.custody.envelope import row_id
from walletmodal.secure.db.tables import AddressChange as Row

FIND_RESERVED: Final = select(col(Row.user)).where(
    *(col(Row.former_key) == bindparam("of_address"), col(Row.expires_at) > bindparam("now")),
    col(Row.user) != bindparam("besides"),
)


def former_row(user: str) -> str:
    """The row of a user's former address, for the envelope."""
    return row_id("address_changes", user, "former")


async def put_change(connection: AsyncConnection, user: str, former: bytes, former_key: str, until: int) -> None:
    """Keeps the former address of a user until a moment. Of several changes in a row, what was there before the first of them counts.

    Args:
        connection: of the transaction.
        user: whose address changes.
        former: the former address, sealed.
        former_key: as `User.address_key`.
        until: in ms.
    """
    row = {"user": user, "former": former, "former_key": former_key, "expires_at": until}
    upsert = insert_for(connection)(Row).values(row)
    await connection.execute(upsert.on_conflict_do_update(index_elements=["user"], set_={"expires_at": until}))


async def pending_change(connection: AsyncConnection, user: str, now: int) -> Any:
    """The change of a user that can be undone, or None."""
    query = select(Row).where(col(Row.user) == user, col(Row.expires_at) > now)
    return (await connection.execute(query)).mappings().first()


async def drop_change(connection: AsyncConnection, user: str) -> bool:
    """Forgets a change; False where there is none."""
    return bool((await connection.execute(delete(Row).where(col(Row.user) == user))).rowcount == 1)


async def is_reserved(connection: AsyncConnection, address_key: str, now: int, *, besides: str = "") -> bool:
    """Whether an address may go back to a user who has changed it lately. `besides`: a user who is not asked about."""
    found = await connection.scalar(FIND_RESERVED, {"of_address": address_key, "now": now, "besides": besides})
    return found is not None
