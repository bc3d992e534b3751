"""Receiving: the account's address to show and to copy, and the networks on which it may be used."""
