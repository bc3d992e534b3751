"""What a Solana transaction says, read from its bytes: enough to know it again, and to see what was changed in it."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import base58

from walletmodal.core.rule_errors import PayloadError

MAX_TRANSACTION: Final = 4096
"""Bytes that are looked at; the network takes 1232."""

INSTRUCTION_MARK: Final = 16
WALLETS_OWN: Final = frozenset(
    {"ComputeBudget111111111111111111111111111111", "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"}
)
"""Programs that wallets add of their own accord: what a transaction may cost, and guards that can only make it fail."""

_KEY: Final = 32
_SIGNATURE: Final = 64
_VERSIONED: Final = 0x80


@dataclass(frozen=True, slots=True)
class SolanaMessage:
    """A transaction.

    Attributes:
        signature: the first one, base58: what it is known by once it is signed.
        payer: who pays for it.
        signers: all that sign, the payer first; accounts: all that it names itself, in the order of the balances that nodes tell.
        blockhash: base58; it can land for about a minute after it.
        instructions: a short digest of each, in order, without those that wallets add of their own accord.
    """

    signature: str
    payer: str
    signers: tuple[str, ...]
    accounts: tuple[str, ...]
    blockhash: str
    instructions: tuple[str, ...]


class _Reader:
    """Reads bytes from front to back. Raises ValueError where they end too early."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, size: int) -> bytes:
        part = self._data[self._at : self._at + size]
        if len(part) != size:
            raise ValueError("the bytes end too early")
        self._at += size
        return part

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
    )


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
