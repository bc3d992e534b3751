"""Network calls of the host page: switch, add, remove."""

from __future__ import annotations

import reflex as rx

from walletmodal.config import network_table, settings
from walletmodal.core.chains.caip import NAMESPACES, Namespace, parse_chain_id
from walletmodal.core.chains.networks import Network
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import CHAIN_UNKNOWN, LIMIT_EXCEEDED, UNSUPPORTED_METHOD
from walletmodal.core.protocol.host_calls import AddNetworkCall, RemoveNetworkCall, SwitchNetworkCall
from walletmodal.core.protocol.host_rules import check_network_addition, check_network_removal
from walletmodal.core.protocol.limits import text_bytes
from walletmodal.core.protocol.options import HostOptions
from walletmodal.core.text.texts import alert
from walletmodal.features.account.state import ACCOUNTS, account, use_network
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.toasts.state import AlertState

MAX_NETWORKS = 200
MAX_NETWORKS_BYTES = 32 * 1024
"""Texts of all networks that a host has added, which its visitor's session keeps."""


async def host_switch(state: rx.State, call_id: str, call: SwitchNetworkCall) -> Followups:
    """Host: `switchNetwork(caipId)`; a network that is not configured raises an alert."""
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    chain = call.caip_network_id
    if chain not in networks._networks:
        await (await state.get_state(AlertState))._raise("SWITCH_NETWORK_NOT_FOUND")
        await bridge._settle(call_id, code=CHAIN_UNKNOWN, message=alert("SWITCH_NETWORK_NOT_FOUND").short)
        return []
    return await networks._host_switch(chain, call_id)


def _adapters(options: HostOptions) -> tuple[Namespace, ...]:
    """Returns the namespaces that the host offers; all without the option."""
    return NAMESPACES if options.adapters is None else tuple(options.adapters)


def added_networks(networks: NetworksState) -> list[Network]:
    """Lists the offered networks that are not of the deployment's table, which all sessions share."""
    table = network_table()
    return [network for chain, network in networks._networks.items() if network != table.get(chain)]


async def add_network(state: rx.State, call_id: str, call: AddNetworkCall) -> Followups:
    """Host: `addNetwork(namespace, network)`, for this embed only."""
    options = (await state.get_state(EmbedState))._options
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    network = call.network
    if len(networks._networks) >= MAX_NETWORKS or "networks" not in settings().changeable_options:
        await bridge._settle(
            call_id, code=UNSUPPORTED_METHOD, message="This deployment does not let an embed change: networks"
        )
        return []
    if text_bytes([*added_networks(networks), network]) > MAX_NETWORKS_BYTES:
        await bridge._settle(call_id, code=LIMIT_EXCEEDED, message="The added networks are too large together")
        return []
    try:
        check_network_addition(network.chain_namespace, _adapters(options))
    except WalletModalError as error:
        await bridge._settle(call_id, code=error.code, message=error.short_message)
        return []
    if network.caip_network_id not in networks._networks:
        networks._set_networks([*networks._networks.values(), network], options.chain_images)
        await networks._activate(networks.active)
    await bridge._settle(call_id)
    held = await account(state, network.chain_namespace)
    on_it = held.status == "connected" and held._chain == network.id
    counted_otherwise = on_it and held._set_network(networks._find_network(network.caip_network_id))
    return [ACCOUNTS[network.chain_namespace].refresh_balance] if counted_otherwise else []


async def remove_network(state: rx.State, call_id: str, call: RemoveNetworkCall) -> Followups:
    """Host: `removeNetwork(namespace, id)`; the last one of a namespace stays."""
    options = (await state.get_state(EmbedState))._options
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    offered = {network.chain_id: network for network in networks._networks.values()}
    try:
        chain = parse_chain_id(call.caip_network_id)
        check_network_removal(chain, offered, _adapters(options))
    except WalletModalError as error:
        await bridge._settle(call_id, code=error.code, message=error.short_message)
        return []
    if "networks" not in settings().changeable_options:
        await bridge._settle(
            call_id, code=UNSUPPORTED_METHOD, message="This deployment does not let an embed change: networks"
        )
        return []
    network = offered.pop(chain)
    networks._set_networks(list(offered.values()), options.chain_images)
    held = await account(state, network.chain_namespace)
    followups: Followups = []
    if held.status == "connected" and held._chain == network.id and not held._has_own_network():
        left = [other for other in networks._chains_of(network.chain_namespace) if held._permits(other)]
        if left and await use_network(state, held.namespace, parse_chain_id(left[0]).reference):
            followups.append(ACCOUNTS[network.chain_namespace].refresh_balance)
    if networks.active != call.caip_network_id:
        await networks._activate(networks.active)
    elif held.status == "connected":
        await networks._activate(f"{network.chain_namespace}:{held._chain}")
    else:
        await networks._activate(networks._preferred_chain(network.chain_namespace))
    await bridge._settle(call_id)
    return followups
