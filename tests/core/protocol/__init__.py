"""Tests of `walletmodal.core.protocol`."""
