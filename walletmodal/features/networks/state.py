"""Which network is active, which may be chosen, and the way from one to another."""

from __future__ import annotations

from typing import Any, TypedDict

import reflex as rx

from walletmodal.config import settings
from walletmodal.core import analytics_events as events
from walletmodal.core.caip import NAMESPACES, Namespace, parse_chain_id
from walletmodal.core.errors import WalletModalError
from walletmodal.core.host_calls import AddNetworkCall, RemoveNetworkCall, SwitchNetworkCall
from walletmodal.core.host_rules import check_network_addition, check_network_removal
from walletmodal.core.networks import Network, bundled_networks
from walletmodal.core.options import HostOptions
from walletmodal.core.protocol import Reply, Snapshot
from walletmodal.core.rpc_errors import is_user_rejection
from walletmodal.core.texts import SWITCH_DECLINED, SWITCH_FAILED, alert
from walletmodal.features.account.state import ACCOUNTS, account, disconnect
from walletmodal.features.bridge.state import (
    BridgeState,
    Followups,
    continuation,
    early_step,
    new_id,
    on_call,
    on_new_page,
    on_snapshot,
)
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState

CHAIN_UNKNOWN_TO_WALLET = frozenset({4902, -32603})
MAX_NETWORKS = 200
MAX_CHAIN_ID = 64
NOT_OFFERED = "networks: not offered by this deployment: "


def picture(network: Network) -> str:
    """The URL of a network's picture; "" for one that brings none, which is drawn as a placeholder."""
    if network.image_url:
        return network.image_url
    known = network.caip_network_id in bundled_networks()
    return f"/networks/{network.chain_namespace}-{network.id}.svg" if known else ""


class NetworkRow(TypedDict):
    """One row of the list."""

    id: str
    name: str
    image: str


class NetworksState(rx.State):
    """The active network and the list. `phase` of a switch: idle, switching, error."""

    rows: list[NetworkRow] = []
    search: str = ""
    active: str = ""
    active_name: str = ""
    active_image: str = ""
    active_symbol: str = ""
    unsupported: bool = False
    choosable: bool = True
    target: str = ""
    target_name: str = ""
    target_image: str = ""
    phase: str = "idle"
    error: str = ""

    _networks: dict[str, Network] = {}
    _wanted: tuple[str, ...] = ()
    _stops_unsupported: bool = True
    _follows: bool = False
    _command: str = ""

    @rx.var
    def public(self) -> dict[str, Any]:
        """What the host page may know (docs/protocol.md, PublicState)."""
        namespace, _, reference = self.active.partition(":")
        return {
            "caipNetworkId": self.active,
            "id": int(reference) if namespace == "eip155" else reference,
            "name": self.active_name,
            "chainNamespace": namespace,
            "symbol": self.active_symbol,
            "image": self.active_image,
            "unsupported": self.unsupported,
        }

    @rx.var
    def found(self) -> list[NetworkRow]:
        """The rows that the search leaves."""
        wanted = self.search.strip().casefold()
        return [row for row in self.rows if wanted in row["name"].casefold()] if wanted else self.rows

    def _offer(self, networks: list[Network], images: dict[str, str]) -> None:
        self._networks = {n.caip_network_id: n for n in networks}
        self._draw(images)

    def _draw(self, images: dict[str, str]) -> None:
        rows: list[NetworkRow] = [
            {"id": chain, "name": n.name, "image": images.get(chain) or picture(n)}
            for chain, n in self._networks.items()
        ]
        if rows != self.rows:
            self.rows = rows
        self.target_image = next((row["image"] for row in rows if row["id"] == self.target), "")

    def _stops_here(self) -> bool:
        """Whether the active network must be left before the visitor goes on (specification §4)."""
        return self.unsupported and self._stops_unsupported

    def _known(self, chain: str) -> Network | None:
        """A network that is offered, or else one of the table."""
        return self._networks.get(chain) or bundled_networks().get(chain)

    def _activate(self, chain: str) -> None:
        network = self._known(chain)
        self.active = chain
        self.unsupported = chain not in self._networks
        self.active_name = network.name if network else ""
        self.active_symbol = network.native_currency.symbol if network else ""
        row = next((r for r in self.rows if r["id"] == chain), None)
        self.active_image = row["image"] if row else picture(network) if network else ""
        self.choosable = len(self.rows) > 1 or self.unsupported

    async def _switch(self, chain: str, call: str = "") -> None:
        """A configured network was picked, by the visitor, the host or its provider."""
        await (await self.get_state(BridgeState))._publish(events.switch_network(network=chain))
        await self._go_to(chain, call)

    async def _go_to(self, chain: str, call: str = "") -> None:
        """Starts the way to a network: the wallet is asked when one is connected, else it is just chosen."""
        network, bridge = self._networks[chain], await self.get_state(BridgeState)
        held = await account(self, network.chain_namespace)
        self.target, self.target_name = chain, network.name
        self.target_image = next(r["image"] for r in self.rows if r["id"] == chain)
        await bridge._withdraw(self._command)
        self.phase, self.error, self._command = "idle", "", ""
        if held.status != "connected" or network.chain_namespace != "eip155":
            await self._arrive(chain)
            await bridge._settle(call)
            return
        shell = await self.get_state(ShellState)
        if await shell._visible():
            shell._push("SwitchNetwork", network=network.name)
        await self._ask_wallet("wallet_switchEthereumChain", {"chainId": network.hex_chain_id}, chain, calls=[call])

    async def _ask_wallet(self, method: str, params: Any, chain: str, *, calls: list[str], attempt: int = 1) -> None:
        """One request on the way to a network; `attempt` counts them: switch, add, and switch once more."""
        self.phase, self.error, self._command = "switching", "", new_id()
        await (await self.get_state(BridgeState))._issue(
            "wallet.request",
            {
                "namespace": "eip155",
                "connector": (await account(self, "eip155")).connector,
                "method": method,
                "params": [params],
                "timeout": settings().wallet_timeout_seconds * 1000,
                "request": "",
            },
            then="networks.switched",
            calls=calls,
            command_id=self._command,
            chain=chain,
            attempt=attempt,
        )

    async def _arrive(self, chain: str) -> None:
        """A network has become the active one: the view stack follows the rule of specification §2."""
        old, old_supported = self.active, not self.unsupported
        shell = await self.get_state(ShellState)
        self._activate(chain)
        if old == chain and shell.view != "SwitchNetwork":
            return
        same = old.split(":")[0] == chain.split(":", maxsplit=1)[0]
        await shell._network_changed(same_namespace=same, old_supported=old_supported)

    @rx.event
    def set_search(self, text: str) -> None:
        """The search field."""
        # `clean_text` would take the space between two words away while the second is still to be typed.
        self.search = "".join(c for c in text[:64] if c.isprintable()) if isinstance(text, str) else ""

    @rx.event
    async def choose(self, chain: str) -> None:
        """A row of the list."""
        if isinstance(chain, str) and (await self.get_state(EmbedState)).ready:
            await self._choose(chain)
        elif isinstance(chain, str) and len(chain) <= MAX_CHAIN_ID:
            await (await self.get_state(BridgeState))._hold("networks.choose", chain)

    async def _choose(self, chain: str) -> None:
        if chain in self._networks and chain != self.active:
            await self._switch(chain)

    @rx.event
    async def retry(self) -> None:
        """Asks the wallet again for the same network."""
        if self.phase == "error" and self.target in self._networks:
            await self._go_to(self.target)

    @rx.event
    async def open_list(self) -> None:
        """The network button of the account's header."""
        if self.choosable:
            await (await self.get_state(BridgeState))._publish(events.click_networks())
            self.search = ""
            shell = await self.get_state(ShellState)
            shell._push("Networks")
            await shell._keep()

    @rx.event
    async def disconnect(self) -> Followups:
        """The Disconnect button of the unsupported network's view."""
        return await disconnect(self, "eip155")


@early_step("networks.choose")
async def late_choose(state: rx.State, chain: Any) -> Followups:
    """A row was clicked while a new server did not know its networks yet."""
    await (await state.get_state(NetworksState))._choose(chain)
    return []


@on_new_page
async def forget_networks(state: rx.State) -> None:
    """Networks that the page before had added, and what it was switching to."""
    networks = await state.get_state(NetworksState)
    networks._networks, networks.search, networks._follows = {}, "", False
    networks.phase, networks.error, networks.target, networks._command = "idle", "", "", ""


def configured(wanted: tuple[str, ...]) -> list[Network]:
    """What an embed may use: its own choice out of the deployment's networks, else all of them."""
    allowed = settings().networks
    chosen = [chain for chain in wanted if chain in allowed] or allowed
    return [bundled_networks()[chain] for chain in chosen]


@on_snapshot
async def take_networks(state: rx.State, snapshot: Snapshot) -> Followups:
    """The configured list, and the network of the connected wallet or the remembered one."""
    networks, embed = await state.get_state(NetworksState), await state.get_state(EmbedState)
    options = embed._options
    if networks._wanted != options.networks or not networks._networks:
        networks._wanted = options.networks
        networks._offer(configured(options.networks), options.chain_images)
        missing = [chain for chain in options.networks if chain not in networks._networks]
        if missing:
            await (await state.get_state(BridgeState))._warn(NOT_OFFERED + ", ".join(missing[:20]))
    networks._draw(options.chain_images)
    networks._stops_unsupported = options.enable_network_switch and not options.allow_unsupported_chain
    for namespace, held in snapshot.sessions.items():
        (await account(state, namespace))._describe(networks._known(f"{namespace}:{held.chain}"))
    session = snapshot.sessions.get("eip155")
    live, networks._follows = networks._follows, session is not None
    if session is None:
        remembered = (networks.active, snapshot.storage.active_network_id, options.default_network)
        chain = next((c for c in remembered if c and c in networks._networks), next(iter(networks._networks)))
        networks._activate(chain)
        return []
    chain = f"eip155:{session.chain}"
    if chain == networks.active:
        networks._activate(chain)
        return []
    shell = await state.get_state(ShellState)
    if live and networks._stops_unsupported and chain not in networks._networks and shell.view != "ConnectingExternal":
        networks._activate(chain)
        await shell._open("UnsupportedChain")
    else:
        await networks._arrive(chain)
    return []


@continuation("networks.switched")
async def switched(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """The wallet switched, does not know the chain, or declined."""
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    chain: str = context["chain"]
    calls: list[str] = context["calls"]
    attempt: int = context["attempt"]
    if networks._command == reply.id:
        networks.phase, networks._command = "idle", ""
    network, held = networks._networks.get(chain), await account(state, "eip155")
    goes_on = network is not None and held.status == "connected" and networks.target == chain
    if reply.error is None:
        if network is not None and goes_on and attempt == 2 and networks.active != chain:
            # EIP-3085 lets a wallet add a network without switching to it.
            await networks._ask_wallet(
                "wallet_switchEthereumChain", {"chainId": network.hex_chain_id}, chain, calls=calls, attempt=3
            )
            return []
        for call in calls:
            await bridge._settle(call)
        return []
    if network is not None and goes_on and attempt == 1 and reply.error.code in CHAIN_UNKNOWN_TO_WALLET:
        await networks._ask_wallet(
            "wallet_addEthereumChain", network.add_chain_parameters(), chain, calls=calls, attempt=2
        )
        return []
    declined = is_user_rejection(reply.error.code, reply.error.message)
    if networks.target == chain:
        networks.phase, networks.error = "error", SWITCH_DECLINED if declined else SWITCH_FAILED
    for call in calls:
        await bridge._settle(call, code=reply.error.code, message=reply.error.message)
    return []


@on_call(SwitchNetworkCall)
async def host_switch(state: rx.State, call_id: str, call: SwitchNetworkCall) -> Followups:
    """Host: `switchNetwork(caipId)`; a network that is not configured raises the alert of specification §8."""
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    chain = call.caip_network_id
    if chain not in networks._networks:
        await (await state.get_state(AlertState))._raise("SWITCH_NETWORK_NOT_FOUND")
        await bridge._settle(call_id, code=4902, message=alert("SWITCH_NETWORK_NOT_FOUND").short)
        return []
    if chain == networks.active:
        await bridge._settle(call_id)
        return []
    await networks._switch(chain, call_id)
    return []


def _adapters(options: HostOptions) -> tuple[Namespace, ...]:
    """The namespaces that the host offers; without the option all."""
    return NAMESPACES if options.adapters is None else tuple(options.adapters)


@on_call(AddNetworkCall)
async def add_network(state: rx.State, call_id: str, call: AddNetworkCall) -> Followups:
    """Host: `addNetwork(namespace, network)`, for this embed only."""
    options = (await state.get_state(EmbedState))._options
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    network = call.network
    if len(networks._networks) >= MAX_NETWORKS or "networks" not in settings().changeable_options:
        await bridge._settle(call_id, code=4200, message="This deployment does not let an embed change: networks")
        return []
    try:
        check_network_addition(network.chain_namespace, _adapters(options))
    except WalletModalError as error:
        await bridge._settle(call_id, code=error.code, message=error.short_message)
        return []
    if network.caip_network_id not in networks._networks:
        networks._offer([*networks._networks.values(), network], options.chain_images)
        networks._activate(networks.active)
    await bridge._settle(call_id)
    held = await account(state, network.chain_namespace)
    on_it = held.status == "connected" and held._chain == network.id
    counted_otherwise = on_it and held._describe(networks._known(network.caip_network_id))
    return [ACCOUNTS[network.chain_namespace].refresh_balance] if counted_otherwise else []


@on_call(RemoveNetworkCall)
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
        await bridge._settle(call_id, code=4200, message="This deployment does not let an embed change: networks")
        return []
    network = offered.pop(chain)
    left = list(offered.values())
    networks._offer(left, options.chain_images)
    held = await account(state, network.chain_namespace)
    leave = networks.active == call.caip_network_id and held.status != "connected"
    next_one = next(n.caip_network_id for n in left if n.chain_namespace == network.chain_namespace)
    networks._activate(next_one if leave else networks.active)
    await bridge._settle(call_id)
    return []
