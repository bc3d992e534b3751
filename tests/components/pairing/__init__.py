"""The frame's pairing in Chromium, against the sandbox's relay and a real wallet SDK."""
