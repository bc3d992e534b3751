"""Swapping tokens of the active account: the form, the list of tokens, the preview, and the request to the wallet."""
