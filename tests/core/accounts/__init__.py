"""Tests of `walletmodal.core.accounts`."""
