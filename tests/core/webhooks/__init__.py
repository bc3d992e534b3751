"""Tests of `walletmodal.core.webhooks`."""
