"""The list of an account's activity: months of transactions, growing page by page."""

from walletmodal.components.activity_list.activity_list import activity_list

__all__ = ["activity_list"]
