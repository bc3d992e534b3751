"""The step to the wallet: told to the host, put on record, asked."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.errors import WalletModalError
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.transfers.transaction_request import propose
from walletmodal.features.account.state import account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.send.frozen import Frozen
from walletmodal.features.send.tokens import is_coin, symbol
from walletmodal.features.transactions.wallet_requests import ask_transaction
from walletmodal.services.chains.adapter import PreparedTransfer

ANSWERED: Final = "send.answered"


async def ask(review: Any, frozen: Frozen, transaction: PreparedTransfer) -> Followups:
    """Has the wallet send what the visitor saw; where it cannot be asked, the preview says why."""
    state: rx.State = review
    told, bridge = await _told(state, frozen), await state.get_state(BridgeState)
    await bridge._publish(events.send_initiated(told))
    try:
        proposal = propose(
            frozen.chain,
            frozen.sender,
            transaction.method,
            transaction.params,
            transfer=frozen.transfer,
            name=frozen.receiver.name,
        )
        # The answer to this one question, and to no other, is what the preview waits for.
        review._asked(question := new_id())
        followups = await ask_transaction(
            state,
            proposal=proposal,
            params=transaction.params,
            kind="send",
            then=ANSWERED,
            context={**_context(told), "question": question},
        )
    except WalletModalError as error:
        await bridge._publish(events.send_error(told, message=error.short_message))
        return review._refused(error.short_message)
    return followups


async def _told(state: rx.State, frozen: Frozen) -> events.SendDetails:
    """As the events tell it."""
    token = frozen.transfer.token
    coin = token.address is None or is_coin(token, frozen.chain)
    return events.SendDetails(
        is_smart_account=(await account(state, frozen.chain.namespace)).kind == "smartAccount",
        network=str(frozen.chain),
        token=symbol(token) if coin else str(token.address),
        amount=to_decimal(frozen.transfer.base_units, token.quantity.decimals),
    )


def _context(told: events.SendDetails) -> dict[str, Any]:
    return {
        "smart": told.is_smart_account,
        "network": told.network,
        "token": told.token,
        "amount": f"{told.amount:f}",
    }


def told_again(context: dict[str, Any]) -> events.SendDetails:
    """What was told when the wallet was asked."""
    return events.SendDetails(
        is_smart_account=context["smart"],
        network=context["network"],
        token=context["token"],
        amount=Decimal(context["amount"]),
    )
