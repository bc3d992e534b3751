"""Polkadot: its RPC methods."""
