"""Logging in with a Farcaster account: its app signs a message, and the registries on OP Mainnet say whose id the signer has."""
