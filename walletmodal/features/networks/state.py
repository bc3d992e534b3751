"""Active network, the list, and switching."""

from __future__ import annotations

from typing import Any, TypedDict

import reflex as rx

from walletmodal.config import network_table
from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import Namespace, parse_chain_id
from walletmodal.core.chains.networks import Network, bundled_networks
from walletmodal.core.errors.codes import CHAIN_UNKNOWN, INTERNAL_ERROR
from walletmodal.core.errors.flow import ChainNotSupportedError
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.text.display_text import typed_text
from walletmodal.core.text.texts import SWITCH_DECLINED, SWITCH_FAILED
from walletmodal.features.account.active import activate_namespace, active_namespace
from walletmodal.features.account.disconnecting import disconnect
from walletmodal.features.account.state import ACCOUNTS, account, use_network
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, run_all, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin

CHAIN_UNKNOWN_TO_WALLET = frozenset({CHAIN_UNKNOWN, INTERNAL_ERROR})
MAX_CHAIN_ID = 64


def picture(network: Network) -> str:
    """Returns the URL of a network's picture; "" for one that brings none, which is drawn as a placeholder."""
    if network.image_url:
        return network.image_url
    known = network.caip_network_id in bundled_networks()
    return f"/networks/{network.chain_namespace}-{network.id}.svg" if known else ""


class NetworkRow(TypedDict):
    """One row of the list."""

    id: str
    name: str
    image: str


class NetworksState(AssigningMixin, rx.State):
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

    # What the connected wallets have not approved: shown, and out of reach.
    barred: list[str] = []

    _networks: dict[str, Network] = {}
    _wanted: tuple[str, ...] = ()
    _stops_unsupported: bool = True
    _command: str = ""
    # The network last used of each namespace, by CAIP-2 id.
    _last: dict[Namespace, str] = {}

    @rx.var
    def declined(self) -> bool:
        """Whether a switch failed because the wallet's owner said no."""
        return self.error == SWITCH_DECLINED

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
        """Rows that match the search."""
        wanted = self.search.strip().casefold()
        return [row for row in self.rows if wanted in row["name"].casefold()] if wanted else self.rows

    def _set_networks(self, networks: list[Network], images: dict[str, str]) -> None:
        self._networks = {n.caip_network_id: n for n in networks}
        self._update_rows(images)

    def _update_rows(self, images: dict[str, str]) -> None:
        """Updates the rows: in the order in which networks are offered, what is out of reach last."""
        barred = self.get_value("barred")
        rows: list[NetworkRow] = [
            {"id": chain, "name": n.name, "image": images.get(chain) or picture(n)}
            for chain, n in sorted(self._networks.items(), key=lambda entry: entry[0] in barred)
        ]
        self._put(
            rows=rows,
            target_image=next((row["image"] for row in rows if row["id"] == self.target), ""),
        )

    def _must_leave_network(self) -> bool:
        """Whether the active network must be left before the visitor goes on."""
        return self.unsupported and self._stops_unsupported

    def _find_network(self, chain: str) -> Network | None:
        """Finds a network that is offered, or else one of the table."""
        return self._networks.get(chain) or network_table().get(chain)

    def _chains_of(self, namespace: Namespace) -> list[str]:
        """Lists a namespace's offered networks by CAIP-2 id, in the order in which they are offered."""
        return [chain for chain, n in self._networks.items() if n.chain_namespace == namespace]

    def _preferred_chain(self, namespace: Namespace) -> str:
        """Returns the network that a wallet is connected for: the namespace's last one, else its first; "" without one."""
        offered, last = self._chains_of(namespace), self._last.get(namespace, "")
        return last if last in offered else next(iter(offered), "")

    async def _activate(self, chain: str) -> None:
        network, namespace = self._find_network(chain), parse_chain_id(chain).namespace
        row = next((r for r in self.get_value("rows") if r["id"] == chain), None)
        unsupported = chain not in self._networks
        self._put(
            active=chain,
            unsupported=unsupported,
            active_name=network.name if network else "",
            active_symbol=network.native_currency.symbol if network else "",
            active_image=row["image"] if row else picture(network) if network else "",
            choosable=len(self.get_value("rows")) > 1 or unsupported,
        )
        if not unsupported and self._last.get(namespace) != chain:
            self._last[namespace] = chain
        await activate_namespace(self, namespace)

    async def _switch(self, chain: str, call: str = "") -> Followups:
        """Switches to a configured network, for visitor, host or its provider."""
        await (await self.get_state(BridgeState))._publish(events.switch_network(network=chain))
        return await self._start_switch(chain, call)

    async def _host_switch(self, chain: str, call: str) -> Followups:
        """Switches to an offered network for the host or its provider; refuses what a wallet has not approved."""
        bridge, held = await self.get_state(BridgeState), await account(self, self._networks[chain].chain_namespace)
        if chain == self.active:
            await bridge._settle(call)
        elif held.status == "connected" and not held._permits(chain):
            error = ChainNotSupportedError(chain)
            await bridge._settle(call, code=error.code, message=error.short_message)
        else:
            return await self._switch(chain, call)
        return []

    async def _start_switch(self, chain: str, call: str = "") -> Followups:
        """Starts a switch: asks a wallet that has a network of its own, else just uses it."""
        network, bridge = self._networks[chain], await self.get_state(BridgeState)
        held = await account(self, network.chain_namespace)
        await self._set_target(chain)
        await bridge._cancel_command(self._command)
        self._put(phase="idle", error="")
        self._command = ""
        if held.status == "connected" and held._has_own_network() and held._chain != network.id:
            shell = await self.get_state(ShellState)
            if await shell._is_visible():
                shell._push("SwitchNetwork", network=network.name)
            await self._ask_wallet("wallet_switchEthereumChain", {"chainId": network.hex_chain_id}, chain, calls=[call])
            return []
        moved = held.status == "connected" and await use_network(self, held.namespace, network.id)
        if moved:
            held._set_network(network)
        await self._finish_switch(chain)
        await bridge._settle(call)
        return (
            [ACCOUNTS[network.chain_namespace].refresh_balance]
            if moved
            else await run_all(wiring().on_account_change, self)
        )

    async def _set_target(self, chain: str) -> None:
        """Sets the network being switched to, as the views name it."""
        image = next(r["image"] for r in self.get_value("rows") if r["id"] == chain)
        self._put(target=chain, target_name=self._networks[chain].name, target_image=image)

    async def _ask_wallet(self, method: str, params: Any, chain: str, *, calls: list[str], attempt: int = 1) -> None:
        """Sends one request of a switch; `attempt` counts them: switch, add, and switch once more."""
        self.phase, self.error, self._command = "switching", "", new_id()
        await (await self.get_state(BridgeState))._issue(
            "wallet.request",
            wallet_request(await account(self, "eip155"), method, [params], chain=chain),
            then="networks.switched",
            calls=calls,
            command_id=self._command,
            chain=chain,
            attempt=attempt,
        )

    async def _finish_switch(self, chain: str) -> None:
        """Makes a network the active one; the view stack follows the rule for network changes."""
        old, old_supported = self.active, not self.unsupported
        shell = await self.get_state(ShellState)
        await self._activate(chain)
        if old == chain and shell.view != "SwitchNetwork":
            return
        same = old.split(":")[0] == chain.split(":", maxsplit=1)[0]
        await shell._on_network_change(same_namespace=same, old_supported=old_supported)

    @rx.event
    def set_search(self, text: str) -> None:
        """Filters the list by what was typed."""
        self.search = typed_text(text, limit=64)

    @rx.event
    async def choose(self, chain: str) -> Followups:
        """Switches to a network: a row of the list."""
        if isinstance(chain, str) and (await self.get_state(EmbedState))._ready:
            return await self._choose(chain)
        if isinstance(chain, str) and len(chain) <= MAX_CHAIN_ID:
            await (await self.get_state(BridgeState))._queue_early("networks.choose", chain)
        return []

    async def _choose(self, chain: str) -> Followups:
        if chain not in self._networks or chain == self.active or chain in self.barred:
            return []
        connected = (await self.get_state(BridgeState))._connections.namespaces
        if connected and self._networks[chain].chain_namespace not in connected:
            # The connected wallets have no account there; nothing changes before another one has.
            shell = await self.get_state(ShellState)
            await self._set_target(chain)
            shell._push("SwitchActiveChain")
            await shell._save_record()
            return []
        return await self._switch(chain)

    async def _activate_namespace(self, namespace: Namespace) -> None:
        """Makes the network of a namespace's account the active one. Where the visitor is, the caller decides."""
        held = await account(self, namespace)
        if held.status == "connected":
            await self._activate(f"{namespace}:{held._chain}")

    @rx.event
    async def retry(self) -> Followups:
        """Asks the wallet for the same network again."""
        if self.phase == "error" and self.target in self._networks:
            return await self._start_switch(self.target)
        return []

    @rx.event
    async def connect_other(self) -> None:
        """Opens the wallets of the namespace that has no account yet: the button of SwitchActiveChain."""
        network, shell = self._networks.get(self.target), await self.get_state(ShellState)
        if network is None or shell.view != "SwitchActiveChain":
            return
        self._last[network.chain_namespace] = self.target
        await shell._set_namespace(network.chain_namespace)
        shell._push("Connect")
        await shell._save_record()

    @rx.event
    async def open_list(self) -> None:
        """Opens the list: the network button of the account's header."""
        if self.choosable:
            await (await self.get_state(BridgeState))._publish(events.click_networks())
            self.search = ""
            shell = await self.get_state(ShellState)
            shell._push("Networks")
            await shell._save_record()

    @rx.event
    async def disconnect(self) -> Followups:
        """Disconnects: the button of the unsupported network's view."""
        return await disconnect(self, await active_namespace(self))


async def on_early_choice(state: rx.State, chain: Any) -> Followups:
    """Switches to a network that was clicked before a new server knew its networks."""
    return await (await state.get_state(NetworksState))._choose(chain)


async def on_switch_reply(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Handles the wallet's reply: it switched, does not know the chain, or declined."""
    networks, bridge = await state.get_state(NetworksState), await state.get_state(BridgeState)
    chain: str = context["chain"]
    calls: list[str] = context["calls"]
    attempt: int = context["attempt"]
    if networks._command == reply.id:
        networks.phase, networks._command = "idle", ""
    network, held = networks._networks.get(chain), await account(state, "eip155")
    goes_on = network is not None and held.status == "connected" and networks.target == chain
    if reply.error is None:
        if network is not None and goes_on and attempt == 2 and held._chain != network.id:
            # EIP-3085 lets a wallet add a network without switching to it.
            await networks._ask_wallet(
                "wallet_switchEthereumChain", {"chainId": network.hex_chain_id}, chain, calls=calls, attempt=3
            )
            return []
        if network is not None and goes_on and held._chain == network.id and networks.active != chain:
            # The snapshot came first, and another namespace was the active one.
            await networks._finish_switch(chain)
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
