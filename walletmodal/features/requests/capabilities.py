"""Wallet capabilities, checked before the visitor is prompted."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

import reflex as rx

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors.rpc import RpcError
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.limits import text_bytes
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.methods import find_method
from walletmodal.core.wallets.capabilities import UNKNOWN_METHOD, missing_method
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import ANSWER_SECONDS, wallet_request
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.requests.checks import MAX_WAITING_TEXT
from walletmodal.reflex_internals.json_text import json_dumps

ANSWERED: Final = "requests.answered"
_HAS_METHOD: Final = "walletmodal_hasMethod"


async def ask_capabilities(state: rx.State, call: str, asked: HostRequest, reason: str) -> bool:
    """Asks the wallet for its capabilities. Of a pairing the frame knows which methods were approved, and no phone is woken.

    Args:
        state: any of the visitor's.
        call: the envelope id under which the host waits.
        asked: of a method that not every wallet has; it has passed every check.
        reason: why the deployment wants it confirmed, for the visitor; "" for none.

    Returns:
        False where so much is being asked already that nothing more is kept.
    """
    held, bridge = await account(state, asked.namespace), await state.get_state(BridgeState)
    waiting = [
        entry["context"]["asked"] for entry in bridge.get_value("_records").values() if entry["then"] == ANSWERED
    ]
    everything = [_without_stamp(asked), *waiting]
    if len(json_dumps(everything)) > MAX_WAITING_TEXT or text_bytes(everything) > MAX_WAITING_TEXT:
        return False
    paired = held.connector == WALLET_CONNECT_ID
    method, params = (_HAS_METHOD, [asked.method]) if paired else ("wallet_getCapabilities", [held._accounts[0]])
    await bridge._issue(
        "wallet.request",
        wallet_request(held, method, params, seconds=ANSWER_SECONDS),
        then=ANSWERED,
        calls=[call],
        connector=held.connector,
        # Of the release before, which reads it too, the request has no stamp.
        asked=_without_stamp(asked),
        stamp=asked.stamp,
        reason=reason,
    )
    return True


def _without_stamp(asked: HostRequest) -> dict[str, Any]:
    return {name: value for name, value in asdict(asked).items() if name != "stamp"}


def capability_error(asked: HostRequest, reply: Reply, chain: ChainId, connector: str) -> RpcError | None:
    """Returns why the wallet cannot carry out a request, by what it has said; None where it may."""
    if connector == WALLET_CONNECT_ID:
        return missing_method(asked.method) if reply.value is False else None
    if reply.error is not None:
        return missing_method(asked.method) if reply.error.code in UNKNOWN_METHOD else None
    spec = find_method(asked.namespace, asked.method, asked.params)
    return spec.batch.lacks(asked.params, reply.value, hex(chain.number)) if spec and spec.batch else None
