"""The browser as the server sees it: commands out, replies and snapshots in."""
