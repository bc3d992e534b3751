"""Texts of the views in the visitor's language."""

from walletmodal.components.language import language  # noqa: F401 -- from now on texts are compiled into calls of its function
