"""The messages of docs/protocol.md that the server reads and writes.

What comes in is a pydantic model behind a `parse_…` function that raises `ProtocolError`; what goes out is a `TypedDict`
of `outgoing.py`. `FIELDS` names the fields of each message, for the test that holds them against `loader/src/protocol.ts`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, BeforeValidator, TypeAdapter

from walletmodal.core.errors import ProtocolError
from walletmodal.core.parsing.urls import MAX_URL, is_web_url, normal_origin
from walletmodal.core.protocol.commands import (
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
from walletmodal.core.protocol.limits import check_limits, text_bytes
from walletmodal.core.protocol.shapes import Message, MessageId, as_object, validated
from walletmodal.core.protocol.snapshots import (
    Interrupted,
    Peer,
    RecentWallet,
    Session,
    Snapshot,
    StorageRecord,
    User,
    read_snapshot,
)
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.wallets.announced import Wallet, safe_icon

PROTOCOL_VERSION: Final = 1
MAX_ERROR_TEXT: Final = 500
MAX_HOST_ICON: Final = 16 * 1024
"""Of the page, as its loader found it; an option names another one."""

ThemeMode = Literal["dark", "light"]
System = Literal["ios", "android", "mac", ""]
"""The visitor's system, as far as links and stores differ by it."""


class CommandError(Message):
    """Why something failed, `{code, message}`; the message is cleaned and cut."""

    code: int
    message: Annotated[
        str, BeforeValidator(lambda text: clean_text(text, limit=MAX_ERROR_TEXT) if isinstance(text, str) else text)
    ]


class Reply(Message):
    """The answer to a command. `value` is unchecked JSON; `error` is set exactly when `ok` is false."""

    id: MessageId
    epoch: MessageId
    ok: bool
    value: Any = None
    error: CommandError | None = None


class HostInfo(Message):
    """The host page, as its loader describes it. `origin` is exact; the rest is for display only.

    `mobile`: a phone or tablet; `telegram`: a page within Telegram; `system` "" where it makes no difference.
    """

    origin: str
    url: str
    title: str
    description: str
    icon: str
    standalone: bool
    mobile: bool
    telegram: bool
    system: System


class Theme(Message):
    """The theme of the host page; the variables are not yet checked (`theme_variables.check_theme_variables`)."""

    mode: ThemeMode | None
    variables: dict[str, Any]


class Init(Message):
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
    "Snapshot.interrupted": _wire_fields(Interrupted),
    "WalletEntry": _wire_fields(Wallet),
    "Session": _wire_fields(Session),
    "Session.peer": _wire_fields(Peer),
    "Session.user": _wire_fields(User),
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


def parse_reply(obj: object) -> Reply:
    """Read the answer to a command.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
    """
    check_limits(obj, any_text=True)
    raw = as_object(obj, "reply")
    # The text of an error is cleaned instead: a wallet that cuts its message within an emoji still has its flow ended.
    check_limits(raw.get("value"))
    reply = validated(_REPLY, raw, "reply")
    if reply.ok is (reply.error is not None):
        raise ProtocolError("malformed", "reply: ok and error contradict each other")
    return reply


def parse_init(obj: object) -> Init:
    """Read the first message of a port.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
    """
    check_limits(obj, any_text=True)
    raw = as_object(obj, "init")
    check_limits([raw.get("options"), raw.get("theme")])
    snapshot = read_snapshot(as_object(raw.get("snapshot"), "init.snapshot"))
    epoch = validated(_EPOCH, raw.get("epoch"), "init.epoch")
    if snapshot.epoch != epoch:
        raise ProtocolError("malformed", "init.epoch: differs from the snapshot's")
    return Init(
        epoch=epoch,
        host=_host(as_object(raw.get("host"), "init.host")),
        options=dict(as_object(raw.get("options"), "init.options")),
        theme=validated(_THEME, raw.get("theme"), "init.theme"),
        snapshot=snapshot,
    )


def _host(raw: Mapping[str, object]) -> HostInfo:
    origin, standalone, mobile = raw.get("origin"), raw.get("standalone"), raw.get("mobile")
    if not isinstance(origin, str) or normal_origin(origin) != origin:
        raise ProtocolError("malformed", "init.host.origin")
    if not isinstance(standalone, bool) or not isinstance(mobile, bool):
        raise ProtocolError("malformed", "init.host.standalone or mobile")
    url, title, description = raw.get("url"), raw.get("title"), raw.get("description")
    if not all(isinstance(text, str) for text in (url, title, description)):
        raise ProtocolError("malformed", "init.host: a text is missing")
    icon = safe_icon(raw.get("icon"))
    return HostInfo(
        origin=origin,
        url=url if isinstance(url, str) and len(url) <= MAX_URL and is_web_url(url) else origin,
        title=clean_text(str(title), limit=120),
        description=clean_text(str(description), limit=300),
        icon=icon if text_bytes(icon) <= MAX_HOST_ICON else "",
        standalone=standalone,
        mobile=mobile,
        telegram=raw.get("telegram") is True,
        system=_system(raw.get("system")),
    )


def _system(raw: object) -> System:
    return next((system for system in get_args(System) if system == raw), "")
