"""The user of an identity. Never found by a mail: whoever has an address at a provider need not be whoever reads it here."""

import secrets

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from walletmodal.db.dialects import insert_for
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.db.tables import User
from walletmodal.secure.encoding import encode
from walletmodal.secure.pepper import Pepper
from walletmodal.secure.social.identity import Identity
from walletmodal.secure.social.tables import SocialIdentity
from walletmodal.secure.users import address_row


class SocialUsers:
    """Finds and makes them.

    Args:
        keys: seal their mails.
        pepper: under which identities are looked up.
    """

    def __init__(self, keys: KeyRing, pepper: Pepper) -> None:
        self._keys, self._pepper = keys, pepper

    async def of_identity(self, connection: AsyncConnection, identity: Identity, now: int) -> str:
        """The id of an identity's user, made where there is none."""
        key = self._pepper.identity_key(identity.issuer, identity.subject)
        found = select(col(SocialIdentity.user)).where(col(SocialIdentity.key) == key)
        known: str | None = await connection.scalar(found)
        if known is not None:
            return known
        new = encode(secrets.token_bytes(16))
        mail = self._keys.seal(identity.email.encode(), address_row(new))
        # No address has this key, so that nobody becomes this user by a mail. It is unique: another user may come of the same identity
        # once this one has an address of its own.
        own = self._pepper.identity_key(identity.issuer, f"{identity.subject}\n{new}")
        await connection.execute(insert(User).values(id=new, address_key=own, address=mail, created_at=now))
        row = {"key": key, "user": new, "created_at": now}
        upsert = insert_for(connection)(SocialIdentity).values(row)
        await connection.execute(upsert.on_conflict_do_nothing(index_elements=["key"]))
        made: str = (await connection.execute(found)).scalar_one()
        if made != new:
            # The same account at the same moment, in another window.
            await connection.execute(delete(User).where(col(User.id) == new))
        return made
