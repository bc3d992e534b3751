"""Token picker of the swap form."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.errors import WalletModalError
from walletmodal.core.text.display_text import clean_text
from walletmodal.features.account.holdings import holder, token_icon
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.send.tokens import TokenRow
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.sides import SideName
from walletmodal.features.swap.state import VIEW as FORM
from walletmodal.features.swap.state import SwapState
from walletmodal.features.swap.tokens import choice_rows, find_choice, load_choices, suggested

VIEW: Final = "SwapSelectToken"
MAX_SEARCH: Final = 64


class Suggestion(TypedDict):
    """A token that many look for."""

    id: str
    symbol: str
    icon: str


class SwapPickState(rx.State):
    """The picker's list.

    Attributes:
        other: id of the token on the other side, which cannot be chosen.
        mine, others: its rows, the account's and the rest; empty while nobody looks at it.
        more: how many there are besides.
        suggestions: those that many look for.
        search: what is searched for.
        phase: loading, known, unavailable.
    """

    # For which side a token is chosen.
    _side: SideName = "source"
    other: str = ""
    mine: list[TokenRow] = []
    others: list[TokenRow] = []
    more: int = 0
    suggestions: list[Suggestion] = []
    search: str = ""
    phase: Literal["loading", "known", "unavailable"] = "loading"

    def _clear(self) -> None:
        if self.mine or self.others or self.search or self.phase != "loading":
            self.mine, self.others, self.more, self.suggestions, self.search, self.phase = [], [], 0, [], "", "loading"

    @rx.event
    async def open_list(self, side: str) -> None:
        """Opens the picker: a token button of the form."""
        shell, form = await self.get_state(ShellState), await self.get_state(SwapState)
        if side not in ("source", "target") or shell.view != FORM:
            return
        self._clear()
        self._side, self.other = ("source", form.target) if side == "source" else ("target", form.source)
        await (await self.get_state(BridgeState))._publish(events.click_select_token_to_swap())
        shell._push(VIEW)
        await shell._save_record()

    @rx.event
    def set_search(self, text: str) -> Followups:
        """Filters the list by what was typed."""
        search = clean_text(text, limit=MAX_SEARCH) if isinstance(text, str) else ""
        if search == self.search:
            return []
        self.search = search
        return [SwapPickState.load]

    @rx.event
    async def on_shown(self) -> Followups:
        """Loads the list of a view that is shown."""
        return [SwapPickState.load] if (await self.get_state(EmbedState))._ready else []

    @rx.event(background=True)
    async def load(self) -> None:
        """Loads the tokens that match the search."""
        async with self:
            found, search = await holder(self), self.search
        try:
            choices = () if found is None else await load_choices(found)
        except WalletModalError:
            choices = ()
        async with self:
            if self.search != search or (await self.get_state(ShellState)).view != VIEW:
                return
            if not choices:
                self._clear()
                self.phase = "unavailable"
                return
            self.mine, self.others, self.more = choice_rows(choices, search)
            self.suggestions = [
                {"id": one.id, "symbol": one.symbol, "icon": token_icon(one.icon) if one.icon else ""}
                for one in suggested(choices)
            ]
            self.phase = "known"

    @rx.event(background=True)
    async def choose(self, token: str) -> Followups:
        """Chooses a token; its amount is still to be typed where it is the one that is given."""
        async with self:
            found, shell = await holder(self), await self.get_state(ShellState)
            if found is None or not isinstance(token, str) or shell.view != VIEW or token == self.other:
                return []
        try:
            choice = find_choice(await load_choices(found), token)
        except WalletModalError:
            return []
        async with self:
            shell, form, now = await self.get_state(ShellState), await self.get_state(SwapState), await holder(self)
            if choice is None or shell.view != VIEW or now is None or now.caip_address != found.caip_address:
                return []
            followups = form._choose(self._side, choice)
            self._clear()
            await shell._back()
            if shell.view != FORM:
                shell._replace(FORM)
            await shell._save_record()
            return followups


async def clear_swap_picker(state: rx.State) -> None:
    """Clears list and search when the modal closes."""
    (await state.get_state(SwapPickState))._clear()
