"""Tests of `walletmodal.core.connections`."""
