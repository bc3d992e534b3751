"""Tests of `walletmodal.core.decoding`."""
