"""Solana transactions in words, made by the chain's own library."""

from __future__ import annotations

import base64
import struct

import pytest
from solders.address_lookup_table_account import AddressLookupTableAccount
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import (
    AssignParams,
    CreateAccountParams,
    CreateAccountWithSeedParams,
    TransferParams,
    assign,
    create_account,
    create_account_with_seed,
    transfer,
)
from solders.transaction import VersionedTransaction
from spl.token.instructions import transfer_checked
from spl.token.models import TransferCheckedParams

from tests.cases import every_case
from tests.solana_samples import RECEIVER, SENDER, encoded, payment
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_parts import Row, Summary
from walletmodal.core.requests.summary_solana import (
    ALLOWANCE_WARNING,
    AUTHORITY_WARNING,
    FOREIGN_PAYER,
    MORE_WARNING,
    TABLED_WARNING,
    UNKNOWN_WARNING,
)
from walletmodal.services.chains.solana.instructions import budget

MAINNET = parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
TOKEN_PROGRAM = Pubkey.from_string("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
MEMO_PROGRAM = Pubkey.from_string("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
ME = SENDER.pubkey()
MINT, SOURCE, TARGET = (Pubkey.from_bytes(bytes([number] * 32)) for number in (3, 4, 5))


def summary(
    *transactions: str, method: str = "solana_signAndSendTransaction", account: str = str(ME), whole: bool = False
) -> Summary:
    params = (
        {"transactions": list(transactions)} if method.endswith("AllTransactions") else {"transaction": transactions[0]}
    )
    request = read_request(method=method, chain=MAINNET, account=account, origin="https://shop.example", params=params)
    return summarize(request, whole=whole)


def token_call(data: bytes, *accounts: Pubkey) -> Instruction:
    return Instruction(
        TOKEN_PROGRAM, data, [AccountMeta(account, account == ME, is_writable=True) for account in accounts]
    )


def told(*instructions: Instruction) -> Summary:
    return summary(encoded(*instructions))


def rows(found: Summary) -> dict[str, str]:
    return {row.name: row.value for row in found.parts[0].rows}


def test_a_payment_says_how_much_to_whom() -> None:
    found = told(payment(1_500_000_000))
    assert (found.title, found.parts[0].title, rows(found), found.warnings) == (
        "Send a transaction",
        "Send 1.5 SOL",
        {"To": RECEIVER},
        (),
    )


def test_a_transfer_of_a_token_says_how_much_of_which() -> None:
    pays = transfer_checked(
        TransferCheckedParams(
            program_id=TOKEN_PROGRAM, source=SOURCE, mint=MINT, dest=TARGET, owner=ME, amount=2_500_000, decimals=6
        )
    )
    assert rows(told(pays)) == {"How much": "2.5", "To token account": str(TARGET), "Token": str(MINT)}


def test_a_transfer_without_its_mint_is_in_base_units() -> None:
    found = told(token_call(struct.pack("<BQ", 3, 77), SOURCE, TARGET, ME))
    assert rows(found) == {"How much": "77 base units", "To token account": str(TARGET)}


@pytest.mark.parametrize(
    ("data", "accounts", "spender"),
    [
        (struct.pack("<BQ", 4, 5), (SOURCE, TARGET, ME), TARGET),
        (struct.pack("<BQB", 13, 5, 0), (SOURCE, MINT, TARGET, ME), TARGET),
    ],
)
def test_an_allowance_is_marked_and_names_who_may(data: bytes, accounts: tuple[Pubkey, ...], spender: Pubkey) -> None:
    found = told(token_call(data, *accounts))
    assert (rows(found)["Who may spend"], found.warnings) == (str(spender), (ALLOWANCE_WARNING,))


def test_handing_over_a_token_account_is_marked() -> None:
    assert told(token_call(b"\x06\x02\x01" + bytes(32), SOURCE, ME)).warnings == (AUTHORITY_WARNING,)


def test_handing_over_the_account_itself_is_marked() -> None:
    assert told(assign(AssignParams(pubkey=ME, owner=MINT))).warnings == (AUTHORITY_WARNING,)


def test_an_unknown_program_is_named_and_marked() -> None:
    found = told(Instruction(MINT, b"\x01\x02", [AccountMeta(ME, is_signer=True, is_writable=True)]))
    assert (rows(found), found.warnings) == ({"Program": str(MINT), "Data": "2 bytes"}, (UNKNOWN_WARNING,))


def test_what_wallets_add_of_their_own_accord_is_left_out() -> None:
    assert [part.title for part in told(*budget(1000, 0), payment(1)).parts] == ["Send 0.000000001 SOL"]


@pytest.mark.parametrize(
    ("instructions", "cost"),
    [
        (budget(1_000_000, 10**12), "up to 1,000 SOL more"),
        (budget(2**32 - 1, 10**12), "up to 1,400 SOL more"),
        (budget(1, 10**12)[1:], "up to 200 SOL more"),
        (budget(1, 1), "up to 0.000000001 SOL more"),
    ],
)
def test_what_the_page_pays_for_a_place_in_the_queue_is_told(instructions: list[Instruction], cost: str) -> None:
    assert told(*instructions, payment(1)).parts[-1].rows == (Row("Network cost", cost),)


def test_a_place_in_the_queue_that_somebody_else_pays_for_is_no_cost() -> None:
    assert len(summary(encoded(*budget(1_000_000, 10**12), payment(1)), account=RECEIVER).parts) == 1


def test_coins_for_a_new_account_are_told() -> None:
    made = create_account(CreateAccountParams(from_pubkey=ME, to_pubkey=TARGET, lamports=10**9, space=0, owner=MINT))
    assert rows(told(made)) == {"Account": str(TARGET), "Pays": "1 SOL"}


@pytest.mark.parametrize("seed", ["", "savings", "x" * 32])
def test_coins_for_a_new_account_at_an_address_that_is_made_of_another_are_told(seed: str) -> None:
    made = CreateAccountWithSeedParams(
        from_pubkey=ME, to_pubkey=TARGET, base=MINT, seed=seed, lamports=5 * 10**9, space=165, owner=MINT
    )
    found = told(create_account_with_seed(made))
    assert (rows(found), found.warnings) == ({"Account": str(TARGET), "Pays": "5 SOL"}, ())


@pytest.mark.parametrize("length", [2**64 - 1, 2**32, 8, 6])
def test_a_new_account_whose_price_cannot_be_found_is_marked(length: int) -> None:
    data = struct.pack("<I32sQ7sQQ32s", 3, bytes(MINT), length, b"savings", 10**9, 0, bytes(MINT))
    found = told(Instruction(SYSTEM_PROGRAM, data, [AccountMeta(ME, is_signer=True, is_writable=True)]))
    assert found.warnings == (UNKNOWN_WARNING,)


@pytest.mark.parametrize(("data", "warnings"), [(b"", ()), (b"\0", ()), (b"\1", ()), (b"\2", (UNKNOWN_WARNING,))])
def test_opening_a_token_account_is_all_that_is_read_of_its_program(data: bytes, warnings: tuple[str, ...]) -> None:
    program = Pubkey.from_string("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
    metas = [AccountMeta(one, is_signer=False, is_writable=True) for one in (ME, SOURCE, TARGET, MINT)]
    assert told(Instruction(program, data, metas)).warnings == warnings


def test_a_receiver_who_stands_in_a_table_is_marked() -> None:
    table = AddressLookupTableAccount(key=MINT, addresses=[TARGET])
    pays = transfer(TransferParams(from_pubkey=ME, to_pubkey=TARGET, lamports=1))
    message = MessageV0.try_compile(ME, [pays], [table], Hash.default())
    found = summary(base64.b64encode(bytes(VersionedTransaction.populate(message, [Signature.default()]))).decode())
    assert (rows(found), found.warnings) == ({"To": "an account from a table"}, (TABLED_WARNING,))


def test_a_note_is_shown_with_what_hides_in_it() -> None:
    assert rows(told(Instruction(MEMO_PROGRAM, "for \u202eyou".encode(), []))) == {"Note": "for [U+202E]you"}


def test_somebody_else_who_pays_is_told() -> None:
    found = summary(encoded(payment(1)), account=RECEIVER)
    assert FOREIGN_PAYER in found.warnings


def test_several_transactions_are_counted() -> None:
    found = summary(encoded(payment(1)), encoded(payment(2)), method="solana_signAllTransactions")
    assert (found.title, [part.title for part in found.parts]) == (
        "Sign 2 transactions",
        ["1. Send 0.000000001 SOL", "2. Send 0.000000002 SOL"],
    )


def test_what_is_wrong_with_an_instruction_that_is_not_shown_is_marked_all_the_same() -> None:
    found = told(*(payment(number) for number in range(1, 8)), token_call(b"\x06\x02\x01" + bytes(32), SOURCE, ME))
    assert (len(found.parts), found.hidden, found.warnings) == (6, True, (AUTHORITY_WARNING, MORE_WARNING))


@pytest.mark.parametrize("text", ["", "AAAA", "not base64!", "A" * 9000])
def test_what_is_no_transaction_is_refused(text: str) -> None:
    with pytest.raises(PayloadError):
        summary(text)


@pytest.mark.parametrize("data", [b"", b"\x02", b"\x02\0\0\0", b"\x02\0\0\0\1"])
def test_a_system_call_that_is_cut_off_is_none_that_can_be_read(data: bytes) -> None:
    found = told(Instruction(SYSTEM_PROGRAM, data, [AccountMeta(ME, is_signer=True, is_writable=True)]))
    assert found.warnings == (UNKNOWN_WARNING,)


@every_case("kind", range(20))
def test_a_token_call_that_is_cut_off_raises_nothing(kind: int) -> None:
    assert told(token_call(bytes([kind]), ME)).parts
