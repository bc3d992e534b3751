"""What a Solana transaction says, read from its bytes: enough to know it again, and to see what was changed in it."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import base58

from walletmodal.core.decoding.byte_reader import ByteReader
from walletmodal.core.errors.rules import PayloadError

MAX_TRANSACTION: Final = 4096
"""Bytes that are looked at; the network takes 1232."""

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
_SIGNATURE: Final = 64
_VERSIONED: Final = 0x80
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
        blockhash: base58; it can land for about a minute after it.
        instructions: a short digest of each, in order, without those that wallets add of their own accord.
        calls: what they say, in order, all of them.
    """

    signature: str
    payer: str
    signers: tuple[str, ...]
    accounts: tuple[str, ...]
    blockhash: str
    instructions: tuple[str, ...]
    calls: tuple[SolanaInstruction, ...]

    @property
    def queue_fee(self) -> int:
        """Lamports that it adds at most to the network's fee, for its place in the queue."""
        units = [_number(one.data) for one in self._of_the_budget(*_SET_UNITS)]
        price = [_number(one.data) for one in self._of_the_budget(*_SET_PRICE)]
        others = sum(one.program != COMPUTE_BUDGET for one in self.calls)
        limit = min(max(units, default=_DEFAULT_UNITS * others), _MAX_UNITS)
        return -(-limit * max(price, default=0) // _MICRO)

    def _of_the_budget(self, kind: int, size: int) -> list[SolanaInstruction]:
        return [
            one
            for one in self.calls
            if one.program == COMPUTE_BUDGET and one.data[:1] == bytes([kind]) and len(one.data) == size
        ]


class _Reader(ByteReader):
    """The lengths of Solana's messages."""

    def byte(self) -> int:
        return self.take(1)[0]

    def length(self) -> int:
        """A number of one to three bytes, seven bits each, the lowest first."""
        number = 0
        for shift in (0, 7, 14):
            part = self.byte()
            number |= (part & 0x7F) << shift
            if not part & 0x80:
                return number
        raise ValueError("a length has more than three bytes")

    def parts(self, size: int) -> list[bytes]:
        return [self.take(size) for _ in range(self.length())]

    @property
    def next(self) -> int:
        return self._data[self._at] if self._at < len(self._data) else 0


def read_transaction(text: object) -> SolanaMessage:
    """Read a transaction in base64, signed or not.

    Raises:
        PayloadError: it is none.
    """
    try:
        if not isinstance(text, str) or len(text) > MAX_TRANSACTION * 4 // 3 + 4:
            raise ValueError("no transaction")
        return _transaction(_Reader(base64.b64decode(text, validate=True)))
    except (ValueError, IndexError) as error:
        raise PayloadError("The transaction cannot be read", details=str(error)) from error


def _transaction(reader: _Reader) -> SolanaMessage:
    signatures = reader.parts(_SIGNATURE)
    versioned = bool(reader.next & _VERSIONED)
    if versioned and reader.byte() != _VERSIONED:
        raise ValueError("a version that nobody knows")
    signers, _, _ = reader.byte(), reader.byte(), reader.byte()
    keys = reader.parts(_KEY)
    if not signatures or len(signatures) != signers or signers > len(keys):
        raise ValueError("the signers are not those of the header")
    blockhash = reader.take(_KEY)
    compiled = [
        (reader.byte(), reader.take(reader.length()), reader.take(reader.length())) for _ in range(reader.length())
    ]
    accounts = [*keys, *(_looked_up(reader) if versioned else ())]
    named = tuple(base58.b58encode(key).decode() for key in keys)
    return SolanaMessage(
        signature=base58.b58encode(signatures[0]).decode(),
        payer=named[0],
        signers=named[:signers],
        accounts=named,
        blockhash=base58.b58encode(blockhash).decode(),
        instructions=tuple(
            _mark(accounts[program], [accounts[index] for index in indexes], data)
            for program, indexes, data in compiled
            if base58.b58encode(accounts[program]).decode() not in WALLETS_OWN
        ),
        calls=tuple(
            SolanaInstruction(
                _named(accounts[program]) or _TABLED, tuple(_named(accounts[index]) for index in indexes), data
            )
            for program, indexes, data in compiled
        ),
    )


def _number(data: bytes) -> int:
    return int.from_bytes(data[1:], "little")


def _named(account: bytes) -> str | None:
    """The address of an account; None for a place in a table."""
    return base58.b58encode(account).decode() if len(account) == _KEY else None


def _looked_up(reader: _Reader) -> list[bytes]:
    """Accounts that stand in tables on the chain, as table and index: the writable ones of all tables first."""
    writable, readable = list[bytes](), list[bytes]()
    for _ in range(reader.length()):
        table = reader.take(_KEY)
        writable += [table + bytes([index]) for index in reader.take(reader.length())]
        readable += [table + bytes([index]) for index in reader.take(reader.length())]
    return writable + readable


def _mark(program: bytes, accounts: Sequence[bytes], data: bytes) -> str:
    digest = sha256(program)
    for part in (*accounts, data):
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.hexdigest()[:INSTRUCTION_MARK]
