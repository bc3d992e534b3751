"""What speaks against a permission: grants that read harmless and are not."""

from typing import Final, Literal

from walletmodal.core.decoding.decoded_call import is_unlimited
from walletmodal.core.language import _
from walletmodal.core.permissions.contract_calls import hands_over_tokens
from walletmodal.core.permissions.cost import most_spent
from walletmodal.core.permissions.delegation import Delegation
from walletmodal.core.permissions.framework import ANYONE
from walletmodal.core.permissions.permission import Permission

Danger = Literal["no_expiry", "unlimited", "any_target", "anyone", "unreadable"]
"""no_expiry: it never ends by itself. unlimited: no amount limits it. any_target: it is not bound to a payment, a token or a contract.
anyone: everybody may use it. unreadable: it is held by terms that are not known here."""

DANGER_TEXTS: Final[dict[Danger, str]] = {
    "no_expiry": _("It never ends by itself."),
    "unlimited": _("It has no limit: all of it can be taken, now and whatever you get of it later."),
    "any_target": _("It is not bound to one token or contract: whatever your account can do could be done with it."),
    "anyone": _("It is for nobody in particular: everybody who gets hold of it can use it."),
    "unreadable": _("It is limited by terms that cannot be read here. Nobody can say what it allows."),
}

MOST_SECONDS: Final = 2**32
"""Unix seconds, in the year 2106: who writes a later end means none."""

_NOBODY: Final = "0x" + "0" * 40


def permission_dangers(permission: Permission, delegate: str, account: str) -> tuple[Danger, ...]:
    """Lists what speaks against a permission that can be read.

    Args:
        permission: what may be spent, or called.
        delegate: who may act.
        account: for which; it obeys calls of its own.
    """
    found = list[Danger]()
    if permission.until is None or permission.until >= MOST_SECONDS:
        found.append("no_expiry")
    most = most_spent(permission, permission.start)
    endless = permission.manner == "call" and (most is None or hands_over_tokens(permission.methods))
    limit = permission.amount if permission.maximum is None else permission.maximum
    if endless or is_unlimited(limit) or is_unlimited(most or 0):
        found.append("unlimited")
    if permission.contract.lower() == account.lower():
        found.append("any_target")
    if is_anyone(delegate) and not permission.redeemers:
        found.append("anyone")
    return tuple(found)


def delegation_dangers(delegation: Delegation, permission: Permission | None) -> tuple[Danger, ...]:
    """Lists what speaks against a delegation that somebody else has written.

    Args:
        delegation: as it would be signed.
        permission: what its caveats hold; None where that cannot be read.
    """
    if permission is not None:
        return permission_dangers(permission, delegation.delegate, delegation.delegator)
    anyone: tuple[Danger, ...] = ("anyone",) if is_anyone(delegation.delegate) else ()
    if not delegation.caveats:
        return ("no_expiry", "unlimited", "any_target", *anyone)
    return ("unreadable", *anyone)


def is_anyone(delegate: str) -> bool:
    """Whether an address stands for everybody, or for nobody whom one could name."""
    return delegate.lower() in (ANYONE, _NOBODY)
