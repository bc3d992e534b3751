"""A button that a view puts into the header."""

from walletmodal.components.header_action.header_action import header_action

__all__ = ["header_action"]
