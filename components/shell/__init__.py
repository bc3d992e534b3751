"""The overlay, the card, and how views and their parts follow each other."""

from walletmodal.components.shell.shell import LazyView, cross_fade, header_title, shell, view_presence

__all__ = ["LazyView", "cross_fade", "header_title", "shell", "view_presence"]
