"""Sync of the active network with the wallets: what they are on, what they approve, which are still there."""

from __future__ import annotations

import reflex as rx

from walletmodal.config import network_table, settings
from walletmodal.core.chains.caip import NAMESPACES, Namespace, parse_chain_id
from walletmodal.core.chains.networks import Network
from walletmodal.core.connections.connections import Changes, Connection, Connections
from walletmodal.core.protocol.options import HostOptions
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.protocol.views import VIEWS
from walletmodal.features.account.active import activate_namespace
from walletmodal.features.account.state import ACCOUNTS, AccountMixin, account, use_network
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState

NOT_OFFERED = "networks: not offered by this deployment: "


async def reset_networks(state: rx.State) -> None:
    """Clears the networks that the page before had added, and its switch."""
    networks = await state.get_state(NetworksState)
    networks._networks, networks.search = {}, ""
    networks.phase, networks.error, networks.target, networks._command = "idle", "", "", ""


def configured_networks(wanted: tuple[str, ...]) -> list[Network]:
    """Returns the networks that an embed may use: its own choice out of the deployment's, else all."""
    allowed = settings().networks
    chosen = [chain for chain in wanted if chain in allowed] or allowed
    return [network_table()[chain] for chain in chosen]


async def show_namespace(state: rx.State, namespace: Namespace | None) -> None:
    """Shows the account of the namespace that the host opens the modal for, where there is one."""
    if namespace is not None:
        await (await state.get_state(NetworksState))._activate_namespace(namespace)


async def sync_networks(state: rx.State, snapshot: Snapshot, changes: Changes) -> Followups:
    """Updates the configured list, and activates the network of the connected wallet or the remembered one."""
    networks, shell = await state.get_state(NetworksState), await state.get_state(ShellState)
    options = (await state.get_state(EmbedState))._options
    await _sync_configured(networks, options)
    followups: Followups = []
    for connection in changes.after.held:
        namespace = connection.namespace
        held = await account(state, namespace)
        chain = _network_of(networks, held, connection, snapshot, new=namespace in changes.wallets)
        if await use_network(state, namespace, chain.partition(":")[2]):
            followups.append(ACCOUNTS[namespace].refresh_balance)
        held._set_network(networks._find_network(chain))
    _mark_unapproved(networks, changes.after)
    networks._update_rows(options.chain_images)
    before = networks.active
    namespace = _active_namespace(networks, snapshot, options, changes)
    await activate_namespace(state, namespace)
    lost = before.partition(":")[0] in changes.disconnected
    await _sync_active(networks, shell, snapshot, namespace, changes)
    stranded = snapshot.settled and not shell.connected and VIEWS[shell.view].needs_account
    if (stranded or (lost and not shell._is_connecting())) and await shell._is_visible():
        await shell._close()
    return followups


async def _sync_configured(networks: NetworksState, options: HostOptions) -> None:
    if networks._wanted != options.networks or not networks._networks:
        networks._wanted = options.networks
        networks._set_networks(configured_networks(options.networks), options.chain_images)
        missing = [chain for chain in options.networks if chain not in networks._networks]
        if missing:
            await (await networks.get_state(BridgeState))._warn(NOT_OFFERED + ", ".join(missing[:20]))
    networks._stops_unsupported = options.enable_network_switch and not options.allow_unsupported_chain


def _network_of(
    networks: NetworksState, held: AccountMixin, connection: Connection, snapshot: Snapshot, *, new: bool
) -> str:
    """Returns an account's network by CAIP-2 id: the wallet's own, or the one that it is told with each request.

    Of those that are told, the one in use stays while it is offered and approved, after a reload the one that was in use.
    """
    namespace = held.namespace
    told, current = f"{namespace}:{connection.session.chain}", f"{namespace}:{connection.chain}"
    if held._has_own_network():
        return told
    if not new and not networks._stops_unsupported:
        return current
    last, stored = networks._last.get(namespace, ""), snapshot.storage.active_network_id or ""
    offered = networks._chains_of(namespace)
    wanted = (last, stored, told, *offered) if new else (current, last, *offered)
    return next((chain for chain in wanted if chain in offered and connection.permits(chain)), told)


def _mark_unapproved(networks: NetworksState, connections: Connections) -> None:
    """Marks what the connected wallets have not approved."""
    barred = [
        chain
        for connection in connections.held
        for chain in networks._chains_of(connection.namespace)
        if not connection.permits(chain)
    ]
    networks._put(barred=barred)


def _active_namespace(networks: NetworksState, snapshot: Snapshot, options: HostOptions, changes: Changes) -> Namespace:
    """Returns the active namespace: it stays, unless its account has gone or never came, and another one is there."""
    remembered = (networks.active, snapshot.storage.active_network_id, options.default_network)
    current = next((c for c in remembered if c and (c == networks.active or c in networks._networks)), "")
    namespace = parse_chain_id(current or next(iter(networks._networks))).namespace
    there = changes.after.namespaces
    moved = changes.connected or changes.disconnected or namespace in changes.before.awaited
    if namespace in there or not there or namespace in changes.after.awaited or not moved:
        return namespace
    return next(other for other in NAMESPACES if other in there)


async def _sync_active(
    networks: NetworksState, shell: ShellState, snapshot: Snapshot, namespace: Namespace, changes: Changes
) -> None:
    """Activates the network of the namespace's account; without an account the remembered one."""
    if not changes.after.has_account(namespace):
        options = (await networks.get_state(EmbedState))._options
        remembered = (networks.active, snapshot.storage.active_network_id, options.default_network)
        chain = next((c for c in remembered if c and c in networks._networks), next(iter(networks._networks)))
        await networks._activate(chain)
        return
    chain = f"{namespace}:{(await account(networks, namespace))._chain}"
    asks = namespace not in changes.connected and networks._stops_unsupported and chain not in networks._networks
    if chain == networks.active:
        await networks._activate(chain)
    elif asks and not (shell._is_connecting() and await shell._is_visible()):
        await networks._activate(chain)
        await shell._open("UnsupportedChain")
    else:
        await networks._finish_switch(chain)
