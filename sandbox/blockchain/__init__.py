"""The blockchain service: `/v1` of the public service, answered from the sandbox's own chains.

Each capability has its file; what they share is `chains` (which chains there are, and their nodes), `requests` (reading what
strangers send) and `failures` (refusing it). Nothing here signs, and nothing here is canned that a chain can tell.
"""

from walletmodal.sandbox.blockchain.openapi import OPENAPI
from walletmodal.sandbox.blockchain.service import BlockchainService

__all__ = ["OPENAPI", "BlockchainService"]
