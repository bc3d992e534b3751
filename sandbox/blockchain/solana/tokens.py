"""What SPL tokens are called and worth; a mint itself tells only its decimals, and there is no market here."""

from dataclasses import dataclass
from decimal import Decimal

from walletmodal.sandbox.blockchain.currencies import dollars_per_sol
from walletmodal.sandbox.price_board import PriceBoard
from walletmodal.sandbox.solana.world import WRAPPED_SOL, tokens


@dataclass(frozen=True, slots=True)
class SplName:
    """Name, symbol and picture of a mint; `dollars` is what one whole token counts as."""

    name: str
    symbol: str
    icon_url: str | None
    dollars: Decimal


class SolanaTokens:
    """Names of SOL and of mints.

    Args:
        images: URL of the directory's token pictures; the symbol is appended.
        board: how prices move.
    """

    def __init__(self, images: str, board: PriceBoard) -> None:
        self._images, self._board = images, board

    def of(self, mint: str | None) -> SplName:
        """What a mint is called; None is SOL, and a mint that nobody named goes by its address and is worth nothing."""
        if mint is None or mint == WRAPPED_SOL:
            named = ("Solana", "SOL") if mint is None else ("Wrapped SOL", "WSOL")
            return SplName(*named, f"{self._images}SOL", self._board.of("SOL", dollars_per_sol()))
        known = tokens().get(mint)
        if known is None:
            return SplName(mint, f"{mint[:4]}…{mint[-4:]}", None, Decimal(0))
        dollars = self._board.of(known.symbol, known.dollars)
        return SplName(known.name, known.symbol, f"{self._images}{known.symbol}", dollars)
