"""Wallets of namespaces beyond eip155 that tests put into a page: published wallet parts, and their owners from a test's side."""
