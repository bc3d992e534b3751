"""Choice of what is bought, and of the money that pays for it."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

import reflex as rx

from walletmodal.core.language import _
from walletmodal.core.text.formatting import format_exact
from walletmodal.core.transfers.onramp import OnrampOptions
from walletmodal.deployment import deployment
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.connect.legal import LegalState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.onramp.buyer import active_buyer, are_examples, fetch_options
from walletmodal.features.onramp.state import BuyState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin

TOKENS: Final = "OnRampTokenSelect"
CURRENCIES: Final = "OnRampFiatSelect"
VIEWS: Final = frozenset({TOKENS, CURRENCIES})
MAX_ROWS: Final = 100


class TokenChoice(TypedDict):
    """What can be bought."""

    symbol: str
    name: str
    icon: str


class CurrencyChoice(TypedDict):
    """Money; `limits`: what the providers take of it."""

    code: str
    limits: str
    icon: str


class CurrencyState(AssigningMixin, rx.State):
    """The choices; empty while nobody looks.

    Attributes:
        tokens, currencies: the rows.
        more: how many tokens there are besides.
        example: whether no service has told them.
        phase: loading, shown, none (nothing can be bought here).
    """

    tokens: list[TokenChoice] = []
    currencies: list[CurrencyChoice] = []
    more: int = 0
    example: bool = False
    phase: Literal["loading", "shown", "none"] = "loading"

    def _clear(self) -> None:
        self._put(tokens=[], currencies=[], more=0, example=False, phase="loading")

    @rx.event
    async def on_shown(self) -> Followups:
        """Reads the choices of a view that is shown."""
        return [CurrencyState.load] if (await self.get_state(EmbedState))._ready else []

    @rx.event(background=True)
    async def load(self) -> None:
        """Reads what can be bought and paid with."""
        async with self:
            found = await active_buyer(self)
            if (await self.get_state(ShellState)).view not in VIEWS:
                return
        known = await fetch_options(found) if found is not None else None
        async with self:
            if (await self.get_state(ShellState)).view not in VIEWS:
                return
            if known is None:
                self._clear()
                self._put(phase="none")
                return
            tokens = _tokens(known)
            currencies = _currencies(known)
            self._put(tokens=tokens[:MAX_ROWS], more=max(len(tokens) - MAX_ROWS, 0), currencies=currencies)
            self._put(example=are_examples(known), phase="shown" if tokens and currencies else "none")

    @rx.event
    async def choose_token(self, symbol: str) -> None:
        """Picks what is bought; the modal goes back to the providers, or closes for the page that has opened it here."""
        shell = await self._may_choose(TOKENS)
        if shell is not None and any(row["symbol"] == symbol for row in self.get_value("tokens")):
            (await self.get_state(BuyState))._put(token=symbol)
            await self._leave(shell)

    @rx.event
    async def choose_currency(self, code: str) -> None:
        """Picks what pays for it; as `choose_token`."""
        shell = await self._may_choose(CURRENCIES)
        if shell is not None and any(row["code"] == code for row in self.get_value("currencies")):
            (await self.get_state(BuyState))._put(currency=code)
            await self._leave(shell)

    async def _may_choose(self, view: str) -> ShellState | None:
        """Returns the shell where a view is shown whose rows can be chosen."""
        shell = await self.get_state(ShellState)
        blocked = await (await self.get_state(LegalState))._is_blocked()
        return shell if shell.view == view and not blocked else None

    async def _leave(self, shell: ShellState) -> None:
        self._clear()
        await shell._back()
        await shell._save_record()


def _tokens(known: OnrampOptions) -> list[TokenChoice]:
    images = deployment().services.images
    first = {one.symbol: one for one in reversed(known.purchase_currencies)}
    ordered = dict.fromkeys(one.symbol for one in known.purchase_currencies)
    return [
        {"symbol": symbol, "name": first[symbol].name, "icon": images.directory_path("token", symbol)}
        for symbol in ordered
    ]


def _currencies(known: OnrampOptions) -> list[CurrencyChoice]:
    images = deployment().services.images
    rows: dict[str, CurrencyChoice] = {}
    for one in known.payment_currencies:
        limits = one.payment_method_limits
        least, most = (min(n.min for n in limits), max(n.max for n in limits)) if limits else (None, None)
        text = (
            ""
            if least is None or most is None
            else _("{least} to {most}", least=format_exact(least), most=format_exact(most))
        )
        icon = images.directory_path("currency", one.id.lower())
        rows.setdefault(one.id, {"code": one.id, "limits": text, "icon": icon})
    return list(rows.values())[:MAX_ROWS]
