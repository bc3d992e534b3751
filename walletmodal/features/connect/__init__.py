"""Choosing a wallet and connecting it."""
