"""The tables. Every change of one comes with a revision in `alembic/versions`."""

from typing import Any, ClassVar, Final

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from walletmodal.db.recurring import RecurringColumns


def table_of(model: type[SQLModel]) -> Table:
    """The table of a model: who selects from it gets rows, not objects that a session keeps."""
    found: Any = model
    table: Table = found.__table__
    return table


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


class Request(SQLModel, table=True):
    """A transaction that a wallet was asked for, and what became of it. What decides about it later joins by its id.

    Attributes:
        id: of the command that asked.
        owner: SHA-256 of the secret of the browser that asked, in hex; "" where it keeps none.
        chain: CAIP-2 id; address: the account, in its normal spelling.
        origin: of the host page.
        kind, status: as `core.asked` has them.
        settled: whether nobody needs to look at the chain for it again.
        proven: whether the chain has shown that it is the account's.
        proposal: JSON of `core.transfers.transaction_request.Proposal`.
        hash: what the wallet returned, or what was found in the chain where it never did; mined_hash: the transaction that counts, which may be another one.
        bundle: the wallet's id of several calls, or the hash of a user operation; entry_point: where that was handed in, "" for no operation.
        calls_id: the page's own id of the calls of a user operation (EIP-5792), "" for none.
        signed: a signed transaction or operation (JSON) that is ours to bring to the network; "" when it has arrived.
        nonce: of the account, once known; height: of the chain, or its slot, when the wallet was asked.
        gained: of a swap, base units that arrived, as decimal text; "" while nobody knows.
        altered: what is not as proposed, a line for each (`core.language.kept`); reason: of a failure, in the words of wallet or node.
        asked_at, answered_at, changed_at: Unix time in ms; answered_at is None where the wallet has not named the transaction.
        missed_at: since when no node knows the transaction.
    """

    __tablename__ = "requests"
    __table_args__ = (Index("ix_requests_account", "address", "chain", "asked_at"),)

    id: str = Field(primary_key=True, max_length=64)
    owner: str = Field(max_length=64)
    chain: str = Field(max_length=64)
    address: str = Field(max_length=128)
    origin: str = Field(max_length=255)
    kind: str = Field(max_length=16)
    status: str = Field(max_length=16)
    settled: bool = False
    proven: bool = False
    proposal: str = Field(sa_type=Text, nullable=False)
    hash: str = Field(default="", max_length=128)
    mined_hash: str = Field(default="", max_length=128)
    bundle: str = Field(default="", sa_type=Text, nullable=False)
    entry_point: str = Field(default="", max_length=64, sa_column_kwargs={"server_default": ""})
    calls_id: str = Field(default="", sa_type=Text, nullable=False, sa_column_kwargs={"server_default": ""})
    signed: str = Field(default="", sa_type=Text, nullable=False)
    nonce: int | None = Field(default=None, sa_type=BigInteger)
    height: int | None = Field(default=None, sa_type=BigInteger)
    gained: str = Field(default="", sa_type=Text, nullable=False, sa_column_kwargs={"server_default": ""})
    altered: str = Field(default="", sa_type=Text, nullable=False)
    reason: str = Field(default="", sa_type=Text, nullable=False)
    asked_at: int = Field(sa_type=BigInteger, nullable=False)
    answered_at: int | None = Field(default=None, sa_type=BigInteger)
    missed_at: int | None = Field(default=None, sa_type=BigInteger)
    changed_at: int = Field(sa_type=BigInteger, nullable=False, index=True)


class SignIn(SQLModel, table=True):
    """A sign-in that was verified (`core.sign_in_session`).

    Attributes:
        id: by which hosts and operators name it.
        holder: SHA-256 of the browser's secret, in hex: who reads the table cannot pass for a browser. "" where it keeps none.
        origin: of the host page.
        chain: CAIP-2 id; address: the account, in its normal spelling.
        statement, request_id: of the message; text, signature: the proof.
        nonce: of the message; one-click sign-in has one for all the networks of a pairing, and no two sign-ins have the same on one.
        issued_at, proven_at, expires_at, revoked_at, checked_at: Unix time in ms.
    """

    __tablename__ = "sign_ins"
    __table_args__ = (
        UniqueConstraint("nonce", "chain", name="uq_sign_ins_nonce_chain"),
        Index("ix_sign_ins_holder", "holder", "origin"),
        Index("ix_sign_ins_address", "address", "chain"),
    )

    id: str = Field(primary_key=True, max_length=64)
    holder: str = Field(max_length=64)
    origin: str = Field(max_length=255)
    chain: str = Field(max_length=64)
    address: str = Field(max_length=128)
    statement: str = Field(default="", sa_type=Text, nullable=False)
    request_id: str = Field(default="", max_length=256)
    text: str = Field(sa_type=Text, nullable=False)
    signature: str = Field(sa_type=Text, nullable=False)
    nonce: str = Field(max_length=128)
    issued_at: int = Field(sa_type=BigInteger, nullable=False)
    proven_at: int = Field(sa_type=BigInteger, nullable=False)
    expires_at: int = Field(sa_type=BigInteger, nullable=False, index=True)
    revoked_at: int | None = Field(default=None, sa_type=BigInteger)
    checked_at: int | None = Field(default=None, sa_type=BigInteger)


class SigningKeyRow(SQLModel, table=True):
    """A key with which sign-in tokens are signed.

    Attributes:
        kid: its name.
        number: in the order in which they were made; two workers that make the next one at once cannot both succeed.
        private: PEM, encrypted where the deployment has a SECRET_KEY; "" once the key is withdrawn.
        public: JSON of `core.sign_in.token_claims.PublicKey`.
        made_at, starts_at: Unix time in ms; it signs from `starts_at` on, until the next one does.
        withdrawn_at: since when nobody is to believe it, or None.
    """

    __tablename__ = "signing_keys"

    kid: str = Field(primary_key=True, max_length=64)
    number: int = Field(unique=True)
    private: str = Field(sa_type=Text, nullable=False)
    public: str = Field(sa_type=Text, nullable=False)
    made_at: int = Field(sa_type=BigInteger, nullable=False)
    starts_at: int = Field(sa_type=BigInteger, nullable=False)
    withdrawn_at: int | None = Field(default=None, sa_type=BigInteger)


class Decision(SQLModel, table=True):
    """What became of a request of a host page, or of several alike (`core.audit`).

    Attributes:
        number: in the order of writing.
        at, until: Unix time in ms, of the first and the last one that it stands for.
        count: how many those are.
        origin: of the host page.
        chain: CAIP-2 id; address: the account that was to sign. "" where there was none.
        method: as hosts call it.
        decision: of `core.requests.audit.Outcome`; reason: in the words of the policy, or of the error.
        summary: one line of what was asked; digest: SHA-256 of its parameters, in hex.
        request: id of the entry of `requests` that followed; "" where nothing was to be sent.
    """

    __tablename__ = "decisions"
    __table_args__ = (Index("ix_decisions_address", "address", "at"),)

    number: int | None = Field(
        default=None, sa_column=Column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    )
    at: int = Field(sa_type=BigInteger, nullable=False)
    until: int = Field(sa_type=BigInteger, nullable=False, index=True)
    count: int = Field(nullable=False)
    origin: str = Field(max_length=255)
    chain: str = Field(max_length=64)
    address: str = Field(max_length=128)
    method: str = Field(max_length=64)
    decision: str = Field(max_length=16)
    reason: str = Field(sa_type=Text, nullable=False)
    summary: str = Field(sa_type=Text, nullable=False)
    digest: str = Field(max_length=64)
    request: str = Field(max_length=64)


class Permission(SQLModel, table=True):
    """A permission that an account has signed, for a host page to spend within (`core.permissions.record`).

    Attributes:
        id: the digest that was signed, in hex: the same delegation on another network has another one.
        owner: SHA-256 of the secret of the browser in which it was granted, in hex; "" where it keeps none.
        origin: of the host page.
        chain: CAIP-2 id; address: the account, delegate: who may act, in their normal spelling.
        granted: JSON of the permission as ERC-7715 has it; context: what it is redeemed with, in hex.
        granted_at, expires_at, revoked_at: Unix time in ms; it never expires where that is None.
    """

    __tablename__ = "permissions"
    __table_args__ = (Index("ix_permissions_account", "address", "chain", "origin"),)

    id: str = Field(primary_key=True, max_length=64)
    owner: str = Field(max_length=64)
    origin: str = Field(max_length=255)
    chain: str = Field(max_length=64)
    address: str = Field(max_length=128)
    delegate: str = Field(max_length=128)
    granted: str = Field(sa_type=Text, nullable=False)
    context: str = Field(sa_type=Text, nullable=False)
    granted_at: int = Field(sa_type=BigInteger, nullable=False)
    expires_at: int | None = Field(default=None, sa_type=BigInteger, index=True)
    revoked_at: int | None = Field(default=None, sa_type=BigInteger)


class SponsoredOperation(SQLModel, table=True):
    """What the operator has promised to pay for, or has paid.

    Attributes:
        id: BLAKE2b of chain, account and nonce, in hex.
        at: Unix time in ms.
        chain: CAIP-2 id; account: for which is paid, in its normal spelling.
        browser: SHA-256 of the browser's secret, in hex; "" where it keeps none. line: of the client's address, under the deployment's secret.
        gwei: the most that it costs, and once it is `settled` what it has cost, rounded up.
    """

    __tablename__ = "sponsored_operations"
    __table_args__ = (Index("ix_sponsored_operations_chain", "chain", "at"),)

    id: str = Field(primary_key=True, max_length=64)
    at: int = Field(sa_type=BigInteger, nullable=False)
    chain: str = Field(max_length=64)
    account: str = Field(max_length=128)
    browser: str = Field(max_length=64)
    line: str = Field(max_length=64)
    gwei: int = Field(sa_type=BigInteger, nullable=False)
    settled: bool = False


class Recurring(RecurringColumns, table=True):
    """When which recurring work is due (`db.recurring`)."""

    __tablename__ = "recurring_work"


class Erasure(SQLModel, table=True):
    """An account that was erased lately (`ERASURE_DAYS`): what is still on its way into the database is written without it.

    Attributes:
        key: BLAKE2b of its address, under the deployment's secret, in hex.
        at: Unix time in ms.
    """

    __tablename__ = "erasures"

    key: str = Field(primary_key=True, max_length=64)
    at: int = Field(sa_type=BigInteger, nullable=False)


class LoggedEvent(SQLModel, table=True):
    """An event, in the log that the audit export reads and webhooks are delivered from (`core.webhooks.event`).

    Attributes:
        number: in the order of writing; none is given twice, whatever is deleted.
        id: by which receivers know it.
        at: Unix time in ms.
        type: of `core.webhooks.event.EventType`.
        address: of the account, in its normal spelling; "" for none.
        data: JSON.
        due_at: Unix time in ms from when on it is to be delivered; 0: given up; None: it is delivered, or not for webhooks.
        tries: how often its delivery was tried.
        error: why the last try has failed; "" where none has, or the last one has not.
    """

    __tablename__ = "events"
    __table_args__: ClassVar[Any] = {"sqlite_autoincrement": True}

    number: int | None = Field(
        default=None, sa_column=Column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    )
    id: str = Field(max_length=64, unique=True)
    at: int = Field(sa_type=BigInteger, nullable=False, index=True)
    type: str = Field(max_length=32)
    address: str = Field(max_length=128, index=True)
    data: str = Field(sa_type=Text, nullable=False)
    due_at: int | None = Field(default=None, sa_type=BigInteger, index=True)
    tries: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    error: str = Field(default="", sa_type=Text, nullable=False, sa_column_kwargs={"server_default": ""})


TABLES: Final = tuple(
    str(table.__tablename__)
    for table in (
        Resume,
        Request,
        SignIn,
        SigningKeyRow,
        Decision,
        Permission,
        SponsoredOperation,
        Recurring,
        Erasure,
        LoggedEvent,
    )
)
"""The names of all of them; other libraries may have registered theirs in the same metadata."""
