"""Decoding of Solana transactions: enough to know one again, and to see what was changed in it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import base58

from walletmodal.core.errors.rules import PayloadError

if TYPE_CHECKING:
    from solders.message import Message, MessageV0
    from solders.transaction import VersionedTransaction

MAX_TRANSACTION: Final = 4096
"""Bytes that are looked at; the network takes 1232."""

LAMPORTS_PER_SIGNATURE: Final = 5_000
INSTRUCTION_MARK: Final = 16
COMPUTE_BUDGET: Final = "ComputeBudget111111111111111111111111111111"
"""The program that says how much a transaction may compute, and what it adds to the fee for that."""
WALLETS_OWN: Final = frozenset({COMPUTE_BUDGET, "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"})
"""Programs that wallets add of their own accord: what a transaction may cost, and guards that can only make it fail."""

_DEFAULT_UNITS: Final = 200_000
_MAX_UNITS: Final = 1_400_000
_SET_UNITS, _SET_PRICE = (2, 5), (3, 9)
"""Of its instructions, the two that count: the first byte, and how many there are."""
_MICRO: Final = 1_000_000
"""A price is in millionths of a lamport."""

_KEY: Final = 32
_TABLED: Final = "a program from a table"


@dataclass(frozen=True, slots=True)
class SolanaInstruction:
    """A call of a program: its address, the accounts that it gets (None for one that stands in a table on the chain), its data."""

    program: str
    accounts: tuple[str | None, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class SolanaMessage:
    """A transaction.

    Attributes:
        signature: the first one, base58: what it is known by once it is signed.
        payer: who pays for it.
        signers: all that sign, the payer first; accounts: all that it names itself, in the order of the balances that nodes tell.
        writable: those of them that it may write to.
        blockhash: base58; it can land for about a minute after it.
        instructions: a short digest of each, in order, without those that wallets add of their own accord.
        calls: what they say, in order, all of them.
    """

    signature: str
    payer: str
    signers: tuple[str, ...]
    accounts: tuple[str, ...]
    writable: tuple[str, ...]
    blockhash: str
    instructions: tuple[str, ...]
    calls: tuple[SolanaInstruction, ...]

    @property
    def fee(self) -> int:
        """Lamports that the network takes at most: for its signatures, and for its place in the queue."""
        return LAMPORTS_PER_SIGNATURE * len(self.signers) + self.queue_fee

    @property
    def queue_fee(self) -> int:
        """Lamports that it adds at most to the network's fee, for its place in the queue."""
        units = [_number(one.data) for one in self._compute_budget_value(*_SET_UNITS)]
        price = [_number(one.data) for one in self._compute_budget_value(*_SET_PRICE)]
        others = sum(one.program != COMPUTE_BUDGET for one in self.calls)
        limit = min(max(units, default=_DEFAULT_UNITS * others), _MAX_UNITS)
        return -(-limit * max(price, default=0) // _MICRO)

    def _compute_budget_value(self, kind: int, size: int) -> list[SolanaInstruction]:
        return [
            one
            for one in self.calls
            if one.program == COMPUTE_BUDGET and one.data[:1] == bytes([kind]) and len(one.data) == size
        ]


def read_transaction(text: object) -> SolanaMessage:
    """Read a transaction in base64, signed or not.

    Raises:
        PayloadError: it is none.
    """
    from solders.transaction import VersionedTransaction  # noqa: PLC0415 - 8 MB that a start does without

    try:
        if not isinstance(text, str) or len(text) > MAX_TRANSACTION * 4 // 3 + 4:
            raise ValueError("no transaction")
        return _read(VersionedTransaction.from_bytes(base64.b64decode(text, validate=True)))
    except (ValueError, IndexError) as error:
        raise PayloadError("The transaction cannot be read", details=str(error)) from error


def _read(transaction: VersionedTransaction) -> SolanaMessage:
    message, signatures = transaction.message, transaction.signatures
    signers = message.header.num_required_signatures
    if not signatures or len(signatures) != signers or signers > len(message.account_keys):
        raise ValueError("the signers are not those of the header")
    named = tuple(str(key) for key in message.account_keys)
    accounts = [bytes(key) for key in message.account_keys] + _lookup_table_accounts(message)
    compiled = [(one.program_id_index, one.accounts, one.data) for one in message.instructions]
    return SolanaMessage(
        signature=str(signatures[0]),
        payer=named[0],
        signers=named[:signers],
        accounts=named,
        writable=_writable(message, named),
        blockhash=str(message.recent_blockhash),
        instructions=tuple(
            _mark(accounts[program], [accounts[index] for index in indexes], data)
            for program, indexes, data in compiled
            if _account_address(accounts[program]) not in WALLETS_OWN
        ),
        calls=tuple(
            SolanaInstruction(
                _account_address(accounts[program]) or _TABLED,
                tuple(_account_address(accounts[index]) for index in indexes),
                data,
            )
            for program, indexes, data in compiled
        ),
    )


def _writable(message: Message | MessageV0, named: tuple[str, ...]) -> tuple[str, ...]:
    """Lists the writable accounts: in front among those that sign, and in front among the others."""
    header = message.header
    signing = header.num_required_signatures
    return (
        *named[: signing - header.num_readonly_signed_accounts],
        *named[signing : len(named) - header.num_readonly_unsigned_accounts],
    )


def _number(data: bytes) -> int:
    return int.from_bytes(data[1:], "little")


def _account_address(account: bytes) -> str | None:
    """Returns the address of an account; None for a place in a table."""
    return base58.b58encode(account).decode() if len(account) == _KEY else None


def _lookup_table_accounts(message: Message | MessageV0) -> list[bytes]:
    """Lists accounts that stand in tables on the chain, as table and index: the writable ones of all tables first."""
    from solders.message import MessageV0  # noqa: PLC0415 - as above

    tables = message.address_table_lookups if isinstance(message, MessageV0) else []
    writable = [bytes(one.account_key) + bytes([index]) for one in tables for index in one.writable_indexes]
    readable = [bytes(one.account_key) + bytes([index]) for one in tables for index in one.readonly_indexes]
    return writable + readable


def _mark(program: bytes, accounts: Sequence[bytes], data: bytes) -> str:
    digest = sha256(program)
    for part in (*accounts, data):
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.hexdigest()[:INSTRUCTION_MARK]
