"""Tests of `walletmodal.core.analytics`."""
