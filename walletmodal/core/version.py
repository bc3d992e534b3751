"""The version that errors print and that the loader's versioned path carries."""

from typing import Final

VERSION: Final = "0.1.0"
