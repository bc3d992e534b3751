"""BIP-322 since its version 1.0.0: the standard's vectors, the full form, several keys, and hostile forms of them.

Every signature that is believed here is also judged by an implementation with an interpreter of scripts that is not ours.
"""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from btclib import bip322
from embit import ec, script
from embit.transaction import SIGHASH, Transaction, TransactionInput, TransactionOutput
from eth_keys.datatypes import PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import every_case
from tests.services.bitcoin_signer import (
    KEY,
    KEYS,
    Multisig,
    ScriptKind,
    address_of,
    addresses,
    in_base64,
    in_full,
    pushed,
    recoverable,
    signed_by_hash,
    signed_by_taproot,
    spending,
    unlocked,
)
from walletmodal.core.chains.bitcoin_scripts import locked_by
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.sign_in import ProofOfFundsError
from walletmodal.services.chains.bip122.signatures import MAX_SIGNATURE, is_signed_by
from walletmodal.services.chains.secp256k1 import ORDER

MAINNET = parse_chain_id("bip122:000000000019d6689c085ae165831e93")
VECTORS = json.loads((Path(__file__).parent / "vectors/bip322.json").read_text())
ALL = [*VECTORS["simple"], *VECTORS["full"]]
# Scripts with a time lock take an interpreter; they are refused as every other script that is not understood.
NOT_UNDERSTOOD = [one for one in ALL if one["type"].endswith("time-lock")]
UNDERSTOOD = [one for one in ALL if one not in NOT_UNDERSTOOD]
KINDS: list[ScriptKind] = ["p2sh", "p2wsh", "p2sh-p2wsh"]
MESSAGE = "shop.example wants you to sign in"
PAIR = Multisig()


def verified(address: str, message: str, signature: str) -> bool:
    """By us; what we believe the other implementation must believe."""
    found = is_signed_by(locked_by(address, MAINNET), message, signature)
    assert not found or bip322.verify(message.encode(), address, signature), "we alone believe it"
    return found


def named(vector: dict[str, Any]) -> str:
    return f"{vector['type']}-{vector['message'][:8]}" if "type" in vector else vector["description"]


@every_case("vector", UNDERSTOOD, ids=named)
def test_the_standards_signatures_are_verified(vector: dict[str, Any]) -> None:
    assert verified(vector["address"], vector["message"], vector["signature"])


@pytest.mark.parametrize("vector", VECTORS["error"], ids=named)
def test_what_the_standard_refuses_is_refused(vector: dict[str, Any]) -> None:
    assert not verified(vector["address"], vector["message"], vector["signature"])


@pytest.mark.parametrize("vector", NOT_UNDERSTOOD, ids=named)
def test_a_script_that_is_not_understood_signs_nothing(vector: dict[str, Any]) -> None:
    assert not verified(vector["address"], vector["message"], vector["signature"])


@every_case("vector", UNDERSTOOD, ids=named)
def test_no_message_or_address_but_its_own_is_signed(vector: dict[str, Any]) -> None:
    for other in ALL:
        for address, message in ((vector["address"], other["message"]), (other["address"], vector["message"])):
            its_own = (address, message) == (vector["address"], vector["message"])
            assert verified(address, message, vector["signature"]) == its_own


@pytest.mark.parametrize("vector", [one for one in UNDERSTOOD if one["signature"][:3] == "smp"], ids=named)
def test_the_prefix_may_be_missing_from_the_simple_form(vector: dict[str, Any]) -> None:
    assert verified(vector["address"], vector["message"], vector["signature"][3:])


@every_case("vector", UNDERSTOOD, ids=named)
def test_every_byte_of_a_signature_counts(vector: dict[str, Any]) -> None:
    prefix, raw = parts(vector["signature"])
    for changed in changes(raw):
        signature = prefix + base64.b64encode(changed).decode()
        assert not is_signed_by(locked_by(vector["address"], MAINNET), vector["message"], signature), changed.hex()


def parts(signature: str) -> tuple[str, bytes]:
    prefix = signature[:3] if signature[:3] in ("smp", "ful") else ""
    return prefix, base64.b64decode(signature[len(prefix) :])


def changes(raw: bytes) -> Iterator[bytes]:
    """Every byte changed in two ways, left out and doubled, every beginning, and bytes behind the end."""
    for at in range(len(raw)):
        yield from (raw[:at] + bytes([raw[at] ^ bit]) + raw[at + 1 :] for bit in (0x01, 0x80))
        yield from (
            changed for changed in (raw[:at] + raw[at + 1 :], raw[:at] + raw[at : at + 1] + raw[at:]) if changed != raw
        )
        yield raw[:at]
    yield from (raw + b"\x00", raw + raw)


@pytest.mark.parametrize("prefix", ["", "SMP", "Smp", " smp", "smp ", "smpsmp", "smpful", "ful", "fulsmp", "leg"])
def test_one_prefix_belongs_to_each_form(prefix: str) -> None:
    full = VECTORS["full"][1]
    signature = full["signature"][3:]
    assert verified(full["address"], full["message"], prefix + signature) == (prefix == "ful")


@pytest.mark.parametrize("prefix", ["smp", "ful"])
def test_the_older_signatures_have_no_prefix(prefix: str) -> None:
    address = addresses(KEY)["p2wpkh"]
    assert is_signed_by(locked_by(address, MAINNET), "Hello", recoverable("Hello", 31))
    assert not verified(address, "Hello", prefix + recoverable("Hello", 31))


@pytest.mark.parametrize(
    "rest", ["", "cHNidP8BAI8CAAAAA3UzG05Nmq3GQGeM4RuOvKR3OzsxeY3Iv7WeRpsFNQM0", "*", "A" * 30_000]
)
def test_a_proof_of_funds_is_refused_in_words(rest: str) -> None:
    with pytest.raises(ProofOfFundsError, match="proof of funds"):
        is_signed_by(locked_by(addresses(KEY)["p2wpkh"], MAINNET), MESSAGE, "pof" + rest)


@given(
    kind=st.sampled_from(KINDS),
    count=st.integers(1, 16),
    data=st.data(),
    version=st.sampled_from([0, 2]),
    times=st.tuples(*[st.integers(0, 0xFFFFFFFF)] * 2),
)
@settings(max_examples=60)
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


def uncompressed(key: ec.PrivateKey) -> bytes:
    return b"\x04" + PrivateKey(key.secret).public_key.to_bytes()


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


def key_hash(*, compressed: bool = True) -> tuple[str, bytes]:
    key = KEYS[0].get_public_key().serialize() if compressed else uncompressed(KEYS[0])
    return script.p2pkh(ec.PublicKey.parse(key)).address(), key


def legacy(key: bytes, to_sign: Transaction, address: str, sighash: int = SIGHASH.ALL) -> list[bytes]:
    digest = to_sign.sighash_legacy(0, script.address_to_scriptpubkey(address), sighash)
    return [KEYS[0].sign(digest).serialize() + bytes([sighash]), key]


def unlocking(to_sign: Transaction, raw: bytes, *witness: bytes) -> str:
    to_sign.vin[0].script_sig = script.Script(raw)
    to_sign.vin[0].witness = script.Witness(list(witness))
    return in_full(to_sign)


@pytest.mark.parametrize("compressed", [True, False])
def test_the_key_of_an_old_address_signs_in_full(compressed: bool) -> None:
    address, key = key_hash(compressed=compressed)
    to_sign = spending(address, MESSAGE)
    assert verified(address, MESSAGE, unlocking(to_sign, b"".join(map(pushed, legacy(key, to_sign, address)))))


WRONG_PUSHES: dict[str, Callable[[bytes, bytes], bytes]] = {
    "the key alone": lambda _sig, key: pushed(key),
    "no key": lambda sig, _key: pushed(sig),
    "in another order": lambda sig, key: pushed(key) + pushed(sig),
    "a number before": lambda sig, key: b"\x51" + pushed(sig) + pushed(key),
    "an empty item before": lambda sig, key: b"\x00" + pushed(sig) + pushed(key),
    "an opcode behind": lambda sig, key: pushed(sig) + pushed(key) + b"\x61",
    "a longer push": lambda sig, key: pushed(sig) + b"\x4c" + pushed(key),
    "a much longer push": lambda sig, key: pushed(sig) + b"\x4d\x21\x00" + key,
    "the longest push": lambda sig, key: pushed(sig) + b"\x4e\x21\x00\x00\x00" + key,
    "a push without end": lambda sig, key: pushed(sig) + b"\x4b" + key,
    "a return": lambda sig, key: b"\x6a" + pushed(sig) + pushed(key),
}


@pytest.mark.parametrize("made", WRONG_PUSHES.values(), ids=WRONG_PUSHES.keys())
def test_an_old_address_is_opened_in_one_way_alone(made: Callable[[bytes, bytes], bytes]) -> None:
    address, key = key_hash()
    to_sign = spending(address, MESSAGE)
    assert not verified(address, MESSAGE, unlocking(to_sign, made(*legacy(key, to_sign, address))))


@pytest.mark.parametrize("sighash", [SIGHASH.NONE, SIGHASH.SINGLE, SIGHASH.ALL | SIGHASH.ANYONECANPAY])
def test_the_key_of_an_old_address_signs_all(sighash: int) -> None:
    address, key = key_hash()
    to_sign = spending(address, MESSAGE)
    raw = b"".join(map(pushed, legacy(key, to_sign, address, sighash)))
    assert not verified(address, MESSAGE, unlocking(to_sign, raw))


def test_an_old_address_has_no_witness() -> None:
    address, key = key_hash()
    to_sign = spending(address, MESSAGE)
    items = legacy(key, to_sign, address)
    assert not verified(address, MESSAGE, unlocking(to_sign, b"".join(map(pushed, items)), b""))
    assert not verified(address, MESSAGE, in_base64(*items))


def segwit_in_full(address: str, change: Callable[[Transaction], object] = lambda _made: None) -> str:
    """Signed by the key of a P2WPKH address, after the transaction was changed."""
    to_sign = spending(address, MESSAGE)
    change(to_sign)
    digest = to_sign.sighash_segwit(0, script.p2pkh(KEY.get_public_key()), 0)
    signature = KEY.sign(digest).serialize() + b"\x01"
    to_sign.vin[0].witness = script.Witness([signature, KEY.get_public_key().serialize()])
    return in_full(to_sign)


def _set(name: str, value: object) -> Callable[[Transaction], object]:
    return lambda made: setattr(made, name, value)


def _of_input(name: str, value: object) -> Callable[[Transaction], object]:
    return lambda made: setattr(made.vin[0], name, value)


def _of_output(name: str, value: object) -> Callable[[Transaction], object]:
    return lambda made: setattr(made.vout[0], name, value)


OTHER_TRANSACTIONS: dict[str, Callable[[Transaction], object]] = {
    "version 1": _set("version", 1),
    "version 3": _set("version", 3),
    "version 2 of a large number": _set("version", 0x10000002),
    "another coin": _of_input("txid", bytes(32)),
    "another output of it": _of_input("vout", 1),
    "an unlocking script": _of_input("script_sig", script.Script(b"\x51")),
    "an amount": _of_output("value", 1),
    "a payment": _of_output("script_pubkey", script.p2wpkh(KEY.get_public_key())),
    "a return with data": _of_output("script_pubkey", script.Script(b"\x6a\x00")),
    "two outputs": lambda made: made.vout.append(TransactionOutput(0, script.Script(b"\x6a"))),
    "no output": lambda made: made.vout.clear(),
    # Which is what a proof of funds is, and says so by its prefix.
    "two inputs": lambda made: made.vin.append(TransactionInput(b"\x01" * 32, 0, sequence=0)),
    "the input twice": lambda made: made.vin.append(made.vin[0]),
}


@pytest.mark.parametrize("change", OTHER_TRANSACTIONS.values(), ids=OTHER_TRANSACTIONS.keys())
def test_no_other_transaction_is_a_signature(change: Callable[[Transaction], object]) -> None:
    address = addresses(KEY)["p2wpkh"]
    assert verified(address, MESSAGE, segwit_in_full(address))
    assert not verified(address, MESSAGE, segwit_in_full(address, change))


def test_the_times_of_a_transaction_are_signed_and_lock_nothing_here() -> None:
    address = addresses(KEY)["p2wpkh"]

    def later(made: Transaction) -> None:
        made.version, made.locktime, made.vin[0].sequence = 2, 0xFFFFFFFF, 0xFFFFFFFE

    signature = segwit_in_full(address, later)
    assert verified(address, MESSAGE, signature)
    raw = parts(signature)[1]
    assert not verified(address, MESSAGE, "ful" + base64.b64encode(raw[:-4] + bytes(4)).decode())


def test_a_transaction_is_written_in_one_way() -> None:
    address, key = key_hash()
    to_sign = spending(address, MESSAGE)
    signature = unlocking(to_sign, b"".join(map(pushed, legacy(key, to_sign, address))))
    raw = parts(signature)[1]
    assert verified(address, MESSAGE, signature)
    # As one of segwit that has no witness, and with a number of inputs that is longer than it needs to be.
    for other in (raw[:4] + b"\x00\x01" + raw[4:-4] + b"\x00" + raw[-4:], raw[:4] + b"\xfd\x01\x00" + raw[5:]):
        assert not verified(address, MESSAGE, "ful" + base64.b64encode(other).decode())


@pytest.mark.parametrize("behind", [b"\x50", b"\x50annex", b"", bytes(64)])
def test_taproot_has_neither_annex_nor_script(behind: bytes) -> None:
    address = addresses(KEY)["p2tr"]
    good = signed_by_taproot(KEY, address, MESSAGE)
    (signature,) = [base64.b64decode(good)[2:]]
    assert verified(address, MESSAGE, good)
    assert not verified(address, MESSAGE, in_base64(signature, behind))


def test_a_key_behind_p2sh_signs_in_full() -> None:
    address = addresses(KEY)["p2sh"]
    inner = script.p2wpkh(KEY.get_public_key())
    signature = segwit_in_full(address, _of_input("script_sig", script.Script(pushed(inner.data))))
    assert verified(address, MESSAGE, signature)
    for wrong in (
        b"",
        inner.data,
        b"\x4c" + pushed(inner.data),
        b"\x00" + pushed(inner.data),
        pushed(b"\x51" + inner.data[1:]),
    ):
        changed = segwit_in_full(address, _of_input("script_sig", script.Script(wrong)))
        assert not verified(address, MESSAGE, changed)


def test_what_taproot_locks_is_nobodys_behind_p2sh() -> None:
    inner = script.p2tr(KEY.get_public_key())
    address = script.p2sh(inner).address()
    to_sign = spending(address, MESSAGE)
    for witness in ([], [b""], [bytes(64)]):
        assert not verified(address, MESSAGE, unlocking(to_sign, pushed(inner.data), *witness))


def test_a_witness_that_is_too_long_is_none() -> None:
    address = addresses(KEY)["p2wpkh"]
    good = base64.b64decode(signed_by_hash(KEY, address, MESSAGE))
    many = b"\xfe\xff\xff\xff\xff" + good[1:]
    for raw in (many, b"\xff" + b"\xff" * 8 + good[1:], b"\xfd" + good[:1] + b"\x00" + good[1:]):
        for prefix in ("", "smp"):
            assert not verified(address, MESSAGE, prefix + base64.b64encode(raw).decode())
    wallet = Multisig("p2wsh", 1, 1)
    to_sign = spending(wallet.address, MESSAGE)
    assert not verified(
        wallet.address, MESSAGE, in_base64(b"", *wallet.signatures(to_sign), wallet.script.data + b"\x61" * 2500)
    )


@given(raw=st.binary(max_size=300), prefix=st.sampled_from(["", "smp", "ful"]))
def test_no_random_bytes_are_anybodys_signature(raw: bytes, prefix: str) -> None:
    signature = prefix + base64.b64encode(raw).decode()
    for address in (PAIR.address, Multisig("p2sh").address, key_hash()[0], addresses(KEY)["p2tr"]):
        assert not is_signed_by(locked_by(address, MAINNET), MESSAGE, signature)
