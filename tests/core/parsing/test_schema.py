"""The generic messages about JSON that does not fit."""

import contextlib
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.constants import FRAME_SOCIAL_PROVIDERS
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.parsing.schema import (
    MISSING,
    Schema,
    anything,
    array,
    boolean,
    check,
    either,
    email,
    number,
    one_of,
    record,
    text,
    type_name,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
CALL = record({"to": text(prefix="0x")}, {"data": text(prefix="0x")})
SHAPES: list[Schema[Any]] = [
    text(),
    text(prefix="0x", pattern=re.compile("0x[0-9]+")),
    number,
    boolean,
    anything,
    email,
    one_of("a", "b"),
    array(number, at_least=1),
    record({"to": text()}, {"data": array(text())}),
    either(text(), number),
]


def refusal(schema: Schema[Any], value: object) -> tuple[str, str]:
    with pytest.raises(PayloadError) as raised:
        check(schema, value)
    return raised.value.short_message, raised.value.details


@every_case(
    ("schema", "value", "message"),
    [
        (text(), MISSING, "Required"),
        (text(), 5, "Expected string received number"),
        (text(), 5.5, "Expected string received number"),
        (text(), Decimal("5.5"), "Expected string received number"),
        (text(), None, "Expected string received null"),
        (text(), True, "Expected string received boolean"),
        (text(), [], "Expected string received array"),
        (text(), {}, "Expected string received object"),
        (record(), {"\ud800": 1}, "Invalid"),
        (text(prefix="0x"), "1", 'Invalid input: must start with "0x"'),
        (text(prefix="0x", pattern=re.compile("0x[0-9]+")), "0x1\n", "Invalid"),
        (number, MISSING, "Required"),
        (number, "5", "Expected number received string"),
        (number, True, "Expected number received boolean"),
        (number, float("nan"), "Expected number received nan"),
        (number, Decimal("Infinity"), "Expected number received nan"),
        (boolean, MISSING, "Required"),
        (boolean, 1, "Expected boolean received number"),
        (boolean, "true", "Expected boolean received string"),
        (array(text()), MISSING, "Required"),
        (array(text()), {}, "Expected array received object"),
        (array(text()), "ab", "Expected array received string"),
        (array(text()), b"ab", "Expected array received unknown"),
        (record(), MISSING, "Required"),
        (record(), [], "Expected object received array"),
        (record(), None, "Expected object received null"),
        (anything, MISSING, "Required"),
        (either(text(), number), MISSING, "Required"),
        (either(text(), number), True, "Invalid input"),
        (email, MISSING, "Required"),
        (email, 5, "Expected string received number"),
        (email, "kim", "Invalid email"),
        (one_of("a", "b"), MISSING, "Required"),
        (one_of("a", "b"), "c", "Invalid enum value. Expected 'a' | 'b', received 'c'"),
        (one_of("a", "b"), ["a"], "Expected string received array"),
    ],
)
def test_what_does_not_fit_is_told_in_the_words_of_the_specification(
    schema: Schema[Any], value: object, message: str
) -> None:
    assert refusal(schema, value) == (message, "value")


@pytest.mark.parametrize(
    ("schema", "value", "where"),
    [
        (array(CALL), [{"to": "0x1"}, {"to": "1"}], "value[1].to"),
        (array(CALL), [{}], "value[0].to"),
        (array(CALL), [{"to": "0x", "data": None}], "value[0].data"),
        (record({"calls": array(CALL)}), {"calls": [{"to": "0x"}, 5]}, "value.calls[1]"),
        (array(text(), at_least=2), ["a"], "value[1]"),
    ],
)
def test_the_details_say_where(schema: Schema[Any], value: object, where: str) -> None:
    assert refusal(schema, value)[1] == where


def test_an_element_that_must_be_there_is_required() -> None:
    assert refusal(array(text(), at_least=1), []) == ("Required", "value[0]")


@pytest.mark.parametrize("value", [0, -1, 10**400, 1.5, Decimal("1e999")])
def test_every_finite_number_is_one(value: float | Decimal) -> None:
    assert check(number, value) == value


def test_the_code_is_that_of_invalid_parameters() -> None:
    with pytest.raises(PayloadError) as raised:
        check(text(), 5, "params")
    assert (raised.value.wire(), raised.value.details) == (
        {"code": -32602, "message": "Expected string received number"},
        "params",
    )


@pytest.mark.parametrize("hostile", ["\u202e" * 9, "x" * 10_000, "\ud800", "a\nb"])
def test_a_hostile_text_is_shown_clean_and_cut(hostile: str) -> None:
    message, _ = refusal(one_of("a"), hostile)
    assert len(message) < 100
    assert message.isprintable()
    message.encode()


def test_keys_that_are_not_named_are_kept() -> None:
    assert check(CALL, {"to": "0x1", "atomicRequired": True}) == {"to": "0x1", "atomicRequired": True}


def test_an_optional_key_may_be_missing() -> None:
    assert check(CALL, {"to": "0x1"}) == {"to": "0x1"}


def test_what_was_read_is_no_part_of_what_was_given() -> None:
    given_value = [{"to": "0x1"}]
    read = check(array(CALL), given_value)
    read[0]["to"] = "0x2"
    assert given_value == [{"to": "0x1"}]


@pytest.mark.parametrize(
    "address",
    ["kim@example.org", "k@e.io", "kim.lee+tag@mail.example.co.uk", "KIM_1@EXAMPLE.ORG", "o'neil@example.org",
     "a@1-2.example", "kim@example.xn--p1ai", "k" * 64 + "@example.org"],
)  # fmt: skip
def test_an_email_address_is_taken(address: str) -> None:
    assert check(email, address) == address


@every_case(
    "address",
    ["", "@", "kim", "kim@", "@example.org", "kim@example", "kim@@example.org", ".kim@example.org", "kim.@example.org",
     "k..m@example.org", "kim@-example.org", "kim@example-.org", "kim@.org", "kim@example..org", "kim@example.o",
     "kim@example.org.", "kim @example.org", " kim@example.org", "kim@example.org\n", "kim@exa mple.org",
     "kím@example.org", "kim@exämple.org", "kim@example.123", "<kim@example.org>", "kim@example.org,lee@example.org",
     "k" * 65 + "@example.org", "kim@" + "a." * 130 + "org", "kim@" + "a" * 64 + ".org", "kim\x00@example.org"],
)  # fmt: skip
def test_what_is_no_email_address_is_refused(address: str) -> None:
    assert refusal(email, address)[0] == "Invalid email"


@pytest.mark.parametrize("provider", ["google", "github", "apple", "facebook", "x", "discord"])
def test_the_frame_logs_in_six_social_providers(provider: str) -> None:
    assert check(one_of(*FRAME_SOCIAL_PROVIDERS), provider) == provider


@pytest.mark.parametrize("provider", ["farcaster", "Google", "", "telegram"])
def test_another_social_provider_is_refused(provider: str) -> None:
    expected = "Expected 'google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord'"
    assert refusal(one_of(*FRAME_SOCIAL_PROVIDERS), provider)[0] == (
        f"Invalid enum value. {expected}, received '{provider}'"
    )


@given(JSON, st.sampled_from(SHAPES))
def test_any_json_is_read_as_it_is_or_refused_with_a_payload_error(value: Any, schema: Schema[Any]) -> None:
    with contextlib.suppress(PayloadError):
        assert check(schema, value) == value


@given(st.text(max_size=300))
def test_any_text_is_an_email_address_or_refused(candidate: str) -> None:
    with contextlib.suppress(PayloadError):
        address = check(email, candidate)
        assert address.isascii()
        assert address.count("@") == 1


@given(
    st.from_regex(r"[a-z0-9_+-]{1,20}(\.[a-z0-9]{1,10}){0,3}", fullmatch=True),
    st.from_regex(r"([a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?\.){1,3}[a-z]{2,10}", fullmatch=True),
)
def test_an_ordinary_email_address_is_taken(local: str, domain: str) -> None:
    assert check(email, f"{local}@{domain}") == f"{local}@{domain}"


@given(JSON)
def test_every_json_value_has_a_type_with_a_name(value: object) -> None:
    assert type_name(value) in {"null", "boolean", "number", "string", "array", "object"}
