"""Buying with a card."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.samples import SAMPLES
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.constants import COINBASE_PAY_CHAINS
from walletmodal.core.errors import AmountError, ShapeError
from walletmodal.core.namespaces.registry import with_feature
from walletmodal.core.transfers.onramp import (
    check_payment,
    fallback_options,
    is_restricted_timezone,
    meld_page,
    mock_quote,
    onramp_providers,
    parse_onramp_options,
    parse_onramp_quote,
    parse_onramp_url,
    pay_chain,
    sellers,
)

DOLLAR = fallback_options().payment_currencies[0]


def test_the_built_in_limits_are_the_specifications() -> None:
    limits = {
        (currency.id, limit.id, limit.min, limit.max)
        for currency in fallback_options().payment_currencies
        for limit in currency.payment_method_limits
    }
    assert limits == {
        (money, way, Decimal(10), Decimal(most))
        for money in ("USD", "EUR")
        for way, most in (("card", 7500), ("ach_bank_account", 25000))
    }


def test_the_built_in_currencies_differ() -> None:
    usdc, ether = fallback_options().purchase_currencies
    assert (usdc.symbol, ether.symbol, usdc.id != ether.id) == ("USDC", "ETH", True)


def test_no_built_in_ether_has_the_contract_of_another_token() -> None:
    ether = fallback_options().purchase_currencies[1]
    assert {network.contract_address for network in ether.networks} == {""}


def test_every_amount_of_the_mock_quote_is_the_one_that_was_entered() -> None:
    quote = mock_quote(Decimal("12.50"), "USD")
    parts = (quote.coinbase_fee, quote.network_fee, quote.payment_subtotal, quote.payment_total, quote.purchase_amount)
    assert {(part.amount, part.currency) for part in parts} == {(Decimal("12.50"), "USD")}
    assert (quote.quote_id, quote.is_mock) == ("mocked-quote-id", True)


def test_a_quote_of_a_service_is_none_of_ours() -> None:
    quote = parse_onramp_quote(SAMPLES["onramp_quote"])
    assert (quote.is_mock, quote.payment_total.amount, quote.coinbase_fee.amount) == (
        False,
        Decimal("103.49"),
        Decimal("2.49"),
    )


def test_options_keep_the_services_order() -> None:
    assert parse_onramp_options(SAMPLES["onramp_options"]).purchase_currencies[0].networks[0].display_name == "Ethereum"


@pytest.mark.parametrize(
    "url", [None, "", 5, "javascript:alert(1)", "http://pay.example/", "//pay.example", "https://u:p@pay.example"]
)
def test_an_unsafe_page_is_not_opened(url: object) -> None:
    with pytest.raises(ShapeError):
        parse_onramp_url({"url": url})


def test_a_page_on_this_machine_may_be_plain() -> None:
    assert parse_onramp_url({"url": "http://localhost:8700/pay"}) == "http://localhost:8700/pay"


@pytest.mark.parametrize("amount", ["10", "10.00", "7500.01", "25000"])
def test_an_amount_within_one_limit_is_taken(amount: str) -> None:
    assert check_payment(amount, DOLLAR) == Decimal(amount)


@pytest.mark.parametrize("amount", ["9.99", "25000.01", "0", "", "1e3", "10.001", "-20"])
def test_an_amount_outside_every_limit_is_refused(amount: str) -> None:
    with pytest.raises(AmountError):
        check_payment(amount, DOLLAR)


@given(st.text(max_size=20) | st.decimals(0, 30_000, places=2).map(str))
def test_any_text_is_an_amount_within_the_limits_or_refused(text: str) -> None:
    try:
        amount = check_payment(text, DOLLAR)
    except AmountError:
        return
    assert 10 <= amount <= 25000


def test_both_providers_show_the_fee_range() -> None:
    assert [(provider.name, provider.label, provider.fee_range) for provider in onramp_providers()] == [
        ("coinbase", "Coinbase", "1-2%"),
        ("meld", "Meld.io", "1-2%"),
    ]


def test_the_providers_serve_the_onramp_namespaces() -> None:
    assert {space for provider in onramp_providers() for space in provider.supported_chains} == set(
        with_feature("onramp")
    )


@pytest.mark.parametrize(
    ("network", "chain"),
    [pair.split(":") for pair in ("Ethereum:ethereum", "Arbitrum One:arbitrum", "Polygon:polygon", "Berachain:berachain",
                                  "Avalanche:avalanche-c-chain", "OP Mainnet:optimism", "Celo:celo", "Base:base", "Elsewhere:ethereum")],
)  # fmt: skip
def test_a_network_has_the_providers_word(network: str, chain: str) -> None:
    assert pay_chain(network) == chain
    assert chain in COINBASE_PAY_CHAINS


@pytest.mark.parametrize(
    ("zone", "restricted"), [("Asia/Shanghai", True), ("ASIA/HARBIN", True), ("Europe/Berlin", False), ("", False)]
)
def test_a_restricted_time_zone_is_known(zone: str, *, restricted: bool) -> None:
    assert is_restricted_timezone(zone) is restricted


@pytest.mark.parametrize(
    ("namespace", "has_service", "has_key", "names"),
    [
        ("eip155", True, True, ["coinbase", "meld"]),
        ("eip155", True, False, ["coinbase"]),
        ("eip155", False, True, ["meld"]),
        ("solana", True, True, ["meld"]),
        ("solana", True, False, []),
        ("bip122", True, True, []),
    ],
)
def test_who_sells_goes_by_namespace_and_what_is_configured(
    namespace: Namespace, has_service: bool, has_key: bool, names: list[str]
) -> None:
    assert [one.name for one in sellers(namespace, has_service=has_service, has_meld_key=has_key)] == names


def meld(base: str = "https://meld.example", *, namespace: Namespace = "eip155", address: str = "0xab") -> str:
    return meld_page(base, public_key="k:1", namespace=namespace, token="ETH", address=address)


def test_melds_page_names_the_account_and_what_is_bought() -> None:
    assert meld() == "https://meld.example/?publicKey=k%3A1&destinationCurrencyCode=ETH&walletAddress=0xab"


def test_on_solana_meld_sells_sol() -> None:
    assert "destinationCurrencyCode=SOL" in meld(namespace="solana")


def test_melds_parameters_never_stand_there_twice() -> None:
    again = meld(meld() + "&theme=dark", address="0xcd")
    assert again.count("walletAddress=") == again.count("publicKey=") == 1
    assert "walletAddress=0xcd" in again
    assert "theme=dark" in again


@pytest.mark.parametrize("base", ["http://meld.example", "javascript:alert(1)", "https://u:p@meld.example"])
def test_an_unsafe_page_of_meld_is_not_made(base: str) -> None:
    with pytest.raises(ShapeError):
        meld(base)
