"""Pairing with a wallet elsewhere: panes, proposal to the browser, outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, cast

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import NAMESPACES, Namespace, is_namespace
from walletmodal.core.parsing.shapes import safe_link
from walletmodal.core.parsing.urls import MAX_URL
from walletmodal.core.protocol.commands import ChosenWallet, PairParams
from walletmodal.core.protocol.messages import MAX_ERROR_TEXT
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.texts import LINK_COPIED, PAIRING_NOT_OFFERED, WALLET_DECLINED, AlertKey
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID, WALLET_CONNECT_NAME
from walletmodal.core.wallets.pairing import PAIRED_PLATFORMS, PAIRING_TIMEOUT_MS, Failure, Host, proposal
from walletmodal.core.wallets.platforms import (
    REPORTED_PLATFORM,
    SEVERAL_DOWNLOADS,
    Platform,
    platform_tabs,
    wallet_platforms,
)
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.pairing.signing import PairedSignInState
from walletmodal.features.pairing.target import (
    NO_TARGET,
    AnyWallet,
    Target,
    could_be_installed,
    installed_connector,
    target,
)
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.services.metrics import count_ignored

PAIRING_VIEWS = frozenset({"ConnectingWalletConnect", "ConnectingWalletConnectBasic"})
"""Views that show a code or a link, and keep it fresh while they are looked at."""

UNKNOWN_WALLET = "Unknown"


class Tab(TypedDict):
    """The tab of a pane."""

    id: Platform
    label: str


class PairingState(AssigningMixin, rx.State):
    """The chosen wallet, its panes, and the pairing's phase.

    Attributes:
        phase: idle, waiting, error.
        ahead: what is made ready before a wallet is chosen: "" nothing, "load" the SDK, "code" a code too (`ahead.py`).
    """

    config: dict[str, str] | None = None
    wallet: Target = NO_TARGET
    tabs: list[Tab] = []
    pane: Platform = "qrcode"
    namespace: str = ""
    phase: Literal["idle", "waiting", "error"] = "idle"
    error: str = ""
    all_wallets: bool = False
    ahead: str = ""

    @rx.var
    def declined(self) -> bool:
        """Whether it failed because the wallet's owner said no."""
        return self.error == WALLET_DECLINED

    _available: bool = False
    _browser: list[str] = []
    _command: str = ""
    _asked: bool = False
    _linked: bool = False
    _ahead: bool = False
    _unready: bool = False
    _alerts: list[AlertKey] = []

    async def _open_wallet(self, wallet: AnyWallet | None) -> None:
        """Opens the panes of a wallet, or a code for any wallet, and asks for what the first pane needs."""
        await self._set_wallet(wallet)
        (await self.get_state(ShellState))._push("ConnectingWalletConnect", name=self.wallet["name"])
        await self._open_pane()

    async def _set_wallet(self, wallet: AnyWallet | None) -> None:
        """Sets the wallet of the panes, and which panes there are."""
        embed = await self.get_state(EmbedState)
        mobile, adapters = embed._mobile, await self._namespaces()
        installed: bool | None = None
        self._browser = []
        if wallet is not None:
            snapshot = (await self.get_state(BridgeState))._last
            connectors = (await self.get_state(WalletsState))._connectors()
            found = installed_connector(wallet, connectors, snapshot.marks if snapshot else (), adapters)
            self._browser = [] if found is None else [found.id, found.chain]
            installed = True if found else (False if could_be_installed(wallet) else None)
        panes = wallet_platforms(wallet, mobile=mobile, installed=installed, adapters=bool(adapters))
        if not self._available:
            panes = tuple(pane for pane in panes if pane not in PAIRED_PLATFORMS) or ("unsupported",)
        about = NO_TARGET if wallet is None else target(wallet, mobile=mobile, system=embed._system)
        if about["id"] != self.wallet["id"] or self.phase == "error":
            await self._cancel()
        self._put(
            wallet=about,
            tabs=[Tab(id=platform, label=label) for platform, label in platform_tabs(panes)],
            pane=panes[0],
            error="" if self._available or wallet is not None else PAIRING_NOT_OFFERED,
            namespace=(await self.get_state(NetworksState)).active.partition(":")[0],
        )

    async def _namespaces(self) -> tuple[Namespace, ...]:
        """Lists the namespaces that browser wallets may connect in, that of the active network first; none in basic mode."""
        options, networks = (await self.get_state(EmbedState))._options, await self.get_state(NetworksState)
        if options.basic:
            return ()
        offered = {chain.partition(":")[0] for chain in networks._networks}
        allowed = NAMESPACES if options.adapters is None else tuple(options.adapters)
        active = networks.active.partition(":")[0]
        return tuple(sorted((ns for ns in allowed if ns in offered), key=lambda namespace: namespace != active))

    async def _open_pane(self) -> None:
        """Publishes which pane is shown, and asks for what it needs."""
        if self.pane == "browser":
            await self._ask_browser()
            return
        name, platform = self.wallet["name"] or WALLET_CONNECT_NAME, REPORTED_PLATFORM.get(self.pane, self.pane)
        await (await self.get_state(BridgeState))._publish(events.select_wallet(name=name, platform=platform))
        await self._sync_code()

    async def _ask_browser(self, *, again: bool = False) -> None:
        """Asks the wallet of this browser; its answer is shown in the pane."""
        connector, namespace = self._browser
        if is_namespace(namespace):
            await (await self.get_state(ConnectState))._ask_wallet(connector, namespace, again=again)
            await (await self.get_state(ShellState))._pop_views("ConnectingExternal")

    async def _sync_code(self) -> None:
        """Requests a code where the pane needs one and has none; not where the host starts it itself."""
        if (await self.get_state(PairedSignInState))._cacaos is not None:
            return
        if self._ahead:
            # That question knows of no wallet; the code is shown all the same.
            await self._cancel()
        manual = (await self.get_state(EmbedState))._options.manual_wc_control
        lost = self.phase == "waiting" and not (await self.get_state(BridgeState))._is_pending(self._command)
        if (lost or (self.phase == "idle" and not manual)) and self.pane in PAIRED_PLATFORMS:
            await self._propose()

    async def _propose(self, *, fresh: bool = False, orphaned: bool = False, ahead: bool = False) -> None:
        """Has the browser propose a pairing.

        Args:
            fresh: with another code than the one that may be on the screen.
            orphaned: the one before went with its frame.
            ahead: only so that the code is there when a wallet is chosen.
        """
        embed, networks = await self.get_state(EmbedState), await self.get_state(NetworksState)
        if not self._available or not networks._networks:
            return
        options, about = embed._options, self.wallet
        icons = tuple(options.metadata.icons) or (embed._icon,)
        description = options.metadata.description or embed._description
        wanted = proposal(
            list(networks._networks),
            Host(embed._host_name, description, embed._origin, icons),
            override=options.universal_provider_config_override,
            preferred=networks.active,
        )
        paired = await self.get_state(PairedSignInState)
        wish = await paired._sign_in_proposal(wanted["namespaces"])
        if wish is not None:
            wanted["signIn"] = wish
        params = PairParams(
            namespace="",
            connector=WALLET_CONNECT_ID,
            timeout=PAIRING_TIMEOUT_MS,
            proposal=wanted,
            wallet=ChosenWallet(id=about["id"], name=about["name"], rdns=about["rdns"])
            if about["id"] and not ahead
            else None,
            again=fresh,
            ahead=ahead,
        )
        self._command, self._ahead = new_id(), ahead
        await paired._set_pairing_command(self._command if wish is not None else "")
        if not ahead:
            self._asked, self._linked = True, False
            self.phase, self.error = "waiting", ""
        await (await self.get_state(BridgeState))._issue(
            "wallet.connect",
            cast("dict[str, Any]", params),
            then="pairing.answered",
            command_id=self._command,
            orphaned=orphaned,
        )

    async def _cancel(self) -> None:
        """Cancels the pairing request; what the wallet still approves counts all the same."""
        command, self._command = self._command, ""
        self.phase, self.error, self._ahead = "idle", "", False
        await (await self.get_state(PairedSignInState))._set_pairing_command("")
        await (await self.get_state(BridgeState))._cancel_command(command)

    async def _succeed(self, peer: str) -> None:
        """Records that a wallet has approved; `peer` is what it calls itself."""
        name = self.wallet["name"] or peer or UNKNOWN_WALLET
        self._asked, self._command, self._ahead = False, "", False
        self.phase = "idle"
        await (await self.get_state(BridgeState))._publish(
            events.connect_success(method="mobile" if self._linked else "qrcode", name=name)
        )

    async def _fail(self, failure: Failure, message: str) -> None:
        """Shows the failure in the pane; the host's developer hears of a refusal once."""
        self._command = ""
        self.phase, self.error = "error", failure.text
        await (await self.get_state(BridgeState))._publish(events.connect_error(message=message))
        if failure.alert is not None and failure.alert not in self._alerts:
            self._alerts = [*self._alerts, failure.alert]
            await (await self.get_state(AlertState))._raise(failure.alert)

    @rx.event
    async def select_pane(self, pane: str) -> None:
        """Opens another pane: a tab."""
        shell = await self.get_state(ShellState)
        found = next((tab["id"] for tab in self.tabs if tab["id"] == pane), None)
        if found is not None and found != self.pane:
            self.pane = found
            await self._open_pane()
            await shell._save_record()

    @rx.event
    async def retry(self) -> None:
        """Asks the wallet anew, with a fresh code."""
        shell = await self.get_state(ShellState)
        if shell.view not in PAIRING_VIEWS or not await shell._is_visible():
            return
        if self.pane == "browser":
            await self._ask_browser(again=True)
            await shell._save_record()
        elif self.pane in PAIRED_PLATFORMS:
            await self._cancel()
            await self._propose(fresh=True)

    @rx.event
    def on_link_opened(self) -> None:
        """Notes that the wallet's link was opened."""
        self._linked = self.phase == "waiting"

    @rx.event
    async def on_link_failed(self, payload: dict[str, Any]) -> None:
        """Publishes that the wallet's link could not be opened."""
        found = payload if isinstance(payload, Mapping) else {}
        message, uri, link = found.get("message"), found.get("uri"), found.get("mobile_link")
        if (
            not isinstance(message, str)
            or not isinstance(uri, str)
            or not isinstance(link, str)
            or not self.wallet["id"]
        ):
            count_ignored("malformed")
            return
        # Behind the question mark stands the key with which anyone could answer in the wallet's place.
        topic = uri[:MAX_URL].partition("?")[0] if uri.startswith("wc:") else ""
        await (await self.get_state(BridgeState))._publish(
            events.connect_proxy_error(
                message=clean_text(message, limit=MAX_ERROR_TEXT),
                uri=topic,
                mobile_link=safe_link(link) or "",
                name=self.wallet["name"],
            )
        )

    @rx.event
    async def on_copied(self, ok: bool) -> None:
        """Shows whether the browser copied the link."""
        (await self.get_state(ToastState))._show_copied(ok, LINK_COPIED)

    @rx.event
    async def get_wallet(self) -> None:
        """Opens the list of places to get the wallet from."""
        if self.wallet["download"] == SEVERAL_DOWNLOADS:
            shell = await self.get_state(ShellState)
            shell._push("Downloads", name=self.wallet["name"])
            await shell._save_record()

    @rx.event
    async def open_all_wallets(self) -> None:
        """Opens all wallets: the row below the code."""
        if self.all_wallets:
            await (await self.get_state(BridgeState))._publish(events.click_all_wallets())
            shell = await self.get_state(ShellState)
            shell._push("AllWallets")
            await shell._save_record()
