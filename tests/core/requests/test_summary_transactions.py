"""Transactions of eip155 in words, alone and several at once."""

from __future__ import annotations

from typing import Any

import pytest
from eth_abi.abi import encode

from tests.core.requests.test_summary import (
    ME,
    OTHER,
    ROUTER,
    TOKENS,
    USDC,
    rows,
    summary,
)
from walletmodal.core.requests.summary_calls import CAPABILITY_WARNING, OWNERS_WARNING
from walletmodal.core.requests.summary_parts import Row, Summary, Token
from walletmodal.core.smart_accounts import delegator
from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call

COLLECTION = {USDC: Token("", None)}
ALL = "f" * 64


def word(value: str | int) -> str:
    return f"{value:064x}" if isinstance(value, int) else value[2:].lower().rjust(64, "0")


def transaction(**how: Any) -> Summary:
    tokens = how.pop("tokens", TOKENS)
    return summary("eth_sendTransaction", [{"from": ME, **how}], tokens=tokens)


def test_a_payment_says_how_much_to_whom() -> None:
    found = transaction(to=OTHER, value=hex(15 * 10**17))
    assert (found.title, rows(found), found.warnings) == ("Send 1.5 ETH", {"To": OTHER}, ())


def test_a_transfer_of_a_token_says_how_much_to_whom() -> None:
    found = transaction(to=USDC, data="0xa9059cbb" + word(OTHER) + word(2_500_000))
    assert (found.title, rows(found)) == ("Send 2.5 USDC", {"To": OTHER, "Token": USDC})


def test_a_transfer_to_the_tokens_own_contract_is_marked() -> None:
    (warning,) = transaction(to=USDC, data="0xa9059cbb" + word(USDC) + word(1)).warnings
    assert "to its own contract" in warning


def test_a_transfer_from_somebody_else_says_so() -> None:
    found = transaction(to=USDC, data="0x23b872dd" + word(OTHER) + word(ROUTER) + word(1))
    assert rows(found)["From"] == OTHER


def test_an_allowance_says_who_and_how_much() -> None:
    found = transaction(to=USDC, data="0x095ea7b3" + word(ROUTER) + word(40_000_000))
    assert (found.title, rows(found), found.warnings) == (
        "Allow spending USDC",
        {"Who may spend": ROUTER, "How much": "40 USDC", "Token": USDC},
        (),
    )


def test_an_unlimited_allowance_is_marked() -> None:
    found = transaction(to=USDC, data="0x095ea7b3" + word(ROUTER) + ALL)
    assert (rows(found)["How much"], "take all of a token" in found.warnings[0]) == ("Unlimited USDC", True)


def test_an_allowance_that_is_taken_back_is_no_danger() -> None:
    found = transaction(to=USDC, data="0x095ea7b3" + word(ROUTER) + word(0))
    assert (found.title, found.warnings) == ("Take back an allowance", ())


def test_an_allowance_of_a_collection_is_for_one_item() -> None:
    found = transaction(to=USDC, data="0x095ea7b3" + word(ROUTER) + word(7), tokens=COLLECTION)
    assert (found.title, rows(found)["Number"]) == ("Allow taking an NFT", "7")


def test_what_could_be_the_first_item_of_a_collection_is_not_told_as_taken_back() -> None:
    found = transaction(to=USDC, data="0x095ea7b3" + word(ROUTER) + word(0), tokens={USDC: None})
    assert (found.title, rows(found)["How much"]) == (
        "Take back an allowance, or allow taking an NFT",
        "nothing any more, or the NFT with the number 0",
    )


@pytest.mark.parametrize(
    ("until", "text"),
    [
        (2**48 - 1, "for ever"),
        (1_830_297_600, "2028-01-01 00:00 UTC"),
        (0, "the end of the block that it comes into"),
    ],
)
def test_an_allowance_of_permit2_says_until_when(until: int, text: str) -> None:
    found = transaction(to=OTHER, data="0x87517c45" + word(USDC) + word(ROUTER) + word(40_000_000) + word(until))
    assert rows(found) == {"Who may spend": ROUTER, "How much": "40 USDC", "Until": text, "Token": USDC}


BATCH = ["address", "address", "uint256[]", "uint256[]", "bytes"]


def test_a_batch_of_nfts_says_which_and_how_many() -> None:
    data = "0x2eb2c2d6" + encode(BATCH, [ME, OTHER, [7, 2**200], [1, 30], b""]).hex()
    assert [(row.name, row.value) for row in transaction(to=USDC, data=data).parts[0].rows] == [
        ("To", OTHER),
        ("Collection", USDC),
        ("Number", "7, 1 of it"),
        ("Number", f"{2**200}, 30 of it"),
    ]


def test_a_batch_of_many_nfts_is_cut_and_says_so() -> None:
    data = "0x2eb2c2d6" + encode(BATCH, [ME, OTHER, list(range(20)), [1] * 20, b""]).hex()
    assert transaction(to=USDC, data=data).parts[0].rows[-1] == Row("", "and 4 more", tone="warning")


@pytest.mark.parametrize(
    "arguments",
    [b"", encode(BATCH, [ME, OTHER, [7, 8], [1], b""]), encode(BATCH, [ME, OTHER, [7], [1], b""]) + b"\1"],
)
def test_a_batch_of_nfts_that_contracts_could_read_otherwise_is_marked(arguments: bytes) -> None:
    found = transaction(to=USDC, data="0x2eb2c2d6" + arguments.hex())
    assert found.parts[0].rows[-1] == Row("Numbers", "cannot be read", tone="warning")


@pytest.mark.parametrize(
    ("granted", "title", "warnings"), [(1, "Allow taking a whole collection", 1), (0, "Take back an allowance", 0)]
)
def test_a_whole_collection_is_marked(granted: int, title: str, warnings: int) -> None:
    found = transaction(to=USDC, data="0xa22cb465" + word(ROUTER) + word(granted))
    assert (found.title, len(found.warnings)) == (title, warnings)


def test_an_nft_is_sent_by_its_number() -> None:
    found = transaction(to=USDC, data="0x42842e0e" + word(ME) + word(OTHER) + word(77))
    assert (found.title, rows(found)) == ("Send an NFT", {"To": OTHER, "Collection": USDC, "Number": "77"})


def test_a_function_that_is_not_known_is_marked_and_its_bytes_are_there() -> None:
    found = transaction(to=ROUTER, data="0x12345678" + "00" * 32, value="0x1")
    assert (rows(found)["Function"], found.parts[0].raw[:10], len(found.warnings)) == (
        "unknown, 0x12345678",
        "0x12345678",
        1,
    )


def test_a_new_contract_is_marked() -> None:
    found = transaction(data="0x6080")
    assert (found.title, len(found.warnings)) == ("New contract", 1)


def test_the_hosts_own_price_for_the_network_is_told() -> None:
    found = transaction(to=OTHER, value="0x1", gas=hex(21_000), maxFeePerGas=hex(10**12), gasPrice="0x1")
    assert rows(found, 1) == {"Network cost": "up to 0.021 ETH"}


def test_a_price_is_told_also_where_the_wallet_finds_out_how_much_it_is_times() -> None:
    found = transaction(to=OTHER, value="0x1", maxFeePerGas=hex(10**18))
    assert rows(found, 1) == {"Network cost": "up to 1 ETH for each unit of gas"}


@pytest.mark.parametrize(
    "two", [{"gas": "0x1", "gasLimit": "0x5208"}, {"gas": "0x5208", "gasLimit": "0x1"}, {"gasLimit": "0x5208"}]
)
def test_of_two_amounts_of_gas_the_larger_counts(two: dict[str, str]) -> None:
    found = transaction(to=OTHER, value="0x1", gasPrice=hex(10**12), **two)
    assert rows(found, 1) == {"Network cost": "up to 0.021 ETH"}


@pytest.mark.parametrize(
    "prices",
    [
        {"maxFeePerGas": "0x1", "gasPrice": hex(10**12)},
        {"maxFeePerGas": "0x1", "maxPriorityFeePerGas": hex(10**12)},
    ],
)
def test_of_two_prices_the_higher_counts(prices: dict[str, str]) -> None:
    assert rows(transaction(to=OTHER, value="0x1", gas="0x5208", **prices), 1) == {"Network cost": "up to 0.021 ETH"}


def test_a_tip_is_told_also_without_a_price() -> None:
    assert rows(transaction(to=OTHER, value="0x1", maxPriorityFeePerGas=hex(10**18)), 1) == {
        "Network cost": "a tip of 1 ETH for each unit of gas"
    }


@pytest.mark.parametrize("field", ["nonce", "type"])
@pytest.mark.parametrize("value", [99_999_999_999_999, "99999999999999x", [1], {"hex": "0x1"}, True])
def test_a_number_that_cannot_be_read_is_named(field: str, value: Any) -> None:
    assert rows(transaction(to=OTHER, value="0x1", **{field: value}), 1) == {"Also has": field}


def test_a_place_among_the_accounts_transactions_is_told() -> None:
    assert rows(transaction(to=OTHER, value="0x1", nonce="0x7"), 1) == {"Place in your transactions": "7"}


@pytest.mark.parametrize("value", [5, "x", None, [], "0x" + "f" * 65])
def test_a_nonce_that_is_no_number_breaks_nothing(value: Any) -> None:
    assert transaction(to=OTHER, value="0x1", nonce=value).title


def test_what_calls_use_of_the_wallet_is_named() -> None:
    given = [{"calls": [PAYMENT], "capabilities": {"paymasterService": {"url": "https://pay.example"}}}]
    assert rows(summary("wallet_sendCalls", given), 1) == {"Uses of the wallet": "paymasterService"}


def test_what_else_stands_in_a_batch_is_named() -> None:
    found = summary("wallet_sendCalls", [{"calls": [{**PAYMENT, "delegatecall": True}], "preparation": [{}]}])
    assert rows(found, 1) == {"Also has": "preparation, delegatecall"}


def test_a_capability_that_may_move_something_is_shown_as_it_came() -> None:
    wanted = {"atomic": {"optional": True}, "permissions": {"expiry": 5, "spend": [{"limit": "0x10"}]}}
    found = summary("wallet_sendCalls", [{"calls": [PAYMENT], "capabilities": wanted}])
    assert ([(row.depth, row.name, row.value) for row in found.parts[-1].rows], found.warnings) == (
        [
            (0, "Uses of the wallet", "atomic"),
            (0, "permissions", ""),
            (1, "expiry", "5"),
            (1, "spend", ""),
            (2, "limit", "0x10"),
        ],
        (CAPABILITY_WARNING,),
    )


def test_a_long_capability_is_cut_at_first_and_shown_on_demand() -> None:
    given = [{"calls": [PAYMENT], "capabilities": {"permissions": list(range(1, 100))}}]
    first, whole = summary("wallet_sendCalls", given), summary("wallet_sendCalls", given, whole=True)
    assert (first.hidden, first.warnings, whole.hidden, len(whole.parts[-1].rows)) == (
        True,
        (CAPABILITY_WARNING,),
        False,
        100,
    )


@pytest.mark.parametrize("capabilities", [5, True, 1.5, "capabilities", ["capabilities"]])
def test_capabilities_that_cannot_be_read_are_named(capabilities: Any) -> None:
    found = summary("wallet_sendCalls", [{"calls": [PAYMENT], "capabilities": capabilities}])
    assert rows(found, 1) == {"Also has": "capabilities"}


def test_long_data_is_cut() -> None:
    assert len(transaction(to=ROUTER, data="0x" + "ab" * 50_000).parts[0].raw) < 5000


def calls(*made: dict[str, str], **how: Any) -> Summary:
    return summary("wallet_sendCalls", [{"calls": list(made)}], tokens=TOKENS, **how)


def test_calls_that_need_not_be_made_at_once_are_not_said_to_be() -> None:
    params = [{"calls": [PAYMENT, PAYMENT], "atomicRequired": False}]
    assert summary("wallet_sendCalls", params).title == "Send 2 transactions"


PAYMENT = {"to": OTHER, "value": hex(10**17)}


def test_several_calls_are_counted_and_their_coins_added() -> None:
    found = calls(PAYMENT, PAYMENT, PAYMENT)
    assert (found.title, [part.title for part in found.parts], found.total) == (
        "Send 3 transactions together",
        ["1. Send 0.1 ETH", "2. Send 0.1 ETH", "3. Send 0.1 ETH"],
        "0.3 ETH",
    )


def test_what_is_wrong_with_a_call_that_is_not_shown_is_marked_all_the_same() -> None:
    hidden = {"to": USDC, "data": "0x095ea7b3" + word(ROUTER) + ALL}
    found = calls(*[PAYMENT] * 20, hidden)
    assert (len(found.parts), found.hidden, "take all of a token" in found.warnings[0]) == (6, True, True)


def test_all_calls_can_be_shown() -> None:
    assert len(calls(*[PAYMENT] * 40, whole=True).parts) == 40


def test_ten_thousand_calls_are_refused_or_cut() -> None:
    found = calls(*[PAYMENT] * 10_000, whole=True)
    assert len(found.parts) == 100


def test_a_change_of_a_safes_owners_says_who_controls_it() -> None:
    data = "0x" + encode_call("swapOwner(address,address,address)", ROUTER, OTHER, USDC).hex()
    found = transaction(to=ROUTER, data=data)
    assert (found.title, rows(found), found.warnings) == (
        "Change who controls an account",
        {"New owner": USDC, "No owner any more": OTHER, "Account": ROUTER},
        (OWNERS_WARNING,),
    )


def test_a_change_of_how_many_owners_must_sign_says_how_many_also_within_another_call() -> None:
    change = encode_call("changeThreshold(uint256)", 3)
    found = transaction(to=ME, data="0x" + delegator.execute_call_data((AccountCall(ROUTER, 0, change),)).hex())
    assert [row.value for part in found.parts for row in part.rows if row.name == "Owners who must sign"] == ["3"]
    assert OWNERS_WARNING in found.warnings
