"""Values of a fixed length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.decoding.padding import pad_bytes, pad_hex
from walletmodal.core.errors.rules import PaddingError


@pytest.mark.parametrize(
    ("value", "size", "padded"),
    [("0x1", 2, "0x0001"), ("0xabcd", 2, "0xabcd"), ("0x", 1, "0x00"), ("0x1", None, "0x1"), ("0xff", 32, "0x" + "0" * 62 + "ff")],
)  # fmt: skip
def test_hex_is_padded_on_the_left(value: str, size: int | None, padded: str) -> None:
    assert pad_hex(value, size) == padded


def test_hex_can_be_padded_on_the_right() -> None:
    assert pad_hex("0xab", 2, side="right") == "0xab00"


@pytest.mark.parametrize(
    ("value", "size", "text"),
    [
        ("0xabcdef", 2, "Hex size (3) exceeds padding size (2)."),
        ("0xabcde", 2, "Hex size (3) exceeds padding size (2)."),
    ],
)
def test_a_hex_that_is_too_long_is_refused(value: str, size: int, text: str) -> None:
    with pytest.raises(PaddingError) as caught:
        pad_hex(value, size)
    assert caught.value.short_message == text


def test_bytes_that_are_too_long_are_refused() -> None:
    with pytest.raises(PaddingError) as caught:
        pad_bytes(b"abc", 2)
    assert caught.value.short_message == "Bytes size (3) exceeds padding size (2)."


@pytest.mark.parametrize("value", ["", "abc", "0xg", "0x1\n", "1x00"])
def test_what_is_no_hex_is_refused(value: str) -> None:
    with pytest.raises(PaddingError, match="not hexadecimal"):
        pad_hex(value)


@given(st.binary(max_size=40), st.sampled_from(["left", "right"]))
def test_hex_and_bytes_are_padded_alike(value: bytes, side: str) -> None:
    left = side == "left"
    padded = pad_bytes(value, 40, side="left" if left else "right")
    assert (len(padded), pad_hex("0x" + value.hex(), 40, side="left" if left else "right")) == (40, "0x" + padded.hex())


def test_no_size_leaves_bytes_as_they_are() -> None:
    assert pad_bytes(b"abc", None) == b"abc"
