"""A button that opens a page in a window of its own, and tells whether it could."""

from walletmodal.components.popup_button.popup_button import popup_button

__all__ = ["popup_button"]
