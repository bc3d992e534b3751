"""The two tokens of a swap: as the visitor has chosen them, or as the host page names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.text.formatting import format_amount
from walletmodal.features.account.holdings import token_icon
from walletmodal.features.filled_in import FilledInMixin
from walletmodal.features.swap.tokens import SwapChoice, named_choice

SideName = Literal["source", "target"]
ARGUMENTS: Final[Mapping[SideName, str]] = {"source": "fromToken", "target": "toToken"}
"""What a host page calls the sides."""


class SidesMixin(FilledInMixin, mixin=True):
    """What is given, and what for.

    Attributes:
        source, target: ids of the tokens, "" before they are chosen; with each its `…_symbol` and `…_icon`.
        balance: of the source, as it is shown.
    """

    source: str = ""
    source_symbol: str = ""
    source_icon: str = ""
    target: str = ""
    target_symbol: str = ""
    target_icon: str = ""
    balance: str = ""
    # Whether that is the network's own coin.
    _gives_coin: bool = False

    _source: SwapChoice | None = None
    _target: SwapChoice | None = None
    # What the host page wants for source and target, until the tokens are known.
    _wished: tuple[str, str] = ("", "")

    def _side(self, side: SideName) -> SwapChoice | None:
        """Returns a token as it is kept; Reflex would hand out a proxy of it."""
        found: SwapChoice | None = self.get_value(f"_{side}")
        return found

    def _put_side(self, side: SideName, choice: SwapChoice | None) -> None:
        icon = token_icon(choice.icon) if choice is not None and choice.icon else ""
        named = ("", "") if choice is None else (choice.id, choice.symbol)
        if side == "source":
            self._source = choice
            shown = "" if choice is None else format_amount(to_decimal(choice.balance, choice.decimals))
            self._put(source=named[0], source_symbol=named[1], source_icon=icon, balance=shown)
            self._put(_gives_coin=choice is not None and choice.native)
        else:
            self._target = choice
            self._put(target=named[0], target_symbol=named[1], target_icon=icon)

    def _grant_wish(self, choices: Sequence[SwapChoice]) -> list[str]:
        """Chooses the tokens that the host page has named; returns the names of those that there are not."""
        missing = []
        sides: tuple[SideName, SideName] = ("source", "target")
        for side, name in zip(sides, self._wished, strict=True):
            found = named_choice(choices, name) if name else None
            if found is not None:
                self._put_side(side, found)
            elif name:
                self._on_changed(ARGUMENTS[side])
                missing.append(name)
        self._wished = "", ""
        if self.source and self.source == self.target:
            self._put_side("target", None)
        return missing
