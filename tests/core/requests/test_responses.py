"""What a wallet's answer is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.requests.responses import frame_response, response_kind

HEX = "0123456789abcdefABCDEF"


@every_case(
    ("value", "kind"),
    [
        ("0x" + "a" * 64, "transaction_hash"),
        ("0x" + "A1" * 32, "transaction_hash"),
        ("0x" + "a" * 62, "signed_message"),
        ("0x" + "a" * 63, "signed_message"),
        ("0x" + "a" * 65, "signed_message"),
        ("0x" + "a" * 130, "signed_message"),
        ("0x" + "a" * 61, "object"),
        ("0x", "object"),
        ("", "object"),
        ("a" * 64, "object"),
        ("0X" + "a" * 64, "object"),
        ("0x" + "g" * 64, "object"),
        ("0x" + "a" * 64 + "\n", "object"),
        (" 0x" + "a" * 64, "object"),
        ("0x" + "١" * 64, "object"),
        (None, "object"),
        (5, "object"),
        (True, "object"),
        ([], "object"),
        ({"hash": "0x" + "a" * 64}, "object"),
        (["0x" + "a" * 64], "object"),
        (b"0x" + b"a" * 64, "object"),
    ],
)
def test_an_answer_is_classified(value: object, kind: str) -> None:
    assert response_kind(value) == kind


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("0x" + "a" * 64, "RPC_RESPONSE_TRANSACTION_HASH"),
        ("0x" + "a" * 130, "RPC_RESPONSE_TRANSACTION_HASH"),
        ("0x1", "RPC_RESPONSE_OBJECT"),
        ({}, "RPC_RESPONSE_OBJECT"),
    ],
)
def test_the_frame_has_one_name_for_hashes_and_signatures(value: object, name: str) -> None:
    assert frame_response(value) == name


@given(st.text(HEX, max_size=140))
def test_the_length_of_hexadecimal_text_decides(digits: str) -> None:
    expected = "object" if len(digits) < 62 else "transaction_hash" if len(digits) == 64 else "signed_message"
    assert response_kind(f"0x{digits}") == expected


@given(st.text())
def test_text_that_is_not_hexadecimal_is_an_object(text: str) -> None:
    if not (text.startswith("0x") and set(text[2:]) <= set(HEX)):
        assert response_kind(text) == "object"
