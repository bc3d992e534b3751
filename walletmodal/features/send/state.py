"""What other features reach of sending: its state classes, and what of them a lost session gets back."""

from walletmodal.features.send.form import SendState
from walletmodal.features.send.picker import PickState
from walletmodal.features.send.plan import PLAN_FIELDS, Plan, groups
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.steps import recorded, restore
from walletmodal.features.send.tokens import TokenRow

__all__ = ["PLAN_FIELDS", "PickState", "Plan", "ReviewState", "SendState", "TokenRow", "groups", "recorded", "restore"]
