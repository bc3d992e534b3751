"""Swaps: what the service answers, the terms of a quote, and what a transaction must show in a simulation before it is signed."""
