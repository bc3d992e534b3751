"""Decisions of an operator's policy about a host's request (docs/policy.md)."""

from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import UNAUTHORIZED
from walletmodal.core.text.display_text import clean_text

MAX_REASON: Final = 200

ConfirmRequests = Literal["off", "policy", "all"]
"""Which requests the visitor is shown before the wallet is: none, those that the policy asks for, or all."""

_STRICTNESS: Final[tuple[ConfirmRequests, ...]] = ("off", "policy", "all")


@dataclass(frozen=True, slots=True)
class Allow:
    """The wallet is asked."""


@dataclass(frozen=True, slots=True)
class Deny:
    """The wallet is not asked. `reason`: for the host's developer and the audit; one line, cut at 200 characters."""

    reason: str

    def __post_init__(self) -> None:
        _clean(self)


@dataclass(frozen=True, slots=True)
class Confirm:
    """The visitor is shown the request in the modal first. `reason`: for the visitor; one line, cut at 200 characters."""

    reason: str = ""

    def __post_init__(self) -> None:
        _clean(self)


Decision = Allow | Deny | Confirm


def _clean(decision: Deny | Confirm) -> None:
    if not isinstance(decision.reason, str):
        raise TypeError("a reason is a text")
    object.__setattr__(decision, "reason", clean_text(decision.reason, limit=MAX_REASON))


class DeniedError(WalletModalError):
    """The operator's policy does not allow the request; 4100 is EIP-1193's for what has not been authorized.

    Args:
        reason: of the policy; "" where it failed.
    """

    name = "DeniedError"
    default_code = UNAUTHORIZED

    def __init__(self, reason: str = "") -> None:
        self.reason = reason
        super().__init__(f"Not allowed by policy: {reason}" if reason else "Not allowed by policy")


def stricter(one: ConfirmRequests, other: ConfirmRequests) -> ConfirmRequests:
    """A host page may ask for more confirmations than its deployment, never for fewer."""
    return max(one, other, key=_STRICTNESS.index)
