"""List of the permissions that the account has granted to this page on the network in use, and their end."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.language import _
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import SESSION_REVOKE_FAILED, SESSIONS_FETCH_FAILED
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.approve.showing import MAX_TOKENS, read_tokens
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.permissions.lookup import known_permissions
from walletmodal.features.permissions.revoking import ask_to_revoke
from walletmodal.features.permissions.rows import ACTIVE, ALL, TABS, PermissionMonth, marked, permissions_by_tab
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.state import PendingState

LIST: Final = "SmartSessionList"
CREATED: Final = "SmartSessionCreated"
OWN_REVOKED: Final = "permissions.own_revoked"
SENT: Final = _("It ends with the transaction that was sent")


class PermissionsState(AssigningMixin, rx.State):
    """The list of permissions.

    Attributes:
        offered: whether the host wants the list.
        phase: loading, shown or failed.
        tab: the one that is open.
        months: what stands in it.
        busy: every permission is being taken back.
    """

    offered: bool = False
    phase: str = "loading"
    tab: str = ACTIVE
    months: list[PermissionMonth] = []
    busy: bool = False

    _tabs: dict[str, list[PermissionMonth]] = {}
    _about: str = ""
    _looks: int = 0
    # How many were granted last.
    _granted: int = 0
    # Ids of those that are being taken back; `ALL` for every one.
    _leaving: tuple[str, ...] = ()
    # A transaction has got into the chain since the chain was asked.
    _settled: bool = False

    async def _account(self) -> AccountId | None:
        """The account in use, where it is the embedded wallet's; no other one's permissions are on record."""
        if await active_namespace(self) != "eip155":
            return None
        held = await account(self, "eip155")
        if held.status != "connected" or held.connector != AUTH_ID:
            return None
        return AccountId(ChainId("eip155", held._chain), held._accounts[0])

    @rx.event
    def choose_tab(self, tab: str) -> None:
        """Opens a tab."""
        if isinstance(tab, str) and tab in TABS:
            self._show(tab)

    def _show(self, tab: str) -> None:
        self._put(
            tab=tab,
            months=marked(
                self._tabs.get(tab, []), leaving=frozenset(self._leaving), fresh=self._granted if tab == ACTIVE else 0
            ),
            busy=ALL in self._leaving,
        )

    def _set_leaving(self, leaving: tuple[str, ...]) -> None:
        self._leaving = leaving
        self._show(self.tab)

    @rx.event(background=True)
    async def load(self) -> None:
        """Loads the list: a view of permissions appears, or a transaction of the account has got into the chain."""
        async with self:
            about, origin = await self._account(), (await self.get_state(EmbedState))._origin
            if not origin:
                return
            owner = (await self.get_state(PendingState))._ensure_owner()
            self._looks = look = self._looks + 1
            settled, self._settled = self._settled, False
            named = "" if about is None else str(about)
            if named != self._about:
                self._clear()
                self._about = named
        tabs: dict[str, list[PermissionMonth]] | None = {}
        try:
            if about is not None:
                tabs = await _read_tabs(about, origin, owner)
        except WalletModalError:
            tabs = None
        async with self:
            # What a later look has read is newer.
            if look != self._looks or about != await self._account():
                return
            if settled:
                self._set_leaving(())
            if tabs is None:
                self._put(phase="failed")
                if await (await self.get_state(ShellState))._shows(LIST):
                    (await self.get_state(ToastState))._show(SESSIONS_FETCH_FAILED, "error")
                return
            self._tabs = tabs
            self._put(phase="shown")
            self._show(self.tab)

    def _clear(self) -> None:
        self._tabs, self._about, self._leaving = {}, "", ()
        self._put(phase="loading")
        self._show(ACTIVE)

    def _ids(self) -> list[str]:
        return [row["id"] for month in self._tabs.get(ACTIVE, []) for row in month["rows"]]

    @rx.event
    async def revoke(self, permission_id: str) -> Followups:
        """Takes one permission back: the button of its row."""
        if not isinstance(permission_id, str) or permission_id not in self._ids():
            return []
        return await self._revoke(permission_id)

    @rx.event
    async def revoke_all(self) -> Followups:
        """Takes every permission of the account back, those that other pages have too."""
        return await self._revoke(ALL) if self._ids() else []

    async def _revoke(self, wanted: str) -> Followups:
        about, origin = await self._account(), (await self.get_state(EmbedState))._origin
        if about is None or str(about) != self._about or {wanted, ALL} & set(self._leaving):
            return []
        delegation = None
        try:
            if wanted != ALL:
                owner = (await self.get_state(PendingState))._ensure_owner()
                kept = await deployment().permissions.of_account(about, origin, owner)
                delegation = next((one.delegation for one in kept if one.id == wanted), None)
                if delegation is None:
                    return [PermissionsState.load]
            followups = await ask_to_revoke(
                self, about, delegation, origin=origin, then=OWN_REVOKED, context={"id": wanted}
            )
        except WalletModalError as error:
            (await self.get_state(ToastState))._show(error.short_message, "error")
            return []
        except (SQLAlchemyError, OSError):
            (await self.get_state(ToastState))._show(SESSION_REVOKE_FAILED, "error")
            return []
        self._set_leaving((*self._leaving, wanted))
        return followups

    @rx.event
    async def open_account(self) -> None:
        """Leads from what was granted to the account."""
        shell = await self.get_state(ShellState)
        if shell.view == CREATED:
            self._granted = 0
            shell._reset("Account")
            await shell._save_record()


async def _read_tabs(about: AccountId, origin: str, owner: str) -> dict[str, list[PermissionMonth]]:
    found = await known_permissions(about, origin, owner)
    contracts = dict.fromkeys(one.record.permission.token for one in found)
    wanted = tuple(token for token in contracts if token)[:MAX_TOKENS]
    tokens = await read_tokens(about.chain, wanted)
    return permissions_by_tab(found, tokens, int(deployment().clock.now().timestamp()))


async def on_own_revoked(state: rx.State, outcome: TransactionOutcome, given: dict[str, Any]) -> Followups:
    """Goes on once the account has been asked to take a permission back; that it counts, the chain tells."""
    permissions, toasts = await state.get_state(PermissionsState), await state.get_state(ToastState)
    if outcome.status == "sent":
        toasts._show(SENT)
    else:
        permissions._set_leaving(tuple(one for one in permissions._leaving if one != given["id"]))
        if not is_user_rejection(outcome.code, outcome.message):
            toasts._show(SESSION_REVOKE_FAILED, "error")
    return []


async def show_created(state: rx.State, count: int) -> None:
    """Shows that the account has granted so many permissions, where the host wants these views."""
    permissions, shell = await state.get_state(PermissionsState), await state.get_state(ShellState)
    if not permissions.offered:
        return
    permissions._granted = count
    permissions._show(ACTIVE)
    if await shell._is_visible():
        shell._push(CREATED)
    else:
        await shell._open(CREATED, "eip155")


async def refresh_permissions(state: rx.State) -> Followups:
    """Reloads the list after a transaction: it may have ended a permission."""
    (await state.get_state(PermissionsState))._settled = True
    return [PermissionsState.load] if await (await state.get_state(ShellState))._shows(LIST) else []


async def sync_permissions(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Syncs what the host wants."""
    wanted = (await state.get_state(EmbedState))._options.features.smart_sessions
    (await state.get_state(PermissionsState))._put(offered=wanted)
    return []


async def reset_permissions(state: rx.State) -> None:
    """Clears the list for a new page."""
    permissions = await state.get_state(PermissionsState)
    permissions._granted = 0
    permissions._clear()
