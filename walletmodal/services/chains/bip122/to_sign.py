"""The transaction that signs a message (`to_sign` of BIP-322), as a signature carries it: by its witness alone, or whole."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from walletmodal.core.chains.bitcoin_scripts import Locked
from walletmodal.core.decoding.bitcoin_reader import BitcoinReader
from walletmodal.services.chains.bip122.hashes import hash160, hash256, tagged_hash

ZERO_4: Final = bytes(4)
OUTPUT: Final = bytes(8) + b"\x01\x6a"
"""Of nothing, to nobody (`OP_RETURN`): the one output that it has."""

_TAG: Final = "BIP0322-signed-message"
_NOTHING_SPENT: Final = bytes(32) + b"\xff\xff\xff\xff"
_OUTPOINT: Final = 36
_VERSIONS: Final = (ZERO_4, b"\x02\x00\x00\x00")
_SEGWIT: Final = b"\x00\x01"
_KEY_WITNESS: Final = 2


@dataclass(frozen=True, slots=True)
class ToSign:
    """What the signer has chosen of the transaction; all else of it is fixed.

    Attributes:
        outpoint: the output that it spends.
        unlocking: of its input (`scriptSig`).
        witness: of its input.
        version: 4 bytes, as they stand there; likewise sequence and lock_time.
    """

    outpoint: bytes
    unlocking: bytes
    witness: tuple[bytes, ...]
    version: bytes = ZERO_4
    sequence: bytes = ZERO_4
    lock_time: bytes = ZERO_4


def message_hash(message: bytes) -> bytes:
    """The hash that the made-up output carries."""
    return tagged_hash(_TAG, message)


def to_spend_id(script: bytes, message: bytes) -> bytes:
    """The id of the transaction with the made-up output, in the order in which transactions carry it."""
    unlocking = b"\x00\x20" + message_hash(message)
    return hash256(
        ZERO_4
        + b"\x01"
        + _NOTHING_SPENT
        + bytes([len(unlocking)])
        + unlocking
        + ZERO_4
        + b"\x01"
        + bytes(8)
        + bytes([len(script)])
        + script
        + ZERO_4
    )


def read_simple(locked: Locked, message: bytes, raw: bytes) -> ToSign | None:
    """The transaction of a `simple` signature, which is the witness alone; None where the bytes are none.

    Of a P2SH address the witness says which segwit script it stands for. The standard wants the full form there since its version 1.0.0;
    wallets give the simple one.
    """
    try:
        reader = BitcoinReader(raw)
        witness = _witness(reader)
        reader.end()
    except ValueError:
        return None
    unlocking = b""
    if locked.kind == "p2sh" and witness:
        is_key = len(witness) == _KEY_WITNESS
        program = b"\x00\x14" + hash160(witness[1]) if is_key else b"\x00\x20" + sha256(witness[-1]).digest()
        unlocking = bytes([len(program)]) + program
    return ToSign(to_spend_id(locked.script, message) + ZERO_4, unlocking, witness)


def read_full(locked: Locked, message: bytes, raw: bytes) -> ToSign | None:
    """The transaction of a `full` signature; None where the bytes are none, or one that does not sign this message."""
    try:
        return _transaction(BitcoinReader(raw), to_spend_id(locked.script, message) + ZERO_4)
    except ValueError:
        return None


def _transaction(reader: BitcoinReader, outpoint: bytes) -> ToSign:
    version = reader.take(len(ZERO_4))
    segwit = reader.peek(len(_SEGWIT)) == _SEGWIT
    if segwit:
        reader.take(len(_SEGWIT))
    inputs, spent = reader.size(), reader.take(_OUTPOINT)
    unlocking, sequence = reader.string(), reader.take(len(ZERO_4))
    outputs, output = reader.size(), reader.take(len(OUTPUT))
    witness = _witness(reader) if segwit else ()
    lock_time = reader.take(len(ZERO_4))
    reader.end()
    if version not in _VERSIONS or (inputs, outputs, spent, output) != (1, 1, outpoint, OUTPUT):
        raise ValueError("it signs something else")
    if segwit and not witness:
        raise ValueError("it has a place for a witness and no witness")
    return ToSign(outpoint, unlocking, witness, version, sequence, lock_time)


def _witness(reader: BitcoinReader) -> tuple[bytes, ...]:
    return tuple([reader.string() for _ in range(reader.size())])
