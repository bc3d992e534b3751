"""The operator's policy: loaded from its file, and asked about each request of a host page that signs, sends or grants."""

from walletmodal.services.policy.policy import DECIDE_SECONDS, Policy
from walletmodal.services.policy.policy_file import Decide, PolicyFile

__all__ = ["DECIDE_SECONDS", "Decide", "Policy", "PolicyFile"]
