"""The embedded wallet: login by email, recovery on another device, and who is logged in."""
