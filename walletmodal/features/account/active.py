"""Active account, and sync of accounts with the wallets."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import ADDRESS_COPIED
from walletmodal.features.account.disconnecting import disconnect
from walletmodal.features.account.offers import has_history, offered_actions, offered_tabs
from walletmodal.features.account.state import ACCOUNTS, Eip155State, account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState


class ActiveState(AssigningMixin, rx.State):
    """The active network's namespace, whose account is shown, and what can be done with it.

    `compact`: a list of actions in the place of tabs. `tab`: which one is open; "" where there are none.
    """

    namespace: Namespace = "eip155"
    compact: bool = False
    tab: str = ""
    tabs: list[str] = []
    actions: list[str] = []
    history: bool = False

    # What a team's states last heard of the account (features/own_views). Each state class is named in the page's first script.
    _heard: tuple[Any, ...] = ()

    async def _update_offers(self) -> None:
        """Updates tabs and actions to what host, namespace and this version allow."""
        options, namespace = (await self.get_state(EmbedState))._options, self.namespace
        tabs = offered_tabs(options.features, namespace)
        self._put(
            compact=options.compact_account or not tabs,
            tabs=tabs,
            tab=self.tab if self.tab in tabs else next(iter(tabs), ""),
            actions=offered_actions(options.features, namespace, settings().is_set),
            history=has_history(options.features, namespace),
        )

    @rx.event
    def choose_tab(self, tab: str) -> None:
        """Opens a tab of the account."""
        if tab in self.get_value("tabs"):
            self._put(tab=tab)

    @rx.event
    async def on_copied(self, ok: bool) -> None:
        """Shows whether the browser copied the address."""
        (await self.get_state(ToastState))._show_copied(ok, ADDRESS_COPIED)

    @rx.event
    async def disconnect(self) -> Followups:
        """Disconnects the account: the Disconnect row."""
        return await disconnect(self, self.namespace)


def active_var(name: str) -> Any:
    """A variable of `AccountMixin`, of the active namespace. The browser picks it out, so that a switch sends none of them again."""
    return rx.match(
        ActiveState.namespace,
        *((namespace, getattr(held, name)) for namespace, held in ACCOUNTS.items() if held is not Eip155State),
        getattr(Eip155State, name),
    )


async def active_namespace(state: rx.State) -> Namespace:
    """The namespace of the active network."""
    found: Namespace = (await state.get_state(ActiveState)).namespace
    return found


async def activate_namespace(state: rx.State, namespace: Namespace) -> None:
    """Makes a namespace the active one; the modal shows its account, or that there is none."""
    active, bridge = await state.get_state(ActiveState), await state.get_state(BridgeState)
    bridge._set_active_namespace(namespace)
    active._put(namespace=namespace)
    await active._update_offers()
    (await state.get_state(ShellState))._put(connected=bridge._connections.has_account())


async def sync_accounts(state: rx.State, snapshot: Snapshot, _changes: Changes) -> Followups:
    """Applies connections to the account states: what wallets no longer hold is disconnected."""
    followups: Followups = []
    names = {w.id: w.name for w in snapshot.wallets}
    for namespace, cls in ACCOUNTS.items():
        held = await account(state, namespace)
        connection = held._connection
        if connection is not None:
            connector, peer = connection.connector, connection.session.peer
            if held._apply_connection(connection, peer.name if peer else names.get(connector, connector)):
                followups.append(cls.refresh_balance)
        elif held.status == "connected":
            held._clear()
    return followups


async def refresh_balances(state: rx.State) -> Followups:
    """Reads the active balance again, which may be old or was unavailable; answers are cached."""
    namespace = await active_namespace(state)
    held = await account(state, namespace)
    return [ACCOUNTS[namespace].refresh_balance] if held.status == "connected" else []
