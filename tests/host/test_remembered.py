"""What a host's session remembers: only what was written by this version, for this modal and this page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.cases import every_case
from tests.host.test_tokens import MODAL, PAGE, SESSION, checked, signed
from walletmodal.host import fresh_nonce
from walletmodal.host.remembered import read_nonce, read_remembered, remembered

VISITOR = checked(signed())
KEPT: dict[str, Any] = dict(remembered(VISITOR))


def test_what_is_remembered_is_who_was_signed_in() -> None:
    kept = json.loads(json.dumps(KEPT))
    assert read_remembered(kept, issuer=MODAL, audience=PAGE) == VISITOR


def test_it_holds_no_token() -> None:
    assert set(KEPT) == {"iss", "aud", "sub", "sid", "nonce", "iat", "exp"}
    assert KEPT["sid"] == SESSION.id


@pytest.mark.parametrize("name", KEPT)
def test_a_record_without_one_of_its_parts_remembers_nobody(name: str) -> None:
    kept = {key: value for key, value in KEPT.items() if key != name}
    assert read_remembered(kept, issuer=MODAL, audience=PAGE) is None


@every_case(
    "kept",
    [
        None, "", "x", 5, [], True, {"sub": "x"},
        {**KEPT, "iss": "https://evil.example"},
        {**KEPT, "aud": "https://evil.example"},
        {**KEPT, "sub": "0x1"},
        {**KEPT, "sid": 5},
        {**KEPT, "exp": KEPT["iat"]},
        {**KEPT, "exp": KEPT["iat"] + 301},
        {**KEPT, "exp": float(KEPT["exp"])},
        {**KEPT, "iat": True},
        {**KEPT, "iat": 10**18, "exp": 10**18 + 1},
        {**KEPT, "iat": -(10**18), "exp": -(10**18) + 1},
    ],
)  # fmt: skip
def test_what_is_no_record_remembers_nobody(kept: object) -> None:
    assert read_remembered(kept, issuer=MODAL, audience=PAGE) is None


def test_nobody_is_remembered_for_another_page() -> None:
    kept = remembered(replace(VISITOR, origin="https://other.example"))
    assert read_remembered(kept, issuer=MODAL, audience=PAGE) is None


def test_a_nonce_is_one_that_the_option_takes() -> None:
    nonces = {fresh_nonce() for _ in range(100)}
    assert len(nonces) == 100
    assert all(re.fullmatch(r"[0-9a-f]{32}", nonce) and read_nonce(nonce) == nonce for nonce in nonces)


@pytest.mark.parametrize("kept", [None, "", "short", "a" * 129, "a1a1a1a1\n", "a1a1-a1a1", 12345678, ["a1a1a1a1"]])
def test_what_is_no_nonce_is_none(kept: object) -> None:
    assert read_nonce(kept) is None
