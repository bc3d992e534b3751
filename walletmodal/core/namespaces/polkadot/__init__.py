"""Polkadot: its descriptor and its RPC methods."""
