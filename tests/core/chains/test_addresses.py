"""Addresses: validity, shortening, avatar."""

import re
from hashlib import blake2b

import base58
import pytest
from eth_utils.address import to_checksum_address
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.chains.addresses import (
    address_fault,
    avatar,
    is_address,
    normal_address,
    truncate,
    truncate_text,
)
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.errors import AddressError
from walletmodal.core.namespaces.descriptor import AddressFault

EVM = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SOLANA = "So11111111111111111111111111111111111111112"
LEGACY = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"
SCRIPT = "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"
SEGWIT = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
TAPROOT = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"
POLKADOT = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"
SUBSTRATE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"


@every_case(
    ("namespace", "address", "fault"),
    [
        ("eip155", EVM, None),
        ("eip155", EVM.lower(), None),
        ("eip155", "0x" + EVM[2:].upper(), None),
        ("eip155", EVM[2:], None),
        ("eip155", EVM.replace("f39F", "F39f"), "checksum"),
        ("eip155", EVM[:-1], "malformed"),
        ("eip155", EVM + "0", "malformed"),
        ("eip155", "0x" + "g" * 40, "malformed"),
        ("eip155", EVM + "\n", "malformed"),
        ("eip155", "", "malformed"),
        ("solana", SOLANA, None),
        ("solana", "11111111111111111111111111111111", None),
        ("solana", "junk " + SOLANA, "malformed"),
        ("solana", SOLANA.replace("S", "I"), "malformed"),
        ("solana", SOLANA.replace("S", "0"), "malformed"),
        ("solana", "z" * 44, "malformed"),
        ("solana", "1" * 33, "malformed"),
        ("solana", EVM, "malformed"),
        ("bip122", LEGACY, None),
        ("bip122", SCRIPT, None),
        ("bip122", SEGWIT, None),
        ("bip122", SEGWIT.upper(), None),
        ("bip122", TAPROOT, None),
        ("bip122", LEGACY.replace("zP1", "zP2"), "checksum"),
        ("bip122", SEGWIT[:-1] + "B", "malformed"),
        ("bip122", SEGWIT[:-1] + "p", "checksum"),
        ("bip122", TAPROOT[:-1] + "p", "checksum"),
        ("bip122", "ltc1" + SEGWIT[3:], "malformed"),
        ("bip122", EVM, "malformed"),
        ("polkadot", POLKADOT, None),
        ("polkadot", SUBSTRATE, None),
        ("polkadot", SUBSTRATE.replace("GrwvaEF5", "GrwvaEF6"), "checksum"),
        ("polkadot", SUBSTRATE[:-2], "malformed"),
        ("polkadot", SOLANA, "malformed"),
    ],
)
def test_an_address_is_valid_or_its_fault_is_named(
    namespace: Namespace, address: str, fault: AddressFault | None
) -> None:
    assert address_fault(namespace, address) == fault


@given(st.binary(min_size=20, max_size=20))
def test_every_evm_address_is_valid_in_its_normal_spelling(raw: bytes) -> None:
    assert normal_address("eip155", raw.hex()) == to_checksum_address(raw)


@given(st.binary(min_size=20, max_size=20), st.data())
def test_a_letter_in_the_wrong_case_is_a_wrong_checksum(raw: bytes, data: st.DataObject) -> None:
    address = to_checksum_address(raw)
    letters = [i for i, c in enumerate(address) if i > 1 and c.isalpha()]
    if len(letters) < 2:
        return
    at = data.draw(st.sampled_from(letters))
    wrong = address[:at] + address[at].swapcase() + address[at + 1 :]
    if wrong[2:] not in (wrong[2:].lower(), wrong[2:].upper()):
        assert address_fault("eip155", wrong) == "checksum"


@given(st.binary(min_size=32, max_size=32))
def test_every_solana_key_is_valid(raw: bytes) -> None:
    assert is_address("solana", base58.b58encode(raw).decode())


@given(st.binary(min_size=20, max_size=20), st.sampled_from([0x00, 0x05, 0x6F, 0xC4]))
def test_every_base58check_address_is_valid(raw: bytes, version: int) -> None:
    assert is_address("bip122", base58.b58encode_check(bytes([version]) + raw).decode())


@given(st.binary(min_size=32, max_size=32), st.integers(0, 63))
def test_every_ss58_address_is_valid(raw: bytes, prefix: int) -> None:
    body = bytes([prefix]) + raw
    checksum = blake2b(b"SS58PRE" + body, digest_size=64).digest()[:2]
    assert is_address("polkadot", base58.b58encode(body + checksum).decode())


@given(st.sampled_from(NAMESPACES), st.text(max_size=200))
def test_any_text_is_judged(namespace: Namespace, text: str) -> None:
    assert address_fault(namespace, text) in {None, "malformed", "checksum"}


def test_a_wrong_checksum_and_nonsense_are_different_errors() -> None:
    with pytest.raises(AddressError, match="Invalid address checksum"):
        normal_address("eip155", EVM.replace("f39F", "F39f"))
    with pytest.raises(AddressError, match=r"Invalid address$"):
        normal_address("eip155", "nonsense")


def test_an_address_is_shown_by_four_and_six() -> None:
    assert truncate(EVM) == "0xf3...b92266"


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        (4, 6, "abcd...vwxyz0"),
        (3, 0, "abc..."),
        (0, 3, "...yz0"),
        (20, 7, "abcdefghijklmnopqrstuvwxyz0"),
        (2, 2, "ab...z0"),
    ],
)
def test_a_text_is_cut_in_the_middle_or_at_an_end(start: int, end: int, shown: str) -> None:
    assert truncate_text("abcdefghijklmnopqrstuvwxyz0", start, end) == shown


@given(st.text(), st.integers(0, 30), st.integers(0, 30))
def test_a_text_that_fits_is_not_cut(text: str, start: int, end: int) -> None:
    shown = truncate_text(text, start, end)
    assert shown == text if len(text) <= start + end else len(shown) == start + end + 3


def test_the_avatar_takes_its_colours_from_the_first_six_digits() -> None:
    assert avatar("0x0a141e0000000000000000000000000000000000").colors == (
        "rgb(10, 20, 30)",
        "rgb(46, 55, 63)",
        "rgb(83, 90, 97)",
        "rgb(120, 125, 131)",
        "rgb(157, 161, 165)",
    )


def test_the_gradient_has_the_stops_of_the_reference() -> None:
    assert avatar("0x0a141e").background == (
        "radial-gradient(88% 88% at 65% 40%, #ffffff 0.52%, rgb(157, 161, 165) 31.25%, rgb(83, 90, 97) 51.56%, "
        "rgb(46, 55, 63) 65.63%, rgb(10, 20, 30) 82.29%, rgb(120, 125, 131) 100%)"
    )


def test_without_an_address_the_gradient_is_fixed() -> None:
    shown = avatar("")
    assert shown.colors == ("#f5ccfc", "#dba4f5", "#9a8ee8", "#6493da", "#6ebdea")
    assert all(color in shown.background for color in shown.colors)


def test_the_radius_of_the_theme_shrinks_the_gradient() -> None:
    assert "(100% 100% at" in avatar(EVM, radius_master=0).background
    assert "(0% 0% at" in avatar(EVM, radius_master=99).background


@given(st.text(min_size=1))
def test_every_avatar_is_plain_css(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9#%.,() -]+", avatar(text).background)


def test_equal_addresses_look_equal_and_others_do_not() -> None:
    assert avatar(SOLANA) == avatar(SOLANA)
    assert avatar(SOLANA) != avatar(POLKADOT)
