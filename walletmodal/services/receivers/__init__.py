"""Who is about to get something: what was typed, checked against the chain, its names and the visitor's own past."""

from walletmodal.services.receivers.receivers import Receivers

__all__ = ["Receivers"]
