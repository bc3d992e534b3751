"""Delegations of accounts to contracts (EIP-7702) in words for the visitor."""

from collections.abc import Sequence
from typing import Final

from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.decoding.delegations import read_delegations
from walletmodal.core.language import _, ngettext
from walletmodal.core.requests.summary_parts import Row, address_row, chain_text
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.authorization import ANY_CHAIN, Authorization
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR

DELEGATION_WARNING: Final = _(
    "It hands the account itself over to a contract, which can then do everything in its name."
)
EVERYWHERE_WARNING: Final = _("It does so on every network at once.")
ELSEWHERE_WARNING: Final = _("It hands an account over on another network than the one that you are on.")

_KNOWN: Final = {STATELESS_DELEGATOR: _("the stateless delegator of MetaMask's delegation framework")}
_MAX_SHOWN: Final = 8


def delegation_rows(request: HostedRequest, given: Sequence[object]) -> tuple[list[Row], list[str]]:
    """Describes authorizations, and what speaks against them.

    Args:
        request: that they come with.
        given: unchecked JSON of each.
    """
    found = read_delegations(given)
    rows = [row for one in found[:_MAX_SHOWN] for row in _rows(request, one)]
    left = len(given) - len(found)
    if left:
        rows.append(Row(_("Delegation"), _("cannot be read"), tone="warning"))
    if len(found) > _MAX_SHOWN:
        rows.append(Row("", ngettext("and {count} more", "and {count} more", len(found) - _MAX_SHOWN), tone="warning"))
    granting = [one for one in found if not one.revokes]
    warnings: list[str] = [DELEGATION_WARNING] if granting or left else []
    if any(one.chain_id == ANY_CHAIN for one in granting):
        warnings.append(EVERYWHERE_WARNING)
    if any(not _is_for(request, one) for one in granting):
        warnings.append(ELSEWHERE_WARNING)
    return rows, warnings


def _rows(request: HostedRequest, one: Authorization) -> list[Row]:
    if one.revokes:
        rows = [Row(_("Delegation"), _("taken back"))]
    else:
        rows = [address_row(_("Runs the code of"), one.address)]
        rows += [Row(_("Known as"), _KNOWN[one.address])] if one.address in _KNOWN else []
    if one.chain_id == ANY_CHAIN:
        rows.append(Row(_("Counts on"), _("every network"), tone="" if one.revokes else "warning"))
    elif not _is_for(request, one):
        network = bundled_networks().get(f"eip155:{one.chain_id}")
        rows.append(Row(_("Counts on"), network.name if network else chain_text(one.chain_id), tone="warning"))
    return rows


def _is_for(request: HostedRequest, one: Authorization) -> bool:
    return one.is_for(request.chain.number)
