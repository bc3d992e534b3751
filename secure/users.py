"""Users: one for each address that has logged in, and what the page is told of them."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import and_, bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from walletmodal.core.language import _
from walletmodal.db.dialects import insert_for
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.sessions import no_session
from walletmodal.secure.custody.envelope import KeyRing, row_id
from walletmodal.secure.db.tables import AddressRecord, Half, User, Wallet
from walletmodal.secure.errors import CallError, frozen, held
from walletmodal.secure.language import language
from walletmodal.secure.login.address_changes import FIND_RESERVED
from walletmodal.secure.login.addresses import frozen_until

_FIND_BY_ADDRESS: Final = select(col(User.id)).where(col(User.address_key) == bindparam("of_address"))
# What a login of the address comes to, in one question: its user, whether it may go back to another, until when it is frozen.
_FIND_OWNER: Final = select(
    _FIND_BY_ADDRESS.scalar_subquery(),
    FIND_RESERVED.exists(),
    select(col(AddressRecord.frozen_until)).where(col(AddressRecord.key) == bindparam("of_address")).scalar_subquery(),
)
# One question: every login and every page that loads asks it.
_DESCRIBE: Final = (
    select(
        *(col(User.address), col(Wallet.evm), col(Wallet.solana), col(Wallet.box), col(Half.held_until)),
        col(AddressRecord.frozen_until),
    )
    .select_from(User)
    .outerjoin(Wallet, col(Wallet.user) == col(User.id))
    .outerjoin(Half, and_(col(Half.user) == col(User.id), col(Half.device) == bindparam("of_device")))
    .outerjoin(AddressRecord, col(AddressRecord.key) == col(User.address_key))
    .where(col(User.id) == bindparam("of_user"))
)


def address_row(user: str) -> str:
    """The row of a user's address, for the envelope."""
    return row_id("users", user, "address")


@dataclass(frozen=True, slots=True)
class Account:
    """A user, for the site itself. `language`: of the mails that they get (`db.tables.User`)."""

    id: str
    address_key: str
    address: str
    language: str


@dataclass(frozen=True, slots=True)
class AddressUser:
    """The user of an address.

    Attributes:
        id: of the user.
        told: what the page is told of one who was made just now, and has the language of the request; None of one who was there.
    """

    id: str
    told: dict[str, Any] | None = None


async def language_of(connection: AsyncConnection, address_key: str) -> str:
    """The language of the account of an address, by BCP 47; "" where there is none, or nothing is known of it."""
    found: str | None = await connection.scalar(select(col(User.language)).where(col(User.address_key) == address_key))
    return found or ""


class Users:
    """Finds and makes users.

    Args:
        keys: open their addresses.
    """

    def __init__(self, keys: KeyRing) -> None:
        self._keys = keys

    async def of_address(
        self, connection: AsyncConnection, address: str, address_key: str, now: int, *, new: str
    ) -> AddressUser:
        """The user of an address, made where there is none; `new`: the id that it has then, 16 random bytes.

        Raises:
            CallError: 409 `address_changed`, its user has another address since lately, and may come back to it.
        """
        found = {"of_address": address_key}
        known, reserved, until = (await connection.execute(_FIND_OWNER, found | {"now": now, "besides": ""})).one()
        if known is not None:
            return AddressUser(known)
        if reserved:
            raise CallError(
                409,
                "address_changed",
                _("Your account has another address now. If it was not you, use the link in our mail."),
            )
        sealed = self._keys.seal(address.encode(), address_row(new))
        row = {"id": new, "address_key": address_key, "address": sealed, "created_at": now, "language": language().tag}
        upsert = insert_for(connection)(User).on_conflict_do_nothing(index_elements=["address_key"])
        if (await connection.execute(upsert, row)).rowcount == 1:
            return AddressUser(new, _told(new, address, now, frozen_until=until))
        return AddressUser((await connection.execute(_FIND_BY_ADDRESS, found)).scalar_one())

    async def account(self, connection: AsyncConnection, user: str) -> Account:
        """A user by its id.

        Raises:
            CallError: 401, it is gone.
        """
        row = (await connection.execute(select(User).where(col(User.id) == user))).mappings().first()
        if row is None:
            raise no_session()
        address = self._keys.open(row["address"], address_row(user)).decode()
        return Account(user, row["address_key"], address, row["language"])

    async def unfrozen(self, connection: AsyncConnection, user: str, now: int) -> Account:
        """A user who may use the wallet now.

        Raises:
            CallError: 423 `frozen`, or 401.
        """
        account = await self.account(connection, user)
        until = await frozen_until(connection, account.address_key, now)
        if until is not None:
            raise frozen(until)
        return account

    async def holder(
        self, connection: AsyncConnection, user: str, device: Device, now: int, *, even_held: bool = False
    ) -> Account:
        """A user who may use the wallet now, and whose device can open it. `even_held`: though its transfers wait.

        Raises:
            CallError: 404 `device_unknown`, 423 `held`; as `unfrozen`.
        """
        account = await self.unfrozen(connection, user, now)
        mine = (col(Half.user) == user, col(Half.device) == device.id)
        until = await connection.scalar(select(col(Half.held_until)).where(*mine))
        if until is None:
            raise CallError(404, "device_unknown", _("This device has no part of the wallet."))
        if until > now and not even_held:
            raise held(until)
        return account

    async def held_until(self, connection: AsyncConnection, user: str, device: Device, now: int) -> int | None:
        """Until when the transfers of a device wait; None where they need not."""
        mine = (col(Half.user) == user, col(Half.device) == device.id, col(Half.held_until) > now)
        until: int | None = await connection.scalar(select(col(Half.held_until)).where(*mine))
        return until

    async def describe(self, connection: AsyncConnection, user: str, device: Device, now: int) -> dict[str, Any]:
        """What the page of a device is told of a user.

        Raises:
            CallError: 401, it is gone.
        """
        row = (await connection.execute(_DESCRIBE, {"of_user": user, "of_device": device.id})).first()
        if row is None:
            raise no_session()
        sealed, evm, solana, box, held_until, until = row
        address = self._keys.open(sealed, address_row(user)).decode()
        wallet = {"evm": evm, "solana": solana} if evm else None
        told = _told(user, address, now, wallet=wallet, held_until=held_until, frozen_until=until)
        return told | {"escrow": bool(box)}


def _told(
    user: str,
    address: str,
    now: int,
    *,
    wallet: dict[str, str] | None = None,
    held_until: int | None = None,
    frozen_until: int | None,
) -> dict[str, Any]:
    """What the page is told of a user without escrow. `held_until`: of the device; None where it has no half."""
    return {
        "id": user,
        "email": address,
        "wallet": wallet,
        "device": held_until is not None,
        "heldUntil": held_until if held_until is not None and held_until > now else None,
        "escrow": False,
        "frozenUntil": frozen_until if frozen_until is not None and frozen_until > now else None,
    }
