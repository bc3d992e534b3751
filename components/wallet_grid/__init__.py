"""A grid of wallets that grows page by page and loads pictures as they come into view."""

from walletmodal.components.wallet_grid.wallet_grid import wallet_grid

__all__ = ["wallet_grid"]
