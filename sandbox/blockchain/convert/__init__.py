"""Swaps: what can be swapped, what it gives, and the transactions that do it."""

from sandbox.blockchain.convert.approvals import ApprovalsEndpoint
from sandbox.blockchain.convert.gas import GasEndpoint
from sandbox.blockchain.convert.quotes import QuotesEndpoint
from sandbox.blockchain.convert.swaps import SwapFinder
from sandbox.blockchain.convert.token_list import TokenListEndpoint
from sandbox.blockchain.convert.transactions import TransactionsEndpoint

__all__ = [
    "ApprovalsEndpoint",
    "GasEndpoint",
    "QuotesEndpoint",
    "SwapFinder",
    "TokenListEndpoint",
    "TransactionsEndpoint",
]
