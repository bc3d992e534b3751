"""Names of accounts."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.samples import SAMPLES
from walletmodal.core.accounts.names import (
    NAME_ALREADY_OWNED,
    NAME_UNUSABLE,
    NameSuggestion,
    bare_label,
    check_account_name,
    free_labels,
    full_name,
    is_registered,
    is_zone_name,
    name_coin_type,
    parse_identity,
    parse_name_record,
    parse_name_suggestions,
    parse_names,
    registration_message,
)
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import CaipError, ShapeError
from walletmodal.core.errors.rules import AccountNameError
from walletmodal.services.names.ensip15 import ensip15

ZONE = "reown.id"
RECORD = SAMPLES["name_record"]


@pytest.mark.parametrize(
    ("label", "kept"),
    [("maple", "maple"), ("Maple-7", "maple-7"), ("-a-b", "-a-b"), ("a--b", "a--b"), ("a" * 64, "a" * 64)],
)
def test_letters_digits_and_hyphens_make_a_name(label: str, kept: str) -> None:
    assert check_account_name(label) == kept


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("", "Name must be at least 4 characters long"),
        ("abc", "Name must be at least 4 characters long"),
        ("a_b", "Can only contain letters, numbers and - characters"),
        ("maple.x", "Can only contain letters, numbers and - characters"),
        ("mäple", "Can only contain letters, numbers and - characters"),
        ("maple\n", "Can only contain letters, numbers and - characters"),
        ("ab--cd", NAME_UNUSABLE),
        ("a" * 65, "Name must be at most 64 characters long"),
    ],
)
def test_what_is_no_name_is_refused_with_a_text_for_the_visitor(label: str, text: str) -> None:
    with pytest.raises(AccountNameError) as caught:
        check_account_name(label)
    assert caught.value.short_message == text


@given(st.text(max_size=70))
def test_a_name_is_taken_exactly_when_the_rule_says_so(label: str) -> None:
    allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
    try:
        check_account_name(label)
    except AccountNameError:
        assert not (4 <= len(label) <= 64 and set(label) <= allowed and label[2:4] != "--")
    else:
        assert 4 <= len(label) <= 64
        assert set(label) <= allowed


def test_a_second_name_is_refused_with_this_text() -> None:
    assert NAME_ALREADY_OWNED == "You already own a name"


@pytest.mark.parametrize("zone", [ZONE, "names.example"])
def test_a_label_gets_its_zone_and_loses_it(zone: str) -> None:
    assert full_name("Maple", zone) == f"maple.{zone}"
    assert [bare_label(name, zone) for name in (f"maple.{zone}", "maple.wcn.id", "maple.eth", f".{zone}")] == [
        "maple",
        "maple",
        "maple.eth",
        f".{zone}",
    ]


@given(st.from_regex(r"[a-zA-Z0-9-]{4,64}", fullmatch=True))
def test_every_name_that_may_be_registered_is_in_its_normal_form(label: str) -> None:
    """Else nobody could send to it, and the account would not be called by it."""
    try:
        name = full_name(label, ZONE)
    except AccountNameError:
        assert ensip15(f"{label}.{ZONE}") is None
    else:
        assert ensip15(name) == name


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("maple.reown.id", True),
        ("Maple.WCN.id", True),
        (".reown.id", False),
        ("maple.eth", False),
        ("mapleXreown.id", False),
        ("maple.names.example", True),
        ("maplenames.example", False),
    ],
)
def test_a_name_of_the_zones_is_known(text: str, *, known: bool) -> None:
    assert is_zone_name(text, "names.example") is known


@pytest.mark.parametrize(
    ("chain", "coin"), [("eip155:1", 2147483649), ("eip155:10", 2147483658), ("eip155:2147483647", 4294967295)]
)
def test_the_coin_type_is_that_of_ensip_11(chain: str, coin: int) -> None:
    assert name_coin_type(parse_chain_id(chain)) == coin


@pytest.mark.parametrize("chain", ["eip155:2147483648", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"])
def test_a_chain_without_a_coin_type_is_refused(chain: str) -> None:
    with pytest.raises(CaipError, match=r"^Invalid chainId$"):
        name_coin_type(parse_chain_id(chain))


def test_the_message_that_registers_is_compact_json_in_a_fixed_order() -> None:
    text = registration_message("maple.reown.id", datetime(2026, 1, 1, 0, 0, 0, 999_999, tzinfo=UTC))
    assert text == '{"name":"maple.reown.id","attributes":{},"timestamp":1767225600}'
    assert json.loads(text)["attributes"] == {}


def test_a_record_has_an_address_for_a_chain() -> None:
    record = parse_name_record(RECORD)
    assert record is not None
    assert (record.address_on(parse_chain_id("eip155:10")), record.address_on(parse_chain_id("eip155:8453"))) == (
        "0x" + "6" * 40,
        "0x" + "5" * 40,
    )


def test_a_record_without_addresses_has_none() -> None:
    record = parse_name_record({"name": "maple.reown.id", "attributes": None})
    assert record is not None
    assert record.address_on(parse_chain_id("eip155:1")) is None


@pytest.mark.parametrize("answer", [[], {"addresses": {}, "attributes": []}, {}])
def test_a_name_that_nobody_has_is_none(answer: object) -> None:
    assert parse_name_record(answer) is None


@pytest.mark.parametrize(
    "answer", [None, "x", [RECORD], {"name": 5}, {**RECORD, "addresses": {"0x3c": {"address": "0x1"}}}]
)
def test_what_is_no_record_is_refused(answer: object) -> None:
    with pytest.raises(ShapeError):
        parse_name_record(answer)


def test_an_address_without_names_has_none() -> None:
    assert parse_names([]) == ()


def test_suggestions_say_what_is_taken() -> None:
    assert parse_name_suggestions(SAMPLES["name_suggestions"]) == (
        NameSuggestion(name="maple.reown.id", registered=True),
        NameSuggestion(name="mapletree.reown.id", registered=None),
    )


@pytest.mark.parametrize(("label", "taken"), [("maple", True), ("MAPLE", True), ("mapletree", None), ("other", None)])
def test_suggestions_tell_whether_a_name_is_registered(label: str, *, taken: bool | None) -> None:
    assert is_registered(f"{label}.{ZONE}", parse_name_suggestions(SAMPLES["name_suggestions"])) is taken


def test_only_what_could_be_registered_is_suggested_and_without_its_zone() -> None:
    told = ["maple.reown.id", "Oak-tree.reown.id", "oak-tree.reown.id", "elm.reown.id", "birch.eth", "b<r>ch.reown.id"]
    more = [NameSuggestion(name=f"tree{n}.reown.id") for n in range(9)]
    listed = (
        *(NameSuggestion(name=name) for name in told),
        NameSuggestion(name="pine.reown.id", registered=True),
        *more,
    )
    assert free_labels("maple.reown.id", listed, ZONE) == ("oak-tree", "tree0", "tree1", "tree2")


def test_an_address_without_identity_has_empty_parts() -> None:
    identity = parse_identity({"name": None, "avatar": None})
    assert (identity.name, identity.avatar) == ("", "")


def test_a_name_that_turns_the_reading_direction_is_cleaned() -> None:
    assert parse_identity({"name": "eve\u202eht.e", "avatar": "javascript:x"}).name == "eveht.e"
