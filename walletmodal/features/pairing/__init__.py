"""Pairing with a wallet elsewhere, by code or link; the code itself is made and drawn in the browser, `components.pairing`."""
