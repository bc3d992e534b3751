"""A button that copies a text and tells whether it could."""

from components.copy_button.copy_button import copy_button

__all__ = ["copy_button"]
