"""The tables; those of passkeys and of logins at providers stand beside what uses them. Every change of one comes with a revision in `migrations/versions`. Columns named "sealed" are under envelope encryption."""

from typing import ClassVar

from sqlalchemy import BigInteger, LargeBinary, MetaData, false
from sqlmodel import Field, SQLModel

from walletmodal.db.recurring import RecurringColumns


class Table(SQLModel):
    """Base of the tables of this site; other parts of the process have their own."""

    metadata: ClassVar[MetaData] = MetaData()


class Secret(Table, table=True):
    """A secret of the deployment that rotation of the KEK does not change.

    Attributes:
        name: `pepper`, under which addresses are looked up and codes are kept.
        value: sealed, `secrets/<name>`.
    """

    __tablename__ = "secrets"

    name: str = Field(primary_key=True, max_length=32)
    value: bytes = Field(sa_type=LargeBinary, nullable=False)


class User(Table, table=True):
    """Somebody who has shown that mail to an address reaches them.

    Attributes:
        id: 16 random bytes, base64url.
        address_key: HMAC of the address; address: sealed, `users/<id>/address`.
        language: of their mails, by BCP 47: of the last login on a device that had the wallet before, or of the first; "" where it is not known.
    """

    __tablename__ = "users"

    id: str = Field(primary_key=True, max_length=32)
    address_key: str = Field(unique=True, max_length=64)
    address: bytes = Field(sa_type=LargeBinary, nullable=False)
    created_at: int = Field(sa_type=BigInteger, nullable=False)
    language: str = Field(default="", max_length=35, sa_column_kwargs={"server_default": ""})


class Wallet(Table, table=True):
    """A user's wallet; one each.

    Attributes:
        evm, solana: addresses.
        half: the server's half of the recovery set, sealed, `wallets/<user>/recovery`.
        box: id of the escrow box at the recovery service, of one that was given ahead of the code the user's; "" without escrow.
        address_due: from when on, in ms, the recovery service is told the account's address; 0 where it knows it.
    """

    __tablename__ = "wallets"

    user: str = Field(primary_key=True, max_length=32)
    evm: str = Field(max_length=64)
    solana: str = Field(max_length=64)
    half: bytes = Field(sa_type=LargeBinary, nullable=False)
    box: str = Field(max_length=32)
    created_at: int = Field(sa_type=BigInteger, nullable=False)
    address_due: int = Field(
        default=0, sa_type=BigInteger, nullable=False, index=True, sa_column_kwargs={"server_default": "0"}
    )


class Half(Table, table=True):
    """The server's half of a device's set; without it the device's is worth nothing.

    Attributes:
        device: SHA-256 of the device's key, in hex.
        half: sealed, `halves/<user>/<device>`.
        name: browser and system, as the browser says; site: origin of the host page, or "".
        held_until: until then its transfers wait; 0 where they need not.
        own_window: whether windows of this site's own have the device's part, which hand the wallet over to frames in other sites.
    """

    __tablename__ = "halves"

    user: str = Field(primary_key=True, max_length=32)
    device: str = Field(primary_key=True, max_length=64)
    half: bytes = Field(sa_type=LargeBinary, nullable=False)
    name: str = Field(max_length=64)
    site: str = Field(max_length=255)
    created_at: int = Field(sa_type=BigInteger, nullable=False)
    last_seen_at: int = Field(sa_type=BigInteger, nullable=False)
    held_until: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    own_window: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class HeldSpending(Table, table=True):
    """What a transaction takes of one asset that a device whose transfers wait has had signed.

    Attributes:
        payload: SHA-256 of the bytes that were signed, in hex.
        asset: as in `spending.Spending`; amount: its base units, in decimal digits.
        expires_at: until then it counts.
    """

    __tablename__ = "held_spendings"

    user: str = Field(primary_key=True, max_length=32)
    payload: str = Field(primary_key=True, max_length=64)
    asset: str = Field(primary_key=True, max_length=191)
    amount: str = Field(max_length=100)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class Session(Table, table=True):
    """A login on a device.

    Attributes:
        token: SHA-256 of the session's token, in hex.
        device: as in `Half`; the token is worth nothing without its key.
    """

    __tablename__ = "sessions"

    token: str = Field(primary_key=True, max_length=64)
    user: str = Field(max_length=32, index=True)
    device: str = Field(max_length=64)
    created_at: int = Field(sa_type=BigInteger, nullable=False)
    last_used_at: int = Field(sa_type=BigInteger, nullable=False)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class Attempt(Table, table=True):
    """A code that somebody has asked for.

    Attributes:
        id: 16 random bytes, base64url.
        purpose: `login`, of a change of address `primary` or `secondary`, or of a fresh proof what it is for.
        device: that asked; the code is worth nothing on another.
        user: whose address changes; "" for a login.
        address_key, address: as in `User`; sealed, `attempts/<id>/address`. following: the address to change to, sealed, or empty.
        code: HMAC of the code. tries: wrong ones so far.
        words: that the mail and the frame show. asked_by: browser and site, for mails. language: of the mails.
        approval: SHA-256 of the link's token while the device waits to be approved, then `approved`; "" where it need not be.
        sent_at: of the latest mail.
    """

    __tablename__ = "attempts"

    id: str = Field(primary_key=True, max_length=32)
    purpose: str = Field(max_length=16)
    device: str = Field(max_length=64)
    user: str = Field(max_length=32)
    address_key: str = Field(max_length=64, index=True)
    address: bytes = Field(sa_type=LargeBinary, nullable=False)
    following: bytes = Field(sa_type=LargeBinary, nullable=False)
    code: bytes = Field(sa_type=LargeBinary, nullable=False)
    tries: int
    words: str = Field(max_length=32)
    asked_by: str = Field(max_length=255)
    approval: str = Field(max_length=64, index=True)
    created_at: int = Field(sa_type=BigInteger, nullable=False)
    sent_at: int = Field(sa_type=BigInteger, nullable=False)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)
    language: str = Field(default="", max_length=35, sa_column_kwargs={"server_default": ""})


class RecoveryPassword(Table, table=True):
    """A recovery password of a wallet, and its set of halves; one each. Nothing here tells the password.

    Attributes:
        salt: of argon2id.
        auth: HMAC of what the page derives of the password beside the key of the box.
        half: the server's half of the set, sealed, `recovery_passwords/<user>/half`.
        box: the password's own half, sealed by the page under the key that it derives of the password.
        failed: moments of the wrong ones of a day, with commas.
    """

    __tablename__ = "recovery_passwords"

    user: str = Field(primary_key=True, max_length=32)
    salt: bytes = Field(sa_type=LargeBinary, nullable=False)
    auth: bytes = Field(sa_type=LargeBinary, nullable=False)
    half: bytes = Field(sa_type=LargeBinary, nullable=False)
    box: bytes = Field(sa_type=LargeBinary, nullable=False)
    failed: str = Field(max_length=255)
    created_at: int = Field(sa_type=BigInteger, nullable=False)


class AddressRecord(Table, table=True):
    """What limits mail to an address, whether or not anyone has an account with it.

    Attributes:
        key: as `User.address_key`; or of a network that asks for its mails, or of a device that has its wallet.
        asked_at: when a mail was last asked for, sent or not, or a code tried.
        sent: moments of the mails of a day, with commas.
        wrong: moments of the wrong codes of a day, with commas, in the row of the address.
        killed_at: when wrong codes have last ended an attempt.
        frozen_until: nobody logs in with it until then.
    """

    __tablename__ = "addresses"

    key: str = Field(primary_key=True, max_length=64)
    asked_at: int = Field(sa_type=BigInteger, nullable=False, index=True)
    sent: str = Field(max_length=1023)
    wrong: str = Field(default="", max_length=1023, sa_column_kwargs={"server_default": ""})
    killed_at: int = Field(sa_type=BigInteger, nullable=False)
    frozen_until: int = Field(sa_type=BigInteger, nullable=False)


class Refusal(Table, table=True):
    """The link "it was not me" of a mail.

    Attributes:
        token: SHA-256 of the link's token, in hex.
        user: whose change of address it may undo, or "".
        since: when the attempt began; sessions of later end by it.
    """

    __tablename__ = "refusals"

    token: str = Field(primary_key=True, max_length=64)
    address_key: str = Field(max_length=64)
    user: str = Field(max_length=32)
    since: int = Field(sa_type=BigInteger, nullable=False)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class AddressChange(Table, table=True):
    """A change of address that can still be undone.

    Attributes:
        former: the address of before, sealed, `address_changes/<user>/former`; former_key: as `User.address_key`.
    """

    __tablename__ = "address_changes"

    user: str = Field(primary_key=True, max_length=32)
    former: bytes = Field(sa_type=LargeBinary, nullable=False)
    former_key: str = Field(max_length=64, index=True)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class Grant(Table, table=True):
    """Leave to add a device, which recovery gives.

    Attributes:
        token: SHA-256 of the grant, in hex.
        held_until: as of the device that is added by it.
    """

    __tablename__ = "grants"

    token: str = Field(primary_key=True, max_length=64)
    user: str = Field(max_length=32)
    device: str = Field(max_length=64)
    held_until: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class Handover(Table, table=True):
    """A device's question for the wallet, to the window of the same browser; answered once.

    Attributes:
        token: SHA-256 of the question's token, in hex.
        user: who is logged in on the device that asks; device: as in `Half`.
    """

    __tablename__ = "handovers"

    token: str = Field(primary_key=True, max_length=64)
    user: str = Field(max_length=32)
    device: str = Field(max_length=64)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class Proof(Table, table=True):
    """A fresh proof that it is the user who asks, good once.

    Attributes:
        token: SHA-256 of the proof, in hex.
        purpose: what it is for, of `login.proofs.FreshPurpose`.
    """

    __tablename__ = "proofs"

    token: str = Field(primary_key=True, max_length=64)
    purpose: str = Field(max_length=16)
    user: str = Field(max_length=32)
    device: str = Field(max_length=64)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class Deletion(Table, table=True):
    """An account that was deleted less than a day ago.

    Attributes:
        user: whose rows a call that was under way may still have written.
    """

    __tablename__ = "deletions"

    user: str = Field(primary_key=True, max_length=32)
    at: int = Field(sa_type=BigInteger, nullable=False)


class LooseBox(Table, table=True):
    """A box of the recovery service that no wallet has.

    Attributes:
        id: as `Wallet.box`.
        due_at: from then on it is taken back; 0 once that has begun.
        given: of a login whose code has not come yet, SHA-256 of the box that the service has, in hex; "" before.
    """

    __tablename__ = "loose_boxes"

    id: str = Field(primary_key=True, max_length=32)
    due_at: int = Field(sa_type=BigInteger, nullable=False, index=True)
    given: str = Field(default="", max_length=64, sa_column_kwargs={"server_default": ""})


class DeletionRequest(Table, table=True):
    """A deletion that somebody has asked for on a device without a part of the wallet; it waits, and can be stopped.

    Attributes:
        token: SHA-256 of the token of the link that stops it, in hex; link: that token, sealed, `deletion_requests/<user>/link`.
        reminded: whether the owner was told once more; due_at: when the account is deleted.
    """

    __tablename__ = "deletion_requests"

    user: str = Field(primary_key=True, max_length=32)
    token: str = Field(max_length=64, index=True)
    link: bytes = Field(sa_type=LargeBinary, nullable=False)
    asked_at: int = Field(sa_type=BigInteger, nullable=False)
    reminded: bool = Field(nullable=False)
    due_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class Notice(Table, table=True):
    """A mail that tells of something that has happened. Once the relay has taken it, what limits the next ones stays for a day.

    Attributes:
        kind: of `login.mails.NOTICES`; detail: browser and site, in the language of the mail; language: as in `User`, then.
        address: sealed, `notices/<id>/address`; empty once it is sent. address_key: as in `User`.
        refusal: token of the link "it was not me", sealed, `notices/<id>/refusal`; None without one.
        at: of the latest time; times: how often it has happened, where that is told together.
        gathered: whether it is told in one mail with the others of its address that are due at the same moment.
    """

    __tablename__ = "notices"

    id: str = Field(primary_key=True, max_length=32)
    kind: str = Field(max_length=32)
    address: bytes = Field(sa_type=LargeBinary, nullable=False)
    address_key: str = Field(default="", max_length=64, index=True, sa_column_kwargs={"server_default": ""})
    detail: str = Field(max_length=255)
    refusal: bytes | None = Field(default=None, sa_type=LargeBinary)
    at: int = Field(sa_type=BigInteger, nullable=False)
    times: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    gathered: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    sent: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    tries: int
    due_at: int = Field(sa_type=BigInteger, nullable=False, index=True)
    language: str = Field(default="", max_length=35, sa_column_kwargs={"server_default": ""})


class AuditRow(Table, table=True):
    """What has happened to an account: no address, code, key or half.

    Attributes:
        kind: see `audit.Kind`.
        device: the first 16 digits of the device's id, or "".
    """

    __tablename__ = "audit"

    id: int | None = Field(default=None, primary_key=True)
    at: int = Field(sa_type=BigInteger, nullable=False, index=True)
    kind: str = Field(max_length=32)
    user: str = Field(max_length=32)
    device: str = Field(max_length=16)


class Recurring(Table, RecurringColumns, table=True):
    """When which recurring work of the site is due (`walletmodal.db.recurring`)."""

    __tablename__ = "recurring_work"
