"""Reflex's settings of a project, for its `rxconfig.py`; the deployment's own settings are in `walletmodal.config`."""

import reflex as rx

from walletmodal.reflex_internals.any_origin import AnyOrigin
from walletmodal.reflex_internals.bundled_assets import BundledAssets
from walletmodal.reflex_internals.theme_assets import ThemeAssets, load_theme
from walletmodal.reflex_internals.view_texts import ViewTexts


def reflex_config(app: str, theme: str = "") -> rx.Config:
    """The settings with which Reflex compiles and runs a modal.

    Args:
        app: the module that holds the `app`, such as `my_modal`.
        theme: the module that holds the `theme`, such as `my_modal_theme` (docs/themes.md); "": it looks as it does by itself.

    Raises:
        ThemeError: there is no theme, or it cannot be used.
    """
    return rx.Config(
        app_name=app.partition(".")[0],
        app_module_import=app,
        telemetry_enabled=False,
        show_built_with_reflex=False,
        default_color_mode="light",
        plugins=[BundledAssets(), AnyOrigin(), ThemeAssets(load_theme(theme)), ViewTexts()],
        disable_plugins=[rx.plugins.SitemapPlugin],
        # The first that a browser takes: Brotli, which browsers accept over HTTPS, saves an eighth of gzip's bytes.
        frontend_compression_formats=["brotli", "gzip"],
        # Sockets are for our own pages: walletmodal/web/origin.py. Reflex's default would answer every origin.
        cors_allowed_origins=[],
        # Also of the sessions in a worker's memory, which anyone could otherwise fill for a day. Each event starts the hour anew, and
        # who reconnects later has the place in the modal from the resume record and the wallet from the browser.
        redis_token_expiration=3_600,
        # An event that has waited for a hanging database three times (5 s each, walletmodal/db/engine.py) and for the operator's policy (3 s)
        # still holds its visitor's state, and what it did is kept. Not longer: so long waits who was in the middle of an event when a worker died.
        redis_lock_expiration=20_000,
    )
