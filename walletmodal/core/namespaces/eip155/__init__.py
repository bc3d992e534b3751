"""EVM: its RPC methods."""
