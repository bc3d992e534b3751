"""Bitcoin transactions in words, made by another implementation (embit) with the keys of the published phrase."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from embit import bip32, bip39, script
from embit.psbt import PSBT
from embit.transaction import Transaction, TransactionInput, TransactionOutput

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import WalletModalError
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_parts import Summary
from walletmodal.core.requests.summary_psbt import (
    ANYONE_WARNING,
    FOREIGN_WARNING,
    MORE_WARNING,
    NOT_YOURS_WARNING,
    OPEN_WARNING,
    SINGLE_WARNING,
    UNNAMED_WARNING,
    UNTOLD_WARNING,
    UNUSUAL_WARNING,
)

MAINNET = parse_chain_id("bip122:000000000019d6689c085ae165831e93")
ROOT = bip32.HDKey.from_seed(bip39.mnemonic_to_seed("test test test test test test test test test test test junk"))
MINE, THEIRS, OTHERS = (script.p2wpkh(ROOT.derive(f"m/84h/0h/0h/0/{number}").to_public()) for number in range(3))
TAPROOT = script.p2tr(ROOT.derive("m/86h/0h/0h/0/0").to_public())
BITCOIN = 10**8

Coin = tuple[int, script.Script] | None


def made(coins: list[Coin], paid: list[tuple[int, script.Script]], *, kind: int | None = None) -> PSBT:
    """A transaction that spends these coins and pays these outputs; None is a coin that it does not tell."""
    spent = [TransactionInput(bytes(range(32)), number) for number in range(len(coins))]
    psbt = PSBT(Transaction(vin=spent, vout=[TransactionOutput(amount, lock) for amount, lock in paid]))
    for one, coin in zip(psbt.inputs, coins, strict=True):
        one.witness_utxo = TransactionOutput(*coin) if coin else None
        one.sighash_type = kind
    return psbt


def summary(transaction: PSBT, account: script.Script = MINE, *, whole: bool = False, **params: Any) -> Summary:
    given = {"psbt": base64.b64encode(transaction.serialize()).decode(), **params}
    request = read_request(
        method="signPsbt", chain=MAINNET, account=account.address(), origin="https://shop.example", params=given
    )
    return summarize(request, whole=whole)


def altogether(found: Summary) -> dict[str, str]:
    return {row.name: row.value for row in found.parts[-1].rows}


PAYMENT = made([(BITCOIN, MINE)], [(60_000_000, THEIRS), (39_999_000, MINE)])


def test_a_payment_says_how_much_goes_to_whom() -> None:
    (payment, _) = summary(PAYMENT).parts
    assert (payment.title, [(row.name, row.value) for row in payment.rows]) == (
        "Send 0.6 BTC",
        [("To", THEIRS.address())],
    )


def test_what_is_left_comes_back_and_the_rest_leaves() -> None:
    assert altogether(summary(PAYMENT)) == {
        "Coins of your address": "1 BTC",
        "Comes to your address": "0.39999 BTC",
        "Leaves your address": "0.60001 BTC",
        "Network cost, as the site says": "0.00001 BTC",
        "Coins that you sign for": "1 of 1",
    }


def test_an_ordinary_payment_has_no_warning() -> None:
    assert summary(PAYMENT).warnings == ()


@pytest.mark.parametrize(("broadcast", "title"), [(False, "Sign a"), (True, "Sign and send a")])
def test_the_title_says_whether_it_is_sent(broadcast: bool, title: str) -> None:
    assert summary(PAYMENT, broadcast=broadcast).title == f"{title} Bitcoin transaction"


def test_a_cost_that_the_signature_binds_needs_nobodys_word() -> None:
    found = summary(made([(BITCOIN, TAPROOT), (BITCOIN, THEIRS)], [(BITCOIN, THEIRS)]), TAPROOT)
    assert altogether(found)["Network cost"] == "1 BTC"


def test_a_cost_that_the_transactions_prove_needs_nobodys_word() -> None:
    before = Transaction(vin=[TransactionInput(bytes(32), 0)], vout=[TransactionOutput(BITCOIN, MINE)])
    psbt = PSBT(Transaction(vin=[TransactionInput(before.txid(), 0)], vout=[TransactionOutput(99_000_000, THEIRS)]))
    psbt.inputs[0].non_witness_utxo = before
    assert altogether(summary(psbt))["Network cost"] == "0.01 BTC"


def sale(kind: int | None = None) -> PSBT:
    return made([(1_000, TAPROOT)], [(5_000_000, TAPROOT)], kind=kind)


@pytest.mark.parametrize(
    ("kind", "warnings"),
    [
        (None, ()),
        (0x00, ()),
        (0x01, ()),
        (0x02, (OPEN_WARNING,)),
        (0x82, (OPEN_WARNING,)),
        (0x03, (SINGLE_WARNING,)),
        (0x83, (SINGLE_WARNING,)),
        (0x81, (ANYONE_WARNING,)),
        (0x04, (UNUSUAL_WARNING,)),
        (0x41, (UNUSUAL_WARNING,)),
    ],
)
def test_a_signature_that_leaves_something_open_is_marked(kind: int | None, warnings: tuple[str, ...]) -> None:
    assert summary(sale(kind), TAPROOT).warnings == warnings


def test_a_signature_for_one_payment_without_a_payment_leaves_all_open() -> None:
    found = summary(made([(BITCOIN, MINE), (BITCOIN, MINE)], [(BITCOIN, THEIRS)], kind=3))
    assert found.warnings == (OPEN_WARNING, SINGLE_WARNING)


def test_the_kind_of_signature_is_named() -> None:
    assert altogether(summary(sale(0x83), TAPROOT))["Kind of signature"] == "SINGLE | ANYONECANPAY"


def test_a_kind_that_the_page_asks_for_beside_is_marked_too() -> None:
    found = summary(PAYMENT, signInputs=[{"address": MINE.address(), "index": 0, "sighashTypes": [0x82]}])
    assert found.warnings == (OPEN_WARNING,)


def test_the_kinds_of_what_others_have_signed_are_their_own() -> None:
    psbt = made([(1_000, OTHERS), (BITCOIN, MINE)], [(90_000_000, OTHERS)])
    psbt.inputs[0].sighash_type = 0x83
    assert summary(psbt, signInputs=[{"address": MINE.address(), "index": 1}]).warnings == ()


def test_what_an_address_gains_is_told() -> None:
    assert altogether(summary(sale(), TAPROOT))["Your address gains"] == "0.04999 BTC"


def test_where_more_is_paid_than_comes_in_the_cost_cannot_be_told() -> None:
    assert altogether(summary(sale(), TAPROOT))["Network cost"] == "cannot be told"


def test_coins_of_others_are_told_apart() -> None:
    found = summary(made([(BITCOIN, MINE), (3 * BITCOIN, OTHERS)], [(390_000_000, THEIRS)]))
    assert {name: altogether(found)[name] for name in ("Coins of your address", "Coins of others")} == {
        "Coins of your address": "1 BTC",
        "Coins of others": "3 BTC",
    }


def test_a_coin_that_is_not_told_is_marked_and_nothing_is_added_up() -> None:
    found = summary(made([(BITCOIN, MINE), None], [(BITCOIN, THEIRS)]))
    assert found.warnings == (UNTOLD_WARNING,)
    assert "Leaves your address" not in altogether(found)
    assert (altogether(found)["Coins of others"], altogether(found)["Network cost"]) == ("not told", "cannot be told")


def test_signing_for_another_address_is_marked() -> None:
    psbt = made([(BITCOIN, MINE), (BITCOIN, OTHERS)], [(BITCOIN, THEIRS)])
    found = summary(psbt, signInputs=[{"address": OTHERS.address(), "index": 1}])
    assert found.warnings == (FOREIGN_WARNING,)


def test_coins_that_may_be_of_other_addresses_of_the_wallet_are_marked() -> None:
    psbt = made([(1_000, MINE), (BITCOIN, OTHERS)], [(BITCOIN, THEIRS)])
    assert summary(psbt).warnings == (UNNAMED_WARNING,)
    assert summary(psbt, signInputs=[]).warnings == (UNNAMED_WARNING,)
    assert summary(psbt, signInputs=[{"address": MINE.address(), "index": 0}]).warnings == ()


def test_coins_that_others_have_signed_for_are_not_the_visitors() -> None:
    psbt = made([(1_000, MINE), (BITCOIN, OTHERS)], [(BITCOIN, THEIRS)])
    psbt.inputs[1].final_scriptwitness = script.Witness([b"\1" * 64])
    assert summary(psbt).warnings == ()


def test_a_transaction_of_others_alone_is_marked() -> None:
    assert summary(made([(BITCOIN, OTHERS)], [(BITCOIN, THEIRS)])).warnings == (NOT_YOURS_WARNING,)


@pytest.mark.parametrize(
    ("data", "shown"),
    [(b"\x05Hello", "Hello"), (b"\x02\xff\xfe", "0xfffe"), (b"\x03\xe2\x80\xae", "0xe280ae")],
)
def test_what_is_written_into_the_chain_is_shown(data: bytes, shown: str) -> None:
    found = summary(made([(BITCOIN, MINE)], [(0, script.Script(b"\x6a" + data))]))
    assert (found.parts[0].title, found.parts[0].rows[0].value) == ("Write data", shown)


def test_coins_that_are_destroyed_are_marked() -> None:
    found = summary(made([(BITCOIN, MINE)], [(5_000, script.Script(b"\x6a\x01x"))]))
    assert [(row.value, row.tone) for row in found.parts[0].rows][1] == ("0.00005 BTC", "warning")


def test_a_script_without_an_address_is_shown_as_it_is() -> None:
    found = summary(made([(BITCOIN, MINE)], [(5_000, script.Script(b"\x51"))]))
    assert (found.parts[0].rows[0].tone, found.parts[0].raw) == ("warning", "0x51")


@pytest.mark.parametrize("kind", [b"\x51", b"\x6a"])
def test_a_long_script_is_cut(kind: bytes) -> None:
    found = summary(made([(BITCOIN, MINE)], [(5_000, script.Script(kind + b"x" * 80_000))]), whole=True)
    assert len(found.parts[0].raw) + len(found.parts[0].rows[0].value) < 5_000


def test_more_payments_than_fit_are_marked_and_can_all_be_seen() -> None:
    psbt = made([(BITCOIN, MINE)], [(1_000, THEIRS)] * 9)
    first, whole = summary(psbt), summary(psbt, whole=True)
    assert (len(first.parts), first.hidden, first.warnings) == (7, True, (MORE_WARNING,))
    assert (len(whole.parts), whole.hidden, whole.warnings) == (10, False, ())


@pytest.mark.parametrize(
    "named",
    [
        "0",
        [0],
        [{}],
        [{"address": MINE.address(), "index": 1}],
        [{"address": MINE.address(), "index": -1}],
        [{"address": MINE.address(), "index": True}],
        [{"address": MINE.address(), "index": 0, "sighashTypes": "ALL"}],
        [{"address": MINE.address(), "index": 0, "sighashTypes": ["ALL"]}],
    ],
)
def test_inputs_to_sign_that_are_none_of_its_own_are_refused(named: Any) -> None:
    with pytest.raises(WalletModalError):
        summary(PAYMENT, signInputs=named)


def test_what_else_the_wallet_gets_is_named() -> None:
    found = summary(
        PAYMENT, autoFinalized=True, signInputs=[{"address": MINE.address(), "index": 0, "useTweakedSigner": 1}]
    )
    assert altogether(found)["Also has"] == "autoFinalized, useTweakedSigner"


@pytest.mark.parametrize("text", ["", "cHNidP8B", None, 7])
def test_what_is_no_psbt_is_refused(text: object) -> None:
    with pytest.raises(WalletModalError):
        summary(PAYMENT, psbt=text)
