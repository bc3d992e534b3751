"""A Bitcoin wallet for the services' tests, made with implementations that are not ours."""

import base64

from embit import ec, script
from embit.networks import NETWORKS
from embit.transaction import SIGHASH, Transaction, TransactionInput, TransactionOutput
from eth_keys.datatypes import PrivateKey

from walletmodal.services.chains.bip122.bip322 import message_hash
from walletmodal.services.chains.bip122.hashes import compact_size, hash256

# Of BIP-322's own examples.
KEY = ec.PrivateKey.from_wif("L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k")


def spending(address: str, message: str) -> Transaction:
    """`to_sign` of BIP-322, as embit makes it."""
    locking = script.address_to_scriptpubkey(address)
    unlocking = script.Script(b"\x00\x20" + message_hash(message.encode()))
    spent = Transaction(
        version=0,
        vin=[TransactionInput(bytes(32), 0xFFFFFFFF, unlocking, sequence=0)],
        vout=[TransactionOutput(0, locking)],
        locktime=0,
    )
    return Transaction(
        version=0,
        vin=[TransactionInput(spent.txid(), 0, sequence=0)],
        vout=[TransactionOutput(0, script.Script(b"\x6a"))],
        locktime=0,
    )


def in_base64(*items: bytes) -> str:
    return base64.b64encode(bytes([len(items)]) + b"".join(bytes([len(item)]) + item for item in items)).decode()


def signed_by_hash(key: ec.PrivateKey, address: str, message: str) -> str:
    code = script.p2pkh(key.get_public_key())
    digest = spending(address, message).sighash_segwit(0, code, 0)
    return in_base64(key.sign(digest).serialize() + b"\x01", key.get_public_key().serialize())


def signed_by_taproot(key: ec.PrivateKey, address: str, message: str, sighash: int = SIGHASH.DEFAULT) -> str:
    locking = [script.address_to_scriptpubkey(address)]
    digest = spending(address, message).sighash_taproot(0, locking, [0], sighash=sighash)
    made = key.taproot_tweak(b"").schnorr_sign(digest).serialize()
    return in_base64(made + (bytes([sighash]) if sighash else b""))


def addresses(key: ec.PrivateKey) -> dict[str, str]:
    public, main = key.get_public_key(), NETWORKS["main"]
    return {
        "p2wpkh": script.p2wpkh(public).address(main),
        "p2sh": script.p2sh(script.p2wpkh(public)).address(main),
        "p2tr": script.p2tr(public).address(main),
    }


def recoverable(text: str, header: int, key: bytes = bytes(KEY.secret)) -> str:
    """A signature as wallets made them before BIP-322; its header says which kind of address it is for."""
    raw = text.encode()
    digest = hash256(b"\x18Bitcoin Signed Message:\n" + compact_size(len(raw)) + raw)
    made = PrivateKey(key).sign_msg_hash(digest).to_bytes()
    return base64.b64encode(bytes([header + made[64]]) + made[:64]).decode()
