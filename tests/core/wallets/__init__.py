"""Tests of `walletmodal.core.wallets`."""
