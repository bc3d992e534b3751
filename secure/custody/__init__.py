"""Keeping wallets: halves under envelope encryption, and the way to the recovery service. No whole key is ever here."""
