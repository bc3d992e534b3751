"""What a Bitcoin address stands for: the script that locks its coins."""

from dataclasses import dataclass
from typing import Final, Literal

import base58

from walletmodal.core.addresses import normal_address
from walletmodal.core.bech32 import decode_segwit
from walletmodal.core.caip import ChainId
from walletmodal.core.errors import AddressError

Kind = Literal["p2pkh", "p2sh", "p2wpkh", "p2tr", "other"]

_MAINNET: Final = "000000000019d6689c085ae165831e93"
_REGTEST: Final = "0f9188f13cb7b2c71f2a335e3a4fc328"


@dataclass(frozen=True, slots=True)
class Locked:
    """What locks the coins of an address.

    Attributes:
        kind: of script; `other` is one that no key alone opens.
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


def _legacy(raw: bytes) -> Locked:
    program = raw[1:]
    if raw[0] in (0x00, 0x6F):
        return Locked("p2pkh", program, key_hash_script(program))
    return Locked("p2sh", program, b"\xa9\x14" + program + b"\x87")


def _witness(version: int, program: bytes) -> Locked:
    script = bytes([0x50 + version if version else 0, len(program)]) + program
    if version == 0 and len(program) == 20:
        return Locked("p2wpkh", program, script)
    if version == 1 and len(program) == 32:
        return Locked("p2tr", program, script)
    return Locked("other", program, script)


def key_hash_script(key_hash: bytes) -> bytes:
    """The script that the hash of a key locks with (P2PKH); also what is signed in its place for P2WPKH (BIP-143)."""
    return b"\x76\xa9\x14" + key_hash + b"\x88\xac"
