"""The wallets that the browser brings."""
