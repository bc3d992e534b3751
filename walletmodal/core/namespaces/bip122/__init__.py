"""Bitcoin: its descriptor and its RPC methods."""
