"""Texts that can be said in another language: written in English where they are used, looked up when they reach the visitor."""

from walletmodal.core.language.localized import Language, Localized
from walletmodal.core.language.text import Text, _, fill, listed, ngettext, pgettext, recalled, with_values

__all__ = ["Language", "Localized", "Text", "_", "fill", "listed", "ngettext", "pgettext", "recalled", "with_values"]
