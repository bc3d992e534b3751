"""A Bitcoin wallet for the services' tests, made with implementations that are not ours."""

import base64
from dataclasses import dataclass
from typing import Literal

from embit import ec, script
from embit.networks import NETWORKS
from embit.transaction import SIGHASH, Transaction, TransactionInput, TransactionOutput
from eth_keys.datatypes import PrivateKey

from walletmodal.services.chains.bip122.hashes import compact_size, hash256
from walletmodal.services.chains.bip122.to_sign import message_hash

# Of BIP-322's own examples.
KEY = ec.PrivateKey.from_wif("L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k")


def spending(address: str, message: str, version: int = 0, sequence: int = 0, lock_time: int = 0) -> Transaction:
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
        version=version,
        vin=[TransactionInput(spent.txid(), 0, sequence=sequence)],
        vout=[TransactionOutput(0, script.Script(b"\x6a"))],
        locktime=lock_time,
    )


def in_base64(*items: bytes) -> str:
    return base64.b64encode(bytes([len(items)]) + b"".join(compact_size(len(item)) + item for item in items)).decode()


def in_full(transaction: Transaction) -> str:
    return "ful" + base64.b64encode(transaction.serialize()).decode()


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


def uncompressed(key: ec.PrivateKey) -> bytes:
    """The public key in its older form."""
    return b"\x04" + PrivateKey(key.secret).public_key.to_bytes()


KEYS = [ec.PrivateKey(bytes([number]) * 32) for number in range(1, 17)]
ScriptKind = Literal["p2sh", "p2wsh", "p2sh-p2wsh"]


@dataclass(frozen=True)
class Multisig:
    """An address that several of the keys above hold.

    Attributes:
        kind: how its script is locked.
        required: how many have to sign; count: of how many, from the `first` one on.
    """

    kind: ScriptKind = "p2wsh"
    required: int = 2
    count: int = 3
    first: int = 0

    @property
    def keys(self) -> list[ec.PrivateKey]:
        return KEYS[self.first : self.first + self.count]

    @property
    def script(self) -> script.Script:
        return script.multisig(self.required, [key.get_public_key() for key in self.keys])

    @property
    def address(self) -> str:
        return address_of(self.kind, self.script.data)

    def digest(self, to_sign: Transaction, sighash: int = SIGHASH.ALL) -> bytes:
        if self.kind == "p2sh":
            return bytes(to_sign.sighash_legacy(0, self.script, sighash))
        return bytes(to_sign.sighash_segwit(0, self.script, 0, sighash))

    def signatures(self, to_sign: Transaction, sighash: int = SIGHASH.ALL) -> list[bytes]:
        """Of as many as have to sign, the first ones."""
        digest = self.digest(to_sign, sighash)
        return [key.sign(digest).serialize() + bytes([sighash]) for key in self.keys[: self.required]]

    def full(self, to_sign: Transaction, signatures: list[bytes], *, before: bytes = b"") -> str:
        """A `full` signature of them, and of the item that stands before them."""
        return in_full(unlocked(to_sign, self.kind, self.script.data, [before, *signatures]))

    def simple(self, signatures: list[bytes]) -> str:
        """Of the kinds of segwit."""
        return in_base64(b"", *signatures, self.script.data)


def unlocked(to_sign: Transaction, kind: ScriptKind, locking: bytes, items: list[bytes]) -> Transaction:
    """The transaction with what opens the script of an address, whatever that is."""
    spent = to_sign.vin[0]
    if kind == "p2sh":
        spent.script_sig = script.Script(b"".join(map(pushed, [*items, locking])))
        return to_sign
    spent.witness = script.Witness([*items, locking])
    if kind == "p2sh-p2wsh":
        spent.script_sig = script.Script(pushed(script.p2wsh(script.Script(locking)).data))
    return to_sign


def pushed(item: bytes) -> bytes:
    """Pushed in the shortest way that there is for it."""
    size = len(item)
    if size < 0x4C:
        return bytes([size]) + item
    return (bytes([0x4C, size]) if size < 0x100 else b"\x4d" + size.to_bytes(2, "little")) + item


def address_of(kind: ScriptKind, locking: bytes) -> str:
    return str(_locked(kind, script.Script(locking)).address(NETWORKS["main"]))


def _locked(kind: ScriptKind, inner: script.Script) -> script.Script:
    if kind == "p2sh":
        return script.p2sh(inner)
    wrapped = script.p2wsh(inner)
    return wrapped if kind == "p2wsh" else script.p2sh(wrapped)
