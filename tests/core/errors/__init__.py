"""Tests of `walletmodal.core.errors`."""
