"""Swaps as the service describes them."""

import pytest

from tests.core.json_values import replaced, without
from tests.core.samples import PARSERS, SAMPLES
from walletmodal.core.errors import ShapeError
from walletmodal.core.swaps.answers import (
    parse_allowance,
    parse_approval_transaction,
    parse_gas_price,
    parse_swap_quotes,
    parse_swap_tokens,
    parse_swap_transaction,
)

TOKENS, QUOTES, SWAP, APPROVAL = (
    SAMPLES[name] for name in ("swap_tokens", "swap_quotes", "swap_transaction", "approval_transaction")
)


def test_a_token_has_every_field_of_the_service() -> None:
    (token,) = parse_swap_tokens(TOKENS)
    assert (token.symbol, token.decimals, token.logo_uri, token.eip2612) == ("USDC", 6, "", True)


@pytest.mark.parametrize("field", ["logoUri", "eip2612"])
def test_what_may_be_null_may_be_missing(field: str) -> None:
    assert parse_swap_tokens(without(TOKENS, "tokens", 0, field)) == parse_swap_tokens(
        replaced(TOKENS, None, "tokens", 0, field)
    )


def test_a_wrong_token_is_left_out() -> None:
    wrong = replaced(TOKENS["tokens"][0], "6", "decimals")
    assert len(parse_swap_tokens({"tokens": [wrong, TOKENS["tokens"][0]]})) == 1


def test_a_quote_is_in_base_units() -> None:
    (quote,) = parse_swap_quotes(QUOTES)
    assert (quote.id, quote.from_amount, quote.to_amount) == (None, 10**18, 3_098_123_456)


def test_no_quotes_are_right() -> None:
    assert parse_swap_quotes({"quotes": []}) == ()


@pytest.mark.parametrize("amount", [1000, "1e21", "1.5", "-1", "1,000", "", None, "٣"])
def test_an_amount_that_is_no_text_of_digits_is_refused(amount: object) -> None:
    with pytest.raises(ShapeError):
        parse_swap_quotes(replaced(QUOTES, amount, "quotes", 0, "toAmount"))


def test_one_wrong_quote_spoils_the_list() -> None:
    with pytest.raises(ShapeError):
        parse_swap_quotes({"quotes": [QUOTES["quotes"][0], {}]})


def test_an_unlimited_allowance_is_read_exactly() -> None:
    assert parse_allowance(SAMPLES["allowance"]) == 2**256 - 1


def test_gas_prices_are_in_wei() -> None:
    assert parse_gas_price(SAMPLES["gas_price"]).standard == 10**9


def test_a_swap_calls_its_target() -> None:
    assert parse_swap_transaction(SWAP).contract == "0x" + "2" * 40


def test_an_approval_calls_the_source_token_which_stands_in_from() -> None:
    assert parse_approval_transaction(APPROVAL).contract == "0x" + "3" * 40


def test_gas_that_the_service_does_not_give_is_the_wallets() -> None:
    assert parse_swap_transaction(without(SWAP, "tx", "eip155")).eip155.gas is None


@pytest.mark.parametrize("name", ["swap_transaction", "approval_transaction"])
@pytest.mark.parametrize("data", ["", "deadbeef", "0xabc", "0xzz", None, 5])
def test_data_that_is_no_hex_is_never_signed(name: str, data: object) -> None:
    with pytest.raises(ShapeError):
        PARSERS[name](replaced(SAMPLES[name], data, "tx", "data"))
