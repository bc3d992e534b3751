"""Tests of `walletmodal.core.text`."""
