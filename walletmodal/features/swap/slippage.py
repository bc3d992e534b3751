"""Slippage of a swap: chosen from a few, or typed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import reflex as rx

from walletmodal.core.language import _
from walletmodal.core.swaps.terms import DEFAULT_SLIPPAGE, HIGH_SLIPPAGE, automatic_slippage, read_slippage
from walletmodal.core.text.display_text import typed_text
from walletmodal.features.substates import AssigningMixin

MAX_SLIPPAGE_TEXT: Final = 8
AUTOMATIC: Final = "auto"

WRONG_SLIPPAGE: Final = _("Type a percentage from 0.01 to 50.")
HIGH_SLIPPAGE_NOTE: Final = _("With so much slippage others can take much of what you should get.")


class SlippageMixin(AssigningMixin, mixin=True):
    """The visitor's slippage.

    Attributes:
        slippage: `auto` or percent, as chosen; own_slippage: as typed; slippage_note: what is to be said of it.
        used_slippage: the percentage that counts; filled: counts how often the server has filled in a field.
    """

    slippage: str = f"{DEFAULT_SLIPPAGE}"
    own_slippage: str = ""
    slippage_note: str = ""
    used_slippage: str = f"{DEFAULT_SLIPPAGE}"
    filled: int = 0

    def _update_form(self) -> None:
        """Updates what follows from the slippage."""
        raise NotImplementedError

    async def _save_form(self) -> None:
        """Saves what was entered for a session that is lost now."""
        raise NotImplementedError

    def _slippage(self, impact: Decimal | None) -> Decimal:
        """Returns the slippage that counts, in percent.

        Args:
            impact: price impact of the swap in percent; None where it is not known.
        """
        if self.slippage == AUTOMATIC:
            return automatic_slippage(impact)
        return read_slippage(self.slippage) or DEFAULT_SLIPPAGE

    def _put_slippage(self, slippage: Decimal) -> None:
        """Shows the slippage that counts."""
        self._put(used_slippage=f"{slippage:f}", slippage_note=HIGH_SLIPPAGE_NOTE if slippage > HIGH_SLIPPAGE else "")

    @rx.event
    async def choose_slippage(self, slippage: Any) -> None:
        """Sets the slippage: `auto`, or percent."""
        if not isinstance(slippage, str) or (slippage != AUTOMATIC and read_slippage(slippage) is None):
            return
        if self.own_slippage:
            self.filled += 1
        self._put(slippage=slippage, own_slippage="")
        self._update_form()
        await self._save_form()

    @rx.event
    async def type_slippage(self, text: Any) -> None:
        """Sets the visitor's own slippage; what is none leaves the one before, and says so."""
        typed = typed_text(text, limit=MAX_SLIPPAGE_TEXT)
        self._put(own_slippage=typed)
        read = read_slippage(typed)
        if read is not None:
            self._put(slippage=f"{read:f}")
        self._update_form()
        if typed.strip() and read is None:
            self._put(slippage_note=WRONG_SLIPPAGE)
        await self._save_form()
