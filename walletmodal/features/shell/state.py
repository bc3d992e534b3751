"""Router of the modal: open or closed, and the stack of views."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.codes import UNSUPPORTED_METHOD
from walletmodal.core.protocol.host_calls import CloseCall, OpenCall
from walletmodal.core.protocol.missing_features import unconfigured_view
from walletmodal.core.protocol.open_arguments import read_open_arguments
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.protocol.views import CONNECTING_VIEWS, VIEW_NOT_AVAILABLE, VIEWS, title
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups, run_all, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.routing import (
    READING_VIEWS,
    Entry,
    back_closes,
    close_refused,
    leave_after_network_change,
    opening_view,
    retitled,
)
from walletmodal.features.substates import AssigningMixin
from walletmodal.reflex_internals.substates import get_substate

MAX_DEPTH = 16
MAX_REFUSED = 16
HELP_EVENTS = {"WhatIsAWallet": events.click_wallet_help, "WhatIsANetwork": events.click_network_help}
FIRST: Entry = ("Connect", title("Connect"))
REQUEST_VIEW = "ApproveTransaction"


class ShellState(AssigningMixin, rx.State):
    """The modal's frame: the view on top of the stack, and how it got there."""

    open: bool = False
    view: str = "Connect"
    title: str = FIRST[1]
    # Of a view without a title.
    label: str = ""
    depth: int = 1
    direction: int = 1
    shakes: int = 0
    refuse_close: bool = False
    connected: bool = False
    initialized: bool = False

    # Immutable all through: Reflex would hand out a proxy for each entry of a list at every look.
    _stack: tuple[Entry, ...] = (FIRST,)
    _after_connect: str = ""
    # The page wants a sign-in before anything else, and there is none.
    _sign_in_missing: bool = False
    # Views that the host has asked for in vain, which its console is told once.
    _refused: tuple[str, ...] = ()

    def _set_stack(self, entries: Sequence[Entry], direction: int) -> None:
        """Sets the stack; its last entry is shown."""
        self._stack = tuple(entries[-MAX_DEPTH:])
        view, name = entries[-1]
        self.view, self.title = view, name
        if not name:
            self._put(label=VIEWS[view].label or view)
        self._put(direction=direction, depth=len(self._stack))
        self._update_refuse_close()

    def _update_refuse_close(self) -> None:
        self._put(refuse_close=close_refused(self.view, sign_in_required=self._sign_in_missing, signed_in=False))

    def _set_sign_in_missing(self, *, missing: bool) -> None:
        """Sets whether a required sign-in is missing: where it is asked for, closing is refused meanwhile."""
        if self._sign_in_missing != missing:
            self._sign_in_missing = missing
            self._update_refuse_close()

    def _restore(self, stack: Sequence[Sequence[str]]) -> None:
        """Restores a stack of pairs of view and title, never empty."""
        self._set_stack(retitled(stack), 1)

    def _retitle(self) -> None:
        """Updates the stack's titles: a server with new code goes on with the old one's state."""
        entries = retitled(self._stack)
        if entries != self._stack:
            self._set_stack(entries, self.direction)

    def _push(self, view: str, *, name: str = "", network: str = "", provider: str = "") -> None:
        """Shows a view on top; when it is on top already, only its title follows the data."""
        entries, entry = self._stack, (view, title(view, name=name, network=network, provider=provider))
        if view != self.view:
            self._set_stack([*entries, entry], 1)
        elif name or network:
            self._set_stack([*entries[:-1], entry], self.direction)

    def _reset(self, view: str, *, name: str = "", network: str = "") -> None:
        """Starts a new history with this view."""
        self._set_stack([(view, title(view, name=name, network=network))], 1)

    def _reset_behind(self, view: str) -> None:
        """Starts a new history behind the view on top, with this view; "" for none."""
        behind = [(view, title(view))] if view else []
        self._set_stack([*behind, self._stack[-1]], self.direction)

    async def _open_behind_request(self, view: str) -> None:
        """Opens the modal on a view; a request that waits for the visitor there stays on top, or it would be refused."""
        if await self._shows(REQUEST_VIEW):
            self._reset_behind(view)
        else:
            await self._open(view)

    def _replace(self, view: str, *, name: str = "", network: str = "") -> None:
        """Replaces the view on top; ignored when it is the same."""
        if view != self.view:
            self._set_stack([*self._stack[:-1], (view, title(view, name=name, network=network))], 1)

    async def _is_visible(self) -> bool:
        """Whether the visitor sees the modal: an embedded one is always there."""
        return self.open or (await self.get_state(EmbedState)).embedded

    async def _shows(self, view: str) -> bool:
        """Whether the visitor sees this view."""
        return self.view == view and await self._is_visible()

    def _is_connecting(self) -> bool:
        """Whether the view on top is about a wallet that is being connected."""
        return self.view in CONNECTING_VIEWS

    async def _has_account(self, namespace: Namespace | None) -> bool:
        """Whether an account of this namespace is connected; without one, of the active network's."""
        if namespace is None:
            return self.connected
        return (await self.get_state(BridgeState))._connections.has_account(namespace)

    async def _set_namespace(self, namespace: Namespace | None) -> None:
        """Limits the modal to one namespace: its account if it has one, else its wallets alone. None: all."""
        for handler in wiring().on_namespace_filter:
            await handler(self, namespace)

    async def _opening_view(self, view: str, namespace: Namespace | None = None) -> str:
        """Returns the view that `open` leads to by the opening rules; a host may name one that does not exist."""
        embed = await self.get_state(EmbedState)
        return opening_view(
            explicit=view,
            adapters=embed._options.adapters != () and not embed._options.basic,
            connected=await self._has_account(namespace),
            mobile=embed._mobile,
        )

    async def _open(self, view: str = "", namespace: Namespace | None = None) -> None:
        """Opens the modal on a view; one that needs an account, of the namespace if given, waits behind Connect."""
        target = await self._opening_view(view, namespace)
        self._after_connect = ""
        if target == "Connect" and not view and not (await self.get_state(BridgeState))._settled:
            # A remembered wallet may still answer; then the visitor wanted the account.
            self._after_connect = "Account"
        if VIEWS[target].needs_account and not await self._has_account(namespace):
            self._after_connect, target = target, "Connect"
        self._reset(target)
        if not self.open:
            self.open = True
            await (await self.get_state(BridgeState))._publish(events.modal_open(connected=self.connected))

    async def _close(self) -> None:
        if self.open:
            await (await self.get_state(BridgeState))._publish(events.modal_close(connected=self.connected))
        self._after_connect, self.open = "", False
        if (await self.get_state(EmbedState)).embedded:
            self._reset("Account" if self.connected else "Connect")
        for handler in wiring().on_close:
            await handler(self)

    async def _shake(self) -> None:
        """Refuses to close; the visitor learns why."""
        self.shakes += 1
        for handler in wiring().on_close_refused:
            await handler(self)

    async def _back(self) -> None:
        if back_closes(self._stack):
            await self._close()
        else:
            self._set_stack(self._stack[:-1], -1)

    async def _return_to(self, view: str) -> None:
        """Goes back to a view, also where the one on top was opened by name."""
        if len(self._stack) > 1 and self._stack[-2][0] == view:
            await self._back()
        else:
            self._replace(view)

    async def _pop_views(self, *views: str) -> None:
        """Pops these views off the top; closes when nothing is left."""
        entries = list(self._stack)
        while entries and entries[-1][0] in views:
            entries.pop()
        if entries:
            self._set_stack(entries, -1)
        else:
            await self._close()

    async def _on_network_change(self, *, same_namespace: bool, old_supported: bool) -> None:
        """Leaves views after a changed network, by `leave_after_network_change`."""
        leaves = leave_after_network_change(
            self.view, connected=self.connected, same_namespace=same_namespace, old_supported=old_supported
        )
        if not leaves or not await self._is_visible():
            return
        if self.view == "SwitchNetwork":
            await self._pop_views("SwitchNetwork", "Networks", "UnsupportedChain")
        else:
            await self._back()

    async def _save_record(self, extent: Extent = "all") -> None:
        await (await get_substate(self, BridgeState))._save_record(extent)

    async def _on_connected(self) -> None:
        """Leads on after a wallet has connected: to the view that waited for it, else closes."""
        if not await self._is_visible():
            return
        for leads_on in wiring().on_connected:
            if await leads_on(self):
                return
        target, self._after_connect = self._after_connect, ""
        if self.view == REQUEST_VIEW:
            self._reset_behind(target)
        elif target:
            self._reset(target)
        else:
            await self._close()

    @rx.event
    async def push(self, view: str) -> None:
        """Opens another view: a row or link; unknown names are ignored."""
        if isinstance(view, str) and view in VIEWS and (self.connected or not VIEWS[view].needs_account):
            if view in HELP_EVENTS:
                await (await get_substate(self, BridgeState))._publish(HELP_EVENTS[view]())
            self._push(view)
            await self._save_record("place")

    @rx.event
    async def back(self) -> None:
        """Goes back: the back button."""
        only_moves = self.view in READING_VIEWS and not back_closes(self._stack)
        if self.refuse_close and self._sign_in_missing and back_closes(self._stack):
            await self._shake()
        else:
            await self._back()
        await self._save_record("place" if only_moves else "all")

    @rx.event
    async def close(self) -> None:
        """Closes, or shakes where closing is refused: X, Escape, or a click beside the card."""
        if self.refuse_close:
            await self._shake()
        else:
            await self._close()
        await self._save_record()


async def open_modal(state: rx.State, call_id: str, call: OpenCall) -> Followups:
    """Host: `open({view, namespace})`."""
    shell, bridge = await state.get_state(ShellState), await state.get_state(BridgeState)
    if shell.open and shell.view in ("ConnectingExternal", "ConnectingWalletConnect") and call.view in ("", "Connect"):
        # A wallet is being asked, or its question is offered again: that is where the visitor wants to be.
        await bridge._settle(call_id)
        return []
    if shell.open and shell.view == REQUEST_VIEW and not call.view:
        # What waits for the visitor would be refused by leading them elsewhere.
        await bridge._settle(call_id)
        return []
    target = await shell._opening_view(call.view, call.namespace)
    unconfigured = unconfigured_view(
        target, settings().is_set, complete_site=settings().secure_protocol == "walletmodal"
    )
    if not unconfigured:
        if fill_in := wiring().on_open_arguments.get(call.view):
            given, wrong = read_open_arguments(call.view, call.arguments)
            for sentence in wrong:
                await bridge._warn(sentence)
            await fill_in(state, given, (await state.get_state(EmbedState))._shown_address())
        await shell._set_namespace(call.namespace)
        await shell._open(call.view, call.namespace)
        if call.view == "Networks":
            await bridge._publish(events.click_networks())
        await bridge._settle(call_id)
        return await run_all(wiring().on_open, state)
    if call.view not in shell._refused and len(shell._refused) < MAX_REFUSED:
        shell._refused = (*shell._refused, call.view)
        await bridge._warn(unconfigured)
    await bridge._settle(call_id, code=UNSUPPORTED_METHOD, message=VIEW_NOT_AVAILABLE)
    return []


async def close_modal(state: rx.State, call_id: str, _call: CloseCall) -> Followups:
    """Host: `close()`; the host may close what the visitor may not."""
    bridge = await state.get_state(BridgeState)
    await (await state.get_state(ShellState))._close()
    await bridge._settle(call_id)
    return []


async def reset_shell(state: rx.State) -> None:
    """Closes the modal for a new page."""
    shell = await state.get_state(ShellState)
    shell.open, shell._after_connect, shell.shakes = False, "", 0
    shell._reset("Connect")
    shell._refused = ()


async def mark_initialized(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Tells the host's getters that they may be trusted: the browser has told what it knows."""
    shell = await state.get_state(ShellState)
    shell._retitle()
    shell.initialized = True
    return []
