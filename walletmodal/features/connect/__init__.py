"""Choosing a wallet: the Connect view, its sections and pages, and what leads from a choice to a connection."""
