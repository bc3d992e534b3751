"""The overlay, the card, and how views follow each other."""

from components.shell.shell import header_title, shell, view_presence

__all__ = ["header_title", "shell", "view_presence"]
