"""The tables. Every change of one comes with a revision in `alembic/versions`."""

from sqlalchemy import BigInteger, Text
from sqlmodel import Field, SQLModel


class Resume(SQLModel, table=True):
    """What a browser's session goes on with after a reload or a restart of the server.

    Attributes:
        id: SHA-256 of the browser's secret resume id, in hex: who reads the table cannot resume anyone's session.
        record: JSON text.
        updated_at, expires_at: Unix time in ms.
    """

    __tablename__ = "resume"

    id: str = Field(primary_key=True, max_length=64)
    record: str = Field(sa_type=Text, nullable=False)
    updated_at: int = Field(sa_type=BigInteger, nullable=False)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)
