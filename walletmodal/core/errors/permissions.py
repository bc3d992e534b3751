"""Errors of permissions that the chain enforces."""

from walletmodal.core.errors.rules import RuleError


class PermissionUnreadableError(RuleError):
    """A permission, or the context of one, that cannot be read for what it is.

    Args:
        why: names the field, or says what is wrong with it.
    """

    name = "PermissionUnreadableError"

    def __init__(self, why: str) -> None:
        super().__init__("The permission cannot be read", details=why)
