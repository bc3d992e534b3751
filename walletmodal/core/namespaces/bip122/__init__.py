"""Bitcoin: its RPC methods."""
