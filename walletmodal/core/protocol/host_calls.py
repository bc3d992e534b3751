"""Calls of the host page: methods of the API and requests to its provider (docs/protocol.md §2, `call` and `request`)."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from walletmodal.core.chains.caip import Namespace, is_namespace, parse_chain_id
from walletmodal.core.chains.networks import Network, network_from_host
from walletmodal.core.errors import ProtocolError
from walletmodal.core.protocol.limits import check_limits
from walletmodal.core.protocol.open_arguments import read_payment
from walletmodal.core.text.display_text import clean_text

ToastVariant = Literal["success", "error"]
MOST_WAITED: Final = 60.0
"""Seconds that a browser is believed when it says how long ago its host has called."""
_MAX_TOAST: Final = 200
_MAX_METHOD: Final = 64
_MESSAGE_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class OpenCall:
    """Open the modal; `view` "" and `namespace` None leave the choice to the opening rules. Neither the view nor `arguments` is checked yet."""

    view: str
    namespace: Namespace | None
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CloseCall:
    """Close the modal."""


@dataclass(frozen=True, slots=True)
class SwitchNetworkCall:
    """Switch to a network by its CAIP-2 id."""

    caip_network_id: str


@dataclass(frozen=True, slots=True)
class DisconnectCall:
    """Disconnect one namespace, or all with None."""

    namespace: Namespace | None


@dataclass(frozen=True, slots=True)
class AddNetworkCall:
    """Offer one more network, already checked."""

    network: Network


@dataclass(frozen=True, slots=True)
class RemoveNetworkCall:
    """Offer one network less."""

    caip_network_id: str


@dataclass(frozen=True, slots=True)
class ToastCall:
    """Show the host's own message."""

    message: str
    variant: ToastVariant


@dataclass(frozen=True, slots=True)
class OptionsCall:
    """Change options while running; raw, for `options.read_options`."""

    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SignInCall:
    """Sign in, over Connect where nothing is connected; answered when the visitor has."""


@dataclass(frozen=True, slots=True)
class OnrampCall:
    """Say what an amount buys, for the element `wallet-modal-onramp`; "" for no amount."""

    amount: str


@dataclass(frozen=True, slots=True)
class SessionCall:
    """The sign-in of the account in use, as a fresh token."""


@dataclass(frozen=True, slots=True)
class SignOutCall:
    """End all sign-ins of this browser at this page."""


HostCall = (
    OpenCall
    | CloseCall
    | SwitchNetworkCall
    | DisconnectCall
    | AddNetworkCall
    | RemoveNetworkCall
    | ToastCall
    | OptionsCall
    | SignInCall
    | SessionCall
    | SignOutCall
    | OnrampCall
)


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A request to the host's provider (EIP-1193).

    Attributes:
        params: unchecked JSON, a list, an object, or None.
        stamp: of our own, another one for each request that is decided and the same when its event is done again; "" before that.
    """

    namespace: Namespace
    method: str
    params: list[Any] | dict[str, Any] | None
    stamp: str = ""


def parse_message_id(obj: object) -> str:
    """The id under which a `call` or `request` is answered.

    Raises:
        ProtocolError: `malformed`.
    """
    found = _object(obj).get("id")
    if not isinstance(found, str) or not _MESSAGE_ID.fullmatch(found):
        raise ProtocolError("malformed", "id")
    return found


def parse_seconds_left(obj: object) -> float:
    """How long the host still waits for the answer to a `call` or `request`, as its browser has said when it sent it; without a word, for ever.

    Raises:
        ProtocolError: `malformed`.
    """
    left = _object(obj).get("left")
    if left is None:
        return math.inf
    if not isinstance(left, int) or isinstance(left, bool) or left < 0:
        raise ProtocolError("malformed", "left")
    return left / 1000


def seconds_waited_in_page(waited: object) -> float:
    """How long ago a host has called when its browser sent the call, in s: 0 to 60, whatever the browser has said in ms."""
    try:
        found = float(waited) if isinstance(waited, int | str) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return min(max(found / 1000, 0.0), MOST_WAITED) if math.isfinite(found) else 0.0


def parse_call(obj: object) -> HostCall:
    """Read the payload of a `call`: `{method, params}`.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
        CaipError: `Invalid CAIP-2 network id: x`, for the host to see.
        NetworkError: a network that cannot be used, for the host to see.
    """
    check_limits(obj)
    raw = _object(obj)
    method, params = raw.get("method"), _object(raw.get("params") or {})
    read = _READERS.get(method) if isinstance(method, str) else None
    if read is None:
        raise ProtocolError("malformed", "call: unknown method")
    return read(params)


def parse_request(obj: object) -> HostRequest:
    """Read the payload of a `request`: `{namespace, method, params}`. Whether the method is allowed is `core.requests.methods.find_method`'s to say.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
    """
    check_limits(obj)
    raw = _object(obj)
    namespace, method, params = raw.get("namespace"), raw.get("method"), raw.get("params")
    if not is_namespace(namespace):
        raise ProtocolError("malformed", "request: unknown namespace")
    if not isinstance(method, str) or not 0 < len(method) <= _MAX_METHOD:
        raise ProtocolError("malformed", "request: method")
    if params is not None and not isinstance(params, list | dict):
        raise ProtocolError("malformed", "request: params")
    return HostRequest(namespace, method, params)


def _toast(params: Mapping[str, object]) -> ToastCall:
    variant, message = params.get("variant"), params.get("message")
    if variant not in ("success", "error") or not isinstance(message, str):
        raise ProtocolError("malformed", "toast: message or variant")
    return ToastCall(clean_text(message, limit=_MAX_TOAST), variant)


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ProtocolError("malformed", "not an object")
    return value


def _text(value: object, limit: int) -> str:
    if not isinstance(value, str) or len(value) > limit:
        raise ProtocolError("malformed", "not a short text")
    return value


def _namespace(value: object) -> Namespace | None:
    if value is None or value == "":
        return None
    if not is_namespace(value):
        raise ProtocolError("malformed", "unknown namespace")
    return value


def _chain(value: object) -> str:
    return str(parse_chain_id(_text(value, 64)))


_READERS: Final[dict[str, Callable[[Mapping[str, object]], HostCall]]] = {
    "open": lambda params: OpenCall(
        _text(params.get("view") or "", 64), _namespace(params.get("namespace")), _object(params.get("arguments") or {})
    ),
    "close": lambda _params: CloseCall(),
    "switchNetwork": lambda params: SwitchNetworkCall(_chain(params.get("caipNetworkId"))),
    "disconnect": lambda params: DisconnectCall(_namespace(params.get("namespace"))),
    "addNetwork": lambda params: AddNetworkCall(network_from_host(params.get("network"))),
    "removeNetwork": lambda params: RemoveNetworkCall(_chain(params.get("caipNetworkId"))),
    "toast": _toast,
    "signIn": lambda _params: SignInCall(),
    "getSession": lambda _params: SessionCall(),
    "signOut": lambda _params: SignOutCall(),
    "onramp": lambda params: OnrampCall(read_payment(_text(params.get("amount") or "", 64))),
    "options": lambda params: OptionsCall(dict(_object(params.get("options")))),
}
CALL_METHODS: Final = frozenset(_READERS)
"""Every method of a `call`."""
