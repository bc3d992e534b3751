"""A permission that was granted, as it is kept."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.permissions.delegation import Delegation, decode_context, encode_context
from walletmodal.core.permissions.execution_permissions import PermissionRequest, request_json
from walletmodal.core.permissions.permission import Permission, read_caveats

_LAST: Final = 253_402_300_799
"""Unix seconds: the end of the year 9999, beyond which Python has no dates."""


@dataclass(frozen=True, slots=True)
class PermissionRecord:
    """One granted permission.

    Attributes:
        id: the digest that was signed, in hex.
        account: that has granted it, on its network.
        delegate: who may act.
        origin: of the host page that has asked for it.
        granted: the permission as ERC-7715 has it.
        context: what it is redeemed with.
        granted_at, expires_at, revoked_at: in UTC; None for never, and for not at all.
    """

    id: str
    account: AccountId
    delegate: str
    origin: str
    granted: dict[str, Any]
    context: bytes
    granted_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None = None

    @property
    def delegation(self) -> Delegation:
        """As the account has signed it."""
        return decode_context(self.context)[0]

    @property
    def permission(self) -> Permission:
        """What its caveats hold."""
        return read_caveats(self.delegation.caveats)


def record_of(request: PermissionRequest, signed: Delegation, origin: str, now: datetime) -> PermissionRecord:
    """Makes the record of a permission that was signed just now.

    Args:
        request: as it was granted, with a start.
        signed: the delegation that holds it, with the account's verified signature.
        origin: of the host page.
        now: in UTC.
    """
    until = request.permission.until
    return PermissionRecord(
        id=signed.digest(request.chain_id).hex(),
        account=AccountId(ChainId("eip155", str(request.chain_id)), signed.delegator),
        delegate=signed.delegate,
        origin=origin,
        granted=request_json(request, signed.delegator),
        context=encode_context([signed]),
        granted_at=now,
        expires_at=None if until is None else datetime.fromtimestamp(min(until, _LAST), UTC),
    )
