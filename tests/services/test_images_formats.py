"""What an image is, by its bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from tests.services.pictures import SVG, TYPES
from walletmodal.services.images.formats import image_type


@pytest.mark.parametrize("media_type", TYPES)
def test_each_type_is_known_by_its_bytes(media_type: str) -> None:
    assert image_type(TYPES[media_type]) == media_type


@pytest.mark.parametrize(
    "content",
    [
        b"<svg/>",
        b"\xef\xbb\xbf<svg >",
        b" \n<svg\n",
        b'<?xml version="1.0" encoding="utf-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg>',
    ],
)
def test_an_svg_may_have_a_prolog(content: bytes) -> None:
    assert image_type(content) == "image/svg+xml"


@every_case(
    "content",
    [
        b"",
        b"<html><svg></svg></html>",
        b"<!DOCTYPE html><svg>",
        b"<svgx>",
        b"hello <svg>",
        b'<!DOCTYPE svg [<!ENTITY a "b">]><svg>',
        b"<!-- <svg> -->",
        SVG.decode().encode("utf-16"),
        b"\x1f\x8b\x08gzip",
        b"%PDF-1.7",
        b"BM\0\0",
        b"\0\0\1\0",
        b"RIFF\0\0\0\0WAVE",
        b"\0\0\0\x20ftypheic",
        b"GIF88a",
        b"\x89PNG",
        b"(function(){})()",
    ],
)
def test_what_is_no_image_for_a_page_has_no_type(content: bytes) -> None:
    assert image_type(content) is None


@given(st.binary(max_size=5000) | st.text(alphabet="<!->?svg xml\n").map(str.encode))
def test_any_bytes_are_answered(content: bytes) -> None:
    assert image_type(content) in {None, *TYPES}


@pytest.mark.parametrize("content", [b"<!--" * 20_000, b" " * 5_000_000, b"<?xml " * 20_000, b"<!DOCTYPE svg " * 9000])
def test_hostile_prologs_cost_nothing(content: bytes) -> None:
    assert image_type(content) is None
