"""What an operator's policy file imports (docs/policy.md).

A policy is a Python file, named by the setting POLICY_FILE, with one function:

    from walletmodal.policy import Allow, Confirm, Deny, Request

    def decide(request: Request) -> Allow | Deny | Confirm:
        if request.has_unlimited_approval:
            return Confirm("Somebody could take all of this token")
        return Allow()

Where the operator pays the fees of smart accounts it may have another, which says for what:

    def sponsor(sponsorship: Sponsorship) -> Allow | Deny:
        return Allow() if sponsorship.request.signed_in else Deny("sign in first")
"""

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.decoding.decoded_call import Function
from walletmodal.core.requests.policy import Allow, Confirm, Decision, Deny
from walletmodal.core.requests.typed_request import Approval, Call, TypedData
from walletmodal.core.requests.typed_request import HostedRequest as Request
from walletmodal.core.smart_accounts.authorization import Authorization
from walletmodal.core.smart_accounts.sponsorship import Sponsorship

__all__ = [
    "Allow",
    "Approval",
    "Authorization",
    "Call",
    "ChainId",
    "Confirm",
    "Decision",
    "Deny",
    "Function",
    "Request",
    "Sponsorship",
    "TypedData",
]
