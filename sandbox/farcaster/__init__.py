"""The relay of Sign In With Farcaster, and the phone that approves."""

from walletmodal.sandbox.farcaster.phone import FARCASTER_CHAIN, farcaster_pages
from walletmodal.sandbox.farcaster.relay import FarcasterService

__all__ = ["FARCASTER_CHAIN", "FarcasterService", "farcaster_pages"]
