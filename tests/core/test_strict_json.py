"""JSON of strangers: read only if it can be written again."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.strict_json import read_json


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
