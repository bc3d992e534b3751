"""Reflex settings; the deployment's own settings are in walletmodal/config.py."""

import reflex as rx

config = rx.Config(
    app_name="walletmodal",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    default_color_mode="light",
    plugins=[],
    disable_plugins=[rx.plugins.SitemapPlugin],
    # Sockets are for our own pages: walletmodal/web/origin.py. Reflex's default would answer every origin.
    cors_allowed_origins=[],
    redis_token_expiration=86_400,
)
