"""Connecting one wallet of the browser, from the question to its answer."""
