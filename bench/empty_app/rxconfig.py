"""Reflex settings of the app that our figures are compared with; the same switches as ours."""

# ruff: noqa: INP001 - Reflex starts an app in its folder, which is no package.

import reflex as rx

config = rx.Config(
    app_name="empty_app",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    default_color_mode="light",
    plugins=[],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
