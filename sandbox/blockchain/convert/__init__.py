"""Swaps: what can be swapped, what it gives, and the transactions that do it."""

from walletmodal.sandbox.blockchain.convert.approvals import ApprovalsEndpoint
from walletmodal.sandbox.blockchain.convert.gas import GasEndpoint
from walletmodal.sandbox.blockchain.convert.quotes import QuotesEndpoint
from walletmodal.sandbox.blockchain.convert.swaps import SwapFinder
from walletmodal.sandbox.blockchain.convert.token_list import TokenListEndpoint
from walletmodal.sandbox.blockchain.convert.transactions import TransactionsEndpoint

__all__ = [
    "ApprovalsEndpoint",
    "GasEndpoint",
    "QuotesEndpoint",
    "SwapFinder",
    "TokenListEndpoint",
    "TransactionsEndpoint",
]
