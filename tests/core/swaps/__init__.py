"""Tests of `walletmodal.core.transfers`."""
