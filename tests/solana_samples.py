"""Solana transactions for tests."""

from __future__ import annotations

import base64

from solders.hash import Hash
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

SENDER = Keypair.from_seed(bytes([7] * 32))
RECEIVER = str(Keypair.from_seed(bytes([8] * 32)).pubkey())


def payment(lamports: int, receiver: str = RECEIVER, sender: Keypair = SENDER) -> Instruction:
    """SOL from one account to another."""
    return transfer(
        TransferParams(from_pubkey=sender.pubkey(), to_pubkey=Pubkey.from_string(receiver), lamports=lamports)
    )


def encoded(*instructions: Instruction, sender: Keypair = SENDER, blockhash: str = "", signed: bool = False) -> str:
    """A transaction in base64."""
    last = Hash.from_string(blockhash) if blockhash else Hash.default()
    message = Message.new_with_blockhash(list(instructions), sender.pubkey(), last)
    if signed:
        return base64.b64encode(bytes(VersionedTransaction(message, [sender]))).decode()
    signatures = [Signature.default()] * message.header.num_required_signatures
    return base64.b64encode(bytes(VersionedTransaction.populate(message, signatures))).decode()
