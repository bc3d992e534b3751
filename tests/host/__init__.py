"""Tests of `walletmodal.host`."""
