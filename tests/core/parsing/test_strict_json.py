"""JSON of strangers: read only if it can be written again."""

import contextlib
import json
import sys
import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.parsing.strict_json import read_exact_json, read_json


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'{"a":[1,2.5,null,true,"x"]}', {"a": [1, 2.5, None, True, "x"]}),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        ('"ü"'.encode(), "ü"),
        (b"\xef\xbb\xbf1", 1),
        (b'"\\\\ud800"', "\\ud800"),
    ],
)
def test_json_is_read(body: bytes, value: object) -> None:
    assert read_json(body) == value


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"NaN",
        b"[Infinity]",
        b'{"a":-Infinity}',
        b"1e999",
        b"[-1e999]",
        b"[" + b"1" * 300 + b"e99]",
        b'"\\ud800"',
        b'["\\uDBFF x"]',
        b'{"\\udc00":1}',
        b'"\xed\xa0\x80"',
        b"\xff\xfe1\x00",
        b"1" * 5000,
    ],
)
def test_what_could_not_be_sent_on_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(body)


@given(st.binary() | st.text().map(str.encode) | st.from_regex(r'"(\\u[dD][0-9a-f]{3}|x){0,6}"').map(str.encode))
def test_whatever_is_read_can_be_written(body: bytes) -> None:
    with contextlib.suppress(ValueError):
        json.dumps(read_json(body), ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize(
    ("body", "number"),
    [
        (b"3120.500000000000000000000000000001", Decimal("3120.500000000000000000000000000001")),
        (b"0.1", Decimal("0.1")),
        (b"1e3", Decimal(1000)),
        (b"-0.0", Decimal("-0.0")),
        (b"7", 7),
    ],
)
def test_a_number_is_read_exactly(body: bytes, number: object) -> None:
    read = read_exact_json(body)
    assert (read, type(read)) == (number, type(number))


@pytest.mark.parametrize(
    "body",
    [
        b"NaN",
        b"1e999",
        b'"\\ud800"',
        b"[" * 300 + b"]" * 300,
        b"1" * 5000,
        b"1e-99999999999999999999",
        b"[0e99999999999999999999]",
        b"[-0.0e-99999999999999999999]",
    ],
)
def test_what_is_no_good_json_is_none_exactly_either(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the text is the parser's own
        read_exact_json(body)


@given(st.from_regex(r"\A-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,25})?\Z"))
def test_a_number_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert isinstance(read_exact_json(text.encode()), int | Decimal)


@pytest.mark.parametrize("digits", [305, 308])
def test_many_long_numbers_take_no_longer_than_other_text(digits: int) -> None:
    def seconds(row: str) -> float:
        body = ('["' + '","'.join([row] * (2_000_000 // (digits + 3))) + '"]').encode()
        took = []
        for _ in range(3):
            started = time.perf_counter()
            read_json(body)
            took.append(time.perf_counter() - started)
        return min(took)

    assert seconds("1" * digits) < 10 * seconds("x" * digits) + 0.1


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**40), max_value=10**40, places=30))
def test_no_digit_of_a_price_is_lost(price: Decimal) -> None:
    assert read_exact_json(f'{{"price":{price:f}}}'.encode()) == {"price": price}


def test_no_text_outlives_its_reader() -> None:
    body = b'{"code": "never seen before by this process"}'
    texts = [json.loads(body), read_json(body)]
    # As many references as the plain parser leaves: no cache has one more.
    own, ours = (sys.getrefcount(text["code"]) for text in texts)
    assert ours == own
