"""Reading what only the connected wallet knows. For background events: a foreground one that waited for the reply would wait for itself."""

from __future__ import annotations

import asyncio
from typing import Any

import reflex as rx

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors.rpc import ResourceUnavailableRpcError, from_rpc
from walletmodal.core.protocol.messages import Reply
from walletmodal.features.account.state import account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.services.balances import AskWallet, discovers_assets

ANSWER_SECONDS = 3.0
"""A wallet reads this from its own memory; who takes longer is asking somebody else, or its owner."""

_waiting: dict[str, asyncio.Future[Reply]] = {}
# Of this process: should the reply come to another worker, nobody waits there, and the reader goes another way after its time.


def asker(state: Any, chain: ChainId) -> AskWallet:
    """What asks the wallet of a network's namespace.

    Args:
        state: `self` of a background event, not held while the wallet is asked.
        chain: on which network.
    """

    async def ask(method: str, params: list[object]) -> object:
        command_id, value, failure = new_id(), None, None
        answered = _waiting[command_id] = asyncio.get_running_loop().create_future()
        try:
            async with state:
                await _send(state, chain, command_id, method, params)
            reply = await asyncio.wait_for(answered, ANSWER_SECONDS)
            value, error = reply.value, reply.error
            failure = None if error is None else from_rpc(error.code, error.message, method=method)
        except TimeoutError:
            failure = ResourceUnavailableRpcError("no answer in time", method=method)
        finally:
            del _waiting[command_id]
        async with state:
            await (await state.get_state(BridgeState))._withdraw(command_id)
            if method == "wallet_getCapabilities" and not discovers_assets(value, hex(chain.number)):
                held = await account(state, chain.namespace)
                held._mute = held.caip_address, held.connector
        if failure is not None:
            raise failure
        return value

    return ask


async def _send(state: rx.State, chain: ChainId, command_id: str, method: str, params: list[object]) -> None:
    held = await account(state, chain.namespace)
    await (await state.get_state(BridgeState))._issue(
        "wallet.request",
        {
            "namespace": chain.namespace,
            "connector": held.connector,
            "chain": str(chain),
            "method": method,
            "params": params,
            "timeout": int(ANSWER_SECONDS * 1000),
            "request": "",
        },
        then="account.told",
        command_id=command_id,
    )


async def told(_state: rx.State, reply: Reply, _context: dict[str, Any]) -> Followups:
    """The wallet has answered."""
    answered = _waiting.get(reply.id)
    if answered is not None and not answered.done():
        answered.set_result(reply)
    return []
