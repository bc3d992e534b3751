"""What the host says to the bridge itself, or has said too early."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.host_calls import OptionsCall, parse_message_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState


async def on_early_call(state: rx.State, payload: Any) -> Followups:
    """Carries out a call that came before `init`."""
    return await (await state.get_state(BridgeState))._dispatch("call", parse_message_id(payload), payload)


async def on_early_request(state: rx.State, payload: Any) -> Followups:
    """Carries out a request that came before `init`."""
    return await (await state.get_state(BridgeState))._dispatch("request", parse_message_id(payload), payload)


async def change_options(state: rx.State, call_id: str, call: OptionsCall) -> Followups:
    """Host: `updateOptions` and `updateFeatures`."""
    bridge = await state.get_state(BridgeState)
    for warning in (await state.get_state(EmbedState))._update_options(call.options):
        await bridge._warn(warning)
    await bridge._settle(call_id)
    last, connections = bridge.get_value("_last"), bridge._connections
    return [] if last is None else await bridge._notify_features(last, Changes(connections, connections))
