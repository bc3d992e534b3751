"""Errors of steps that are not possible now, and of the secure frame."""

from typing import ClassVar, Final

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import CHAIN_DISCONNECTED, CHAIN_UNKNOWN, LIMIT_EXCEEDED, REJECTED, UNAUTHORIZED
from walletmodal.core.language import _
from walletmodal.core.text.texts import (
    AN_ERROR_OCCURRED,
    ANOTHER_NETWORK,
    CHAIN_NOT_SUPPORTED,
    FAILED_TO_DISCONNECT,
    NOT_RECORDED,
    REQUEST_WAS_ABORTED,
    SOMETHING_WRONG,
    TOO_MANY_PENDING,
    UNSUPPORTED_CHAIN,
)

FRAME_RPC_REQUEST: Final = "RPC_REQUEST"


class FlowError(WalletModalError):
    """A step that the state of connection, network or sign-in does not allow. The text is the class's own.

    Args:
        details: what was asked for, or why it failed.
    """

    name = "FlowError"
    text: ClassVar[str] = ""

    def __init__(self, details: str = "") -> None:
        super().__init__(self.text, details=details)


class DisconnectError(FlowError):
    """A wallet could not be disconnected."""

    name = "DisconnectError"
    text = FAILED_TO_DISCONNECT


class SignInNotEnabledError(FlowError):
    """Sign-in was asked for and is not part of this embed."""

    name = "SignInNotEnabledError"
    text = _("SIWX is not enabled")


class NoActiveAddressError(FlowError):
    """The step needs a connected account."""

    name, default_code = "NoActiveAddressError", UNAUTHORIZED
    text = "No ActiveCaipAddress found"


class NoActiveNetworkError(FlowError):
    """The step needs an active network."""

    name = "NoActiveNetworkError"
    text = "CaipNetwork is undefined"


class AdapterNotFoundError(FlowError):
    """No adapter serves the namespace."""

    name = "AdapterNotFoundError"
    text = "Adapter not found"


class ConnectorNotFoundError(FlowError):
    """Pairing was asked for, and there is no connector for it."""

    name = "ConnectorNotFoundError"
    text = "WalletConnectConnector not found"


class UnsupportedChainError(FlowError):
    """Transfers are made on eip155 and solana only."""

    name, default_code = "UnsupportedChainError", CHAIN_DISCONNECTED
    text = UNSUPPORTED_CHAIN


class ChainNotSupportedError(FlowError):
    """The wallet neither has the network nor takes it."""

    name, default_code = "ChainNotSupportedError", CHAIN_UNKNOWN
    text = CHAIN_NOT_SUPPORTED


class AnotherNetworkError(FlowError):
    """The account is on another network than the transaction is for."""

    name, default_code = "AnotherNetworkError", CHAIN_DISCONNECTED
    text = ANOTHER_NETWORK


class TooManyPendingError(FlowError):
    """As many transactions as may be pending wait already."""

    name, default_code = "TooManyPendingError", LIMIT_EXCEEDED
    text = TOO_MANY_PENDING


class NotRecordedError(FlowError):
    """The database did not take the record, and without it no wallet is asked."""

    name = "NotRecordedError"
    text = NOT_RECORDED


class FrameError(WalletModalError):
    """The secure frame answered with an error.

    Args:
        message: its own text, cleaned before; `An error occurred` where it gave none.
    """

    name = "FrameError"

    def __init__(self, message: str = "", *, code: int | None = None) -> None:
        super().__init__(message or AN_ERROR_OCCURRED, code=code)


class FrameAbortedError(FrameError):
    """A request to the frame was given up: `Request was aborted` for RPC, `Something went wrong` for all others.

    Args:
        kind: the message's type without its prefix, such as `RPC_REQUEST`.
    """

    name = "FrameAbortedError"

    def __init__(self, kind: str) -> None:
        self.kind = kind
        rpc = kind == FRAME_RPC_REQUEST
        super().__init__(REQUEST_WAS_ABORTED if rpc else SOMETHING_WRONG, code=REJECTED if rpc else None)


class FrameLoadError(FrameError):
    """The frame's page did not load."""

    name = "FrameLoadError"

    def __init__(self) -> None:
        super().__init__(_("Unable to load email login dependency"))
