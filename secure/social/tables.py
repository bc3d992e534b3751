"""The tables of logins at providers. Columns named "sealed" are under envelope encryption."""

from sqlalchemy import BigInteger, LargeBinary
from sqlmodel import Field

from walletmodal.secure.db.tables import Table


class SocialAttempt(Table, table=True):
    """A login at a provider on its way.

    Attributes:
        id: SHA-256 of the attempt's own id, in hex.
        provider: `google` and the like, or `farcaster`.
        device: that began it, and alone may take the result.
        state: SHA-256 of the state that the provider gives back; browser: of the token of the browser that was led there. "" before.
        status: `waiting`, `away` at the provider, `back`, `done`, `failed`, `taken`.
        secret: what was begun with, and result: what came of it, sealed, `social_attempts/<id>/<column>`; empty where there is none.
    """

    __tablename__ = "social_attempts"

    id: str = Field(primary_key=True, max_length=64)
    provider: str = Field(max_length=16)
    device: str = Field(max_length=64)
    state: str = Field(max_length=64, index=True)
    browser: str = Field(max_length=64)
    status: str = Field(max_length=8)
    secret: bytes = Field(sa_type=LargeBinary, nullable=False)
    result: bytes = Field(sa_type=LargeBinary, nullable=False)
    created_at: int = Field(sa_type=BigInteger, nullable=False)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class SocialIdentity(Table, table=True):
    """An account at a provider whose owner is a user here.

    Attributes:
        key: HMAC of issuer and subject.
    """

    __tablename__ = "social_identities"

    key: str = Field(primary_key=True, max_length=64)
    user: str = Field(max_length=32, index=True)
    created_at: int = Field(sa_type=BigInteger, nullable=False)
