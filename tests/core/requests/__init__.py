"""Tests of `walletmodal.core.requests`."""
