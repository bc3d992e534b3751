"""The page of the embedded wallet in Chromium, within a host and a stand-in for the modal."""
