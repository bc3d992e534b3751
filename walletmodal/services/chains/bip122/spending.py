"""Whether a transaction spends the output that a message has made up, for the scripts that wallets make.

These scripts are one key (P2PKH, P2WPKH, P2TR), and several keys of which some have to sign (multisig in P2SH and P2WSH); those of segwit
also behind a P2SH address. Any other script is not understood, and nothing that is not understood counts.
"""

from hashlib import sha256
from typing import Final

from btclib_secp256k1 import dsa, ssa

from walletmodal.core.chains.bitcoin_scripts import Locked, key_hash_script, witness_program
from walletmodal.core.decoding.bitcoin_reader import BitcoinReader
from walletmodal.services.chains.bip122.hashes import hash160
from walletmodal.services.chains.bip122.sighash import (
    SIGHASH_ALL,
    SIGHASH_DEFAULT,
    legacy_digest,
    segwit_digest,
    taproot_digest,
)
from walletmodal.services.chains.bip122.to_sign import ToSign

_OP_1, _OP_16, _OP_CHECKMULTISIG = 0x51, 0x60, 0xAE
_PUSHDATA_1, _PUSHDATA_2 = 0x4C, 0x4D
_MAX_PUSH: Final = 520
_COMPRESSED, _UNCOMPRESSED = 33, 65
_SCHNORR: Final = 64
_PROGRAM_OF_KEY, _PROGRAM_OF_SCRIPT = 20, 32


def is_spent(locked: Locked, to_sign: ToSign) -> bool:
    """Whether the transaction may spend what the script of an address locks.

    Args:
        locked: of the address.
        to_sign: spends the output that was made up for the address.
    """
    if locked.kind == "p2pkh":
        return _is_key_hash_spent(locked, to_sign)
    if locked.kind == "p2sh":
        return _is_script_hash_spent(locked.program, to_sign)
    if to_sign.unlocking:
        return False
    if locked.kind == "p2tr":
        return _is_taproot_spent(locked, to_sign)
    return locked.kind in ("p2wpkh", "p2wsh") and _is_program_spent(locked.program, to_sign)


def _is_key_hash_spent(locked: Locked, to_sign: ToSign) -> bool:
    pushed = _pushed(to_sign.unlocking)
    if to_sign.witness or len(pushed) != 2:
        return False
    signature, key = pushed
    if not _is_key(key, also_uncompressed=True) or hash160(key) != locked.program:
        return False
    return _is_ecdsa_signed(key, legacy_digest(to_sign, locked.script), signature)


def _is_script_hash_spent(script_hash: bytes, to_sign: ToSign) -> bool:
    pushed = _pushed(to_sign.unlocking)
    if not pushed or hash160(pushed[-1]) != script_hash:
        return False
    script = pushed[-1]
    segwit = witness_program(script)
    if segwit is not None:
        version, program = segwit
        return version == 0 and len(pushed) == 1 and _is_program_spent(program, to_sign)
    if to_sign.witness:
        return False
    return _is_multisig_signed(script, pushed[:-1], legacy_digest(to_sign, script), also_uncompressed=True)


def _is_program_spent(program: bytes, to_sign: ToSign) -> bool:
    """Whether a segwit version 0 program is spent: by a key, or by the keys of a script."""
    if not to_sign.witness:
        return False
    *signatures, last = to_sign.witness
    if len(program) == _PROGRAM_OF_KEY:
        if len(signatures) != 1 or not _is_key(last) or hash160(last) != program:
            return False
        return _is_ecdsa_signed(last, segwit_digest(to_sign, key_hash_script(program)), signatures[0])
    if len(program) != _PROGRAM_OF_SCRIPT or sha256(last).digest() != program:
        return False
    return _is_multisig_signed(last, signatures, segwit_digest(to_sign, last))


def _is_taproot_spent(locked: Locked, to_sign: ToSign) -> bool:
    """Whether a Taproot output is spent by its key alone: what a script would allow is not looked at, and there is no annex."""
    if len(to_sign.witness) != 1:
        return False
    signature, hash_type = to_sign.witness[0], SIGHASH_DEFAULT
    if len(signature) == _SCHNORR + 1:
        signature, hash_type = signature[:_SCHNORR], signature[_SCHNORR]
        if hash_type != SIGHASH_ALL:
            return False
    if len(signature) != _SCHNORR:
        return False
    try:
        return ssa.verify(taproot_digest(to_sign, locked.script, hash_type), locked.program, signature)
    except ValueError:
        return False


def _is_multisig_signed(
    script: bytes, unlocking: list[bytes], digest: bytes, *, also_uncompressed: bool = False
) -> bool:
    """Whether as many keys of a multisig script signed as it wants.

    Args:
        script: `OP_m`, the keys, `OP_n`, `OP_CHECKMULTISIG`; any other is not understood.
        unlocking: the empty item that `OP_CHECKMULTISIG` takes and does not use (BIP-147), and the signatures.
        digest: what they sign.
        also_uncompressed: keys of 65 bytes count too.
    """
    read = _read_multisig(script, also_uncompressed=also_uncompressed)
    if read is None or len(unlocking) != 1 + read[0] or unlocking[0]:
        return False
    # They stand in the order of their keys, and none is tried twice.
    keys = iter(read[1])
    return all(any(_is_ecdsa_signed(key, digest, signature) for key in keys) for signature in unlocking[1:])


def _read_multisig(script: bytes, *, also_uncompressed: bool) -> tuple[int, list[bytes]] | None:
    """Reads how many have to sign, and the keys; None for any other script, and for one that names a key twice: there one signer counts as two."""
    if len(script) < 3 or script[-1] != _OP_CHECKMULTISIG or not all(_OP_1 <= script[at] <= _OP_16 for at in (0, -2)):
        return None
    reader, keys = BitcoinReader(script[1:-2]), list[bytes]()
    try:
        while reader.peek(1):
            keys.append(reader.take(reader.number(1)))
    except ValueError:
        return None
    required, count = script[0] - _OP_1 + 1, script[-2] - _OP_1 + 1
    if not required <= count == len(keys) == len(set(keys)):
        return None
    return (required, keys) if all(_is_key(key, also_uncompressed=also_uncompressed) for key in keys) else None


def _pushed(unlocking: bytes) -> list[bytes]:
    """What an input's script pushes, each in its shortest form; nothing where it does anything else."""
    reader, found = BitcoinReader(unlocking), list[bytes]()
    try:
        while reader.peek(1):
            found.append(_push(reader))
    except ValueError:
        return []
    return found


def _push(reader: BitcoinReader) -> bytes:
    size, least = reader.number(1), 0
    if size == _PUSHDATA_1:
        size, least = reader.number(1), _PUSHDATA_1
    elif size == _PUSHDATA_2:
        size, least = reader.number(2), 0x100
    elif size > _PUSHDATA_1:
        raise ValueError("it does something else than to push")
    # One byte may be an opcode of its own in its shortest form; neither signatures, keys nor scripts are one byte.
    if not least <= size <= _MAX_PUSH or size == 1:
        raise ValueError("a push is not in its shortest form, or too long")
    return reader.take(size)


def _is_key(key: bytes, *, also_uncompressed: bool = False) -> bool:
    """By its form (STRICTENC); the hybrid form, which libsecp256k1 takes, is none."""
    if len(key) == _COMPRESSED:
        return key[0] in (2, 3)
    return also_uncompressed and len(key) == _UNCOMPRESSED and key[0] == 4


def _is_ecdsa_signed(key: bytes, digest: bytes, signature: bytes) -> bool:
    """For all inputs and outputs, in the one DER form (BIP-66); libsecp256k1 itself refuses the upper half of `s` (BIP-146)."""
    if not signature or signature[-1] != SIGHASH_ALL:
        return False
    der = signature[:-1]
    try:
        return dsa.to_der(dsa.to_compact(der)) == der and dsa.verify(digest, key, der)
    except ValueError:
        return False
