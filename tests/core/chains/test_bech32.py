"""Segwit addresses, by the test vectors of BIP-173 and BIP-350."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.chains.bech32 import decode_segwit

ADDRESS = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"


@pytest.mark.parametrize(
    ("address", "prefix", "version", "program"),
    [
        ("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bc", 0, "751e76e8199196d454941c45d1b3a323f1433bd6"),
        ("BC1SW50QGDZ25J", "bc", 16, "751e"),
        ("bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "bc", 2, "751e76e8199196d454941c45d1b3a323"),
        (
            "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
            "tb",
            0,
            "000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433",
        ),
        (
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
            "bc",
            1,
            "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        ),
    ],
)
def test_an_address_is_its_prefix_version_and_program(address: str, prefix: str, version: int, program: str) -> None:
    assert decode_segwit(address) == (prefix, version, bytes.fromhex(program))


@pytest.mark.parametrize(
    "address",
    [
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
        "BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2",
        "bc1rw5uspcuf",
        "bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90",
        "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
        "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
        "bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
        "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4",
        "bc1gmk9yu",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
        "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq",
        "",
        "1",
    ],
)
def test_what_the_standard_calls_none_is_none(address: str) -> None:
    assert decode_segwit(address) is None


@given(st.text(max_size=100) | st.text("qpzry9x8gf2tvdw0s3jn54khce6mua7l1b", max_size=100))
def test_any_text_is_read_or_none(text: str) -> None:
    found = decode_segwit(text)
    assert found is None or 2 <= len(found[2]) <= 40


@given(place=st.integers(4, len(ADDRESS) - 1), char=st.sampled_from("qpzry9x8gf2tvdw0s3jn54khce6mua7l"))
def test_one_mistyped_character_is_always_found(place: int, char: str) -> None:
    typed = ADDRESS[:place] + char + ADDRESS[place + 1 :]
    assert (decode_segwit(typed) is not None) == (typed == ADDRESS)
