"""Errors with the codes of JSON-RPC 2.0, EIP-1193, EIP-1474, EIP-3326 and EIP-5792."""

from typing import ClassVar, Final

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import (
    ATOMICITY_UNSUPPORTED,
    BUNDLE_TOO_LARGE,
    CAPABILITY_UNSUPPORTED,
    CHAIN_DISCONNECTED,
    CHAIN_UNKNOWN,
    CHAIN_UNSUPPORTED,
    DISCONNECTED,
    DUPLICATE_ID,
    INTERNAL_ERROR,
    INVALID_INPUT,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LIMIT_EXCEEDED,
    METHOD_NOT_FOUND,
    METHOD_NOT_SUPPORTED,
    PARSE_ERROR,
    REJECTED,
    REJECTED_CONNECTION,
    REJECTED_METHODS,
    RESOURCE_NOT_FOUND,
    RESOURCE_UNAVAILABLE,
    TRANSACTION_REJECTED,
    UNAUTHORIZED,
    UNKNOWN,
    UNKNOWN_BUNDLE,
    UNSUPPORTED_METHOD,
    UPGRADE_REJECTED,
    VERSION_UNSUPPORTED,
)
from walletmodal.core.language import _, with_values

_REJECTION_TEXTS: Final = ("user rejected", "user cancelled", "user canceled")
_REJECTION_CODES: Final = frozenset({REJECTED, REJECTED_CONNECTION, REJECTED_METHODS})


class RpcError(WalletModalError):
    """An error of a wallet or a node that has a standard code.

    Args:
        details: what the other side said.
        code: the code that it sent, where it is more exact than the class's own.
        data: its `data`, unchecked.
    """

    name = "RpcError"
    text: ClassVar[str] = _("An unknown RPC error occurred.")
    method_form: ClassVar[str] = ' "{}"'

    def __init__(self, details: str = "", *, code: int | None = None, method: str = "", data: object = None) -> None:
        self.method, self.data = method, data
        named = self.method_form.format(method) if method else ""
        super().__init__(with_values(self.text, method=named), code=code, details=details)


class ParseRpcError(RpcError):
    """The server could not read the JSON."""

    name, default_code = "ParseRpcError", PARSE_ERROR
    text = _("Invalid JSON was received by the server. An error occurred on the server while parsing the JSON text.")


class InvalidRequestRpcError(RpcError):
    """The JSON is no request."""

    name, default_code = "InvalidRequestRpcError", INVALID_REQUEST
    text = _("JSON is not a valid request object.")


class MethodNotFoundRpcError(RpcError):
    """The method is unknown."""

    name, default_code = "MethodNotFoundRpcError", METHOD_NOT_FOUND

    text = _("The method{method} does not exist / is not available.")


class InvalidParamsRpcError(RpcError):
    """The parameters are wrong."""

    name, default_code = "InvalidParamsRpcError", INVALID_PARAMS
    text = _(
        "Invalid parameters were provided to the RPC method.\nDouble check you have provided the correct parameters."
    )


class InternalRpcError(RpcError):
    """The other side failed."""

    name, default_code = "InternalRpcError", INTERNAL_ERROR
    text = _("An internal error was received.")


class InvalidInputRpcError(RpcError):
    """The input is missing or wrong."""

    name, default_code = "InvalidInputRpcError", INVALID_INPUT
    text = _("Missing or invalid parameters.\nDouble check you have provided the correct parameters.")


class ResourceNotFoundRpcError(RpcError):
    """What was asked for is not there."""

    name, default_code = "ResourceNotFoundRpcError", RESOURCE_NOT_FOUND
    text = _("Requested resource not found.")


class ResourceUnavailableRpcError(RpcError):
    """What was asked for cannot be had now, such as a wallet that is already asking its owner."""

    name, default_code = "ResourceUnavailableRpcError", RESOURCE_UNAVAILABLE
    text = _("Requested resource not available.")


class TransactionRejectedRpcError(RpcError):
    """The node refused the transaction."""

    name, default_code = "TransactionRejectedRpcError", TRANSACTION_REJECTED
    text = _("Transaction creation failed.")


class MethodNotSupportedRpcError(RpcError):
    """The method is known and not supported."""

    name, default_code = "MethodNotSupportedRpcError", METHOD_NOT_SUPPORTED

    text = _("Method{method} is not supported.")


class LimitExceededRpcError(RpcError):
    """Too much was asked for."""

    name, default_code = "LimitExceededRpcError", LIMIT_EXCEEDED
    text = _("Request exceeds defined limit.")


class JsonRpcVersionUnsupportedError(RpcError):
    """The protocol's version is not spoken."""

    name, default_code = "JsonRpcVersionUnsupportedError", VERSION_UNSUPPORTED
    text = _("Version of JSON-RPC protocol is not supported.")


class UserRejectedRequestError(RpcError):
    """The visitor said no. Codes 5000 (CAIP-25) and 5002 become 4001, which is what hosts test for (EIP-1193)."""

    name, default_code = "UserRejectedRequestError", REJECTED
    text = _("User rejected the request.")


class UnauthorizedProviderError(RpcError):
    """The visitor has not allowed the method or the account."""

    name, default_code = "UnauthorizedProviderError", UNAUTHORIZED
    text = _("The requested method and/or account has not been authorized by the user.")


class UnsupportedProviderMethodError(RpcError):
    """The provider does not know the method."""

    name, default_code = "UnsupportedProviderMethodError", UNSUPPORTED_METHOD

    text = _("The Provider does not support the requested method{method}.")
    # Hosts may compare with this text, so the space inside the quotes stays.
    method_form = ' " {}"'


class ProviderDisconnectedError(RpcError):
    """The provider reaches no chain at all."""

    name, default_code = "ProviderDisconnectedError", DISCONNECTED
    text = _("The Provider is disconnected from all chains.")


class ChainDisconnectedError(RpcError):
    """The provider does not reach the chain."""

    name, default_code = "ChainDisconnectedError", CHAIN_DISCONNECTED
    text = _("The Provider is not connected to the requested chain.")


class SwitchChainError(RpcError):
    """The wallet could not switch, usually because it does not know the chain."""

    name, default_code = "SwitchChainError", CHAIN_UNKNOWN
    text = _("An error occurred when attempting to switch chain.")


class UnsupportedNonOptionalCapabilityError(RpcError):
    """EIP-5792: a capability that the request insists on."""

    name, default_code = "UnsupportedNonOptionalCapabilityError", CAPABILITY_UNSUPPORTED
    text = _("This Wallet does not support a capability that was not marked as optional.")


class UnsupportedChainIdError(RpcError):
    """EIP-5792: a chain that the wallet does not serve."""

    name, default_code = "UnsupportedChainIdError", CHAIN_UNSUPPORTED
    text = _("This Wallet does not support the requested chain ID.")


class DuplicateIdError(RpcError):
    """EIP-5792: an id that is already taken."""

    name, default_code = "DuplicateIdError", DUPLICATE_ID
    text = _("There is already a bundle submitted with this ID.")


class UnknownBundleIdError(RpcError):
    """EIP-5792: an id that nobody has submitted."""

    name, default_code = "UnknownBundleIdError", UNKNOWN_BUNDLE
    text = _("This bundle id is unknown / has not been submitted")


class BundleTooLargeError(RpcError):
    """EIP-5792: too many calls."""

    name, default_code = "BundleTooLargeError", BUNDLE_TOO_LARGE
    text = _("The call bundle is too large for the Wallet to process.")


class AtomicReadyWalletRejectedUpgradeError(RpcError):
    """EIP-5792: the visitor refused the upgrade that would have made the calls atomic."""

    name, default_code = "AtomicReadyWalletRejectedUpgradeError", UPGRADE_REJECTED
    text = _("The Wallet can support atomicity after an upgrade, but the user rejected the upgrade.")


class AtomicityNotSupportedError(RpcError):
    """EIP-5792: atomic calls that the wallet cannot make."""

    name, default_code = "AtomicityNotSupportedError", ATOMICITY_UNSUPPORTED
    text = _("The wallet does not support atomic execution but the request requires it.")


class UnknownRpcError(RpcError):
    """Anything else."""

    name, default_code = "UnknownRpcError", UNKNOWN


_CLASSES: Final[tuple[type[RpcError], ...]] = (
    ParseRpcError,
    InvalidRequestRpcError,
    MethodNotFoundRpcError,
    InvalidParamsRpcError,
    InternalRpcError,
    InvalidInputRpcError,
    ResourceNotFoundRpcError,
    ResourceUnavailableRpcError,
    TransactionRejectedRpcError,
    MethodNotSupportedRpcError,
    LimitExceededRpcError,
    JsonRpcVersionUnsupportedError,
    UserRejectedRequestError,
    UnauthorizedProviderError,
    UnsupportedProviderMethodError,
    ProviderDisconnectedError,
    ChainDisconnectedError,
    SwitchChainError,
    UnsupportedNonOptionalCapabilityError,
    UnsupportedChainIdError,
    DuplicateIdError,
    UnknownBundleIdError,
    BundleTooLargeError,
    AtomicReadyWalletRejectedUpgradeError,
    AtomicityNotSupportedError,
)

RPC_ERRORS: Final[dict[int, type[RpcError]]] = {cls.default_code: cls for cls in _CLASSES} | dict.fromkeys(
    _REJECTION_CODES, UserRejectedRequestError
)
"""The class of each code that a wallet or node may answer with."""


def from_rpc(code: int, message: str = "", *, method: str = "", data: object = None) -> RpcError:
    """The error that a wallet's or node's `{code, message}` stands for; an unlisted code is kept in an `UnknownRpcError`."""
    cls = RPC_ERRORS.get(code)
    if cls is None:
        return UnknownRpcError(message, code=code, method=method, data=data)
    return cls(message, method=method, data=data)


def is_user_rejection(code: int, message: str = "") -> bool:
    """Whether the visitor said no: by code, or by text, since some wallets send -32603 or their own codes."""
    lowered = message.lower()
    return code in _REJECTION_CODES or any(text in lowered for text in _REJECTION_TEXTS)
