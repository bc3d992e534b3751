"""NFTs of an account, from what every deployment has: the nodes, and the history of the blockchain service where there is one."""

from walletmodal.services.nfts.nfts import NftPage, Nfts

__all__ = ["NftPage", "Nfts"]
