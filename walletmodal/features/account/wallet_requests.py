"""Asking the connected wallet: the command for it, and reading what only the wallet knows.

The reading is for background events: a foreground one that waited for the reply would wait for itself.
"""

from __future__ import annotations

import asyncio
from typing import Any

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors.rpc import ResourceUnavailableRpcError, from_rpc
from walletmodal.core.protocol.commands import Hint, RequestParams
from walletmodal.core.protocol.messages import Reply
from walletmodal.features.account.state import AccountMixin, account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.services.balances import AskWallet, discovers_assets

ANSWER_SECONDS = 3.0
"""A wallet reads this from its own memory; who takes longer is asking somebody else, or its owner."""

_waiting: dict[str, asyncio.Future[Reply]] = {}
# Of this process: should the reply come to another worker, nobody waits there, and the reader goes another way after its time.


def wallet_request(
    held: AccountMixin,
    method: str,
    params: Any,
    *,
    chain: str = "",
    call: str = "",
    seconds: float | None = None,
    hint: Hint | None = None,
) -> dict[str, Any]:
    """Builds the parameters of the command `wallet.request` (`core.protocol.commands.RequestParams`).

    Args:
        held: the account whose wallet is asked.
        method: as pairings call it.
        params: its parameters, JSON.
        chain: CAIP-2 id; that of the account where it is "".
        call: id of the host's request that it carries out; the loader settles it.
        seconds: how long the wallet has; None leaves its owner the time of the deployment.
        hint: for the embedded wallet.
    """
    request = RequestParams(
        namespace=held.namespace,
        connector=held.connector,
        chain=chain or f"{held.namespace}:{held._chain}",
        method=method,
        params=params,
        timeout=int((settings().wallet_timeout_seconds if seconds is None else seconds) * 1000),
        request=call,
    )
    if hint is not None:
        request["hint"] = hint
    return dict(request)


def wallet_asker(state: Any, chain: ChainId, *, seconds: float | None = None) -> AskWallet:
    """Returns a function that asks the wallet of a network's namespace.

    Args:
        state: `self` of a background event, not held while the wallet is asked.
        chain: on which network.
        seconds: how long the wallet has; `ANSWER_SECONDS` by default.
    """
    limit = ANSWER_SECONDS if seconds is None else seconds

    async def ask(method: str, params: list[object]) -> object:
        command_id, value, failure = new_id(), None, None
        answered = _waiting[command_id] = asyncio.get_running_loop().create_future()
        try:
            async with state:
                held = await account(state, chain.namespace)
                request = wallet_request(held, method, params, chain=str(chain), seconds=limit)
                bridge = await state.get_state(BridgeState)
                await bridge._issue("wallet.request", request, then="account.answered", command_id=command_id)
            reply = await asyncio.wait_for(answered, limit)
            value, error = reply.value, reply.error
            failure = None if error is None else from_rpc(error.code, error.message, method=method)
        except TimeoutError:
            failure = ResourceUnavailableRpcError("no answer in time", method=method)
        finally:
            del _waiting[command_id]
        async with state:
            await (await state.get_state(BridgeState))._cancel_command(command_id)
            if method == "wallet_getCapabilities" and not discovers_assets(value, hex(chain.number)):
                held = await account(state, chain.namespace)
                held._mute = held.caip_address, held.connector
        if failure is not None:
            raise failure
        return value

    return ask


async def on_wallet_reply(_state: rx.State, reply: Reply, _context: dict[str, Any]) -> Followups:
    """Hands a wallet's reply to the reader that waits for it."""
    answered = _waiting.get(reply.id)
    if answered is not None and not answered.done():
        answered.set_result(reply)
    return []
