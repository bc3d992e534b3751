"""Who answers which method."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.requests.methods import (
    MODAL_METHODS,
    SAFE_METHODS,
    UNSAFE_METHODS,
    MethodClass,
    MethodNotAllowedError,
    classify,
)
from walletmodal.core.text.texts import ACTION_NOT_ALLOWED


def test_the_lists_are_as_long_as_the_reference_says() -> None:
    assert (len(SAFE_METHODS), len(UNSAFE_METHODS)) == (41, 11)


def test_no_method_is_in_two_lists() -> None:
    assert not SAFE_METHODS & UNSAFE_METHODS
    assert not MODAL_METHODS & (SAFE_METHODS | UNSAFE_METHODS)


@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("eth_call", "safe"),
        ("eth_sendRawTransaction", "safe"),
        ("personal_sign", "unsafe"),
        ("eth_sendTransaction", "unsafe"),
        ("eth_requestAccounts", "modal"),
        ("wallet_switchEthereumChain", "modal"),
        ("eth_sign", "refused"),
        ("eth_signTypedData", "refused"),
        ("debug_traceCall", "refused"),
        ("ETH_CALL", "refused"),
        ("", "refused"),
    ],
)
def test_a_method_is_classified(method: str, kind: MethodClass) -> None:
    assert classify(method) == kind


@pytest.mark.parametrize(
    ("params", "kind"),
    [
        ([{"eth_accounts": {}}], "modal"),
        ([{"eth_accounts": {}, "wallet_x": {}}], "modal"),
        ([{"permissionsContext": "0x1"}], "unsafe"),
        ([{"eth_accounts": "x"}], "unsafe"),
        ([{}], "unsafe"),
        ([], "unsafe"),
        (None, "unsafe"),
        ({"eth_accounts": {}}, "unsafe"),
    ],
)
def test_revoking_permissions_is_the_modals_in_its_eip_2255_form_only(params: object, kind: MethodClass) -> None:
    assert classify("wallet_revokePermissions", params) == kind


@settings(max_examples=300)
@given(st.text())
def test_what_nobody_listed_is_refused(method: str) -> None:
    if method not in SAFE_METHODS | UNSAFE_METHODS | MODAL_METHODS:
        assert classify(method) == "refused"


@every_case("method", sorted(SAFE_METHODS | UNSAFE_METHODS | MODAL_METHODS))
def test_a_listed_method_is_allowed(method: str) -> None:
    assert classify(method) != "refused"


@pytest.mark.parametrize("method", ["eth_sign", "wallet_watchAsset", ""])
def test_another_method_is_refused_in_the_words_of_the_specification(method: str) -> None:
    error = MethodNotAllowedError(method)
    assert (classify(method), error.short_message, error.details, ACTION_NOT_ALLOWED) == (
        "refused",
        "RPC method not allowed",
        "Requested RPC call is not allowed",
        "Action not allowed",
    )


def test_the_log_names_the_refused_method_on_one_short_line() -> None:
    error = MethodNotAllowedError("a\nb" + "x" * 1000)
    assert error.meta == ("Method: a b" + "x" * 61,)
