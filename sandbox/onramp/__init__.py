"""Buying with a card: the pay page that on-ramp URLs lead to, and the purchases made there."""
