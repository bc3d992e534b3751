"""The outside world: RPC nodes, caches and, later, directory, prices, names and images. Imports `core`, never Reflex."""
