"""Request of a transfer to the wallet: told to the host, put on record, asked."""

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
from walletmodal.features.embedded.operations import PaidOperation, ask_operation
from walletmodal.features.send.frozen import Frozen, substance
from walletmodal.features.send.tokens import is_coin, symbol
from walletmodal.features.transactions.wallet_requests import ask_transaction
from walletmodal.services.chains.adapter import PreparedTransfer

ANSWERED: Final = "send.answered"


async def ask_wallet(
    review: Any, frozen: Frozen, transaction: PreparedTransfer, paid: PaidOperation | None
) -> Followups:
    """Asks the wallet to send what the visitor saw, or to sign what somebody pays for; where it cannot be asked, the preview says why."""
    state: rx.State = review
    told, bridge = await _send_details(state, frozen), await state.get_state(BridgeState)
    await bridge._publish(events.send_initiated(told))
    params = transaction.params if paid is None else substance(transaction)
    try:
        proposal = propose(
            frozen.chain,
            frozen.sender,
            transaction.method,
            params,
            transfer=frozen.transfer,
            name=frozen.receiver.name,
        )
        # The answer to this one question, and to no other, is what the preview waits for.
        review._on_asked(question := new_id())
        context = {**_details_to_context(told), "question": question, "paid": paid is not None}
        if paid is not None:
            return await ask_operation(
                state, paid, proposal=proposal, kind="send", hint=paid.hint, then=ANSWERED, context=context
            )
        return await ask_transaction(
            state, proposal=proposal, params=params, kind="send", then=ANSWERED, context=context
        )
    except WalletModalError as error:
        await bridge._publish(events.send_error(told, message=error.short_message))
        followups: Followups = review._on_refused(error.short_message)
        return followups


async def _send_details(state: rx.State, frozen: Frozen) -> events.SendDetails:
    """Returns the transfer as events tell it."""
    token = frozen.transfer.token
    coin = token.address is None or is_coin(token, frozen.chain)
    return events.SendDetails(
        is_smart_account=(await account(state, frozen.chain.namespace)).kind == "smartAccount",
        network=str(frozen.chain),
        token=symbol(token) if coin else str(token.address),
        amount=to_decimal(frozen.transfer.base_units, token.quantity.decimals),
    )


def _details_to_context(told: events.SendDetails) -> dict[str, Any]:
    return {
        "smart": told.is_smart_account,
        "network": told.network,
        "token": told.token,
        "amount": f"{told.amount:f}",
    }


def details_from_context(context: dict[str, Any]) -> events.SendDetails:
    """Restores the details from the command's context."""
    return events.SendDetails(
        is_smart_account=context["smart"],
        network=context["network"],
        token=context["token"],
        amount=Decimal(context["amount"]),
    )
