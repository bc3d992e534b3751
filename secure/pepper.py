"""The deployment's pepper: under it addresses are looked up and codes are kept. Lies in the database, sealed by the KEK; rotation keeps it."""

import hmac
import os
from typing import Final

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from walletmodal.db.engine import unit_of_work
from walletmodal.secure.custody.envelope import EnvelopeError, KeyRing, row_id
from walletmodal.secure.db.tables import Secret, User
from walletmodal.secure.errors import StartError

_NAME: Final = "pepper"
_ROW: Final = row_id("secrets", _NAME)
_WRONG: Final = (
    "EMBEDDED_KEK does not open this database: it was made with another key. Nothing has been changed. "
    "Set the key with which it was made, all its versions with commas; without it no wallet here can be opened on its devices"
)


class Pepper:
    """Keyed hashes.

    Args:
        key: 32 random bytes.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def address_key(self, address: str) -> str:
        """Under which an address is looked up, in hex."""
        return self._hash(f"address:{address}").hex()

    def device_key(self, address_key: str, device: str) -> str:
        """Under which the mails are counted that a device with the address's wallet asks for, in hex."""
        return self._hash(f"device:{address_key}:{device}").hex()

    def network_key(self, address_key: str, network: str) -> str:
        """Under which the mails to an address are counted that a network asks for, in hex."""
        return self._hash(f"network:{address_key}:{network}").hex()

    def identity_key(self, issuer: str, subject: str) -> str:
        """Under which somebody's account at a provider is looked up, in hex."""
        return self._hash(f"identity:{issuer}\n{subject}").hex()

    def password(self, user: str, auth: str) -> bytes:
        """What is kept of a recovery password."""
        return self._hash(f"password:{user}:{auth}")

    def code(self, attempt: str, code: str) -> bytes:
        """What is kept of a code."""
        return self._hash(f"code:{attempt}:{code}")

    def _hash(self, text: str) -> bytes:
        return hmac.digest(self._key, text.encode(), "sha256")


async def open_pepper(engine: AsyncEngine, keys: KeyRing) -> Pepper:
    """The pepper of a database; a new one for a database that is empty.

    Raises:
        StartError: the KEK is not the one of this database.
    """
    async with unit_of_work(engine) as connection:
        sealed = await connection.scalar(select(col(Secret.value)).where(col(Secret.name) == _NAME))
        if sealed is None and await connection.scalar(select(col(User.id)).limit(1)) is not None:
            raise StartError("the database has accounts and no pepper: it is not complete, and is left as it is")
    if sealed is None:
        sealed = await _make(engine, keys)
    try:
        return Pepper(keys.open(sealed, _ROW))
    except EnvelopeError as error:
        raise StartError(_WRONG) from error


async def _make(engine: AsyncEngine, keys: KeyRing) -> bytes:
    made = keys.seal(os.urandom(32), _ROW)
    try:
        async with unit_of_work(engine) as connection:
            await connection.execute(insert(Secret).values(name=_NAME, value=made))
    except IntegrityError:
        # Another worker was first.
        async with unit_of_work(engine) as connection:
            found = await connection.scalar(select(col(Secret.value)).where(col(Secret.name) == _NAME))
        if found is None:
            raise
        return found
    return made
