"""The instructions of a transfer."""

from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.instruction import Instruction
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer


def budget(units: int, micro_lamports: int) -> list[Instruction]:
    """How many compute units a transaction may use, and what it adds to the fee for each, in millionths of a lamport."""
    return [set_compute_unit_limit(units), set_compute_unit_price(micro_lamports)]


def pay_lamports(sender: Pubkey, receiver: Pubkey, lamports: int) -> Instruction:
    """Send SOL."""
    return transfer(TransferParams(from_pubkey=sender, to_pubkey=receiver, lamports=lamports))
