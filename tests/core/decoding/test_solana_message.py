"""Solana transactions, read from bytes that strangers made."""

import base64

import pytest
from solders.address_lookup_table_account import AddressLookupTableAccount
from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from tests.solana_samples import RECEIVER, SENDER, encoded, payment
from walletmodal.core.decoding.solana_message import COMPUTE_BUDGET, MAX_TRANSACTION, read_transaction
from walletmodal.core.errors.rules import PayloadError

PAYER = SENDER.pubkey()
SYSTEM = "1" * 32
PAID = base64.b64decode(encoded(payment(5)))
AFTER_SIGNATURES = 65
"""One signature, and how many there are."""


def text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def test_a_transaction_is_read_from_its_bytes() -> None:
    read = read_transaction(encoded(set_compute_unit_limit(1000), payment(5), signed=True))
    assert (read.payer, read.signers) == (str(PAYER), (str(PAYER),))
    assert read.accounts == (str(PAYER), RECEIVER, *read.accounts[2:])
    assert set(read.accounts[2:]) == {SYSTEM, COMPUTE_BUDGET}
    assert [one.program for one in read.calls] == [COMPUTE_BUDGET, SYSTEM]
    assert read.calls[1].accounts == (str(PAYER), RECEIVER)


def test_digests_of_instructions_stay_what_records_have() -> None:
    assert read_transaction(encoded(payment(5))).instructions == ("11b351b34d9cce8b",)


def test_an_account_from_a_table_has_no_address_but_a_digest() -> None:
    table, other = (
        AddressLookupTableAccount(key=Pubkey(bytes([key] * 32)), addresses=[Pubkey.from_string(RECEIVER)])
        for key in (1, 2)
    )
    told = [
        read_transaction(text(bytes(VersionedTransaction.populate(message, [Signature.default()]))))
        for message in (MessageV0.try_compile(PAYER, [payment(5)], [one], Hash.default()) for one in (table, other))
    ]
    assert told[0].calls[0].accounts == (str(PAYER), None)
    assert told[0].instructions != told[1].instructions


def test_a_fee_is_read_from_the_transaction() -> None:
    def fee(*instructions: Instruction) -> int:
        return read_transaction(encoded(*instructions)).fee

    def budget(units: int, price: int) -> list[Instruction]:
        return [set_compute_unit_limit(units), set_compute_unit_price(price)]

    assert fee(payment(1)) == 5_000
    assert fee(*budget(1_000, 5_500_000), payment(1)) == 5_000 + 5_500
    assert fee(*budget(1_000, 1), payment(1)) == 5_001
    # Nobody pays for more units than there are.
    assert fee(*budget(2**32 - 1, 1_000_000), payment(1)) == 5_000 + 1_400_000
    # Without a limit each instruction has its share.
    assert fee(budget(1, 1_000_000)[1], payment(1), payment(2)) == 5_000 + 400_000


def test_writable_accounts_are_told_from_those_that_are_only_read() -> None:
    keys = [Pubkey(bytes([n] * 32)) for n in (1, 2, 3)]
    metas = [AccountMeta(key, is_signer=False, is_writable=at == 1) for at, key in enumerate(keys)]
    read = read_transaction(encoded(Instruction(Pubkey(bytes([9] * 32)), b"", metas)))
    assert read.writable == (str(PAYER), str(keys[1]))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(PAID[:-1], id="cut short"),
        pytest.param(b"\x00" + PAID[AFTER_SIGNATURES:], id="no signature"),
        pytest.param(b"\x02" + bytes(128) + PAID[AFTER_SIGNATURES:], id="a signature too many"),
        pytest.param(PAID[:AFTER_SIGNATURES] + b"\x81" + PAID[AFTER_SIGNATURES:], id="another version"),
        pytest.param(PAID[:-17] + b"\x09" + PAID[-16:], id="a program that is not there"),
        pytest.param(b"\xff\xff\xff" + PAID[1:], id="a length of four bytes"),
        pytest.param(bytes(MAX_TRANSACTION + 32), id="too long"),
    ],
)
def test_what_is_no_transaction_is_refused(raw: bytes) -> None:
    with pytest.raises(PayloadError):
        read_transaction(text(raw))


@pytest.mark.parametrize("given", [None, 5, "", "no base64!", encoded(payment(5)) + "="])
def test_what_is_no_base64_is_refused(given: object) -> None:
    with pytest.raises(PayloadError):
        read_transaction(given)


def test_the_meta_of_an_account_is_kept_in_order() -> None:
    metas = [AccountMeta(Pubkey(bytes([n] * 32)), is_signer=False, is_writable=n % 2 == 0) for n in (3, 2, 1)]
    read = read_transaction(encoded(Instruction(Pubkey(bytes([9] * 32)), b"\x01", metas)))
    assert read.calls[0].accounts == tuple(str(meta.pubkey) for meta in metas)
