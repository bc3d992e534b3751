"""What an operator's policy file imports (docs/policy.md).

A policy is a Python file, named by the setting POLICY_FILE, with one function:

    from walletmodal.policy import Allow, Confirm, Deny, Request

    def decide(request: Request) -> Allow | Deny | Confirm:
        if request.has_unlimited_approval:
            return Confirm("Somebody could take all of this token")
        return Allow()
"""

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.decoding.decoded_call import Function
from walletmodal.core.requests.policy import Allow, Confirm, Decision, Deny
from walletmodal.core.requests.typed_request import Approval, Call, TypedData
from walletmodal.core.requests.typed_request import HostedRequest as Request

__all__ = [
    "Allow",
    "Approval",
    "Call",
    "ChainId",
    "Confirm",
    "Decision",
    "Deny",
    "Function",
    "Request",
    "TypedData",
]
