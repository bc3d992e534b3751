"""BIP-322 signatures of several keys: any of them in their order, and no other script or way to open one."""

from collections.abc import Callable

import pytest
from btclib import bip322
from embit import ec, script
from embit.transaction import SIGHASH, Transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import every_case
from tests.services.bip322_verdict import MAINNET, MESSAGE, verified
from tests.services.bitcoin_signer import (
    KEYS,
    Multisig,
    ScriptKind,
    address_of,
    in_full,
    pushed,
    spending,
    uncompressed,
    unlocked,
)
from walletmodal.core.chains.bitcoin_scripts import locked_by
from walletmodal.services.chains.bip122.signatures import MAX_SIGNATURE, is_signed_by
from walletmodal.services.chains.secp256k1 import ORDER

KINDS: list[ScriptKind] = ["p2sh", "p2wsh", "p2sh-p2wsh"]


@given(
    kind=st.sampled_from(KINDS),
    count=st.integers(1, 16),
    data=st.data(),
    version=st.sampled_from([0, 2]),
    times=st.tuples(*[st.integers(0, 0xFFFFFFFF)] * 2),
)
@settings(max_examples=60, deadline=None)
def test_any_of_the_keys_sign_in_their_order(
    kind: ScriptKind, count: int, data: st.DataObject, version: int, times: tuple[int, int]
) -> None:
    # A P2SH script may be pushed in one piece of 520 bytes.
    count = min(count, 15) if kind == "p2sh" else count
    signers = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    wallet = Multisig(kind, len(signers), count)
    to_sign = spending(wallet.address, MESSAGE, version, *times)
    digest = wallet.digest(to_sign)
    signatures = [KEYS[at].sign(digest).serialize() + b"\x01" for at in signers]
    full = wallet.full(to_sign, signatures)
    assert len(full) <= MAX_SIGNATURE
    assert verified(wallet.address, MESSAGE, full)
    assert not verified(wallet.address, MESSAGE + ".", full)


@pytest.mark.parametrize("prefix", ["", "smp"])
@pytest.mark.parametrize("kind", ["p2wsh", "p2sh-p2wsh"])
def test_several_keys_of_segwit_sign_by_their_witness_alone(kind: ScriptKind, prefix: str) -> None:
    wallet = Multisig(kind)
    to_sign = spending(wallet.address, MESSAGE)
    signature = prefix + wallet.simple(wallet.signatures(to_sign))
    assert is_signed_by(locked_by(wallet.address, MAINNET), MESSAGE, signature)
    # Behind P2SH the standard has the full form alone; wallets give this one, which says as much.
    assert bip322.verify(MESSAGE.encode(), wallet.address, signature) == (kind == "p2wsh")


@every_case("sighash", [0, 2, 3, 0x81, 0x82, 0x83, 0x41])
@every_case("kind", KINDS)
def test_every_one_of_several_keys_signs_all(kind: ScriptKind, sighash: int) -> None:
    wallet = Multisig(kind)
    to_sign = spending(wallet.address, MESSAGE)
    good = wallet.signatures(to_sign)
    other = wallet.keys[1].sign(digest_by(wallet, to_sign, sighash)).serialize() + bytes([sighash])
    assert verified(wallet.address, MESSAGE, wallet.full(to_sign, good))
    assert not verified(wallet.address, MESSAGE, wallet.full(to_sign, [good[0], other]))


def digest_by(wallet: Multisig, to_sign: Transaction, sighash: int) -> bytes:
    return wallet.digest(to_sign, sighash if sighash in (2, 3, 0x81, 0x82, 0x83) else SIGHASH.ALL)


def upper_half(signature: bytes) -> bytes:
    size = signature[3]
    other = (ORDER - int.from_bytes(signature[6 + size : -1], "big")).to_bytes(33, "big")
    body = signature[2 : 4 + size] + b"\x02\x21" + other
    return b"\x30" + bytes([len(body)]) + body + signature[-1:]


Items = Callable[[bytes, bytes, bytes], list[bytes]]


WRONG_ITEMS: dict[str, Items] = {
    "nobody": lambda _a, _b, _c: [b""],
    "nothing": lambda _a, _b, _c: [],
    "one of two": lambda a, _b, _c: [b"", a],
    "one counted twice": lambda a, _b, _c: [b"", a, a],
    "in another order": lambda a, b, _c: [b"", b, a],
    "one empty": lambda a, _b, _c: [b"", a, b""],
    "three for two": lambda a, b, c: [b"", a, b, c],
    "no empty item": lambda a, b, _c: [a, b],
    "an item that is not empty": lambda a, b, _c: [b"\x01", a, b],
    "a zero for the empty item": lambda a, b, _c: [b"\x00", a, b],
    "an item before it": lambda a, b, _c: [b"", b"", a, b],
    "an item behind": lambda a, b, _c: [b"", a, b, b""],
    "of another": lambda a, _b, _c: [b"", a, KEYS[8].sign(bytes(32)).serialize() + b"\x01"],
    "the upper half": lambda a, b, _c: [b"", a, upper_half(b)],
    "without its kind": lambda a, b, _c: [b"", a, b[:-1]],
    "not in DER": lambda a, b, _c: [b"", a, b[:-1] + b"\x00\x01"],
}


@every_case("items", WRONG_ITEMS.values(), ids=WRONG_ITEMS.keys())
@every_case("kind", KINDS)
def test_a_multisig_is_opened_in_one_way_alone(kind: ScriptKind, items: Items) -> None:
    wallet = Multisig(kind)
    to_sign = spending(wallet.address, MESSAGE)
    digest = wallet.digest(to_sign)
    signatures = [key.sign(digest).serialize() + b"\x01" for key in wallet.keys]
    made = unlocked(to_sign, kind, wallet.script.data, items(*signatures))
    assert not verified(wallet.address, MESSAGE, in_full(made))


def keys_of(*numbers: int) -> bytes:
    return b"".join(pushed(KEYS[at].get_public_key().serialize()) for at in numbers)


def hybrid(key: ec.PrivateKey) -> bytes:
    raw = uncompressed(key)
    return bytes([6 + raw[-1] % 2]) + raw[1:]


# Scripts that two signatures, or one, of the first keys would open in some reading.
OTHER_SCRIPTS = {
    "one key twice": b"\x52" + keys_of(0, 0) + b"\x52\xae",
    "one of one key twice": b"\x52" + keys_of(0, 1, 0) + b"\x53\xae",
    "none has to": b"\x00" + keys_of(0, 1) + b"\x52\xae",
    "of none": b"\x00\x00\xae",
    "more than there are": b"\x53" + keys_of(0, 1) + b"\x52\xae",
    "fewer keys than it says": b"\x52" + keys_of(0, 1) + b"\x53\xae",
    "more keys than it says": b"\x52" + keys_of(0, 1, 2) + b"\x52\xae",
    "a number that is not minimal": b"\x01\x02" + keys_of(0, 1) + b"\x52\xae",
    "negative": b"\x4f" + keys_of(0, 1) + b"\x52\xae",
    "verify and true": b"\x52" + keys_of(0, 1) + b"\x52\xaf\x51",
    "a code separator": b"\xab\x52" + keys_of(0, 1) + b"\x52\xae",
    "an opcode behind": b"\x52" + keys_of(0, 1) + b"\x52\xae\x61",
    "an upgradeable one before": b"\xb0\x52" + keys_of(0, 1) + b"\x52\xae",
    "a hybrid key": b"\x52" + keys_of(0) + pushed(hybrid(KEYS[1])) + b"\x52\xae",
    "a key by a long push": b"\x52" + keys_of(0) + b"\x4c" + keys_of(1) + b"\x52\xae",
    "true": b"\x51",
    "nothing": b"",
    "one key": keys_of(0) + b"\xac",
}


@every_case("locking", OTHER_SCRIPTS.values(), ids=OTHER_SCRIPTS.keys())
@every_case("kind", KINDS)
def test_no_other_script_is_understood(kind: ScriptKind, locking: bytes) -> None:
    address = address_of(kind, locking)
    to_sign = spending(address, MESSAGE)
    code = script.Script(locking)
    digest = to_sign.sighash_legacy(0, code) if kind == "p2sh" else to_sign.sighash_segwit(0, code, 0)
    one, two = (key.sign(digest).serialize() + b"\x01" for key in KEYS[:2])
    for items in ([b"", one, two], [b"", one, one], [one], [b""], []):
        assert not verified(address, MESSAGE, in_full(unlocked(to_sign, kind, locking, items)))


@pytest.mark.parametrize("kind", KINDS)
def test_keys_that_are_not_compressed_sign_where_that_was_usual(kind: ScriptKind) -> None:
    locking = b"\x52" + keys_of(0) + pushed(uncompressed(KEYS[1])) + b"\x52\xae"
    address = address_of(kind, locking)
    to_sign = spending(address, MESSAGE)
    code = script.Script(locking)
    digest = to_sign.sighash_legacy(0, code) if kind == "p2sh" else to_sign.sighash_segwit(0, code, 0)
    items = [b"", *(key.sign(digest).serialize() + b"\x01" for key in KEYS[:2])]
    assert verified(address, MESSAGE, in_full(unlocked(to_sign, kind, locking, items))) == (kind == "p2sh")
