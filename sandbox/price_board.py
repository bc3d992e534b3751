"""Prices that move by themselves: each a slow walk between bounds around what the chains tell, the same at every run."""

from collections.abc import Mapping
from decimal import Context, Decimal
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Literal

from walletmodal.core.clock import Clock, SystemClock

Coin = Literal["ETH", "POL", "BTC", "UNI", "LINK", "SOL", "mSOL", "BONK", "USDC", "USDC.e", "USDT", "DAI"]
"""The coins that have a price; one that is wrapped has that of the coin in it."""

STEP_SECONDS: Final = 5
"""Prices change this often."""

REACH: Final = 30_000
"""Millionths of its first price by which a price moves away from it at most."""

STEADY: Final[frozenset[Coin]] = frozenset({"USDC", "USDC.e", "USDT", "DAI"})
"""Symbols of coins that are worth a dollar, and stay so."""

SEED: Final = "walletmodal sandbox prices"

_WAVES: Final = ((24, 20_000), (6, 7_500), (1, 2_500))
"""Steps from one turn of a wave to the next, and its height in millionths; together they make the reach."""

_MILLION: Final = 1_000_000
_EXACT: Final = Context(prec=100)


class PriceBoard:
    """What coins are worth at this moment. A price follows from seed, symbol and time alone, so that nothing has to run or be kept.

    Args:
        clock: what moves them.
        seed: another one makes other walks.
        moving: whether they move from the start; those that never did are what the chains tell.
    """

    def __init__(self, clock: Clock | None = None, *, seed: str = SEED, moving: bool = False) -> None:
        self._clock, self._seed, self._moves_at_first = clock or SystemClock(), seed, moving
        self._fixed: dict[str, Decimal] = {}
        self._moving, self._walked, self._since = moving, 0.0, self._clock.monotonic()
        self._revision = 0

    @property
    def moving(self) -> bool:
        """Whether prices move."""
        return self._moving

    @property
    def fixed(self) -> Mapping[str, Decimal]:
        """The prices that somebody has fixed, in dollars by symbol."""
        return MappingProxyType(self._fixed)

    @property
    def revision(self) -> int:
        """Changes whenever somebody takes prices in hand, so that no answer from before is kept."""
        return self._revision

    def of(self, symbol: str, dollars: Decimal) -> Decimal:
        """What a coin is worth now.

        Args:
            symbol: as people know the coin; of a wrapped coin, that of the coin in it.
            dollars: what the chains tell.
        """
        fixed = self._fixed.get(symbol)
        if fixed is not None:
            return fixed
        moved = 0 if symbol in STEADY else self._moved(symbol)
        return _EXACT.multiply(dollars, Decimal(_MILLION + moved).scaleb(-6)) if moved else dollars

    def fix(self, symbol: Coin, dollars: Decimal) -> None:
        """Give a coin a price that stays."""
        self._fixed[symbol] = dollars
        self._revision += 1

    def move(self, *, moving: bool) -> None:
        """Let prices stop where they are, or go on from there; those that are fixed stay."""
        self._walked, self._since = self._seconds(), self._clock.monotonic()
        self._moving = moving
        self._revision += 1

    def reset(self) -> None:
        """Everything as at the start."""
        self._fixed.clear()
        self._moving, self._walked, self._since = self._moves_at_first, 0.0, self._clock.monotonic()
        self._revision += 1

    def _seconds(self) -> float:
        return self._walked + (self._clock.monotonic() - self._since if self._moving else 0.0)

    def _moved(self, symbol: str) -> int:
        """Millionths of its first price by which a coin is away from it."""
        step = int(self._seconds()) // STEP_SECONDS
        return sum(self._wave(symbol, step, length, height) for length, height in _WAVES)

    def _wave(self, symbol: str, step: int, length: int, height: int) -> int:
        turn, past = divmod(step, length)
        here, there = (self._turn(symbol, length, number, height) for number in (turn, turn + 1))
        return here + (there - here) * past // length

    def _turn(self, symbol: str, length: int, number: int, height: int) -> int:
        """Where a wave turns; every walk begins at the first price."""
        if number == 0:
            return 0
        drawn = sha256(f"{self._seed}:{symbol}:{length}:{number}".encode()).digest()
        return int.from_bytes(drawn[:8], "big") % (2 * height + 1) - height
