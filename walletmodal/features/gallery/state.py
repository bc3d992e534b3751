"""Fills the state classes of one visitor's session with an entry's sample data."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.config import settings
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.account.state import Bip122State, Eip155State, SolanaState
from walletmodal.features.account.tokens import TokensState
from walletmodal.features.activity.state import ActivityState
from walletmodal.features.all_wallets.state import AllWalletsState
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connect.legal import LegalState
from walletmodal.features.connect.methods import MethodsState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.gallery.entries import BY_ID, Entry
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.nfts.state import NftsState
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.send.picker import PickState
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import SendState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.listing import SignInsState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.features.transactions.state import PendingState
from walletmodal.features.wallets.state import WalletsState

_FILLED: tuple[type[rx.State], ...] = (
    ShellState,
    BridgeState,
    EmbedState,
    WalletsState,
    AllWalletsState,
    ApproveState,
    ActivityState,
    ConnectState,
    ActiveState,
    ChoiceState,
    LegalState,
    MethodsState,
    Eip155State,
    SolanaState,
    Bip122State,
    TokensState,
    AddressesState,
    NetworksState,
    NftsState,
    PairingState,
    SendState,
    PickState,
    ReviewState,
    SignInState,
    SignInsState,
    PendingState,
    ToastState,
    AlertState,
)


class GalleryState(rx.State):
    """The gallery entry on screen. Does nothing where the deployment has no gallery: sample data would pass for real."""

    entry: str = ""
    theme: str = "dark"
    lost: bool = False
    asked: bool = False

    @rx.event
    async def show(self) -> None:
        """Page load: `?entry=<id>&theme=dark|light`; without an entry that exists, the index."""
        if not settings().walletmodal_gallery:
            return
        asked = self.router.url.query_parameters
        self.theme = "light" if asked.get("theme") == "light" else "dark"
        entry = BY_ID.get(asked.get("entry", ""))
        if entry is not None:
            await self._fill(entry)
        self.lost = entry is not None and entry.lost
        self.entry = entry.id if entry is not None else ""
        self.asked = True

    async def _fill(self, entry: Entry) -> None:
        for cls in _FILLED:
            state: Any = await self.get_state(cls)
            state.reset()
            for name, value in entry.values.get(cls, {}).items():
                setattr(state, name, value)
        shell = await self.get_state(ShellState)
        shell.connected = bool({"Account", "Transactions"} & set(entry.stack))
        shell._reset(entry.stack[0], **entry.data)
        for view in entry.stack[1:]:
            shell._push(view, **entry.data)
        shell.open = True
