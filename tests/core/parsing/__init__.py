"""Tests of `walletmodal.core.parsing`."""
