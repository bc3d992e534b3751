"""Tests of `walletmodal.core.theming`."""
