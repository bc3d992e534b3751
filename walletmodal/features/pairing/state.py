"""What other features reach of pairing: its state class, and what of it a lost session gets back."""

from walletmodal.features.pairing.approved import WAITING_VIEWS
from walletmodal.features.pairing.panes import PairingState
from walletmodal.features.pairing.steps import recorded, restore
from walletmodal.features.pairing.target import NO_TARGET, Target

__all__ = ["NO_TARGET", "WAITING_VIEWS", "PairingState", "Target", "recorded", "restore"]
