"""Tests of `walletmodal.core.sign_in`."""
