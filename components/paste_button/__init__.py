"""A button that reads the clipboard, or leads to the field where the visitor pastes by hand."""

from walletmodal.components.paste_button.paste_button import paste_button

__all__ = ["paste_button"]
