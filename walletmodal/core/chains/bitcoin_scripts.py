"""Bitcoin addresses and their locking scripts, both ways."""

from dataclasses import dataclass
from typing import Final, Literal

import base58

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.bech32 import decode_segwit, encode_segwit
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import AddressError

Kind = Literal["p2pkh", "p2sh", "p2wpkh", "p2wsh", "p2tr", "other"]

_MAINNET: Final = "000000000019d6689c085ae165831e93"
_REGTEST: Final = "0f9188f13cb7b2c71f2a335e3a4fc328"


@dataclass(frozen=True, slots=True)
class Locked:
    """What locks the coins of an address.

    Attributes:
        kind: of script; `other` is one of a segwit version that has no meaning yet.
        program: hash of a key or script, or the key itself (P2TR).
        script: the locking script (`scriptPubKey`).
    """

    kind: Kind
    program: bytes
    script: bytes


def locked_by(address: str, chain: ChainId) -> Locked:
    """What locks the coins of an address.

    Raises:
        AddressError: it is no address, or one of another network than `chain`: main, regtest (and those unknown), or any test network.
    """
    checked = normal_address("bip122", address)
    segwit = decode_segwit(checked)
    if segwit is None:
        raw = base58.b58decode_check(checked)
        is_main, is_regtest, locked = raw[0] in (0x00, 0x05), raw[0] in (0x6F, 0xC4), _legacy(raw)
    else:
        prefix, version, program = segwit
        is_main, is_regtest, locked = prefix == "bc", prefix == "bcrt", _witness(version, program)
    if is_main != (chain.reference == _MAINNET) or (segwit and is_regtest != (chain.reference == _REGTEST)):
        raise AddressError("Invalid address", details=f"of another network than {chain}")
    return locked


def address_of(script: bytes, chain: ChainId) -> str:
    """Returns the address that a locking script is paid by on a network; "" for a script that has none."""
    is_main = chain.reference == _MAINNET
    if len(script) == 25 and script == key_hash_script(script[3:23]):
        return base58.b58encode_check((b"\x00" if is_main else b"\x6f") + script[3:23]).decode()
    if len(script) == 23 and script == _script_hash_script(script[2:22]):
        return base58.b58encode_check((b"\x05" if is_main else b"\xc4") + script[2:22]).decode()
    witness = witness_program(script)
    if witness is None or (witness[0] == 0 and len(witness[1]) not in (20, 32)):
        return ""
    return encode_segwit("bc" if is_main else "bcrt" if chain.reference == _REGTEST else "tb", *witness)


def witness_program(script: bytes) -> tuple[int, bytes] | None:
    """Returns version and program of a segwit script (BIP-141); None for any other."""
    if not 4 <= len(script) <= 42 or script[1] != len(script) - 2 or not (script[0] == 0 or 0x51 <= script[0] <= 0x60):
        return None
    return (script[0] - 0x50 if script[0] else 0), script[2:]


def _legacy(raw: bytes) -> Locked:
    program = raw[1:]
    if raw[0] in (0x00, 0x6F):
        return Locked("p2pkh", program, key_hash_script(program))
    return Locked("p2sh", program, _script_hash_script(program))


def _witness(version: int, program: bytes) -> Locked:
    script = bytes([0x50 + version if version else 0, len(program)]) + program
    if version == 0 and len(program) == 20:
        return Locked("p2wpkh", program, script)
    if version == 0 and len(program) == 32:
        return Locked("p2wsh", program, script)
    if version == 1 and len(program) == 32:
        return Locked("p2tr", program, script)
    return Locked("other", program, script)


def key_hash_script(key_hash: bytes) -> bytes:
    """Builds the script that the hash of a key locks with (P2PKH); also what is signed in its place for P2WPKH (BIP-143)."""
    return b"\x76\xa9\x14" + key_hash + b"\x88\xac"


def _script_hash_script(script_hash: bytes) -> bytes:
    return b"\xa9\x14" + script_hash + b"\x87"
