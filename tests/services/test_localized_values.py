"""Numbers, money and dates in other languages, by CLDR."""

import pickle
from datetime import date
from decimal import Decimal

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.language import Localized, _
from walletmodal.core.text.formatting import (
    date_text,
    day_text,
    fiat_total,
    format_amount,
    format_exact,
    format_quantity,
    format_usd,
    full_date_text,
    month_text,
    with_symbol,
)
from walletmodal.services.languages import Spoken

MILLION = Decimal("1234567.50")
DAY = date(2026, 3, 5)


def say(text: str, tag: str) -> str:
    """What a visitor of a language reads, with plain spaces."""
    assert isinstance(text, Localized)
    locale = Locale.parse(tag, sep="-")
    said = text.said_in(Spoken(tag, rtl=locale.text_direction == "rtl", _locale=locale))
    return said.replace("\xa0", " ").replace("\u202f", " ")


@every_case(
    ("text", "tag", "said"),
    [
        (format_exact(MILLION), "de", "1.234.567,5"),
        (format_exact(MILLION), "fr", "1 234 567,5"),
        (format_exact(MILLION), "hi", "12,34,567.5"),
        (format_exact(MILLION), "ar", "1,234,567.5"),
        (format_exact(MILLION), "ar-EG", "1,234,567.5"),
        (format_amount(Decimal(0)), "de", "0,000"),
        (format_amount(Decimal("1E-9")), "de", "<0,001"),
        (format_quantity(Decimal("12.5"), sign="+"), "de", "+12,500"),
        (format_usd(MILLION), "de", "1.234.567,50 $"),
        (format_usd(MILLION), "en-GB", "US$1,234,567.50"),
        (format_usd(Decimal("0.01"), prefix="< "), "de", "< 0,01 $"),
        (format_usd(None), "ja", "$0.00"),
        (with_symbol(format_exact(MILLION), "ETH"), "de", "1.234.567,5 ETH"),
        (_("Send {amount}", amount=with_symbol(format_exact(MILLION), "ETH")), "de", "Send 1.234.567,5 ETH"),
    ],
)
def test_numbers_are_said_in_a_language(text: str, tag: str, said: str) -> None:
    assert say(text, tag) == said


@every_case(
    ("text", "tag", "said"),
    [
        (day_text(DAY), "de", "5. März"),
        (day_text(DAY), "ja", "3月5日"),
        (date_text(DAY), "fr", "5 mars 2026"),
        (full_date_text(DAY, year=False), "es", "5 de marzo"),
        (full_date_text(DAY, year=True), "es", "5 de marzo de 2026"),
        (month_text(DAY, year=False), "pl", "marzec"),
        (month_text(DAY, year=True), "pt-BR", "março de 2026"),
    ],
)
def test_dates_are_said_in_a_language(text: str, tag: str, said: str) -> None:
    assert say(text, tag) == said


@pytest.mark.parametrize(("tag", "parts"), [("de", ("1.234.567", ",50 $")), ("ja", ("$1,234,567", ".50"))])
def test_a_total_keeps_its_two_sizes(tag: str, parts: tuple[str, str]) -> None:
    total = fiat_total(MILLION)
    assert (say(total.dollars, tag), say(total.cents, tag)) == parts


@given(st.decimals(min_value=0, max_value=10**60, allow_nan=False, allow_infinity=False, places=18))
def test_no_digit_is_lost(number: Decimal) -> None:
    said = say(format_exact(number), "de")
    assert Decimal(said.replace(".", "").replace(",", ".")) == number


@pytest.mark.parametrize(
    "text", [format_usd(MILLION, prefix="<"), fiat_total(MILLION).cents, fiat_total(MILLION).dollars, day_text(DAY)]
)
def test_they_are_kept_with_a_state(text: str) -> None:
    kept = pickle.loads(pickle.dumps(text))
    assert (kept, say(kept, "de")) == (text, say(text, "de"))
