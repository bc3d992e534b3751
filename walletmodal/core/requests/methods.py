"""All RPC methods that a host may use, out of the tables of the namespaces."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Protocol, cast

from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import UNSUPPORTED_METHOD
from walletmodal.core.requests.method import MethodKind, MethodSpec
from walletmodal.core.sign_in.message import SignInMessage
from walletmodal.core.text.display_text import clean_text

MAX_CALLS: Final = 100
"""Of one batch. No wallet takes more, and nobody could read them."""

NOT_ALLOWED: Final = "Requested RPC call is not allowed"
"""For the console of a host's developer; a visitor reads `texts.ACTION_NOT_ALLOWED`."""

METHOD_NOT_ALLOWED: Final = "RPC method not allowed"
"""What the call itself is refused with."""


class _Table(Protocol):
    METHODS: Sequence[MethodSpec]
    ONLY_PAIRED: Sequence[str]


def _table(namespace: Namespace) -> _Table:
    return cast("_Table", import_module(f"walletmodal.core.namespaces.{namespace}.methods"))


METHODS: Final[Mapping[Namespace, Mapping[str, MethodSpec]]] = {
    namespace: {spec.name: spec for spec in _table(namespace).METHODS} for namespace in NAMESPACES
}
"""By namespace and name."""

PAIRED_METHODS: Final[Mapping[Namespace, tuple[str, ...]]] = {
    namespace: (*(spec.name for spec in methods.values() if spec.paired), *_table(namespace).ONLY_PAIRED)
    for namespace, methods in METHODS.items()
}
"""What a pairing asks each namespace for."""


ACCOUNT_METHODS: Final[Mapping[str, Namespace]] = {
    name: namespace
    for namespace, methods in METHODS.items()
    for name, spec in methods.items()
    if spec.kind == "account"
}
"""Requests for accounts, and of which namespace."""


def methods_of_kinds(*kinds: MethodKind) -> dict[str, MethodSpec]:
    """Lists the names of the methods of these kinds, in all namespaces."""
    return {spec.name: spec for methods in METHODS.values() for spec in methods.values() if spec.kind in kinds}


NODE_METHODS: Final[Mapping[str, MethodSpec]] = methods_of_kinds("node")
"""What nodes are asked over HTTP."""


WALLET_METHODS: Final[Mapping[str, MethodSpec]] = methods_of_kinds("wallet")
"""What wallets are asked after checks, policy and the visitor."""


def calls_id_of(method: str, params: object) -> str:
    """The id that a page has given several calls; "" for none."""
    batch = WALLET_METHODS[method].batch
    found = batch.bundle(params) if batch is not None else None
    return found if isinstance(found, str) else ""


def method_names(specs: Iterable[MethodSpec]) -> frozenset[str]:
    """Returns the names of methods."""
    return frozenset(spec.name for spec in specs)


def find_method(namespace: Namespace, method: str, params: object = None) -> MethodSpec | None:
    """Finds the record of a method that a host asks a namespace for; None for one that it cannot have.

    Args:
        namespace: of the provider that is asked.
        method: as the host spelled it.
        params: unchecked JSON, by which two methods of one name are told apart.
    """
    found = METHODS[namespace].get(method)
    if found is None or found.variant is None:
        return found
    is_meant, other = found.variant
    return other if is_meant(params) else found


def sign_in_request(message: SignInMessage) -> tuple[str, Any]:
    """Returns the method, and its parameters, by which a wallet signs the message of a sign-in."""
    specs = METHODS[message.account_id.namespace].values()
    return next((spec.name, spec.sign_in(message)) for spec in specs if spec.sign_in)


class MethodNotAllowedError(WalletModalError):
    """A method that is in no table; 4200 is EIP-1193's unsupported method.

    Args:
        method: as the host spelled it.
    """

    name = "MethodNotAllowedError"
    default_code = UNSUPPORTED_METHOD

    def __init__(self, method: str) -> None:
        self.method = method
        super().__init__(METHOD_NOT_ALLOWED, details=NOT_ALLOWED, meta=[f"Method: {clean_text(method, limit=64)}"])
