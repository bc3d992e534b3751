"""The messages of docs/protocol.md that the server reads and writes.

What comes in is a pydantic model behind a `parse_…` function that raises `ProtocolError`; what goes out is a `TypedDict`
of `outgoing.py`. `FIELDS` names the fields of each message, for the test that holds them against `loader/src/protocol.ts`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from walletmodal.core.addresses import is_address, normal_address
from walletmodal.core.caip import Namespace, is_namespace, is_reference, parse_chain_id
from walletmodal.core.constants import RECENT_WALLETS
from walletmodal.core.display_text import clean_text
from walletmodal.core.errors import CaipError, ProtocolError
from walletmodal.core.first_problem import first_problem
from walletmodal.core.message_limits import check_limits
from walletmodal.core.outgoing import (
    Command,
    CommandMethod,
    ConnectParams,
    DisconnectParams,
    News,
    NewsItem,
    PublicAccount,
    PublicNetwork,
    PublicState,
    RequestParams,
    SettleParams,
    WarnParams,
)
from walletmodal.core.urls import MAX_URL, is_web_url, normal_origin
from walletmodal.core.wallets import Wallet, is_connector_id, parse_wallets, safe_icon, safe_rdns

PROTOCOL_VERSION: Final = 1
MAX_ACCOUNTS: Final = 50
MAX_ERROR_TEXT: Final = 500
_MAX_ENTRIES: Final = 200
_T = TypeVar("_T")

ThemeMode = Literal["dark", "light"]

MessageId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""An epoch, a command id or an envelope id: random, never shown."""


class _Message(BaseModel):
    # Unknown fields are dropped rather than refused: a page may still run an older loader after a deployment.
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)


class Session(_Message):
    """A wallet's connection as the browser reports it: a claim, good enough to show (design §2).

    Attributes:
        connector: connector id.
        accounts: addresses in their normal spelling, the active one first, never empty.
        chain: CAIP-2 reference, such as `1`.
    """

    connector: str
    accounts: tuple[str, ...]
    chain: str


class RecentWallet(_Message):
    """A wallet that was used before (specification §3)."""

    id: str
    name: str
    rdns: str


class StorageRecord(_Message):
    """What the host page's storage remembers; every part may be missing or made up."""

    active_network_id: str | None
    active_namespace: Namespace | None
    recent: tuple[RecentWallet, ...]
    interrupted: str | None


class Snapshot(_Message):
    """All that the browser knows. Entries that could not be used are left out and named in `ignored`.

    Attributes:
        epoch, rev: the life of the host page, and the count of snapshots in it.
        settled: every remembered connector has answered, or was given up.
        ignored: one reason for each entry left out: `wallet`, `session`, `recent`, `storage`. Not on the wire.
    """

    epoch: MessageId
    rev: Annotated[int, Field(ge=0)]
    settled: bool
    wallets: tuple[Wallet, ...]
    sessions: dict[Namespace, Session]
    storage: StorageRecord
    ignored: Annotated[tuple[str, ...], Field(exclude=True)] = ()


class CommandError(_Message):
    """Why something failed, `{code, message}`; the message is cleaned and cut."""

    code: int
    message: Annotated[
        str, BeforeValidator(lambda text: clean_text(text, limit=MAX_ERROR_TEXT) if isinstance(text, str) else text)
    ]


class Reply(_Message):
    """The answer to a command. `value` is unchecked JSON; `error` is set exactly when `ok` is false."""

    id: MessageId
    epoch: MessageId
    ok: bool
    value: Any = None
    error: CommandError | None = None


class HostInfo(_Message):
    """The host page, as its loader describes it. `origin` is exact; the rest is for display only."""

    origin: str
    url: str
    title: str
    description: str
    icon: str
    standalone: bool
    mobile: bool


class Theme(_Message):
    """The theme of the host page; the variables are not yet checked (`theme_variables.check_theme_variables`)."""

    mode: ThemeMode | None
    variables: dict[str, Any]


class Init(_Message):
    """The first message on each port. `options` is raw JSON for `options.read_options`."""

    epoch: MessageId
    host: HostInfo
    options: dict[str, Any]
    theme: Theme
    snapshot: Snapshot


def _wire_fields(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(field.alias or name for name, field in model.model_fields.items() if field.exclude is not True)


FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "Snapshot": _wire_fields(Snapshot),
    "Snapshot.storage": _wire_fields(StorageRecord),
    "WalletEntry": _wire_fields(Wallet),
    "Session": _wire_fields(Session),
    "RecentWallet": _wire_fields(RecentWallet),
    "Reply": _wire_fields(Reply),
    "ProtocolError": _wire_fields(CommandError),
    "Host": _wire_fields(HostInfo),
    "Theme": _wire_fields(Theme),
    "Init": _wire_fields(Init),
    "Command": tuple(Command.__annotations__),
    "News": tuple(News.__annotations__),
    "NewsItem": tuple(NewsItem.__annotations__),
    "PublicState": tuple(PublicState.__annotations__),
    "Network": tuple(PublicNetwork.__annotations__),
    "Account": tuple(PublicAccount.__annotations__),
}
"""Fields of each message as they stand on the wire, under the name that its type has in `loader/src/protocol.ts`."""

COMMAND_PARAMS: Final[dict[CommandMethod, tuple[str, ...]]] = {
    "wallet.connect": tuple(ConnectParams.__annotations__),
    "wallet.request": tuple(RequestParams.__annotations__),
    "wallet.disconnect": tuple(DisconnectParams.__annotations__),
    "host.settle": tuple(SettleParams.__annotations__),
    "host.warn": tuple(WarnParams.__annotations__),
}
"""Fields of each command's parameters (docs/protocol.md §3)."""

_EPOCH: Final[TypeAdapter[str]] = TypeAdapter(MessageId)
_REPLY: Final = TypeAdapter(Reply)
_THEME: Final = TypeAdapter(Theme)


def parse_snapshot(obj: object) -> Snapshot:
    """Read a snapshot.

    The frame of the message must be right; single wallets, sessions and stored values that are not are left out, because they come
    from wallets and from storage that anyone may have written, and must not take the rest of the page with them.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
    """
    check_limits(obj, any_text=True)
    return _snapshot(_object(obj, "snapshot"))


def parse_reply(obj: object) -> Reply:
    """Read the answer to a command.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
    """
    check_limits(obj, any_text=True)
    raw = _object(obj, "reply")
    # The text of an error is cleaned instead: a wallet that cuts its message within an emoji still has its flow ended.
    check_limits(raw.get("value"))
    reply = _validated(_REPLY, raw, "reply")
    if reply.ok is (reply.error is not None):
        raise ProtocolError("malformed", "reply: ok and error contradict each other")
    return reply


def parse_init(obj: object) -> Init:
    """Read the first message of a port.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
    """
    check_limits(obj, any_text=True)
    raw = _object(obj, "init")
    check_limits([raw.get("options"), raw.get("theme")])
    snapshot = _snapshot(_object(raw.get("snapshot"), "init.snapshot"))
    epoch = _validated(_EPOCH, raw.get("epoch"), "init.epoch")
    if snapshot.epoch != epoch:
        raise ProtocolError("malformed", "init.epoch: differs from the snapshot's")
    return Init(
        epoch=epoch,
        host=_host(_object(raw.get("host"), "init.host")),
        options=dict(_object(raw.get("options"), "init.options")),
        theme=_validated(_THEME, raw.get("theme"), "init.theme"),
        snapshot=snapshot,
    )


def parse_session(namespace: Namespace, connector: object, value: object) -> Session:
    """Read `{accounts, chain}`: a session of a snapshot, or the value of a `wallet.connect` reply.

    Raises:
        ProtocolError: `malformed`: no usable account, or a chain that the namespace does not know.
    """
    raw = _object(value, "session")
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
    return Session(connector=connector, accounts=normal, chain=chain)


def _snapshot(raw: Mapping[str, object]) -> Snapshot:
    wallets, sessions, settled, rev = raw.get("wallets"), raw.get("sessions"), raw.get("settled"), raw.get("rev")
    if not isinstance(wallets, list) or len(wallets) > _MAX_ENTRIES:
        raise ProtocolError("malformed", "snapshot.wallets")
    if not isinstance(settled, bool) or type(rev) is not int or rev < 0:
        raise ProtocolError("malformed", "snapshot.settled or rev")
    ignored: list[str] = []
    listed, left_out = parse_wallets(wallets)
    ignored += ["wallet"] * left_out
    return Snapshot(
        epoch=_validated(_EPOCH, raw.get("epoch"), "snapshot.epoch"),
        rev=rev,
        settled=settled,
        wallets=listed,
        sessions=_sessions(_object(sessions, "snapshot.sessions"), ignored),
        storage=_storage(_object(raw.get("storage"), "snapshot.storage"), ignored),
        ignored=tuple(ignored),
    )


def _sessions(raw: Mapping[str, object], ignored: list[str]) -> dict[Namespace, Session]:
    kept: dict[Namespace, Session] = {}
    for namespace, entry in list(raw.items())[:_MAX_ENTRIES]:
        try:
            if not is_namespace(namespace):
                raise ProtocolError("malformed", "session: namespace")
            kept[namespace] = parse_session(namespace, _object(entry, "session").get("connector"), entry)
        except ProtocolError:
            ignored.append("session")
    return kept


def _storage(raw: Mapping[str, object], ignored: list[str]) -> StorageRecord:
    network, namespace, interrupted = raw.get("activeNetworkId"), raw.get("activeNamespace"), raw.get("interrupted")
    recent = raw.get("recent")
    if network is not None and not _is_chain_id(network):
        ignored.append("storage")
        network = None
    if namespace is not None and not is_namespace(namespace):
        ignored.append("storage")
        namespace = None
    if interrupted is not None and not is_connector_id(interrupted):
        ignored.append("storage")
        interrupted = None
    return StorageRecord(
        active_network_id=network if isinstance(network, str) else None,
        active_namespace=namespace if is_namespace(namespace) else None,
        recent=_recent(recent, ignored),
        interrupted=interrupted if isinstance(interrupted, str) else None,
    )


def _recent(raw: object, ignored: list[str]) -> tuple[RecentWallet, ...]:
    if not isinstance(raw, list):
        ignored.append("recent")
        return ()
    kept: dict[str, RecentWallet] = {}
    for entry in raw[:_MAX_ENTRIES]:
        fields = entry if isinstance(entry, Mapping) else {}
        wallet_id, name = fields.get("id"), fields.get("name")
        shown = clean_text(name, limit=40) if isinstance(name, str) else ""
        if not isinstance(wallet_id, str) or not is_connector_id(wallet_id) or not shown:
            ignored.append("recent")
        elif len(kept) < RECENT_WALLETS:
            kept.setdefault(wallet_id, RecentWallet(id=wallet_id, name=shown, rdns=safe_rdns(fields.get("rdns"))))
    return tuple(kept.values())


def _is_chain_id(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(parse_chain_id(value))
    except CaipError:
        return False


def _host(raw: Mapping[str, object]) -> HostInfo:
    origin, standalone, mobile = raw.get("origin"), raw.get("standalone"), raw.get("mobile")
    if not isinstance(origin, str) or normal_origin(origin) != origin:
        raise ProtocolError("malformed", "init.host.origin")
    if not isinstance(standalone, bool) or not isinstance(mobile, bool):
        raise ProtocolError("malformed", "init.host.standalone or mobile")
    url, title, description = raw.get("url"), raw.get("title"), raw.get("description")
    if not all(isinstance(text, str) for text in (url, title, description)):
        raise ProtocolError("malformed", "init.host: a text is missing")
    return HostInfo(
        origin=origin,
        url=url if isinstance(url, str) and len(url) <= MAX_URL and is_web_url(url) else origin,
        title=clean_text(str(title), limit=120),
        description=clean_text(str(description), limit=300),
        icon=safe_icon(raw.get("icon")),
        standalone=standalone,
        mobile=mobile,
    )


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ProtocolError("malformed", f"{what}: not an object")
    return value


def _validated(adapter: TypeAdapter[_T], value: object, what: str) -> _T:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        problem = first_problem(error)
        path = f"{what}.{problem.where}" if problem.where else what
        raise ProtocolError("malformed", f"{path}: {problem.kind}") from None
