"""Balances and history of Solana accounts, from the sandbox's Solana node."""
