"""BIP-322 since its version 1.0.0: the standard's vectors, the full form, several keys, and hostile forms of them."""

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from embit import ec, script
from embit.transaction import SIGHASH, Transaction, TransactionInput, TransactionOutput
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from tests.services.bip322_verdict import MAINNET, MESSAGE, verified
from tests.services.bitcoin_signer import (
    KEY,
    KEYS,
    Multisig,
    addresses,
    in_base64,
    in_full,
    pushed,
    recoverable,
    signed_by_hash,
    signed_by_taproot,
    spending,
    uncompressed,
)
from walletmodal.core.chains.bitcoin_scripts import locked_by
from walletmodal.core.errors.sign_in import ProofOfFundsError
from walletmodal.services.chains.bip122.signatures import is_signed_by

VECTORS = json.loads((Path(__file__).parent / "vectors/bip322.json").read_text())
ALL = [*VECTORS["simple"], *VECTORS["full"]]
# Scripts with a time lock take an interpreter; they are refused as every other script that is not understood.
NOT_UNDERSTOOD = [one for one in ALL if one["type"].endswith("time-lock")]
UNDERSTOOD = [one for one in ALL if one not in NOT_UNDERSTOOD]
PAIR = Multisig()


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
