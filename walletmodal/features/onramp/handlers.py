"""Buying's handlers of snapshots, pages and the host's arguments, and its part of the resume record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.codes import LIMIT_EXCEEDED
from walletmodal.core.protocol.host_calls import OnrampCall
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.onramp.buyer import active_buyer
from walletmodal.features.onramp.currencies import VIEWS as CHOICES
from walletmodal.features.onramp.currencies import CurrencyState
from walletmodal.features.onramp.progress import PROVIDERS, PurchaseState
from walletmodal.features.onramp.progress import VIEW as PROGRESS
from walletmodal.features.onramp.purchases import VIEW as ACTIVITY
from walletmodal.features.onramp.purchases import PurchasesState
from walletmodal.features.onramp.state import NO_ORDER, BuyState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.substates import get_substate

MAX_WAITING = 16
_ORDER = ("token", "currency", "amount", "host")


async def sync_onramp(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Syncs what is shown with account and network after a snapshot."""
    return await on_account_change(state)


async def on_account_change(state: rx.State) -> Followups:
    """Drops what was made for another account or network, and makes it anew where it is looked at."""
    found = await active_buyer(state)
    buy, progress = await state.get_state(BuyState), await state.get_state(PurchaseState)
    shell = await state.get_state(ShellState)
    if progress.phase != "idle":
        progress._put(here=await progress._is_here())
        if shell.view == PROGRESS and found is not None and not progress.here:
            shell._replace(PROVIDERS)
    if buy._of and (found is None or buy._of != found.caip_address):
        buy._clear()
    followups: Followups = []
    if shell.view == PROVIDERS:
        followups += await buy._renew()
    purchases = await state.get_state(PurchasesState)
    if purchases._of != (found.account if found else ""):
        purchases._clear()
        if shell.view == ACTIVITY:
            followups.append(PurchasesState.load)
    if shell.view in CHOICES and (await state.get_state(CurrencyState)).phase == "loading":
        followups.append(CurrencyState.load)
    return followups


async def reset_onramp(state: rx.State) -> None:
    """Clears what the page before has filled in; a purchase that was begun may still be paid."""
    await clear_onramp(state)
    (await state.get_state(BuyState))._waiting = ()
    (await state.get_state(PurchaseState))._put(here=False)


async def clear_onramp(state: rx.State) -> None:
    """Clears what nobody looks at any more."""
    buy = await state.get_state(BuyState)
    buy._clear()
    buy._drop_filled_in()
    (await state.get_state(CurrencyState))._clear()
    (await state.get_state(PurchasesState))._clear()


async def fill_in(state: rx.State, given: Mapping[str, str], host: str) -> None:
    """Fills in what the host gives with `open({view: "OnRampProviders", arguments})`."""
    buy = await state.get_state(BuyState)
    buy._clear()
    buy._drop_filled_in()
    filled = {name: value for name, value in given.items() if value}
    if filled:
        buy._put(**filled, host=host)


async def host_widget(state: rx.State, call_id: str, call: OnrampCall) -> Followups:
    """Host's element: what is chosen, and what an amount buys."""
    buy = await state.get_state(BuyState)
    waiting = buy.get_value("_waiting")
    if len(waiting) >= MAX_WAITING:
        bridge = await state.get_state(BridgeState)
        await bridge._settle(call_id, code=LIMIT_EXCEEDED, message="Too many calls wait for an answer")
        return []
    buy._waiting = (*waiting, (call_id, call.amount))
    return [BuyState.answer_widget]


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record; None where nothing is to be bought."""
    buy, progress = await get_substate(state, BuyState), await get_substate(state, PurchaseState)
    purchase = progress._to_record()
    order = {name: getattr(buy, name) for name in _ORDER}
    if purchase is None and buy._order() == NO_ORDER:
        return None
    return {**order, "purchase": purchase}


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned; pages are made anew."""
    buy, progress = await state.get_state(BuyState), await state.get_state(PurchaseState)
    for name in _ORDER:
        setattr(buy, name, part[name])
    if part["purchase"] is not None:
        progress._restore(part["purchase"])
