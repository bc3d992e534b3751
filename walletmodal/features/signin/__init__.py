"""Signing in with a wallet: when it is asked for, how the wallet is asked, who is signed in, and how it ends."""
