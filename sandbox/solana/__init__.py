"""Solana: JSON-RPC and subscriptions over the real virtual machine (LiteSVM), with SPL tokens.

Signatures, fees, programs and their errors are the virtual machine's; what a validator adds (slots, the age of blockhashes, the
history of accounts) is kept here.
"""
