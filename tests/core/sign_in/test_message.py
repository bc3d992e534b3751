"""The message of a sign-in."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from tests.core.json_values import replaced, without
from tests.core.samples import SAMPLES
from walletmodal.core.errors import ShapeError
from walletmodal.core.sign_in.message import iso_text, parse_sign_in_message, sign_in_text

FIELDS = SAMPLES["sign_in_message"]
ISSUED = datetime(2026, 1, 1, tzinfo=UTC)
FULL = """app.example:3000 wants you to sign in with your Ethereum account:
0x9999999999999999999999999999999999999999

Sign in to Tideswap.

URI: https://app.example:3000/login
Version: 1
Chain ID: 10
Nonce: k3X9a0Zq
Issued At: 2026-01-01T00:00:00.000Z
Expiration Time: 2026-01-01T00:10:00.000Z
Request ID: r-1
Resources:
- https://app.example/terms"""
SHORTEST = """app.example:3000 wants you to sign in with your Ethereum account:
0x9999999999999999999999999999999999999999


URI: https://app.example:3000/login
Version: 1
Chain ID: 10
Nonce: k3X9a0Zq
Issued At: 2026-01-01T00:00:00.000Z"""
ACCOUNTS = [
    ("eip155:1", "0x9999999999999999999999999999999999999999", "Ethereum"),
    ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "So11111111111111111111111111111111111111112", "Solana"),
    ("bip122:000000000019d6689c085ae165831e93", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "Bitcoin"),
    ("polkadot:91b171bb158e2d3848fa23a9f1c25182", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", "Polkadot"),
]


def test_the_text_has_the_form_of_eip_4361() -> None:
    assert sign_in_text(parse_sign_in_message(FIELDS)) == FULL


def test_what_is_not_given_is_left_out() -> None:
    needed = {name: FIELDS[name] for name in ("domain", "accountAddress", "uri", "chainId", "nonce", "issuedAt")}
    assert sign_in_text(parse_sign_in_message(needed)) == SHORTEST


@pytest.mark.parametrize(("chain", "address", "word"), ACCOUNTS)
def test_every_namespace_has_its_account_word(chain: str, address: str, word: str) -> None:
    message = parse_sign_in_message({**FIELDS, "chainId": chain, "accountAddress": address})
    first, second, *_ = sign_in_text(message).splitlines()
    assert (first, second) == (f"app.example:3000 wants you to sign in with your {word} account:", address)


def test_an_evm_address_has_its_checksum() -> None:
    lower = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045"
    message = parse_sign_in_message(replaced(FIELDS, lower, "accountAddress"))
    assert sign_in_text(message).splitlines()[1] == "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"


@pytest.mark.parametrize("field", ["domain", "accountAddress", "uri", "chainId", "nonce", "issuedAt"])
def test_a_field_that_is_needed_may_not_be_missing(field: str) -> None:
    with pytest.raises(ShapeError):
        parse_sign_in_message(without(FIELDS, field))


@every_case(
    ("value", "field"),
    [("https://app.example", "domain"), ("app.example/x", "domain"), ("evil.example@app.example", "domain"), ("app.example\nURI: x", "domain"),
     ("0x99", "accountAddress"), ("two words", "uri"), ("nocolon", "uri"), ("2", "version"), ("10", "chainId"), ("cosmos:hub", "chainId"),
     ("short", "nonce"), ("with blank 1", "nonce"), ("today", "issuedAt"), ("line\nURI: https://evil.example", "statement"),
     ("", "statement"), ("sep\u2028arated", "statement"), ("a b", "requestId"), (["https://a.example\nx"], "resources")],
)  # fmt: skip
def test_a_field_that_could_say_something_else_is_refused(value: object, field: str) -> None:
    with pytest.raises(ShapeError):
        parse_sign_in_message(replaced(FIELDS, value, field))


@given(st.text(min_size=1, max_size=60), st.text(min_size=8, max_size=20), st.text(max_size=20))
def test_no_field_can_forge_another_line(statement: str, nonce: str, request_id: str) -> None:
    try:
        message = parse_sign_in_message({**FIELDS, "statement": statement, "nonce": nonce, "requestId": request_id})
    except ShapeError:
        return
    lines = sign_in_text(message).split("\n")
    assert (len(lines), lines[3], lines[8], lines[11]) == (
        14,
        statement,
        f"Nonce: {nonce}",
        f"Request ID: {request_id}",
    )


@pytest.mark.parametrize(
    ("change", "now", "holds"),
    [
        ({}, ISSUED, True),
        ({}, ISSUED - timedelta(seconds=1), False),
        ({}, ISSUED + timedelta(minutes=10), False),
        ({"expirationTime": None}, ISSUED + timedelta(days=900), True),
        ({"notBefore": "2026-01-01T00:05:00Z"}, ISSUED + timedelta(minutes=4), False),
        ({"notBefore": "2026-01-01T00:05:00Z"}, ISSUED + timedelta(minutes=5), True),
    ],
)
def test_a_message_holds_between_its_start_and_its_end(
    change: dict[str, object], now: datetime, *, holds: bool
) -> None:
    assert parse_sign_in_message({**FIELDS, **change}).holds(now) is holds


def test_a_time_is_told_in_utc() -> None:
    message = parse_sign_in_message(replaced(FIELDS, "2026-01-01T02:00:00.5+02:00", "issuedAt"))
    assert iso_text(message.issued_at) == "2026-01-01T00:00:00.500Z"
