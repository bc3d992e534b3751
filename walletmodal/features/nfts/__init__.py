"""The NFTs of the account: the tab, and one of them in detail."""
