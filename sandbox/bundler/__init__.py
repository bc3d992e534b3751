"""Bundler and paymaster: user operations (ERC-4337) are estimated, sponsored, sent and found again, over the chains' real entry points.

One operation is one bundle, sent at once with the sandbox's own coin: there is no shared mempool, so its rules (ERC-7562) are not checked.
"""

from walletmodal.sandbox.bundler.openapi import OPENAPI
from walletmodal.sandbox.bundler.service import UserOperationServices

__all__ = ["OPENAPI", "UserOperationServices"]
