"""Token picker of the send form."""

from __future__ import annotations

from typing import Final, Literal

import reflex as rx

from walletmodal.core.errors.services import TokenBalanceUnavailableError
from walletmodal.core.text.display_text import clean_text
from walletmodal.features.account.holdings import holder, token_icon
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.send.state import SendState
from walletmodal.features.send.tokens import TokenRow, rows
from walletmodal.features.shell.state import ShellState

VIEW: Final = "WalletSendSelectToken"
MAX_SEARCH: Final = 64


class PickState(rx.State):
    """The picker's list.

    Attributes:
        tokens: its rows; empty while nobody looks at it.
        more: how many there are besides.
        search: what is searched for.
        phase: loading, known, unavailable.
    """

    tokens: list[TokenRow] = []
    more: int = 0
    search: str = ""
    phase: Literal["loading", "known", "unavailable"] = "loading"

    def _clear(self) -> None:
        if self.tokens or self.search or self.phase != "loading":
            self.tokens, self.more, self.search, self.phase = [], 0, "", "loading"

    @rx.event
    async def open_list(self) -> None:
        """Opens the picker: the token button of the form."""
        shell = await self.get_state(ShellState)
        if shell.view == VIEW:
            # Of two clicks the second may come when the list is there, which is loaded once the view appears.
            return
        self._clear()
        shell._push(VIEW)
        await shell._save_record()

    @rx.event
    def set_search(self, text: str) -> Followups:
        """Filters the list by what was typed."""
        search = clean_text(text, limit=MAX_SEARCH) if isinstance(text, str) else ""
        if search == self.search:
            return []
        self.search = search
        return [PickState.load]

    @rx.event
    async def on_shown(self) -> Followups:
        """Loads the list of a view that is shown."""
        return [PickState.load] if (await self.get_state(EmbedState))._ready else []

    @rx.event(background=True)
    async def load(self) -> None:
        """Loads the account's tokens that match the search."""
        async with self:
            found, search = await holder(self), self.search
            if found is None:
                self.tokens, self.more, self.phase = [], 0, "unavailable"
                return
        try:
            held = await found.tokens()
        except TokenBalanceUnavailableError:
            async with self:
                self.tokens, self.more, self.phase = [], 0, "unavailable"
            return
        async with self:
            if self.search != search or (await self.get_state(ShellState)).view != VIEW:
                return
            listed, more = rows(held, found.chain, search, token_icon)
            if (listed, more, "known") != (self.get_value("tokens"), self.more, self.phase):
                self.tokens, self.more, self.phase = listed, more, "known"

    @rx.event
    async def choose(self, key: str) -> Followups:
        """Picks a token; its amount is still to be typed."""
        row = next((row for row in self.get_value("tokens") if row[0] == key), None)
        shell = await self.get_state(ShellState)
        if row is None or shell.view != VIEW:
            return []
        await (await self.get_state(SendState))._set_token(row)
        self._clear()
        await shell._back()
        if shell.view != "WalletSend":
            shell._replace("WalletSend")
        await shell._save_record()
        return [SendState.load]


async def clear_picker(state: rx.State) -> None:
    """Clears list and search when the modal closes."""
    (await state.get_state(PickState))._clear()
