"""Messages between browser and server, and what a host may set (docs/protocol.md)."""
