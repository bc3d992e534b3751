"""Solana: its descriptor and its RPC methods."""
