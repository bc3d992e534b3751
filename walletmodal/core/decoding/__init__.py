"""Bytes and structures that wallets are asked to sign, read strictly."""
