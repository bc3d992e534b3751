"""The animation library of the wrapped components, by its npm name and version."""

from typing import Final

FRAMER_MOTION: Final = ["framer-motion@14.14.0"]
