"""Reflex settings of the app that our figures are compared with; the same switches as ours."""

# ruff: noqa: INP001 - Reflex starts an app in its folder, which is no package.

import reflex as rx

from walletmodal.reflex_internals.any_origin import AnyOrigin

config = rx.Config(
    app_name="empty_app",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    default_color_mode="light",
    plugins=[AnyOrigin()],
    frontend_compression_formats=["brotli", "gzip"],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
