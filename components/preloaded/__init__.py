"""Content that waits a moment for its pictures."""

from walletmodal.components.preloaded.preloaded import preloaded

__all__ = ["preloaded"]
