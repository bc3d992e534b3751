"""Tests of `walletmodal.core.chains`."""
