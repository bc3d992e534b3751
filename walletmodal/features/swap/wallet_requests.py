"""Request of a swap, or of the approval before it, to the wallet: put on record, asked."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.errors import WalletModalError
from walletmodal.core.transfers.transaction_request import Exchange, propose
from walletmodal.features.account.state import account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embedded.operations import PaidOperation, ask_operation
from walletmodal.features.embedded.payers import BATCH
from walletmodal.features.swap.frozen import FrozenSwap
from walletmodal.features.transactions.wallet_requests import ask_transaction
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.swaps import PreparedSwap, SwapOrder

ANSWERED: Final = "swap.answered"


async def ask_wallet(
    preview: Any, frozen: FrozenSwap, transaction: PreparedTransfer, paid: PaidOperation | None
) -> Followups:
    """Asks the wallet for the next step of what the visitor saw, or to sign what somebody pays for; where it cannot be asked, the preview says why."""
    state: rx.State = preview
    approves = frozen.approves
    method, params = (
        (BATCH, batch_params(frozen.order, frozen.prepared))
        if frozen.batch
        else (transaction.method, transaction.params)
    )
    told = await swap_details(state, frozen.order, frozen.texts)
    question = new_id()
    try:
        proposal = propose(
            frozen.order.account.chain,
            frozen.order.account.address,
            method,
            params,
            exchange=None if approves else _exchange(frozen),
        )
        preview._on_asked(question)
        context = {
            **_to_context(told),
            "approves": approves,
            "batch": frozen.batch and paid is None,
            "question": question,
            "paid": paid is not None,
        }
        if paid is not None:
            return await ask_operation(
                state,
                paid,
                proposal=proposal,
                kind="swap",
                hint=paid.hint,
                then=ANSWERED,
                context=context,
                request_id=question,
            )
        return await ask_transaction(
            state,
            proposal=proposal,
            params=params,
            kind="approval" if approves else "swap",
            then=ANSWERED,
            context=context,
            request_id=question,
        )
    except WalletModalError as error:
        bridge = await state.get_state(BridgeState)
        failed = events.swap_approval_error if approves else events.swap_error
        await bridge._publish(failed(told, message=error.short_message))
        followups: Followups = preview._on_refused(error.short_message)
        return followups


def batch_params(order: SwapOrder, prepared: PreparedSwap) -> list[dict[str, Any]]:
    """Builds the parameters of `wallet_sendCalls` (EIP-5792): all calls of the swap, or none of them."""
    batch = {
        "version": "2.0.0",
        "from": order.account.address,
        "chainId": hex(order.account.chain.number),
        "atomicRequired": True,
        "calls": [{"to": one.to, "data": one.data, "value": hex(one.value)} for one in prepared.calls],
    }
    return [batch]


def _exchange(frozen: FrozenSwap) -> Exchange:
    source, target = frozen.source, frozen.target
    return Exchange(
        given=frozen.order.amount,
        given_symbol=source.symbol,
        given_decimals=source.decimals,
        token=frozen.prepared.promise.target or "",
        least=frozen.prepared.least,
        symbol=target.symbol,
        decimals=target.decimals,
        image=target.icon,
    )


async def swap_details(state: rx.State, order: SwapOrder, texts: tuple[str, str, str, str]) -> events.SwapDetails:
    """Returns a swap as events tell it.

    Args:
        state: any of the visitor's.
        order: what is swapped.
        texts: symbols of both sides, and their amounts as decimal texts.
    """
    return events.SwapDetails(
        is_smart_account=(await account(state, order.account.chain.namespace)).kind == "smartAccount",
        network=str(order.account.chain),
        from_token=texts[0],
        to_token=texts[1],
        from_amount=Decimal(texts[2]),
        to_amount=Decimal(texts[3]),
    )


def _to_context(told: events.SwapDetails) -> dict[str, Any]:
    return {
        "smart": told.is_smart_account,
        "network": told.network,
        "from": told.from_token,
        "to": told.to_token,
        "given": f"{told.from_amount:f}",
        "received": f"{told.to_amount:f}",
    }


def details_from_context(context: Mapping[str, Any]) -> events.SwapDetails:
    """Restores the details from the command's context."""
    return events.SwapDetails(
        is_smart_account=context["smart"],
        network=context["network"],
        from_token=context["from"],
        to_token=context["to"],
        from_amount=Decimal(context["given"]),
        to_amount=Decimal(context["received"]),
    )
