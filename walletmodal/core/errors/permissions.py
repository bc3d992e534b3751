"""Errors of permissions that the chain enforces."""

from walletmodal.core.errors.rules import RuleError
from walletmodal.core.language import _


class PermissionUnreadableError(RuleError):
    """A permission, or the context of one, that cannot be read for what it is.

    Args:
        why: names the field, or says what is wrong with it.
    """

    name = "PermissionUnreadableError"

    def __init__(self, why: str) -> None:
        super().__init__("The permission cannot be read", details=why)


class PermissionsUnsupportedError(RuleError):
    """A permission for a network, or of an account, whose contracts could not hold it.

    Args:
        what: the network or account.
        why: a sentence for the visitor.
    """

    name = "PermissionsUnsupportedError"

    def __init__(self, what: str, why: str = _("Permissions cannot be granted on this network")) -> None:
        super().__init__(why, details=what)
