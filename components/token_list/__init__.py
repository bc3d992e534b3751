"""The list of what an account owns."""

from walletmodal.components.token_list.token_list import token_list

__all__ = ["token_list"]
