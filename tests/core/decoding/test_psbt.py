"""The reader of PSBTs: vectors of BIP-174, and transactions made by another implementation of it (embit)."""

from __future__ import annotations

import base64
import contextlib

import pytest
from embit import script
from embit.networks import NETWORKS
from embit.psbt import PSBT
from embit.transaction import Transaction, TransactionInput, TransactionOutput
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.chains.bitcoin_scripts import address_of
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.decoding.psbt import MAX_PSBT, Output, read_psbt
from walletmodal.core.errors.rules import PayloadError

MAINNET = ChainId("bip122", "000000000019d6689c085ae165831e93")
TESTNET = ChainId("bip122", "000000000933ea01ad0ee984209779ba")
REGTEST = ChainId("bip122", "0f9188f13cb7b2c71f2a335e3a4fc328")
ONE = bytes(range(20))

# Of BIP-174: a transaction that spends one P2PKH coin, without the maps of its two outputs.
UNFINISHED = bytes.fromhex(
    "70736274ff0100750200000001268171371edff285e937adeea4b37b78000c0566cbb3ad64641713ca42171bf60000000000feffffff02d3dff50500"
    "0000001976a914d0c59903c5bac2868760e90fd521a4665aa7652088ac00e1f5050000000017a9143545e6e33b832c47050f24d3eeb93c9c03948bc7"
    "87b32e1300000100fda5010100000000010289a3c71eab4d20e0371bbba4cc698fa295c9463afa2e397f8533ccb62f9567e50100000017160014be18"
    "d152a9b012039daf3da7de4f53349eecb985ffffffff86f8aa43a71dff1448893a530a7237ef6b4608bbb2dd2d0171e63aec6a4890b4010000001716"
    "0014fe3e9ef1a745e974d902c4355943abcb34bd5353ffffffff0200c2eb0b000000001976a91485cff1097fd9e008bb34af709c62197b38978a4888"
    "ac72fef84e2c00000017a914339725ba21efd62ac753a9bcd067d6c7a6a39d05870247304402202712be22e0270f394f568311dc7ca9a68970b8025f"
    "dd3b240229f07f8a5f3a240220018b38d7dcd314e734c9276bd6fb40f673325bc4baa144c800d2f2f02db2765c012103d2e15674941bad4a996372cb"
    "87e1856d3652606d98562fe39c5e9e7e413f210502483045022100d12b852d85dcd961d2f5f4ab660654df6eedcc794c0c33ce5cc309ffb5fce58d02"
    "2067338a8e0e1725c197fb1a88af59f51e44e4255b20167c8684031c05d1f2592a01210223b72beef0965d10be0778efecd61fcac6f79a4ea1693933"
    "80734464f84f2ab30000000000"
)
FINISHED = UNFINISHED + b"\0\0"
FILLED = (
    "cHNidP8BAP0KAQIAAAACqwlJoIxa98SbghL0F+LxWrP1wz3PFTghqBOfh3pbe+QAAAAAakcwRAIgR1lmF5fAGwNrJZKJSGhiGDR9iYZLcZ4ff89X0eURZYcCIFMJ"
    "6r9Wqk2Ikf/REf3xM286KdqGbX+EhtdVRs7tr5MZASEDXNxh/HupccC1AaZGoqg7ECy0OIEhfKaC3Ibi1z+ogpL+////qwlJoIxa98SbghL0F+LxWrP1wz3PFTgh"
    "qBOfh3pbe+QBAAAAAP7///8CYDvqCwAAAAAZdqkUdopAu9dAy+gdmI5x3ipNXHE5ax2IrI4kAAAAAAAAGXapFG9GILVT+glechue4O/p+gOcykWXiKwAAAAAAAAB"
    "ASAA4fUFAAAAABepFDVF5uM7gyxHBQ8k0+65PJwDlIvHhwEEFgAUhdE1N/LiZUBaNNuvqePdoB+4IwgAAAA="
)
WITHOUT_INPUTS = "cHNidP8BACoCAAAAAAFAQg8AAAAAABepFG6Rty1Vk+fUOR4v9E6R6YXDFkHwhwAAAAAA"


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def locked(version: int = 0) -> script.Script:
    return script.Script(
        bytes([0x50 + version if version else 0, 20 if not version else 32]) + ONE + bytes(12 * bool(version))
    )


def made(*, version: int | None = None, lock: script.Script | None = None, coins: int = 1) -> PSBT:
    """Coins of 1 bitcoin each, of which 60 million satoshis are paid."""
    spent = [TransactionInput(bytes(range(32)), number) for number in range(coins)]
    psbt = PSBT(Transaction(vin=spent, vout=[TransactionOutput(60_000_000, locked())]), version=version)
    for one in psbt.inputs:
        one.witness_utxo = TransactionOutput(100_000_000, lock or locked())
    return psbt


def serialized(psbt: PSBT) -> bytes:
    return bytes(psbt.serialize())


def test_a_vector_of_the_standard_is_read_as_it_says() -> None:
    found = read_psbt(encode(FINISHED))
    assert [one.amount for one in found.outputs] == [99_999_699, 100_000_000]
    assert [(one.spent.amount if one.spent else None, one.proven, one.final) for one in found.inputs] == [
        (200_000_000, True, False)
    ]
    assert found.fee == 301


@every_case(
    "text",
    [
        encode(UNFINISHED),
        encode(UNFINISHED + b"\0"),
        encode(FINISHED + b"\0"),
        encode(FINISHED[:-20]),
        encode(b"psbt\xff\0" + UNFINISHED[5 + 0x77 + 1 :]),
        encode(FINISHED.replace(b"psbt\xff", b"psbt\xfe")),
        encode(FINISHED[5:]),
        FILLED,
        WITHOUT_INPUTS,
        "",
        "cHNidP8B",
        encode(FINISHED) + "\n",
        FINISHED.hex(),
        "psbt" * MAX_PSBT,
        None,
        [],
    ],
)
def test_what_is_no_psbt_is_refused(text: object) -> None:
    with pytest.raises(PayloadError):
        read_psbt(text)


@pytest.mark.parametrize("version", [None, 2])
def test_both_versions_of_another_implementation_are_read_alike(version: int | None) -> None:
    found = read_psbt(encode(serialized(made(version=version, coins=2))))
    assert found.outputs == (Output(60_000_000, locked().data),)
    assert (found.fee, [one.proven for one in found.inputs]) == (140_000_000, [False, False])


@pytest.mark.parametrize("version", [None, 2])
def test_the_kind_of_signature_is_read(version: int | None) -> None:
    psbt = made(version=version)
    psbt.inputs[0].sighash_type = 0x83
    assert read_psbt(encode(serialized(psbt))).inputs[0].sighash == 0x83


# Entries of a map: its key with the length before it, and its value likewise.
SIGHASH = bytes.fromhex("010304" + "01000000")


def with_input_entry(*entries: bytes) -> str:
    """The transaction with more in the map of its one input, which ends with the map of its one output behind it."""
    return encode(serialized(made())[:-2] + b"".join(entries) + b"\0\0")


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param((SIGHASH, SIGHASH), id="the same key twice"),
        pytest.param((bytes.fromhex("0103020100"),), id="a kind of signature of two bytes"),
        pytest.param((bytes.fromhex("02030004" + "01000000"),), id="a key with something behind its kind"),
        pytest.param((bytes.fromhex("03fd030004" + "01000000"),), id="a kind that is written longer than needed"),
        pytest.param((bytes.fromhex("010f04" + "00000000"),), id="a field of version 2"),
        pytest.param((bytes.fromhex("fd0100fe04" + "00000000"),), id="a length that is written longer than needed"),
    ],
)
def test_what_readers_could_take_for_different_things_is_refused(entries: tuple[bytes, ...]) -> None:
    assert read_psbt(with_input_entry(SIGHASH)).inputs[0].sighash == 1
    with pytest.raises(PayloadError):
        read_psbt(with_input_entry(*entries))


def test_what_is_unknown_is_left_alone() -> None:
    assert read_psbt(with_input_entry(bytes.fromhex("03fc017800"))).fee == 40_000_000


def test_a_coin_that_is_described_in_two_ways_is_refused() -> None:
    before = Transaction(vin=[TransactionInput(bytes(32), 0)], vout=[TransactionOutput(100_000_000, locked())])
    spent = TransactionInput(before.txid(), 0)
    psbt = PSBT(Transaction(vin=[spent], vout=[TransactionOutput(60_000_000, locked())]))
    psbt.inputs[0].non_witness_utxo = before
    psbt.inputs[0].witness_utxo = before.vout[0]
    assert read_psbt(encode(serialized(psbt))).inputs[0].proven
    psbt.inputs[0].witness_utxo = TransactionOutput(60_000_001, locked())
    with pytest.raises(PayloadError):
        read_psbt(encode(serialized(psbt)))


def test_the_transaction_of_another_coin_is_refused() -> None:
    before = Transaction(vin=[TransactionInput(bytes(32), 0)], vout=[TransactionOutput(100_000_000, locked())])
    psbt = made()
    psbt.inputs[0].non_witness_utxo = before
    with pytest.raises(PayloadError):
        read_psbt(encode(serialized(psbt)))


def test_a_coin_that_is_spent_twice_is_refused() -> None:
    spent = [TransactionInput(bytes(32), 0)] * 2
    psbt = PSBT(Transaction(vin=spent, vout=[TransactionOutput(1, locked())]))
    with pytest.raises(PayloadError):
        read_psbt(encode(serialized(psbt)))


def test_more_than_there_is_cannot_be_paid() -> None:
    psbt = PSBT(Transaction(vin=[TransactionInput(bytes(32), 0)], vout=[TransactionOutput(2**63, locked())]))
    with pytest.raises(PayloadError):
        read_psbt(encode(serialized(psbt)))


def test_the_amount_of_a_coin_that_no_signature_binds_is_not_believed() -> None:
    legacy = script.Script(b"\x76\xa9\x14" + ONE + b"\x88\xac")
    found = read_psbt(encode(serialized(made(lock=legacy))))
    assert (found.inputs[0].spent, found.fee) == (None, None)


@given(st.binary(max_size=200), st.integers(min_value=0, max_value=len(FINISHED)))
def test_bytes_that_nobody_has_made_end_in_its_own_error(data: bytes, at: int) -> None:
    with contextlib.suppress(PayloadError):
        read_psbt(encode(FINISHED[:at] + data + FINISHED[at + len(data) :]))


# Addresses, each as embit writes it.

KEY_HASH = b"\x76\xa9\x14" + ONE + b"\x88\xac"
SCRIPT_HASH = b"\xa9\x14" + ONE + b"\x87"
SCRIPTS = [KEY_HASH, SCRIPT_HASH, b"\0\x14" + ONE, b"\0\x20" + ONE + bytes(12), b"\x51\x20" + ONE + bytes(12)]


@pytest.mark.parametrize("locking", SCRIPTS, ids=bytes.hex)
@pytest.mark.parametrize(("chain", "network"), [(MAINNET, "main"), (TESTNET, "test"), (REGTEST, "regtest")])
def test_a_script_has_the_address_that_others_give_it(locking: bytes, chain: ChainId, network: str) -> None:
    assert address_of(locking, chain) == script.Script(locking).address(NETWORKS[network])


@pytest.mark.parametrize("locking", [b"", b"\x6a\x01x", b"\0\x13" + ONE[:19], KEY_HASH[:-1], b"\x51", b"\x4f\x02ab"])
def test_a_script_without_an_address_has_none(locking: bytes) -> None:
    assert address_of(locking, MAINNET) == ""
