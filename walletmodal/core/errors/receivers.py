"""Errors of names and receivers."""

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.language import _
from walletmodal.core.text.texts import RECEIVER_CHANGED, RECEIVER_GONE, RECEIVER_UNCHECKED


class NameLookupError(WalletModalError):
    """Where a name leads cannot be said now; that is not the same as leading nowhere. `details` say why."""

    name = "NameLookupError"

    def __init__(self, details: str) -> None:
        super().__init__(_("Error resolving name"), details=details)


class HistoryUnknownError(WalletModalError):
    """Whom an account has dealt with cannot be said now. `details` say why."""

    name = "HistoryUnknownError"

    def __init__(self, details: str) -> None:
        super().__init__(_("The history cannot be checked"), details=details)


class ReceiverChangedError(SendError):
    """A name leads elsewhere than when the visitor looked at it; nothing was sent.

    Args:
        address: where it leads now, or "" for nowhere.
    """

    name = "ReceiverChangedError"

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__(RECEIVER_CHANGED if address else RECEIVER_GONE)


class ReceiverUncheckedError(SendError):
    """Whether a name still leads to the address that the visitor saw cannot be said now; nothing was sent."""

    name = "ReceiverUncheckedError"

    def __init__(self, details: str) -> None:
        super().__init__(RECEIVER_UNCHECKED, details=details)
