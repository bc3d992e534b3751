"""Bitcoin's partially signed transactions (PSBT, BIP-174, and version 2: BIP-370): what they pay, from which coins.

Read strictly. What readers could take for different things, as the same key twice, bytes behind the end or a coin whose two
descriptions differ, is refused: the visitor must see what the wallet signs.
"""

import base64
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from walletmodal.core.chains.bitcoin_scripts import witness_program
from walletmodal.core.decoding.bitcoin_reader import BitcoinReader
from walletmodal.core.errors.rules import PayloadError

MAX_PSBT: Final = 120_000
"""Bytes. The network relays no transaction of more than 100,000."""
MAX_SATOSHIS: Final = 21_000_000 * 10**8

_MAGIC: Final = b"psbt\xff"
_HASH: Final = 32
_SCRIPT_HASH_SIZE: Final = 23

# Keys of the global map, of an input's and of an output's; those of version 2 have no place in version 0.
_UNSIGNED, _TRANSACTION_VERSION, _INPUTS, _OUTPUTS, _VERSION = 0x00, 0x02, 0x04, 0x05, 0xFB
_PREVIOUS, _WITNESS, _SIGHASH, _FINAL_SCRIPT, _FINAL_WITNESS, _SPENT_ID, _SPENT_INDEX = 0, 1, 3, 7, 8, 0x0E, 0x0F
_AMOUNT, _SCRIPT = 0x03, 0x04
_GLOBAL_OF_2: Final = frozenset([0x02, 0x03, 0x04, 0x05, 0x06])
_INPUT_OF_2: Final = frozenset([0x0E, 0x0F, 0x10, 0x11, 0x12])
_OUTPUT_OF_2: Final = frozenset([0x03, 0x04])
# They have no more to their key than their kind.
_GLOBAL_ALONE: Final = _GLOBAL_OF_2 | {_UNSIGNED, _VERSION}
_INPUT_ALONE: Final = _INPUT_OF_2 | {_PREVIOUS, _WITNESS, _SIGHASH, _FINAL_SCRIPT, _FINAL_WITNESS}

_Map = dict[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Output:
    """So many satoshis under a locking script."""

    amount: int
    script: bytes


@dataclass(frozen=True, slots=True)
class Input:
    """A coin that is spent.

    Attributes:
        spent: the coin; None where the PSBT does not tell it, or where its word would not be bound by a signature.
        proven: the transaction that made the coin is there, so nobody can have lied about it.
        sighash: the kind of signature that is asked for; None where the wallet chooses.
        final: it is signed already.
    """

    spent: Output | None
    proven: bool
    sighash: int | None
    final: bool


@dataclass(frozen=True, slots=True)
class Psbt:
    """A transaction that waits for signatures."""

    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]

    @property
    def fee(self) -> int | None:
        """The fee in satoshis; None where a coin is not told, or more is paid than comes in, as where others are to add coins."""
        spent = [one.spent.amount for one in self.inputs if one.spent is not None]
        rest = sum(spent) - sum(one.amount for one in self.outputs)
        return rest if len(spent) == len(self.inputs) and rest >= 0 else None


def read_psbt(text: object) -> Psbt:
    """Read a PSBT in base64.

    Raises:
        PayloadError: it is none, or one that could be read in several ways.
    """
    try:
        if not isinstance(text, str) or len(text) > (MAX_PSBT + 2) // 3 * 4:
            raise ValueError("no PSBT, or too large")
        return _psbt(BitcoinReader(base64.b64decode(text, validate=True)))
    except ValueError as error:
        raise PayloadError("The Bitcoin transaction cannot be read", details=str(error)) from error


@dataclass(frozen=True, slots=True)
class _Transaction:
    id: bytes
    spends: tuple[tuple[bytes, int], ...]
    outputs: tuple[Output, ...]


def _psbt(reader: BitcoinReader) -> Psbt:
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise ValueError("it does not begin as one")
    around = _map(reader, _GLOBAL_ALONE)
    version = _number(around, _VERSION, 4) or 0
    if version == 0:
        return _version_0(reader, around)
    if version == 2:
        return _version_2(reader, around)
    raise ValueError("its version is unknown")


def _version_0(reader: BitcoinReader, around: _Map) -> Psbt:
    _without(around, _GLOBAL_OF_2)
    inner = BitcoinReader(_field(around, _UNSIGNED))
    made = _transaction(inner, may_be_signed=False)
    inner.end()
    inputs = [_map(reader, _INPUT_ALONE) for _ in made.spends]
    outputs = [_map(reader, _OUTPUT_OF_2) for _ in made.outputs]
    reader.end()
    for one in inputs:
        _without(one, _INPUT_OF_2)
    for one in outputs:
        _without(one, _OUTPUT_OF_2)
    return _together(inputs, list(made.spends), made.outputs)


def _version_2(reader: BitcoinReader, around: _Map) -> Psbt:
    _without(around, frozenset([_UNSIGNED]))
    if _number(around, _TRANSACTION_VERSION, 4) is None:
        raise ValueError("the version of the transaction is missing")
    inputs = [_map(reader, _INPUT_ALONE) for _ in range(_count(around, _INPUTS))]
    outputs = [_map(reader, _OUTPUT_OF_2) for _ in range(_count(around, _OUTPUTS))]
    reader.end()
    spends = [(_field(one, _SPENT_ID), _number(one, _SPENT_INDEX, 4)) for one in inputs]
    named = [(txid, index) for txid, index in spends if len(txid) == _HASH and index is not None]
    paid = tuple(_output(_number(one, _AMOUNT, 8), _field(one, _SCRIPT)) for one in outputs)
    if len(named) != len(spends):
        raise ValueError("a coin is not named")
    return _together(inputs, named, paid)


def _count(around: _Map, kind: int) -> int:
    inner = BitcoinReader(_field(around, kind))
    found = inner.size()
    inner.end()
    return found


def _together(maps: list[_Map], spends: list[tuple[bytes, int]], outputs: tuple[Output, ...]) -> Psbt:
    if not maps or not outputs:
        raise ValueError("nothing is spent, or nobody is paid")
    if len(set(spends)) != len(spends):
        raise ValueError("a coin is spent twice")
    if sum(one.amount for one in outputs) > MAX_SATOSHIS:
        raise ValueError("an amount is larger than all there is")
    return Psbt(tuple(_input(one, *spent) for one, spent in zip(maps, spends, strict=True)), outputs)


def _input(fields: _Map, txid: bytes, index: int) -> Input:
    before, witness = fields.get(bytes([_PREVIOUS])), fields.get(bytes([_WITNESS]))
    spent, proven = None, before is not None
    if before is not None:
        inner = BitcoinReader(before)
        made = _transaction(inner, may_be_signed=True)
        inner.end()
        if made.id != txid or index >= len(made.outputs):
            raise ValueError("a coin is of another transaction than the one that is there")
        spent = made.outputs[index]
    if witness is not None:
        inner = BitcoinReader(witness)
        told = _output(inner.number(8), inner.string())
        inner.end()
        if spent not in (None, told):
            raise ValueError("a coin is described in two ways")
        # What an older signature does not bind is nobody's word.
        spent = spent or (told if _binds_amount(told.script) else None)
    final = any(bytes([kind]) in fields for kind in (_FINAL_SCRIPT, _FINAL_WITNESS))
    return Input(spent, proven, _number(fields, _SIGHASH, 4), final)


def _binds_amount(script: bytes) -> bool:
    """Whether a signature for a coin of this script counts for its amount alone: segwit, also where it is wrapped in a script's hash."""
    return witness_program(script) is not None or (len(script) == _SCRIPT_HASH_SIZE and script[:2] == b"\xa9\x14")


def _transaction(reader: BitcoinReader, *, may_be_signed: bool) -> _Transaction:
    version, signed = reader.take(4), may_be_signed and reader.peek(2) == b"\x00\x01"
    if signed:
        reader.take(2)
    start = reader.at
    spends, empty = list[tuple[bytes, int]](), True
    for _ in range(reader.size()):
        spends.append((reader.take(_HASH), reader.number(4)))
        empty = not reader.string() and empty
        reader.take(4)
    outputs = tuple(_output(reader.number(8), reader.string()) for _ in range(reader.size()))
    body = reader.since(start)
    for _ in spends if signed else ():
        for _ in range(reader.size()):
            reader.string()
    locktime = reader.take(4)
    if not may_be_signed and not empty:
        raise ValueError("it is signed where it must not be")
    return _Transaction(sha256(sha256(version + body + locktime).digest()).digest(), tuple(spends), outputs)


def _output(amount: int | None, script: bytes) -> Output:
    if amount is None or amount > MAX_SATOSHIS:
        raise ValueError("an amount is missing, or larger than all there is")
    return Output(amount, script)


def _map(reader: BitcoinReader, alone: frozenset[int]) -> _Map:
    found = _Map()
    while key := reader.string():
        if BitcoinReader(key).size() in alone and len(key) > 1:
            raise ValueError("a key is longer than it may be")
        if key in found:
            raise ValueError("a key stands there twice")
        found[key] = reader.string()
    return found


def _field(fields: _Map, kind: int) -> bytes:
    found = fields.get(bytes([kind]))
    if found is None:
        raise ValueError("something that every PSBT has is missing")
    return found


def _number(fields: _Map, kind: int, size: int) -> int | None:
    """A number of a fixed size; None where there is none."""
    found = fields.get(bytes([kind]))
    if found is not None and len(found) != size:
        raise ValueError("a number has the wrong size")
    return None if found is None else int.from_bytes(found, "little")


def _without(fields: _Map, kinds: frozenset[int]) -> None:
    if any(bytes([kind]) in fields for kind in kinds):
        raise ValueError("it has something of another version")
