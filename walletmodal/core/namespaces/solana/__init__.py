"""Solana: its RPC methods."""
