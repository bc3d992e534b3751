"""Texts that can be said in another language: written in English where they are used, looked up when they reach the visitor."""

from walletmodal.core.language.text import Language, Text, _, fill, ngettext, pgettext

__all__ = ["Language", "Text", "_", "fill", "ngettext", "pgettext"]
