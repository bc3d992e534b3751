"""Wallets and the ways to reach them."""
