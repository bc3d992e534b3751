"""Terms on which a paymaster takes a token, read out of an operation."""

from dataclasses import replace

import pytest

from walletmodal.core.smart_accounts.answers import TokenQuote
from walletmodal.core.smart_accounts.token_terms import TokenTerms, read_token_terms, reads_terms

PAYMASTER = "0x777777777777AeC03fd955926DbF81597e66834C"
TOKEN = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
TREASURY = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
TERMS = TokenTerms(TokenQuote(TOKEN, PAYMASTER, 3000 * 10**6, 50_000), TREASURY, 100, 2000)


def data(*, mode: int = 1, flags: int = 0) -> bytes:
    """As the contract reads it."""
    quote = TERMS.quote
    return b"".join(
        (
            bytes([mode << 1 | 1, flags]),
            *(moment.to_bytes(6, "big") for moment in (TERMS.until, TERMS.after)),
            bytes.fromhex(quote.token[2:]),
            quote.post_op_gas.to_bytes(16, "big"),
            quote.rate.to_bytes(32, "big"),
            (60_000).to_bytes(16, "big"),
            bytes.fromhex(TREASURY[2:]),
            b"\1" * 65,
        )
    )


def test_terms_are_read() -> None:
    assert read_token_terms(PAYMASTER, data()) == TERMS


@pytest.mark.parametrize(
    "given",
    [b"", data(mode=0), data(flags=1), data(flags=4), data()[:118]],
    ids=["none", "sponsored", "fixed fee", "ahead", "cut"],
)
def test_what_takes_something_else_has_no_terms(given: bytes) -> None:
    assert read_token_terms(PAYMASTER, given) is None


@pytest.mark.parametrize(("moment", "holds"), [(99, False), (100, True), (1999, True), (2000, False)])
def test_terms_hold_for_a_time(moment: int, holds: bool) -> None:
    assert TERMS.holds_at(moment) is holds
    assert replace(TERMS, until=0).holds_at(moment) is (moment >= 100)


def test_only_a_known_contract_is_read() -> None:
    assert (reads_terms(PAYMASTER), reads_terms(TOKEN)) == (True, False)
