"""Settings of the Reflex example; the application is app.py."""

import os

import reflex as rx

config = rx.Config(
    app_name="club",
    app_module_import="app",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    plugins=[],
    disable_plugins=[rx.plugins.SitemapPlugin],
    cors_allowed_origins=[os.environ.get("WALLETMODAL_AUDIENCE", "http://localhost:8000")],
)
