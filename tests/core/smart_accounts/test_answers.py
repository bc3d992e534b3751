"""Answers of bundlers and paymasters, wrong and hostile ones among them."""

from dataclasses import replace
from typing import Any

import pytest

from walletmodal.core.errors import ShapeError
from walletmodal.core.errors.operations import PaymasterTermsError
from walletmodal.core.smart_accounts.answers import (
    MAX_GAS,
    MAX_PAYMASTER_DATA,
    MAX_PAYMASTER_GAS,
    GasPrice,
    PaymasterStub,
    TokenQuote,
    read_estimate,
    read_gas_price,
    read_operation_hash,
    read_paymaster_data,
    read_stub,
    read_tip,
    read_token_quotes,
)
from walletmodal.core.smart_accounts.user_operation import UserOperation

PAYMASTER = "0x777777777777AeC03fd955926DbF81597e66834C"
OTHER = "0x888888888888Ec68A58AB8094Cc1AD20Ba3D2402"
TOKEN = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
PRICE = {"maxFeePerGas": "0x10", "maxPriorityFeePerGas": "0x2"}
OPERATION = UserOperation(sender=OTHER, nonce=0, call_data=b"")
GAS = {"preVerificationGas": "0x1", "verificationGasLimit": "0x2", "callGasLimit": "0x3"}
STUB = {"paymaster": PAYMASTER, "paymasterData": "0x1234", "paymasterPostOpGasLimit": "0x5"}
READ = PaymasterStub(PAYMASTER, b"\x12\x34", None, 5)
QUOTE = {"token": TOKEN, "paymaster": PAYMASTER, "exchangeRate": hex(3000 * 10**6), "postOpGas": "0xa"}


@pytest.mark.parametrize(
    "answer", [PRICE, {"fast": PRICE, "standard": {}}, {"slow": {}, "standard": PRICE, "fast": None}]
)
def test_a_gas_price_is_read_in_each_providers_form(answer: object) -> None:
    assert read_gas_price(answer) == GasPrice(16, 2)


def test_a_tip_alone_is_completed_by_the_base_fee() -> None:
    assert read_tip("0x2", base_fee=7) == GasPrice(16, 2)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"maxFeePerGas": "0x10"},
        PRICE | {"maxFeePerGas": 16},
        PRICE | {"maxFeePerGas": "0x0", "maxPriorityFeePerGas": "0x0"},
        PRICE | {"maxPriorityFeePerGas": "0x11"},
        PRICE | {"maxFeePerGas": hex(2**64)},
    ],
)
def test_what_is_no_gas_price_is_refused(answer: object) -> None:
    with pytest.raises(ShapeError):
        read_gas_price(answer)


def test_an_estimate_is_the_operations_gas() -> None:
    found = read_estimate(GAS, OPERATION)
    assert (found.pre_verification_gas, found.verification_gas_limit, found.call_gas_limit) == (1, 2, 3)


@pytest.mark.parametrize("wrong", [{"callGasLimit": None}, {"callGasLimit": hex(MAX_GAS + 1)}, {"callGasLimit": 3}])
def test_an_estimate_that_no_transaction_can_have_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        read_estimate(GAS | wrong, OPERATION)


def test_of_a_paymaster_that_there_is_none_of_nothing_is_read() -> None:
    assert read_estimate(GAS | {"paymasterPostOpGasLimit": "0x0"}, OPERATION).paymaster_post_op_gas_limit == 0


def test_a_paymaster_has_at_least_the_gas_that_it_asked_for() -> None:
    paid = replace(OPERATION, paymaster=PAYMASTER, paymaster_post_op_gas_limit=9)
    assert read_estimate(GAS | {"paymasterPostOpGasLimit": "0x1"}, paid).paymaster_post_op_gas_limit == 9


@pytest.mark.parametrize("answer", [None, 5, "0x12", "0x" + "g" * 64, {"hash": "0x" + "1" * 64}])
def test_what_is_no_hash_is_refused(answer: object) -> None:
    with pytest.raises(ShapeError):
        read_operation_hash(answer)


def test_a_stub_is_read() -> None:
    assert read_stub(STUB) == READ


@pytest.mark.parametrize(
    ("sponsor", "told"),
    [
        ({"name": "Acme"}, ("Acme", "")),
        ({"name": "A\u202ecme" * 20, "icon": "http://acme.example/icon.png"}, (None, "")),
        ({"icon": "https://acme.example/icon.png"}, ("", "https://acme.example/icon.png")),
        ({"name": 5, "icon": "data:image/svg+xml;base64,AA=="}, ("", "")),
        ({"icon": "data:image/png;base64,AAAA"}, ("", "data:image/png;base64,AAAA")),
        ("Acme", ("", "")),
    ],
)
def test_who_pays_is_told_in_clean_words(sponsor: Any, told: tuple[str | None, str]) -> None:
    found = read_stub(STUB | {"sponsor": sponsor})
    assert found.icon == told[1]
    assert (
        found.sponsor == told[0] if told[0] is not None else len(found.sponsor) <= 40 and "\u202e" not in found.sponsor
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"paymaster": None},
        {"paymaster": "0x12"},
        # The entry point has the account itself pay then.
        {"paymaster": "0x" + "0" * 40},
        {"paymasterData": "0x1"},
        {"paymasterPostOpGasLimit": None},
        {"paymasterPostOpGasLimit": 5},
    ],
)
def test_what_is_no_stub_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        read_stub(STUB | wrong)


@pytest.mark.parametrize(
    "greedy",
    [
        {"paymasterPostOpGasLimit": hex(MAX_PAYMASTER_GAS + 1)},
        {"paymasterVerificationGasLimit": hex(MAX_PAYMASTER_GAS + 1)},
        {"paymasterData": "0x" + "00" * (MAX_PAYMASTER_DATA + 1)},
    ],
)
def test_a_paymaster_that_wants_more_than_any_needs_is_refused(greedy: dict[str, Any]) -> None:
    with pytest.raises(PaymasterTermsError):
        read_stub(STUB | greedy)


def test_the_data_that_pays_is_read() -> None:
    assert read_paymaster_data({"paymaster": PAYMASTER, "paymasterData": "0xabcd"}, READ) == b"\xab\xcd"


@pytest.mark.parametrize(
    "changed",
    [{"paymaster": OTHER}, {"paymasterData": "0xabcdef"}, {"paymasterPostOpGasLimit": "0x6"}],
)
def test_a_paymaster_that_changes_its_terms_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(PaymasterTermsError):
        read_paymaster_data({"paymaster": PAYMASTER, "paymasterData": "0xabcd"} | changed, READ)


def test_the_most_of_a_token_is_rounded_up() -> None:
    quote = read_token_quotes({"quotes": [QUOTE | {"token": OTHER}, QUOTE]}, [TOKEN])[TOKEN]
    operation = replace(OPERATION, call_gas_limit=90, max_fee_per_gas=10**9)
    assert (quote, quote.most(operation)) == (TokenQuote(TOKEN, PAYMASTER, 3000 * 10**6, 10), 300)
    assert quote.most(replace(operation, call_gas_limit=91)) == 303
    assert replace(quote, rate=1).most(operation) == 1


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {"quotes": None},
        {"quotes": [QUOTE | {"exchangeRate": "0x0"}]},
        {"quotes": [QUOTE | {"exchangeRate": 3.5}]},
        {"quotes": [QUOTE | {"postOpGas": hex(MAX_PAYMASTER_GAS + 1)}]},
        {"quotes": [5]},
    ],
)
def test_quotes_that_cannot_be_read_are_refused(answer: object) -> None:
    with pytest.raises(ShapeError):
        read_token_quotes(answer, [TOKEN])


def test_a_token_that_is_not_taken_has_no_quote() -> None:
    assert read_token_quotes({"quotes": [QUOTE]}, [OTHER]) == {}
