"""Typed data (EIP-712) as the policy and the visitor get it: what its types have signed, what a permit grants, and what is refused."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tests.cases import every_case
from tests.core.requests.test_reading import ALICE, BOB, MAX, TOKEN, fields_of, permit, read
from walletmodal.core.decoding.typed_data import MAX_PERMITS
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.requests.typed_request import Approval

PERMITS: list[tuple[str, dict[str, Any], tuple[Approval, ...]]] = [
    ("Permit", {"spender": BOB, "value": str(MAX)}, (Approval(TOKEN, BOB, MAX, unlimited=True),)),
    ("Permit", {"spender": BOB, "value": "0x64"}, (Approval(TOKEN, BOB, 100, unlimited=False),)),
    ("Permit", {"spender": BOB.lower(), "value": 100}, (Approval(TOKEN, BOB, 100, unlimited=False),)),
    ("Permit", {"spender": BOB, "value": "all"}, (Approval(TOKEN, BOB, None, unlimited=True),)),
    ("Permit", {"spender": BOB, "tokenId": "7"}, (Approval(TOKEN, BOB, 7, unlimited=False),)),
    ("Permit", {"spender": BOB, "allowed": True}, (Approval(TOKEN, BOB, None, unlimited=True),)),
    ("Permit", {"spender": BOB, "allowed": False}, ()),
    ("PermitForAll", {"operator": BOB, "approved": True}, (Approval(TOKEN, BOB, None, unlimited=True),)),
    (
        "PermitSingle",
        {"details": {"token": TOKEN, "amount": str(2**160 - 1)}, "spender": BOB},
        (Approval(TOKEN, BOB, 2**160 - 1, unlimited=True),),
    ),
    (
        "PermitBatch",
        {"details": [{"token": TOKEN, "amount": "1"}, {"token": BOB, "amount": "2"}], "spender": BOB},
        (Approval(TOKEN, BOB, 1, unlimited=False), Approval(BOB, BOB, 2, unlimited=False)),
    ),
    (
        "PermitTransferFrom",
        {"permitted": {"token": TOKEN, "amount": "5"}, "spender": BOB},
        (Approval(TOKEN, BOB, 5, unlimited=False),),
    ),
    (
        "PermitWitnessTransferFrom",
        {"permitted": {"token": TOKEN, "amount": "5"}, "spender": BOB},
        (Approval(TOKEN, BOB, 5, unlimited=False),),
    ),
    *(
        (primary, {"from": ALICE, "to": BOB, "value": "5"}, (Approval(TOKEN, BOB, 5, unlimited=False),))
        for primary in ("TransferWithAuthorization", "ReceiveWithAuthorization")
    ),
    ("TransferWithAuthorization", {"from": ALICE, "note": "hi"}, ()),
    ("CancelAuthorization", {"authorizer": ALICE, "nonce": "0x00"}, ()),
    ("Mail", {"contents": "hi"}, ()),
]


@every_case("as_text", [True, False])
@every_case(("primary", "message", "approvals"), PERMITS)
def test_a_permit_is_an_approval(
    primary: str, message: dict[str, Any], approvals: tuple[Approval, ...], as_text: bool
) -> None:
    typed = permit(primary, message)
    assert read("eth_signTypedData_v4", [ALICE, json.dumps(typed) if as_text else typed]).approvals == approvals


DAI_TYPE = fields_of({"holder": 0, "spender": 0, "allowed": 0})
USDC_TYPE = fields_of({"owner": 0, "spender": 0, "value": 0})
SINGLE = {"PermitSingle": fields_of({"details": 0, "spender": 0})}
SINGLE["PermitSingle"][0]["type"] = "PermitDetails"
UNSIGNED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("Permit", {"Permit": USDC_TYPE}, {"spender": BOB, "value": str(MAX), "allowed": False}),
    ("Permit", {"Permit": USDC_TYPE}, {"spender": BOB, "value": str(MAX), "tokenId": "1"}),
    ("Permit", {"Permit": DAI_TYPE}, {"spender": BOB, "allowed": True, "value": "1"}),
    ("PermitForAll", {"PermitForAll": fields_of({"operator": 0})}, {"operator": BOB, "approved": False}),
    ("PermitForAll", {"PermitForAll": fields_of({"operator": 0})}, {"operator": BOB, "spender": ALICE}),
]


@pytest.mark.parametrize(("primary", "types", "message"), UNSIGNED)
def test_a_field_that_nobody_signs_hides_no_permit(primary: str, types: Any, message: dict[str, Any]) -> None:
    given = {"types": types, "primaryType": primary, "domain": {"verifyingContract": TOKEN}, "message": message}
    request = read("eth_signTypedData_v4", [ALICE, given])
    assert [(one.spender, one.unlimited) for one in request.approvals] == [(BOB, True)]


def test_what_the_types_do_not_name_is_not_in_the_message() -> None:
    details = [{"name": "token", "type": "address"}, {"name": "amount", "type": "uint160"}]
    domain = {"EIP712Domain": [{"name": "name", "type": "string"}]}
    message = {"spender": BOB, "details": {"token": TOKEN, "amount": "1", "expiration": "2"}, "deadline": "3"}
    given = {
        "types": {**SINGLE, "PermitDetails": details, **domain},
        "primaryType": "PermitSingle",
        "domain": {"name": "Permit2", "verifyingContract": TOKEN},
        "message": message,
    }
    typed = read("eth_signTypedData_v4", [ALICE, given]).typed_data
    assert typed is not None
    assert typed.message == {"spender": BOB, "details": {"token": TOKEN, "amount": "1"}}
    assert typed.verifying_contract == ""


def test_a_type_that_only_has_the_name_of_a_permit_grants_nothing() -> None:
    assert read("eth_signTypedData_v4", [ALICE, permit("Permit", {"contents": "hi"})]).approvals == ()


@pytest.mark.parametrize("spender", [None, 5, "", "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS", "bob.eth", BOB + "00"])
def test_a_permit_for_nobody_who_can_be_named_is_refused(spender: Any) -> None:
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, permit("Permit", {"spender": spender, "value": "1"})])


@pytest.mark.parametrize("types", [None, [], {}, {"Mail": None}, {"Mail": {"0": {}}}])
def test_typed_data_whose_types_do_not_say_what_is_signed_is_refused(types: Any) -> None:
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, {**permit("Mail", {"contents": "hi"}), "types": types}])


def test_many_fields_of_many_structs_cost_no_more_than_they_are_long() -> None:
    types = {
        "Mail": [{"name": "to", "type": "Person[]"}],
        "Person": [{"name": f"f{at}", "type": "uint8"} for at in range(1000)],
    }
    given = {"types": types, "primaryType": "Mail", "domain": {}, "message": {"to": [{}] * 6_000}}
    began = time.process_time()
    read("eth_signTypedData_v4", [ALICE, given])
    assert time.process_time() - began < 3


def test_of_many_permits_none_is_left_out_unseen() -> None:
    details = [{"token": TOKEN, "amount": "1"}] * (MAX_PERMITS + 1)
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, permit("PermitBatch", {"details": details, "spender": BOB})])


@pytest.mark.parametrize(("given", "number"), [(1, 1), ("1", 1), ("0x1", 1), (None, None)])
def test_the_domain_of_typed_data_is_told(given: Any, number: int | None) -> None:
    typed = read("eth_signTypedData_v4", [ALICE, permit("Mail", {}, name=" Mail  box", chainId=given)]).typed_data
    assert typed is not None
    assert (typed.name, typed.chain_id, typed.verifying_contract) == ("Mail box", number, TOKEN)


@every_case("hidden", ["\u200b", "\u202e", "\u00ad", "\x00"])
@every_case("place", ["primary", "field", "type", "name", "version", "contract"])
def test_a_name_that_looks_like_another_by_what_nobody_sees_is_refused(place: str, hidden: str) -> None:
    """A policy that looks for `Permit` would see one where the contract sees another, or none."""
    primary = f"Per{hidden}mit" if place == "primary" else "Permit"
    given = permit(primary, {"spender": BOB, "value": "1"})
    fields = given["types"][primary]
    if place == "field":
        fields.append({"name": f"no{hidden}nce", "type": "uint256"})
    elif place == "type":
        fields.append({"name": "nonce", "type": f"uint{hidden}256"})
    elif place != "primary":
        member = "verifyingContract" if place == "contract" else place
        given["domain"][member] = TOKEN + hidden if place == "contract" else f"USD{hidden} Coin"
        given["types"]["EIP712Domain"] = [{"name": member, "type": "string"}]
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, given])


@every_case("listed", [True, False], ids=["listed", "not listed"])
@every_case(
    ("field", "value"),
    [
        ("chainId", " 137 "),
        ("chainId", "0b1"),
        ("chainId", 1.0),
        ("chainId", True),
        ("chainId", -1),
        ("chainId", "mainnet"),
        ("verifyingContract", TOKEN[2:]),
        ("verifyingContract", "0X" + TOKEN[2:]),
        ("verifyingContract", TOKEN + "00"),
        ("verifyingContract", f" {TOKEN}"),
        ("verifyingContract", 5),
    ],
)
def test_a_domain_that_wallets_read_as_different_ones_is_refused(field: str, value: Any, listed: bool) -> None:
    given = permit("Mail", {}, **{field: value})
    if listed:
        kinds = {"chainId": "uint256", "verifyingContract": "address"}
        given["types"]["EIP712Domain"] = [{"name": name, "type": kinds[name]} for name in given["domain"]]
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, given])


def test_a_domain_may_have_texts_where_its_type_says_so() -> None:
    given = permit("Mail", {}, verifyingContract="cosmos", chainId="cosmoshub-4")
    given["types"]["EIP712Domain"] = [{"name": name, "type": "string"} for name in given["domain"]]
    typed = read("eth_signTypedData_v4", [ALICE, given]).typed_data
    assert typed is not None
    assert (typed.verifying_contract, typed.chain_id) == ("cosmos", None)


def test_a_token_is_known_by_its_bytes_and_not_by_its_checksum() -> None:
    """Wallets sign for it all the same; a policy that refuses the token must find it."""
    given = permit("Permit", {"spender": BOB, "value": "1"}, verifyingContract="0x" + TOKEN[2:].swapcase())
    assert [one.token for one in read("eth_signTypedData_v4", [ALICE, given]).approvals] == [TOKEN]


@pytest.mark.parametrize("spender", [BOB[2:], "0X" + BOB[2:], "1" * 40])
def test_a_spender_that_some_wallets_read_in_decimal_digits_is_refused(spender: str) -> None:
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, permit("Permit", {"spender": spender, "value": "1"})])


def test_a_key_that_stands_twice_in_a_text_is_refused() -> None:
    text = json.dumps(permit("Permit", {"spender": BOB, "value": "1"}))
    twice = text.replace('"value": "1"', f'"value": "{MAX}", "value": "1"')
    assert twice != text
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, twice])


@pytest.mark.parametrize(
    "field", [{"name": "value", "type": "string"}, {"name": 5, "type": "uint256"}, {"name": "extra"}, None]
)
def test_a_type_with_a_field_twice_or_without_a_name_is_refused(field: Any) -> None:
    given = permit("Permit", {"spender": BOB, "value": "1"})
    given["types"]["Permit"].append(field)
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, given])


STUB = "TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,W"


@pytest.mark.parametrize(
    ("primary", "fields"),
    [
        (f"PermitWitnessTransferFrom({STUB}", fields_of(dict.fromkeys("abcde"))),
        (
            "PermitWitnessTransferFrom",
            [
                {"name": STUB.partition(" ")[2] + "(uint256 a", "type": "TokenPermissions"},
                *fields_of(dict.fromkeys("bcde")),
            ],
        ),
        ("Mail", [{"name": "a", "type": "uint256 b,uint256"}]),
    ],
)
def test_names_that_make_up_the_text_of_another_type_are_refused(primary: str, fields: Any) -> None:
    """Permit2 takes any text behind its own: of such a signature it would see a permit, and nobody else would."""
    given = {"types": {primary: fields}, "primaryType": primary, "domain": {}, "message": {"a": 1}}
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, given])


def test_a_message_of_which_nothing_would_be_signed_is_refused() -> None:
    given = permit("Mail", {"contents": "hi"})
    given["types"]["EIP712Domain"] = [{"name": "verifyingContract", "type": "address"}]
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, {**given, "primaryType": "EIP712Domain"}])


DEEP: Any = {}
for _ in range(1000):
    DEEP = {"a": DEEP}


def test_typed_data_nested_a_thousand_deep_is_refused() -> None:
    text = '{"message":' + '{"a":' * 1000 + "1" + "}" * 1000 + "}"
    for given in (text, {"message": DEEP}):
        with pytest.raises(PayloadError):
            read("eth_signTypedData_v4", [ALICE, given])


@pytest.mark.parametrize("given", ["", "{", "[]", "5", "null", "NaN", '{"a": 1e999}', None, 5, [], '{"a": "\\ud800"}'])
def test_typed_data_that_is_none_is_refused(given: Any) -> None:
    with pytest.raises(PayloadError):
        read("eth_signTypedData_v4", [ALICE, given])
