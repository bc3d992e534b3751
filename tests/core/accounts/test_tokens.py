"""What an account owns."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.json_values import JSON, replaced, spoiled, without
from tests.core.samples import SAMPLES
from walletmodal.core.accounts.tokens import (
    TokenBalance,
    asset_balance,
    asset_balances,
    parse_token_balance,
    parse_token_balances,
    parse_wallet_asset,
    parse_wallet_assets,
    total_value,
    without_zero_decimals,
)
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import ShapeError

BALANCE, ASSET = SAMPLES["token_balance"], SAMPLES["wallet_asset"]
ETHEREUM = parse_chain_id("eip155:1")
OF_ASSETS = {"0x1": [ASSET], "0xA": []}


def test_a_balance_has_every_field_of_the_service() -> None:
    balance = parse_token_balance(BALANCE)
    assert (balance.name, balance.symbol, balance.chain_id, balance.value, balance.price, balance.icon_url) == (
        "USD Coin",
        "USDC",
        "eip155:1",
        Decimal("20.25"),
        Decimal("1.0125"),
        "https://icons.example/usdc.png",
    )


def test_the_native_coin_has_no_address() -> None:
    assert parse_token_balance(without(BALANCE, "address")).is_native


def test_a_quantity_keeps_every_digit() -> None:
    numeric = "123456789012345678901234567890.123456789012345678"
    assert parse_token_balance(replaced(BALANCE, numeric, "quantity", "numeric")).quantity.numeric == Decimal(numeric)


@pytest.mark.parametrize("field", ["value", "price", "chainId", "address", "iconUrl"])
def test_a_field_that_may_be_missing_may_be_null(field: str) -> None:
    assert parse_token_balance(without(BALANCE, field)) == parse_token_balance(replaced(BALANCE, None, field))


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (None, ("name",)),
        (5, ("symbol",)),
        ("1", ("price",)),
        (True, ("value",)),
        (18, ("quantity", "decimals")),
        ("37", ("quantity", "decimals")),
        (20, ("quantity", "numeric")),
        ("-1", ("quantity", "numeric")),
        ("0xa0b8", ("address",)),
        ("ethereum", ("chainId",)),
        ([], ("quantity",)),
    ],
)
def test_a_wrong_field_is_refused(value: object, path: tuple[str, ...]) -> None:
    with pytest.raises(ShapeError):
        parse_token_balance(replaced(BALANCE, value, *path))


@pytest.mark.parametrize("url", ["javascript:alert(1)", "http://a.example/x.png", "data:image/png;base64,AA", "/x.png"])
def test_a_picture_that_is_not_fetched_is_emptied(url: str) -> None:
    assert parse_token_balance(replaced(BALANCE, url, "iconUrl")).icon_url == ""


def test_a_token_that_a_stranger_has_sent_cannot_hide_the_others() -> None:
    odd = replaced(BALANCE, "300", "quantity", "decimals")
    assert len(parse_token_balances({"balances": [odd, BALANCE]})) == 1


def test_no_tokens_are_right() -> None:
    assert parse_token_balances({"balances": []}) == ()


def test_balances_with_zero_decimals_are_dropped() -> None:
    badge = parse_token_balance(replaced(BALANCE, "0", "quantity", "decimals"))
    coin = parse_token_balance(BALANCE)
    assert without_zero_decimals([badge, coin]) == (coin,)


def test_the_total_counts_a_missing_value_as_none() -> None:
    known, unknown = parse_token_balance(BALANCE), parse_token_balance(without(BALANCE, "value"))
    assert total_value([known, unknown, known]) == Decimal("40.50")


def test_the_total_is_exact() -> None:
    huge = parse_token_balance(replaced(BALANCE, Decimal("1E+60"), "value"))
    assert total_value([huge, parse_token_balance(BALANCE)]) == Decimal("1" + "0" * 58 + "20.25")


def test_the_assets_of_a_wallet_are_read_by_chain() -> None:
    read = parse_wallet_assets(OF_ASSETS)
    assert read is not None
    assert (list(read), len(read["0x1"]), read["0xa"]) == (["0x1", "0xa"], 1, ())


def test_an_empty_answer_of_a_wallet_is_valid() -> None:
    assert parse_wallet_assets({}) == {}


@pytest.mark.parametrize("path", [("address",), ("balance",), ("type",), ("metadata",), ("metadata", "name"), ("metadata", "symbol"),
                                  ("metadata", "iconUrl"), ("metadata", "decimals"), ("metadata", "price")])  # fmt: skip
def test_an_answer_with_one_part_missing_is_ignored(path: tuple[str, ...]) -> None:
    assert parse_wallet_assets({"0x1": [ASSET, without(ASSET, *path)]}) is None


@pytest.mark.parametrize(
    ("value", "path"),
    [(1, ("address",)), (16, ("balance",)), ("ERC721", ("type",)), ("6", ("metadata", "decimals")), ("1.01", ("metadata", "price")),
     (None, ("metadata", "iconUrl")), (5, ("metadata", "name"))],
)  # fmt: skip
def test_an_answer_with_one_part_wrong_is_ignored(value: object, path: tuple[str, ...]) -> None:
    assert parse_wallet_assets({"0x1": [replaced(ASSET, value, *path)]}) is None


@pytest.mark.parametrize("answer", [None, [], "x", {"0x1": {}}, {"0x1": [None]}])
def test_what_is_no_answer_is_ignored(answer: object) -> None:
    assert parse_wallet_assets(answer) is None


@given(spoiled(OF_ASSETS))
def test_a_spoiled_answer_of_a_wallet_is_read_or_ignored(answer: object) -> None:
    read = parse_wallet_assets(answer)
    for assets in (read or {}).values():
        for asset in assets:
            try:
                assert isinstance(asset_balance(asset, ETHEREUM), TokenBalance)
            except ShapeError:
                continue


def test_an_asset_becomes_a_balance() -> None:
    balance = asset_balance(parse_wallet_asset(ASSET), ETHEREUM)
    assert (balance.address, balance.quantity.decimals, balance.quantity.numeric, balance.value, balance.price) == (
        "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
        6,
        Decimal(20),
        Decimal("20.2"),
        Decimal("1.01"),
    )


def test_the_native_asset_has_no_address() -> None:
    native = {**ASSET, "address": "native", "type": "NATIVE"}
    assert asset_balance(parse_wallet_asset(native), ETHEREUM).is_native


def test_an_asset_with_zero_decimals_is_dropped() -> None:
    badge = parse_wallet_asset(replaced(ASSET, 0, "metadata", "decimals"))
    assert asset_balances([badge], ETHEREUM) == ()


@given(st.integers(0, 2**256 - 1), st.integers(0, 36))
def test_the_quantity_of_an_asset_is_exact(base_units: int, decimals: int) -> None:
    asset = parse_wallet_asset(replaced({**ASSET, "balance": hex(base_units)}, decimals, "metadata", "decimals"))
    numeric = asset_balance(asset, ETHEREUM).quantity.numeric
    assert Fraction(numeric) == Fraction(base_units, 10**decimals)


@pytest.mark.parametrize("balance", ["", "0x", "10", "-0x1", "0x1_0", "0x" + "f" * 65, "0xz"])
def test_an_asset_without_a_possible_balance_is_refused(balance: str) -> None:
    with pytest.raises(ShapeError):
        asset_balance(parse_wallet_asset({**ASSET, "balance": balance}), ETHEREUM)


@given(JSON)
def test_any_json_of_a_wallet_is_read_or_ignored(answer: object) -> None:
    assert parse_wallet_assets(answer) is None or isinstance(answer, dict)
