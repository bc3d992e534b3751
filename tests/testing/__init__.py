"""Tests of `walletmodal.testing`."""
