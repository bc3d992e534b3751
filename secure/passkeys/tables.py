"""The tables of passkeys. Columns named "sealed" are under envelope encryption."""

from sqlalchemy import BigInteger, LargeBinary
from sqlmodel import Field

from walletmodal.secure.db.tables import Table


class Passkey(Table, table=True):
    """A passkey of a wallet, and its set of halves.

    Attributes:
        id: SHA-256 of the credential's id in base64url, in hex; credential: that id.
        key: its public key, COSE in CBOR.
        counter: of its signatures when it was last used; 0 where it does not count.
        half: the server's half of the set, sealed, `passkeys/<user>/<id>`.
        box: the passkey's own half, sealed by the page under what the passkey alone gives (PRF).
        name, site: of the browser that made it, as in `Half`.
    """

    __tablename__ = "passkeys"

    id: str = Field(primary_key=True, max_length=64)
    user: str = Field(max_length=32, index=True)
    credential: bytes = Field(sa_type=LargeBinary, nullable=False)
    key: bytes = Field(sa_type=LargeBinary, nullable=False)
    counter: int = Field(sa_type=BigInteger, nullable=False)
    half: bytes = Field(sa_type=LargeBinary, nullable=False)
    box: bytes = Field(sa_type=LargeBinary, nullable=False)
    name: str = Field(max_length=64)
    site: str = Field(max_length=255)
    created_at: int = Field(sa_type=BigInteger, nullable=False)
    last_used_at: int = Field(sa_type=BigInteger, nullable=False)


class PasskeyChallenge(Table, table=True):
    """What a passkey is asked to sign, once.

    Attributes:
        id: SHA-256 of what is signed for it in base64url, in hex.
        purpose: `add`, `open`, `prove`, `login`, or `new` for an account that is made with it.
        device: that has asked; user: whose passkey it is to be, "" for a login.
    """

    __tablename__ = "passkey_challenges"

    id: str = Field(primary_key=True, max_length=64)
    purpose: str = Field(max_length=8)
    device: str = Field(max_length=64)
    user: str = Field(max_length=32)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)
