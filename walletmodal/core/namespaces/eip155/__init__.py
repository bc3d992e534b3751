"""EVM: its descriptor and its RPC methods."""
