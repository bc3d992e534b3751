"""A button that copies a text and tells whether it could."""

from walletmodal.components.copy_button.copy_button import copy_button

__all__ = ["copy_button"]
