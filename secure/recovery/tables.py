"""The tables of the recovery service. Every change of one comes with a revision in `migrations/versions`."""

from typing import ClassVar

from sqlalchemy import BigInteger, LargeBinary, MetaData
from sqlmodel import Field, SQLModel

from walletmodal.db.recurring import RecurringColumns


class Table(SQLModel):
    """Base of the tables of this service."""

    metadata: ClassVar[MetaData] = MetaData()


class Box(Table, table=True):
    """A recovery half in escrow.

    Attributes:
        id: 16 random bytes, base64url; the site knows the box by it.
        user: whose it is; authenticated with the box.
        box: sealed by the page to this service's key.
        address: where codes go, encrypted under a key of this service; "" before the site tells it, of a login whose code has not come yet.
        former: where they went before, while a change of address waits; held_until: no code is sent before, in ms.
        told_at: by which the site orders the addresses that it tells, of the last one, in ms; 0 where it never has.
        asked_at: when a code was asked for last; sent: moments of the mails of a day, with commas.
    """

    __tablename__ = "boxes"

    id: str = Field(primary_key=True, max_length=32)
    user: str = Field(max_length=32)
    box: bytes = Field(sa_type=LargeBinary, nullable=False)
    address: bytes = Field(sa_type=LargeBinary, nullable=False)
    former: bytes | None = Field(default=None, sa_type=LargeBinary)
    held_until: int = Field(sa_type=BigInteger, nullable=False)
    told_at: int = Field(default=0, sa_type=BigInteger, nullable=False, sa_column_kwargs={"server_default": "0"})
    asked_at: int = Field(sa_type=BigInteger, nullable=False)
    sent: str = Field(max_length=255)
    created_at: int = Field(sa_type=BigInteger, nullable=False)


class Code(Table, table=True):
    """The code that counts for a box now; one each.

    Attributes:
        device: on which it counts.
        code: HMAC of the code. tries: wrong ones so far.
    """

    __tablename__ = "codes"

    box: str = Field(primary_key=True, max_length=32)
    device: str = Field(max_length=64)
    code: bytes = Field(sa_type=LargeBinary, nullable=False)
    tries: int
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class Recurring(Table, RecurringColumns, table=True):
    """When which recurring work of the service is due (`walletmodal.db.recurring`)."""

    __tablename__ = "recurring_work"
