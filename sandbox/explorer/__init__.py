"""The explorer: pages about the transactions, addresses and tokens of the local chains, as a public explorer has them. Nothing is changed here."""

from walletmodal.sandbox.explorer.service import explorer_pages

__all__ = ["explorer_pages"]
