"""The instructions of a transfer, as their programs define them."""

import struct
from typing import Final

from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import TransferParams, transfer

ASSOCIATED_PROGRAM: Final = Pubkey.from_string("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")

_CREATE_IDEMPOTENT: Final = b"\x01"
_TRANSFER_CHECKED: Final = 12


def budget(units: int, micro_lamports: int) -> list[Instruction]:
    """How many compute units a transaction may use, and what it adds to the fee for each, in millionths of a lamport."""
    return [set_compute_unit_limit(units), set_compute_unit_price(micro_lamports)]


def pay_lamports(sender: Pubkey, receiver: Pubkey, lamports: int) -> Instruction:
    """Send SOL."""
    return transfer(TransferParams(from_pubkey=sender, to_pubkey=receiver, lamports=lamports))


def associated_account(owner: Pubkey, mint: Pubkey, program: Pubkey) -> Pubkey:
    """The address of the token account that an owner has by default for a mint."""
    seeds = [bytes(owner), bytes(program), bytes(mint)]
    address, _ = Pubkey.find_program_address(seeds, ASSOCIATED_PROGRAM)
    return address


def open_associated_account(payer: Pubkey, owner: Pubkey, mint: Pubkey, program: Pubkey) -> Instruction:
    """Open that account where it is not open already; the payer pays its rent."""
    metas = [
        AccountMeta(payer, is_signer=True, is_writable=True),
        AccountMeta(associated_account(owner, mint, program), is_signer=False, is_writable=True),
        *(AccountMeta(each, is_signer=False, is_writable=False) for each in (owner, mint, SYSTEM_PROGRAM, program)),
    ]
    return Instruction(ASSOCIATED_PROGRAM, _CREATE_IDEMPOTENT, metas)


def pay_tokens(
    amount: int, *, program: Pubkey, mint: Pubkey, decimals: int, owner: Pubkey, source: Pubkey, target: Pubkey
) -> Instruction:
    """Send tokens between two token accounts, `amount` in base units; the program checks the mint and its decimals."""
    metas = [
        AccountMeta(source, is_signer=False, is_writable=True),
        AccountMeta(mint, is_signer=False, is_writable=False),
        AccountMeta(target, is_signer=False, is_writable=True),
        AccountMeta(owner, is_signer=True, is_writable=False),
    ]
    return Instruction(program, struct.pack("<BQB", _TRANSFER_CHECKED, amount, decimals), metas)
