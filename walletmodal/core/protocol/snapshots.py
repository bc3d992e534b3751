"""Snapshots of what the browser knows: wallets, sessions, what the page's storage remembers (docs/protocol.md §2).

Single entries that cannot be used are left out, because they come from wallets and from storage that anyone may have written.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

from pydantic import Field, TypeAdapter

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import Namespace, is_namespace, is_reference, parse_chain_id
from walletmodal.core.constants import RECENT_WALLETS
from walletmodal.core.errors import CaipError, ProtocolError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.protocol.limits import check_limits, text_bytes
from walletmodal.core.protocol.options import Social
from walletmodal.core.protocol.shapes import Message, MessageId, as_object, validated
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.wallets.announced import MAX_NAME, Wallet, is_connector_id, parse_wallets, safe_icon, safe_rdns
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.email_login import check_email

MAX_ACCOUNTS: Final = 50
MAX_MARKS: Final = 64
MAX_PEER_ICON: Final = 8 * 1024
"""Of the wallet at the other end of a pairing; the loader sends no larger one."""
_MAX_ENTRIES: Final = 200
_MARK: Final = re.compile(r"[A-Za-z][\w.-]{0,63}", re.ASCII)
_EPOCH: Final[TypeAdapter[str]] = TypeAdapter(MessageId)


class Peer(Message):
    """The wallet at the other end of a pairing, as it describes itself; `icon` may be ""."""

    name: str
    icon: str


LoginProvider = Social | Literal["passkey"]
LOGIN_PROVIDERS: Final[tuple[LoginProvider, ...]] = (*get_args(Social), "passkey")


class User(Message):
    """Who has logged in, of the embedded wallet: a claim like the rest. `provider`: of a login without a code, which may name no address."""

    email: str
    name: str = ""
    provider: LoginProvider | Literal[""] = ""


class Session(Message):
    """A wallet's connection as the browser reports it: a claim, good enough to show.

    Attributes:
        connector: connector id.
        accounts: addresses in their normal spelling, the active one first, never empty.
        chain: CAIP-2 reference, such as `1`.
        approved: CAIP-2 ids of the networks that the wallet agreed to; None: any network of the namespace.
        peer: the wallet on the phone, where a pairing reaches it.
        user: who has logged in, of the embedded wallet.
        said: how often that has named its chain: it may name the one that it named before.
    """

    connector: str
    accounts: tuple[str, ...]
    chain: str
    approved: tuple[str, ...] | None = None
    peer: Peer | None = None
    user: User | None = None
    said: int = 0


class RecentWallet(Message):
    """A wallet that was used before."""

    id: str
    name: str
    rdns: str


class Interrupted(Message):
    """What was being connected when the page went away.

    Attributes:
        namespace: "" for a pairing, which may bring several.
        wallet: the one that a pairing was meant for; None for any.
    """

    namespace: Namespace | Literal[""]
    connector: str
    wallet: RecentWallet | None = None


class StorageRecord(Message):
    """What the host page's storage remembers; every part may be missing or made up.

    `connectors` are the remembered connectors by namespace, connected or not.
    """

    active_network_id: str | None
    active_namespace: Namespace | None
    recent: tuple[RecentWallet, ...]
    interrupted: Interrupted | None
    connectors: dict[Namespace, str]


class Snapshot(Message):
    """All that the browser knows. Entries that could not be used are left out and named in `ignored`.

    Attributes:
        epoch, rev: the life of the host page, and the count of snapshots in it.
        settled: every remembered connector has answered, or was given up.
        marks: what wallets have left in the page for others to know them by: names on `window.ethereum` and of `window`.
        injected: whether the page has a `window.ethereum`.
        ignored: one reason for each entry left out: `wallet`, `session`, `recent`, `storage`, `mark`. Not on the wire.
    """

    epoch: MessageId
    rev: Annotated[int, Field(ge=0)]
    settled: bool
    wallets: tuple[Wallet, ...]
    sessions: dict[Namespace, Session]
    marks: tuple[str, ...]
    injected: bool
    storage: StorageRecord
    ignored: Annotated[tuple[str, ...], Field(exclude=True)] = ()


def parse_snapshot(obj: object) -> Snapshot:
    """Read a snapshot.

    The frame of the message must be right; single wallets, sessions and stored values that are not are left out, because they come
    from wallets and from storage that anyone may have written, and must not take the rest of the page with them.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
    """
    check_limits(obj, any_text=True)
    return read_snapshot(as_object(obj, "snapshot"))


def parse_session(namespace: Namespace, connector: object, value: object) -> Session:
    """Read `{accounts, chain, approved, peer}`: a session of a snapshot, or the value of a `wallet.connect` reply.

    Of the approved networks those that the namespace cannot have are left out; a list of nonsense approves none.

    Raises:
        ProtocolError: `malformed`: no usable account, or a chain that the namespace does not know.
    """
    raw = as_object(value, "session")
    accounts, chain = raw.get("accounts"), raw.get("chain")
    if not isinstance(connector, str) or not is_connector_id(connector):
        raise ProtocolError("malformed", "session: connector")
    if not isinstance(chain, str) or not is_reference(namespace, chain):
        raise ProtocolError("malformed", "session: chain")
    if not isinstance(accounts, list | tuple) or not 0 < len(accounts) <= MAX_ACCOUNTS:
        raise ProtocolError("malformed", "session: accounts")
    if not all(isinstance(account, str) and is_address(namespace, account) for account in accounts):
        raise ProtocolError("malformed", "session: an account is no address")
    normal = tuple(dict.fromkeys(normal_address(namespace, account) for account in accounts))
    approved, said = _approved(namespace, raw.get("approved")), raw.get("said")
    return Session(
        connector=connector,
        accounts=normal,
        chain=chain,
        approved=approved,
        peer=_peer(raw.get("peer")),
        user=_user(raw.get("user")) if connector == AUTH_ID else None,
        said=said if type(said) is int and said >= 0 else 0,
    )


def _approved(namespace: Namespace, raw: object) -> tuple[str, ...] | None:
    if raw is None:
        return None
    listed = raw[:_MAX_ENTRIES] if isinstance(raw, list | tuple) else ()
    return tuple(dict.fromkeys(id_ for id_ in listed if _is_chain_id(id_) and id_.startswith(f"{namespace}:")))


def _peer(raw: object) -> Peer | None:
    if not isinstance(raw, Mapping):
        return None
    name = raw.get("name")
    shown = clean_text(name, limit=MAX_NAME) if isinstance(name, str) else ""
    icon = safe_icon(raw.get("icon"))
    return Peer(name=shown, icon=icon if text_bytes(icon) <= MAX_PEER_ICON else "") if shown else None


def _user(raw: object) -> User | None:
    if not isinstance(raw, Mapping):
        return None
    provider: LoginProvider | Literal[""] = next((one for one in LOGIN_PROVIDERS if one == raw.get("provider")), "")
    try:
        email = "" if provider and raw.get("email") == "" else check_email(raw.get("email"))
    except PayloadError:
        return None
    name = raw.get("name")
    return User(
        email=email,
        name=clean_text(name, limit=MAX_NAME) if isinstance(name, str) else "",
        provider=provider,
    )


def read_snapshot(raw: Mapping[str, object]) -> Snapshot:
    """As `parse_snapshot`, for a message whose size and depth were checked."""
    wallets, sessions, settled, rev = raw.get("wallets"), raw.get("sessions"), raw.get("settled"), raw.get("rev")
    if not isinstance(wallets, list) or len(wallets) > _MAX_ENTRIES:
        raise ProtocolError("malformed", "snapshot.wallets")
    if not isinstance(settled, bool) or type(rev) is not int or rev < 0:
        raise ProtocolError("malformed", "snapshot.settled or rev")
    ignored: list[str] = []
    listed, left_out = parse_wallets(wallets)
    ignored += ["wallet"] * left_out
    return Snapshot(
        epoch=validated(_EPOCH, raw.get("epoch"), "snapshot.epoch"),
        rev=rev,
        settled=settled,
        wallets=listed,
        sessions=_sessions(as_object(sessions, "snapshot.sessions"), ignored),
        marks=_marks(raw.get("marks"), ignored),
        injected=raw.get("injected") is True,
        storage=_storage(as_object(raw.get("storage"), "snapshot.storage"), ignored),
        ignored=tuple(ignored),
    )


def _sessions(raw: Mapping[str, object], ignored: list[str]) -> dict[Namespace, Session]:
    kept: dict[Namespace, Session] = {}
    for namespace, entry in list(raw.items())[:_MAX_ENTRIES]:
        try:
            if not is_namespace(namespace):
                raise ProtocolError("malformed", "session: namespace")
            kept[namespace] = parse_session(namespace, as_object(entry, "session").get("connector"), entry)
        except ProtocolError:
            ignored.append("session")
    return kept


def _marks(raw: object, ignored: list[str]) -> tuple[str, ...]:
    listed = raw[:MAX_MARKS] if isinstance(raw, list) else []
    kept = tuple(dict.fromkeys(mark for mark in listed if isinstance(mark, str) and _MARK.fullmatch(mark)))
    if raw is not None and len(kept) != (len(raw) if isinstance(raw, list) else -1):
        ignored.append("mark")
    return kept


def _storage(raw: Mapping[str, object], ignored: list[str]) -> StorageRecord:
    network, namespace = raw.get("activeNetworkId"), raw.get("activeNamespace")
    recent = raw.get("recent")
    if network is not None and not _is_chain_id(network):
        ignored.append("storage")
        network = None
    if namespace is not None and not is_namespace(namespace):
        ignored.append("storage")
        namespace = None
    return StorageRecord(
        active_network_id=network if isinstance(network, str) else None,
        active_namespace=namespace if is_namespace(namespace) else None,
        recent=_recent(recent, ignored),
        interrupted=_interrupted(raw.get("interrupted"), ignored),
        connectors=_connectors(raw.get("connectors"), ignored),
    )


def _interrupted(raw: object, ignored: list[str]) -> Interrupted | None:
    if raw is None:
        return None
    found = raw if isinstance(raw, Mapping) else {}
    namespace, connector = found.get("namespace"), found.get("connector")
    if isinstance(connector, str) and is_connector_id(connector):
        if is_namespace(namespace):
            return Interrupted(namespace=namespace, connector=connector)
        if namespace == "":
            return Interrupted(namespace="", connector=connector, wallet=_known_wallet(found.get("wallet")))
    ignored.append("storage")
    return None


def _connectors(raw: object, ignored: list[str]) -> dict[Namespace, str]:
    listed = raw if isinstance(raw, Mapping) else {}
    kept: dict[Namespace, str] = {
        namespace: connector
        for namespace, connector in list(listed.items())[:_MAX_ENTRIES]
        if is_namespace(namespace) and isinstance(connector, str) and is_connector_id(connector)
    }
    if raw is not None and (not isinstance(raw, Mapping) or len(kept) != len(raw)):
        ignored.append("storage")
    return kept


def _recent(raw: object, ignored: list[str]) -> tuple[RecentWallet, ...]:
    if not isinstance(raw, list):
        ignored.append("recent")
        return ()
    kept: dict[str, RecentWallet] = {}
    for entry in raw[:_MAX_ENTRIES]:
        wallet = _known_wallet(entry)
        if wallet is None:
            ignored.append("recent")
        elif len(kept) < RECENT_WALLETS:
            kept.setdefault(wallet.id, wallet)
    return tuple(kept.values())


def _known_wallet(raw: object) -> RecentWallet | None:
    fields = raw if isinstance(raw, Mapping) else {}
    wallet_id, name = fields.get("id"), fields.get("name")
    shown = clean_text(name, limit=40) if isinstance(name, str) else ""
    if not isinstance(wallet_id, str) or not is_connector_id(wallet_id) or not shown:
        return None
    return RecentWallet(id=wallet_id, name=shown, rdns=safe_rdns(fields.get("rdns")))


def _is_chain_id(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(parse_chain_id(value))
    except CaipError:
        return False
