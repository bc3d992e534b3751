"""Who answers which method."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.requests.method import MethodKind
from walletmodal.core.requests.methods import (
    METHODS,
    NODE_METHODS,
    WALLET_METHODS,
    MethodNotAllowedError,
    find_method,
    methods_of_kinds,
)
from walletmodal.core.text.texts import ACTION_NOT_ALLOWED
from walletmodal.features.requests.modal_methods import MODAL_METHODS

NAMED = [(namespace, method) for namespace, methods in METHODS.items() for method in methods]


def test_the_lists_of_evm_and_solana_are_as_long_as_the_reference_says() -> None:
    """Its safe ones: of nodes, the account, and what only wallets know; without what it has not: the newer methods of two standards."""
    own = {"wallet_showCallsStatus", *(one for one in METHODS["eip155"] if "ExecutionPermission" in one)}
    specs = [spec for name in ("eip155", "solana") for spec in METHODS[name].values() if spec.name not in own]
    wallets = [spec for spec in specs if spec.kind == "wallet"]
    found = (len(methods_of_kinds("node", "page", "wallet_read").keys() - own), len(wallets))
    assert found == (41, 11), "a method that the reference does not have is counted here"


def test_no_two_namespaces_have_a_method_of_one_name() -> None:
    """The frame and the resume record know methods by their names alone."""
    assert len({method for _, method in NAMED}) == len(NAMED)


def test_every_method_of_the_modals_own_has_an_answer() -> None:
    own = [spec for methods in METHODS.values() for spec in methods.values()]
    own += [spec.variant[1] for spec in own if spec.variant]
    assert {spec.name for spec in own if spec.kind == "modal"} == MODAL_METHODS.keys()


def test_each_namespace_has_one_method_that_signs_the_message_of_a_sign_in() -> None:
    assert [sum(spec.sign_in is not None for spec in methods.values()) for methods in METHODS.values()] == [1] * len(
        METHODS
    )


def test_what_asks_for_accounts_is_answered_with_them() -> None:
    assert all(spec.granted for spec in methods_of_kinds("account").values())


def test_what_sends_has_an_answer_that_can_be_read() -> None:
    assert all(spec.answer for spec in WALLET_METHODS.values() if spec.sends or spec.signs)


def test_nodes_are_asked_for_what_is_theirs_alone() -> None:
    """A node would answer with its own accounts, and `wallet_…` is known to wallets alone."""
    assert all(name.startswith("eth_") and name != "eth_accounts" for name in NODE_METHODS)


@pytest.mark.parametrize(
    ("namespace", "method", "kind"),
    [
        ("eip155", "eth_call", "node"),
        ("eip155", "eth_sendRawTransaction", "node"),
        ("eip155", "personal_sign", "wallet"),
        ("eip155", "eth_sendTransaction", "wallet"),
        ("eip155", "eth_requestAccounts", "account"),
        ("eip155", "wallet_switchEthereumChain", "modal"),
        ("eip155", "eth_sign", None),
        ("eip155", "eth_signTypedData", None),
        ("eip155", "debug_traceCall", None),
        ("eip155", "ETH_CALL", None),
        ("eip155", "solana_signMessage", None),
        ("solana", "eth_call", None),
        ("solana", "solana_signMessage", "wallet"),
        ("bip122", "signPsbt", "wallet"),
        ("eip155", "", None),
    ],
)
def test_a_method_is_found_in_its_namespace_alone(namespace: Namespace, method: str, kind: MethodKind | None) -> None:
    found = find_method(namespace, method)
    assert (found and found.kind) == kind


@pytest.mark.parametrize(
    ("params", "kind"),
    [
        ([{"eth_accounts": {}}], "modal"),
        ([{"eth_accounts": {}, "wallet_x": {}}], "modal"),
        ([{"permissionsContext": "0x1"}], "wallet"),
        ([{"eth_accounts": "x"}], "wallet"),
        ([{}], "wallet"),
        ([], "wallet"),
        (None, "wallet"),
        ({"eth_accounts": {}}, "wallet"),
    ],
)
def test_revoking_permissions_is_the_modals_in_its_eip_2255_form_only(params: object, kind: MethodKind) -> None:
    found = find_method("eip155", "wallet_revokePermissions", params)
    assert found
    assert found.kind == kind


@given(st.sampled_from([*METHODS]), st.text())
def test_what_nobody_listed_is_not_found(namespace: Namespace, method: str) -> None:
    if method not in METHODS[namespace]:
        assert find_method(namespace, method) is None


@every_case(("namespace", "method"), NAMED)
def test_a_listed_method_is_found(namespace: Namespace, method: str) -> None:
    assert find_method(namespace, method)


@pytest.mark.parametrize("method", ["eth_sign", "wallet_watchAsset", ""])
def test_another_method_is_refused_in_the_words_of_the_specification(method: str) -> None:
    error = MethodNotAllowedError(method)
    assert (find_method("eip155", method), error.short_message, error.details, ACTION_NOT_ALLOWED) == (
        None,
        "RPC method not allowed",
        "Requested RPC call is not allowed",
        "Action not allowed",
    )
    assert error.wire() == {"code": 4200, "message": "RPC method not allowed"}


def test_the_log_names_the_refused_method_on_one_short_line() -> None:
    error = MethodNotAllowedError("a\nb" + "x" * 1000)
    assert error.meta == ("Method: a b" + "x" * 61,)
