"""Typed data in words: what it grants until when, who asks, and every field that is signed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from eth_abi.abi import encode

from tests.core.requests.test_reading import read
from tests.core.requests.test_summary import ME, OTHER, ROUTER, TOKENS, USDC, rows, summary
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.requests.summary_calls import UNLIMITED_WARNING
from walletmodal.core.requests.summary_parts import Row, Summary
from walletmodal.core.requests.summary_typed_data import LOOSE

PERMIT = {
    "owner": "address",
    "spender": "address",
    "value": "uint256",
    "nonce": "uint256",
    "deadline": "uint256",
}


def typed(primary: str, fields: dict[str, str], values: dict[str, Any], **more: Any) -> Any:
    types = {primary: [{"name": name, "type": kind} for name, kind in fields.items()], **more.pop("types", {})}
    domain = {"name": "USD Coin", "version": "2", "chainId": 1, "verifyingContract": USDC, **more}
    return {"types": types, "primaryType": primary, "domain": domain, "message": values}


def permit(value: Any, **more: Any) -> Any:
    values = {"owner": ME, "spender": ROUTER, "value": value, "nonce": 0, "deadline": 1_798_761_600}
    return typed("Permit", PERMIT, values, **more)


def data(given: Any, **how: Any) -> Summary:
    return summary("eth_signTypedData_v4", [ME, given], **how)


def test_a_permit_says_who_may_take_how_much_of_what_and_until_when() -> None:
    found = data(permit("1500000"), tokens=TOKENS)
    assert (found.title, rows(found)) == (
        "Allow spending",
        {
            "Who may spend": ROUTER,
            "How much": "1.5 USDC",
            "Token": USDC,
            "Until": "it is used up or taken back",
            "To be handed in by": "2027-01-01 00:00 UTC",
        },
    )


def test_a_permit_warns_of_what_it_lets_be_taken() -> None:
    assert "1.5 USDC" in data(permit("1500000"), tokens=TOKENS).warnings[0]


@pytest.mark.parametrize("value", [str(2**256 - 1), hex(2**256 - 1), str(2**160 - 1), str(2**128)])
def test_an_unlimited_permit_is_marked(value: str) -> None:
    found = data(permit(value), tokens=TOKENS)
    assert (rows(found)["How much"], "can have all of the token taken" in found.warnings[0]) == ("Unlimited USDC", True)


def test_a_permit_asks_for_what_its_token_is() -> None:
    assert data(permit("1")).tokens == (USDC,)


def test_an_amount_of_a_token_that_cannot_be_asked_is_in_base_units() -> None:
    assert rows(data(permit("1500000")))["How much"] == "1500000 base units"


DOMAIN = {"EIP712Domain": [{"name": "name", "type": "string"}]}


@pytest.mark.parametrize(
    ("more", "domain", "loose"),
    [
        ({}, {"name": "USD Coin"}, True),
        ({}, {"verifyingContract": USDC}, True),
        ({}, {"chainId": 1}, True),
        ({}, {}, False),
        (DOMAIN, {"name": "USD Coin"}, False),
        ({"EIP712Domain": []}, {"name": "USD Coin"}, False),
    ],
)
def test_a_domain_that_not_every_wallet_signs_is_marked(more: Any, domain: dict[str, Any], loose: bool) -> None:
    given = {**permit("1", types=more), "domain": domain}
    assert (LOOSE in data(given).warnings) is loose


def test_permit2_names_every_token() -> None:
    details = {"name": "details", "type": "PermitDetails[]"}
    types = {
        "PermitBatch": [details, {"name": "spender", "type": "address"}],
        "PermitDetails": [{"name": "token", "type": "address"}, {"name": "amount", "type": "uint160"}],
    }
    entries = [{"token": USDC, "amount": "2000000"}, {"token": OTHER, "amount": str(2**160 - 1)}]
    given = {"types": types, "primaryType": "PermitBatch", "domain": {"name": "Permit2"}}
    found = data({**given, "message": {"details": entries, "spender": ROUTER}}, tokens=TOKENS)
    assert (rows(found)["How much"], rows(found, 1)["How much"]) == ("2 USDC", "Unlimited")


@pytest.mark.parametrize(
    ("seconds", "text"), [(1_798_761_600, "2027-01-01 00:00 UTC"), (2**256 - 1, "for ever"), (2**48 - 1, "for ever")]
)
def test_a_deadline_is_told_in_words(seconds: int, text: str) -> None:
    given = permit("1")
    given["message"]["deadline"] = str(seconds)
    assert rows(data(given))["To be handed in by"] == text


def permit2(primary: str, details: Any) -> Any:
    names = ("token", "amount", "expiration")
    kinds = zip(names, ("address", "uint160", "uint48"), strict=True)
    many = "[]" if isinstance(details, list) else ""
    entries = [dict(zip(names, one, strict=True)) for one in (details if many else [details])]
    return typed(
        primary,
        {"details": f"PermitDetails{many}", "spender": "address", "sigDeadline": "uint256"},
        {"details": entries if many else entries[0], "spender": ROUTER, "sigDeadline": "1798761600"},
        types={"PermitDetails": [{"name": name, "type": kind} for name, kind in kinds]},
        name="Permit2",
    )


@pytest.mark.parametrize(
    ("expiration", "text"),
    [
        (2**48 - 1, "for ever"),
        (1_830_297_600, "2028-01-01 00:00 UTC"),
        (0, "the end of the block that it comes into"),
    ],
)
def test_an_allowance_by_permit2_lasts_longer_than_the_permit(expiration: int, text: str) -> None:
    found = rows(data(permit2("PermitSingle", (USDC, "5", expiration))))
    assert (found["Until"], found["To be handed in by"]) == (text, "2027-01-01 00:00 UTC")


def test_each_of_several_allowances_has_its_own_end() -> None:
    found = data(permit2("PermitBatch", [(USDC, "5", 1_830_297_600), (OTHER, "5", 2**48 - 1)]))
    assert (rows(found)["Until"], rows(found, 1)["Until"]) == ("2028-01-01 00:00 UTC", "for ever")


def test_a_batch_that_nobody_may_spend_grants_nothing() -> None:
    given = permit2("PermitBatch", [(USDC, "5", 0)])
    given["types"]["PermitBatch"] = [one for one in given["types"]["PermitBatch"] if one["name"] != "spender"]
    assert [part.title for part in data(given).parts] == ["Asked by", "PermitBatch"]


@pytest.mark.parametrize("primary", ["PermitTransferFrom", "PermitWitnessTransferFrom"])
def test_a_permit_for_one_transfer_ends_with_its_deadline(primary: str) -> None:
    given = typed(
        primary,
        {"permitted": "TokenPermissions", "spender": "address", "deadline": "uint256"},
        {"permitted": {"token": USDC, "amount": "5"}, "spender": ROUTER, "deadline": 1_798_761_600},
        types={"TokenPermissions": [{"name": "token", "type": "address"}, {"name": "amount", "type": "uint256"}]},
    )
    found = rows(data(given))
    assert (found["Until"], "To be handed in by" in found) == ("2027-01-01 00:00 UTC", False)


@pytest.mark.parametrize(
    "primary",
    [
        "OrderComponents",
        "BulkOrder",
        "Order",
        "SafeTx",
        "MetaTransaction",
        "ForwardRequest",
        "PackedUserOperation",
        "SafeOp",
        "Delegation",
    ],
)
def test_what_gives_something_away_without_being_a_permit_is_warned_of(primary: str) -> None:
    warnings = data(typed(primary, {"nonce": "uint256"}, {"nonce": 1})).warnings
    assert [warning for warning in warnings if warning != LOOSE] != []


def asked_by(given: Any) -> dict[str, str]:
    return {row.name: row.value for row in data(given).parts[-2].rows}


def note(more: dict[str, Any], types: dict[str, Any]) -> Any:
    return typed("Note", {"text": "string"}, {"text": "Hi"}, types=types, **more)


@pytest.mark.parametrize(
    "kinds", [{}, {"EIP712Domain": [{"name": "salt", "type": "bytes32"}, {"name": "chainId", "type": "uint256"}]}]
)
def test_the_salt_of_a_domain_is_told(kinds: dict[str, Any]) -> None:
    assert asked_by(note({"salt": "0x89"}, kinds))["salt"] == "0x89"


def test_every_field_of_a_domain_that_is_signed_is_told_and_no_other() -> None:
    kinds = {"EIP712Domain": [{"name": "for", "type": "string"}]}
    found = data(note({"unsigned": "nobody's word", "for": "all of it\u202e"}, kinds))
    told = {row.name: row.value for row in found.parts[0].rows}
    assert (told, len(found.warnings)) == ({"for": "all of it[U+202E]", "Network": "not said"}, 1)


def test_a_domain_of_more_fields_than_are_shown_says_so() -> None:
    names = [f"field{number}" for number in range(20)]
    kinds = {"EIP712Domain": [{"name": name, "type": "string"} for name in names]}
    assert data(note(dict.fromkeys(names, "x"), kinds)).hidden


def test_a_permit_that_names_no_network_is_marked() -> None:
    found = data(permit("1", chainId=None))
    assert Row("Network", "not said", tone="warning") in found.parts[1].rows


AUTHORIZATION = {
    "from": "address",
    "to": "address",
    "value": "uint256",
    "validAfter": "uint256",
    "validBefore": "uint256",
    "nonce": "bytes32",
}


@pytest.mark.parametrize("primary", ["TransferWithAuthorization", "ReceiveWithAuthorization"])
def test_a_transfer_by_signature_says_who_gets_how_much_and_when(primary: str) -> None:
    values = {"from": ME, "to": ROUTER, "value": "1500000", "validAfter": 1_798_761_600, "validBefore": str(2**256 - 1)}
    found = data(typed(primary, AUTHORIZATION, {**values, "nonce": "0x" + "01" * 32}), tokens=TOKENS)
    assert (found.title, rows(found)) == (
        "Send by signature",
        {
            "Who gets it": ROUTER,
            "How much": "1.5 USDC",
            "Token": USDC,
            "From": "2027-01-01 00:00 UTC",
            "Until": "for ever",
        },
    )


def test_a_transfer_by_signature_is_warned_of() -> None:
    values = {"from": ME, "to": ROUTER, "value": "1500000", "validAfter": 0, "validBefore": 1_798_761_600}
    found = data(typed("TransferWithAuthorization", AUTHORIZATION, values), tokens=TOKENS)
    assert (
        found.warnings[0]
        == "Your signature alone sends 1.5 USDC from your account: no transaction of yours is needed any more."
    )


def test_typed_data_for_another_network_is_marked() -> None:
    found = data(permit("1", chainId=137))
    assert any("another network" in warning and "Polygon" in warning for warning in found.warnings)


def test_fields_are_told_in_the_order_of_their_types_and_nested() -> None:
    people = [{"name": "name", "type": "string"}, {"name": "paid", "type": "bool"}]
    given = typed("Mail", {"to": "Person[]", "text": "string"}, {}, types={"Person": people})
    given["message"] = {"text": "Hi", "to": [{"name": "Ada", "paid": True}], "unsigned": "not in the types"}
    found = [(row.depth, row.name, row.value) for row in data(given).parts[-1].rows]
    assert found == [(0, "to", "1 entry"), (1, "1", ""), (2, "name", "Ada"), (2, "paid", "yes"), (0, "text", "Hi")]


def test_typed_data_comes_as_text_too() -> None:
    assert rows(data(json.dumps(permit("1500000")), tokens=TOKENS))["How much"] == "1.5 USDC"


def test_many_fields_are_cut_at_first_and_shown_on_demand() -> None:
    given = typed("List", {"all": "uint256[]"}, {"all": list(range(300))})
    first, whole = data(given), data(given, whole=True)
    assert (len(first.parts[-1].rows), first.hidden, len(whole.parts[-1].rows), whole.hidden) == (16, True, 301, False)


def test_what_is_too_large_altogether_is_marked() -> None:
    found = data(typed("List", {"all": "uint256[]"}, {"all": list(range(5000))}), whole=True)
    assert (len(found.parts[-1].rows), found.hidden, "too large" in found.warnings[-1]) == (400, True, True)


def test_a_type_that_holds_itself_ends() -> None:
    given: Any = {"name": "end"}
    for _ in range(20):
        given = {"name": "box", "inner": given}
    found = data(typed("Box", {"name": "string", "inner": "Box"}, given))
    assert max(row.depth for row in found.parts[-1].rows) <= 6


def test_what_hides_in_typed_data_is_written_out_and_marked() -> None:
    found = data(typed("Note", {"text": "string"}, {"text": "a\u200bb\u202e"}))
    assert found.parts[-1].rows[0].value == "a[U+200B]b[U+202E]"


@pytest.mark.parametrize(
    "change", [{"types": {}}, {"types": None}, {"primaryType": "Other"}, {"primaryType": 5}, {"message": []}]
)
def test_typed_data_whose_types_do_not_say_what_is_signed_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(PayloadError):
        data({**permit("1"), **change})


@pytest.mark.parametrize("fields", [None, "x", [5], [{"type": "string"}], [{"name": 5, "type": "string"}]])
def test_types_of_another_form_are_refused(fields: Any) -> None:
    given = permit("1")
    given["types"]["Permit"] = fields
    with pytest.raises(PayloadError):
        data(given)


def test_no_deadline_is_told_that_nobody_signs() -> None:
    given = permit("1")
    given["message"] = {"expiration": "1", "sigDeadline": "2", **given["message"]}
    assert rows(data(given)) == rows(data(permit("1")))


SAFE = "0x5afE3855358E112B5647B952709E6165e1c1eEEe"
MULTI_SEND_AT = "0x40A2aCCbd92BCA938b02010E17A5b8929b49130D"
SAFE_TX = {
    "to": "address",
    "value": "uint256",
    "data": "bytes",
    "operation": "uint8",
    "safeTxGas": "uint256",
    "baseGas": "uint256",
    "gasPrice": "uint256",
    "gasToken": "address",
    "refundReceiver": "address",
    "nonce": "uint256",
}
APPROVE_ALL = "0x095ea7b3" + ROUTER[2:].lower().rjust(64, "0") + "f" * 64


def safe_tx(**changes: Any) -> Any:
    nobody = "0x" + "0" * 40
    plain: dict[str, Any] = {name: nobody if kind == "address" else "0" for name, kind in SAFE_TX.items()}
    given = typed("SafeTx", SAFE_TX, {**plain, "to": USDC, "data": APPROVE_ALL, **changes})
    given["domain"] = {"chainId": 1, "verifyingContract": SAFE}
    return given


def test_what_a_safe_would_do_is_told_before_the_fields_in_which_it_stands() -> None:
    found = data(safe_tx(), tokens=TOKENS)
    assert (found.title, found.parts[0].title) == ("Approve a transaction of a Safe", "Allow spending USDC")
    assert (rows(found)["Who may spend"], rows(found)["How much"]) == (ROUTER, "Unlimited USDC")
    assert UNLIMITED_WARNING in found.warnings
    assert USDC in data(safe_tx()).tokens


def test_the_list_of_calls_of_a_safe_is_opened() -> None:
    call = bytes.fromhex(USDC[2:]) + bytes(32) + (68).to_bytes(32, "big") + bytes.fromhex(APPROVE_ALL[2:])
    packed = (b"\0" + call) * 2
    listed = "0x8d80ff0a" + encode(["bytes"], [packed]).hex()
    found = data(safe_tx(to=MULTI_SEND_AT, operation=1, data=listed), tokens=TOKENS)
    assert [part.title for part in found.parts if "Allow spending USDC" in part.title] == [
        "1.1. Allow spending USDC",
        "1.2. Allow spending USDC",
    ]
    assert not any("foreign code" in warning for warning in found.warnings)


def test_a_safe_that_would_run_foreign_code_is_warned_of_first() -> None:
    assert "foreign code" in data(safe_tx(operation=1)).warnings[0]


def test_a_safe_that_would_repay_whoever_hands_it_in_is_warned_of() -> None:
    assert "paid out of the shared account" in data(safe_tx(gasPrice="1")).warnings[0]


@pytest.mark.parametrize("changes", [{"data": "0x0"}, {"value": "all"}, {"to": "nobody"}, {"operation": None}])
def test_a_safes_transaction_that_cannot_be_opened_is_told_by_its_fields(changes: dict[str, Any]) -> None:
    found = data(safe_tx(**changes))
    assert (found.title, found.parts[-1].title) == ("Approve a transaction of a Safe", "SafeTx")


def test_types_that_only_have_the_name_of_a_safes_transaction_are_not_opened() -> None:
    given = safe_tx()
    given["types"]["SafeTx"][2]["type"] = "string"
    assert [part.title for part in data(given).parts] == ["Asked by", "SafeTx"]


def test_a_policy_sees_what_a_safe_would_grant() -> None:
    request = read("eth_signTypedData_v4", [ME, safe_tx()])
    assert (request.has_unlimited_approval, request.is_readable) == (True, False)
