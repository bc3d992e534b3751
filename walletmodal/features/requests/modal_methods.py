"""RPC methods that the modal itself answers, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.errors.codes import CHAIN_UNKNOWN
from walletmodal.core.requests.methods import find_method
from walletmodal.core.version import VERSION
from walletmodal.features.account.disconnecting import disconnect
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.networks.state import NetworksState

ModalMethod = Callable[[rx.State, str, Any], Awaitable[Followups]]
"""Answers the call of this id, whose parameters have the shape of the method."""


def granted(method: str, namespace: Namespace, accounts: list[str]) -> list[Any]:
    """Returns the connected accounts in the form of the method's standard."""
    spec = find_method(namespace, method)
    return spec.granted(accounts) if spec and spec.granted else []


async def _get_permissions(state: rx.State, call: str, _params: Any) -> Followups:
    held = await account(state, "eip155")
    accounts = list(held._accounts) if held.status == "connected" else []
    await (await state.get_state(BridgeState))._settle(call, granted("wallet_getPermissions", "eip155", accounts))
    return []


async def _revoke_permissions(state: rx.State, call: str, _params: Any) -> Followups:
    return await disconnect(state, "eip155", call)


async def _switch_chain(state: rx.State, call: str, params: Any) -> Followups:
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    held = await account(state, "eip155")
    chain = f"eip155:{int(params[0]['chainId'], 16)}"
    if chain not in networks._networks:
        await bridge._settle(call, code=CHAIN_UNKNOWN, message="An error occurred when attempting to switch chain.")
    elif held.status == "connected" and chain == f"eip155:{held._chain}":
        await bridge._settle(call)
    else:
        return await networks._host_switch(chain, call)
    return []


async def _net_version(state: rx.State, call: str, _params: Any) -> Followups:
    held, networks = await account(state, "eip155"), await state.get_state(NetworksState)
    version = held._chain or networks._preferred_chain("eip155").partition(":")[2]
    await (await state.get_state(BridgeState))._settle(call, version)
    return []


async def _client_version(state: rx.State, call: str, _params: Any) -> Followups:
    await (await state.get_state(BridgeState))._settle(call, f"WalletModal/{VERSION}")
    return []


MODAL_METHODS: Final[Mapping[str, ModalMethod]] = {
    "net_version": _net_version,
    "wallet_addEthereumChain": _switch_chain,
    "wallet_getPermissions": _get_permissions,
    "wallet_revokePermissions": _revoke_permissions,
    "wallet_switchEthereumChain": _switch_chain,
    "web3_clientVersion": _client_version,
}
"""The methods of the kind `modal`."""
