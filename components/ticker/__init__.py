"""What asks the server again and again while somebody looks."""

from walletmodal.components.ticker.ticker import ticker

__all__ = ["ticker"]
