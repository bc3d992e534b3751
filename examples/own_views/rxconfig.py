"""Reflex's settings. Those of the deployment are in .env; .env.example lists every one."""

from walletmodal.reflex_config import reflex_config

config = reflex_config("own_views")
