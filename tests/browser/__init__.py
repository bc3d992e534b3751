"""The whole system in Chromium."""
