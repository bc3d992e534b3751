"""Errors of what visitors and hosts give: rules that are not about one address, amount or network."""

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import INVALID_PARAMS
from walletmodal.core.language import ngettext


class RuleError(WalletModalError):
    """Something that was given breaks a rule; the short message says which, in words for the one who gave it."""

    name = "RuleError"
    default_code = INVALID_PARAMS


class AccountNameError(RuleError):
    """A name that cannot be registered."""

    name = "AccountNameError"


class SendError(RuleError):
    """A transfer that cannot be made as it was entered."""

    name = "SendError"


class SwapError(RuleError):
    """A swap that is not offered: nothing is quoted for it, or what would be signed is not what was quoted."""

    name = "SwapError"


class PayloadError(RuleError):
    """A payload for the secure frame, or a wallet call, that breaks its schema; the text is the schema's own."""

    name = "PayloadError"


class PaddingError(RuleError):
    """A value that is longer than what it should be padded to."""

    name = "PaddingError"


class EmailCooldownError(RuleError):
    """Another email was asked for too early.

    Args:
        seconds: until the next one may be asked for, rounded up.
    """

    name = "EmailCooldownError"

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(
            ngettext("Please try again after {count} seconds", "Please try again after {count} seconds", seconds)
        )


class HostOptionError(RuleError):
    """Options or calls of a host that contradict each other."""

    name = "HostOptionError"
