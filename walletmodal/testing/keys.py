"""How the fake wallet signs: one kind of key per namespace, with the libraries that the modal verifies with."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import base58
import sr25519
from btclib_secp256k1 import keys as public_keys
from btclib_secp256k1 import recovery
from eth_utils.crypto import keccak
from solders.keypair import Keypair

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import Namespace
from walletmodal.services.chains.bip122.hashes import compact_size, hash160, hash256
from walletmodal.services.chains.eip155.signatures import personal_digest

SECRET_SIZE: Final = 32

_COMPRESSED_P2PKH: Final = 31
"""First byte of a BIP-137 signature."""


@dataclass(frozen=True, slots=True)
class WalletKey:
    """A key as a wallet uses it.

    Attributes:
        address: of its account, in the namespace's spelling.
        sign: makes a signature of a text, as wallets of the namespace write it.
    """

    address: str
    sign: Callable[[str], str]


def wallet_key(namespace: Namespace, secret: bytes) -> WalletKey:
    """The key of 32 secret bytes: on Bitcoin of a P2PKH address, on Polkadot sr25519.

    Raises:
        ValueError: they are not 32, or no key of the namespace.
    """
    if len(secret) != SECRET_SIZE:
        raise ValueError(f"a key is made from {SECRET_SIZE} bytes, not {len(secret)}")
    return _KINDS[namespace](secret)


def _evm(secret: bytes) -> WalletKey:
    raw_address = keccak(public_keys.pubkey_from_prvkey(secret, compressed=False)[1:])[12:]

    def sign(text: str) -> str:
        made, recovery_id = recovery.sign(personal_digest(text), secret)
        return f"0x{made.hex()}{27 + recovery_id:02x}"

    return WalletKey(normal_address("eip155", f"0x{raw_address.hex()}"), sign)


def _solana(secret: bytes) -> WalletKey:
    key = Keypair.from_seed(secret)
    return WalletKey(str(key.pubkey()), lambda text: str(key.sign_message(text.encode())))


def _bitcoin(secret: bytes) -> WalletKey:
    public = public_keys.pubkey_from_prvkey(secret)
    address = base58.b58encode_check(b"\x00" + hash160(public)).decode("ascii")

    def sign(text: str) -> str:
        raw = text.encode()
        digest = hash256(b"\x18Bitcoin Signed Message:\n" + compact_size(len(raw)) + raw)
        made, recovery_id = recovery.sign(digest, secret)
        return base64.b64encode(bytes([_COMPRESSED_P2PKH + recovery_id]) + made).decode("ascii")

    return WalletKey(address, sign)


def _polkadot(secret: bytes) -> WalletKey:
    public, private = sr25519.pair_from_seed(secret)
    body = b"\x00" + bytes(public)
    address = base58.b58encode(body + blake2b(b"SS58PRE" + body, digest_size=64).digest()[:2]).decode("ascii")

    def sign(text: str) -> str:
        # Extensions wrap what they sign, so that it cannot be a transaction.
        made = sr25519.sign((public, private), b"<Bytes>" + text.encode() + b"</Bytes>")
        return "0x" + bytes(made).hex()

    return WalletKey(address, sign)


_KINDS: Final[dict[Namespace, Callable[[bytes], WalletKey]]] = {
    "eip155": _evm,
    "solana": _solana,
    "bip122": _bitcoin,
    "polkadot": _polkadot,
}
