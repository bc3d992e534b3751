"""The outside world: directory, blockchain and analytics services, RPC nodes, chains, balances, pictures, caches. Imports `core`, never Reflex."""
