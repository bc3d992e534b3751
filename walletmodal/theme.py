"""What a project's theme module imports (docs/themes.md).

A theme is a value, in a module of the project's own:

    from walletmodal.theme import INTER, Colors, Theme

    theme = Theme(light=Colors(accent="#0b7a5b"), dark=Colors(accent="#3ddc97"), font=INTER, radius=6)

It is named in one place, `rxconfig.py`:

    config = reflex_config("my_modal", theme="my_modal_theme")
"""

from walletmodal.core.errors import ThemeError
from walletmodal.core.theming.palette import Colors
from walletmodal.core.theming.presets import COMPACT, CONTRAST, DEFAULT, MIDNIGHT, PAPER, PRESETS, ROUNDED
from walletmodal.core.theming.theme import INTER, FallbackFont, Font, Shadow, Theme

__all__ = [
    "COMPACT",
    "CONTRAST",
    "DEFAULT",
    "INTER",
    "MIDNIGHT",
    "PAPER",
    "PRESETS",
    "ROUNDED",
    "Colors",
    "FallbackFont",
    "Font",
    "Shadow",
    "Theme",
    "ThemeError",
]
