"""Taking permissions back: a transaction of the account, which the secure site's frame confirms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx

from walletmodal.core.chains.caip import AccountId
from walletmodal.core.language import _
from walletmodal.core.permissions.delegation import Delegation
from walletmodal.core.permissions.framework import MANAGER, NONCE
from walletmodal.core.permissions.redemption import disable_all_call, disable_call
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.requests.reading import read_request
from walletmodal.core.transfers.transaction_request import proposal_of
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.transactions.wallet_requests import ask_transaction


async def ask_to_revoke(
    state: rx.State,
    about: AccountId,
    delegation: Delegation | None,
    *,
    origin: str,
    then: str,
    context: Mapping[str, Any],
) -> Followups:
    """Asks the account for the transaction that ends one of its permissions, or all of them.

    Args:
        state: any of the visitor's.
        about: the account, on its network.
        delegation: of the permission; None for all that the account has granted so far.
        origin: of the host page.
        then: the name of the step (`Wiring.transaction_outcomes`) that the answer goes to.
        context: what that step needs, JSON.

    Raises:
        WalletModalError: the transaction cannot be asked for.
    """
    if delegation is None:
        to, data, title = NONCE, disable_all_call(), _("Take back all permissions")
        ends = _("Ends every permission that this account has granted on this network, those of other pages too")
    else:
        to, data, title = MANAGER, disable_call(delegation), _("Take back a permission")
        ends = _("Nobody can use it any more: {address}", address=delegation.delegate)
    hint = Hint(title=title, lines=[ends], facts=[ends])
    params = [{"from": about.address, "to": to, "data": "0x" + data.hex()}]
    transaction = read_request(
        method="eth_sendTransaction", chain=about.chain, account=about.address, origin=origin, params=params
    )
    return await ask_transaction(
        state, proposal=proposal_of(transaction), params=params, kind="host", then=then, context=context, hint=hint
    )
