"""What other features use of this one: having a wallet send something, and the transactions to watch."""

from walletmodal.features.transactions.asking import HostTransaction, Outcome, ask_transaction, on_outcome
from walletmodal.features.transactions.pending import PendingState, on_final
from walletmodal.features.transactions.rows import NO_ROW, PendingRow

__all__ = [
    "NO_ROW",
    "HostTransaction",
    "Outcome",
    "PendingRow",
    "PendingState",
    "ask_transaction",
    "on_final",
    "on_outcome",
]
