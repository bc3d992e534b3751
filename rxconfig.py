"""Reflex's settings of this checkout, the same as those of a project."""

from walletmodal.reflex_config import reflex_config

config = reflex_config("walletmodal.walletmodal")
