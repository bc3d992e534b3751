"""The frame's end of the port: what the loader says becomes events, what the server wants becomes messages."""

from walletmodal.components.bridge.bridge import HEAD_SCRIPT, wallet_bridge

__all__ = ["HEAD_SCRIPT", "wallet_bridge"]
