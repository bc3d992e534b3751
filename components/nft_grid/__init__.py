"""A grid of NFTs that grows page by page."""

from walletmodal.components.nft_grid.nft_grid import nft_grid

__all__ = ["nft_grid"]
