"""What of a transaction is sent to the list."""

from __future__ import annotations

from datetime import UTC

import pytest

from tests.cases import every_case
from walletmodal.core.chains.caip import Namespace
from walletmodal.features.activity.entries import known_hash
from walletmodal.features.activity.state import parse_time_zone

_HASH = "0x" + "ab" * 32
_SIGNATURE = "5" * 87


@pytest.mark.parametrize(("namespace", "text"), [("eip155", _HASH), ("solana", _SIGNATURE)])
def test_a_hash_of_the_namespace_is_one(namespace: Namespace, text: str) -> None:
    assert known_hash(namespace, text) == text


def test_a_hash_has_one_spelling() -> None:
    assert known_hash("eip155", "0x" + "AB" * 32) == _HASH


@every_case("wrong", ["", "0x12", "javascript:alert(1)", "0x" + "g" * 64, "../" * 20, _HASH + "\n"])
@every_case("namespace", ["eip155", "solana", "bip122"])
def test_what_is_no_hash_leads_nowhere(namespace: Namespace, wrong: str) -> None:
    assert known_hash(namespace, wrong) == ""


@pytest.mark.parametrize("zone", ["", "Nowhere/Town", "../../etc/passwd", "America", "x" * 64, "\x00", "é"])
def test_what_is_no_zone_counts_as_utc(zone: str) -> None:
    assert parse_time_zone(zone) is UTC
