"""NFTs: their names, their metadata, and advertisements."""

from __future__ import annotations

import base64
import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.accounts.nfts import (
    MAX_METADATA,
    NftMetadata,
    data_content,
    is_spam_name,
    nft_name,
    parse_metadata,
    parse_nft_id,
    token_uri,
    web_url,
)
from walletmodal.core.errors import CaipError

CONTRACT = "0xe40cDEA784c61Eb8EB9b736641453e04cadb1000"
MINT = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
GATEWAY = "https://ipfs.example/ipfs"


@pytest.mark.parametrize(
    "text",
    [
        f"eip155:1/erc721:{CONTRACT}/7",
        f"eip155:137/erc1155:{CONTRACT}/{2**256 - 1}",
        f"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/nft:{MINT}",
    ],
)
def test_an_id_reads_as_it_was_written(text: str) -> None:
    assert str(parse_nft_id(text)) == text


def test_an_id_has_one_spelling() -> None:
    assert str(parse_nft_id(f"eip155:1/erc721:{CONTRACT.lower()}/007")) == f"eip155:1/erc721:{CONTRACT}/7"


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"eip155:1/erc721:{CONTRACT}",
        f"eip155:1/erc20:{CONTRACT}/1",
        f"eip155:1/nft:{CONTRACT}",
        f"eip155:1/erc721:{CONTRACT}/-1",
        f"eip155:1/erc721:{CONTRACT}/{2**256}",
        "eip155:1/erc721:0x12/1",
        f"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/nft:{MINT}/1",
        f"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/erc721:{MINT}/1",
        f"bip122:000000000019d6689c085ae165831e93/nft:{MINT}",
        f"eip155:1/erc721:{CONTRACT}/7\n",
        f" eip155:1/erc721:{CONTRACT}/7",
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(CaipError):
        parse_nft_id(text)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading_of_ids(text: str) -> None:
    with contextlib.suppress(CaipError):
        parse_nft_id(text)


@pytest.mark.parametrize(
    ("uri", "content"),
    [
        ("data:application/json,%7B%22a%22%3A1%7D", b'{"a":1}'),
        ("data:application/json;utf8,{}", b"{}"),
        ("data:image/svg+xml;base64," + base64.b64encode(b"<svg/>").decode(), b"<svg/>"),
        ("data:;base64,!!", None),
        ("data:application/json", None),
        ("https://example.com", None),
    ],
)
def test_data_carries_its_content(uri: str, content: bytes | None) -> None:
    assert data_content(uri) == content


def metadata(**fields: Any) -> NftMetadata:
    return parse_metadata(json.dumps(fields).encode())


def test_metadata_has_name_description_and_picture() -> None:
    read = metadata(name="Kite 7", description="A kite.", image="https://pictures.example/7.png")
    assert read == NftMetadata("Kite 7", "A kite.", "https://pictures.example/7.png")


def test_a_drawing_in_the_metadata_is_a_picture() -> None:
    image = metadata(image_data="<svg xmlns='http://www.w3.org/2000/svg'/>").image
    assert (data_content(image) or b"").startswith(b"<svg")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"7",
        b"{",
        b'{"name": 7, "description": [], "image": {}}',
        b"\xff\xfe",
        b"{" + b" " * MAX_METADATA + b"}",
    ],
)
def test_metadata_that_is_none_is_empty(body: bytes) -> None:
    assert parse_metadata(body) == NftMetadata()


def test_texts_are_cleaned_and_cut() -> None:
    read = metadata(name="a\u202eb\n" + "c" * 500, description="d\x00" * 5000)
    assert (read.name[:3], len(read.name) <= 80, len(read.description) <= 600) == ("ab ", True, True)


@pytest.mark.parametrize(
    "image",
    [
        "javascript:alert(1)",
        "http://pictures.example/7.png",
        "file:///etc/passwd",
        "ftp://pictures.example/7.png",
        "https://pictures.example/" + "7" * 3000,
        "https://user:password@pictures.example/7.png",
        "//pictures.example/7.png",
        "ipfs://",
    ],
)
def test_a_picture_in_a_bad_place_is_none(image: str) -> None:
    assert metadata(image=image).image == ""


@pytest.mark.parametrize(
    ("uri", "url"),
    [
        ("https://pictures.example/7.png", "https://pictures.example/7.png"),
        ("ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/7.png", f"{GATEWAY}/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/7.png"),
        ("ipfs://ipfs/Qm1/a b.png", f"{GATEWAY}/Qm1/a%20b.png"),
        ("ipfs://Qm1/../../admin", ""),
        ("ipfs://@evil.example/", ""),
        ("data:image/png;base64,AAAA", ""),
        ("javascript:alert(1)", ""),
    ],
)  # fmt: skip
def test_where_a_uri_is_asked_for(uri: str, url: str) -> None:
    assert web_url(uri, GATEWAY) == url


def test_without_a_gateway_nothing_of_ipfs_is_asked_for() -> None:
    assert web_url("ipfs://Qm1/7.png", None) == ""


def test_the_id_takes_its_place_in_the_uri() -> None:
    assert token_uri("https://m.example/{id}.json", 255) == f"https://m.example/{'ff'.rjust(64, '0')}.json"


@pytest.mark.parametrize(
    "name",
    ["Claim 5000 USDC at rewards-eth.xyz", "$1000 AIRDROP", "visit www.example", "https://x", "USDC Voucher", "Get it: drop.top", "t.me/free"],
)  # fmt: skip
def test_advertisements_are_known(name: str) -> None:
    assert is_spam_name(name)


@pytest.mark.parametrize("name", ["Kite 7", "Lattice Birds #3", "St. Mary's Tower", "Azuki", "maple.eth", "1.5 Meters"])
def test_names_are_no_advertisements(name: str) -> None:
    assert not is_spam_name(name)


@pytest.mark.parametrize(
    ("own", "collection", "token_id", "shown"),
    [
        ("Kite 7", "Kites", "7", "Kite 7"),
        ("", "Kites", "7", "Kites #7"),
        ("", "", "7", "NFT #7"),
        ("", "", "", "NFT"),
        ("", "Kites", "9" * 77, "Kites #999999…"),
    ],
)
def test_an_nft_always_has_a_name(own: str, collection: str, token_id: str, shown: str) -> None:
    assert nft_name(NftMetadata(own), collection, token_id) == shown
