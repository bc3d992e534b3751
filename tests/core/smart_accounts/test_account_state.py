"""What an account is by its code, and what follows from it."""

import pytest

from walletmodal.core.smart_accounts.account_state import (
    AccountState,
    AtomicStatus,
    Implementation,
    StateKind,
    delegation,
    enabled_networks,
    needs_bundler,
    read_account_state,
    smart_account_address,
)
from walletmodal.core.smart_accounts.authorization import NOBODY, Authorization, delegated_code
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR

OWNER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
OTHER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"


@pytest.mark.parametrize(
    ("implementation", "code", "kind", "contract"),
    [
        ("delegator", b"", "plain", ""),
        ("delegator", delegated_code(STATELESS_DELEGATOR), "delegated", STATELESS_DELEGATOR),
        ("delegator", delegated_code(OTHER), "foreign", OTHER),
        ("delegator", b"\x60\x80", "contract", ""),
        ("safe", b"", "undeployed", ""),
        ("safe", b"\x60\x80", "deployed", ""),
    ],
)
def test_the_code_says_what_an_account_is(
    implementation: Implementation, code: bytes, kind: StateKind, contract: str
) -> None:
    assert read_account_state(implementation, code) == AccountState(kind, contract)


@pytest.mark.parametrize(
    ("kind", "enabled", "status"),
    [
        ("plain", True, "ready"),
        ("plain", False, "unsupported"),
        ("delegated", True, "supported"),
        ("foreign", True, "ready"),
        ("undeployed", True, "ready"),
        ("deployed", True, "supported"),
        ("contract", True, "unsupported"),
    ],
)
def test_batches_are_supported_where_nothing_is_needed_first(
    kind: StateKind, enabled: bool, status: AtomicStatus
) -> None:
    assert AccountState(kind).atomic_status(enabled=enabled) == status


def test_a_foreign_delegation_is_asked_about_first() -> None:
    assert [one for one in ("plain", "delegated", "foreign") if AccountState(one).replaces_foreign] == ["foreign"]


def test_any_delegation_can_be_taken_back() -> None:
    kinds: list[StateKind] = ["plain", "delegated", "foreign", "deployed", "contract"]
    assert [one for one in kinds if AccountState(one).can_be_taken_back] == ["delegated", "foreign"]


def test_a_delegated_account_keeps_its_address_and_a_safe_has_its_own() -> None:
    assert smart_account_address("delegator", OWNER) == OWNER
    assert smart_account_address("safe", OWNER) not in (OWNER, smart_account_address("safe", OTHER))


@pytest.mark.parametrize(
    ("implementation", "sponsored", "needed"),
    [("delegator", False, False), ("delegator", True, True), ("safe", False, True), ("safe", True, True)],
)
def test_a_bundler_is_needed_for_safes_and_where_somebody_else_pays(
    implementation: Implementation, sponsored: bool, needed: bool
) -> None:
    assert needs_bundler(implementation, sponsored=sponsored) is needed


@pytest.mark.parametrize(
    ("implementation", "enabled"),
    [("delegator", ("eip155:1", "eip155:10")), ("safe", ("eip155:10", "eip155:137"))],
)
def test_networks_are_enabled_that_have_what_the_account_needs(
    implementation: Implementation, enabled: tuple[str, ...]
) -> None:
    found = enabled_networks(
        implementation,
        ("eip155:1", "eip155:10", "eip155:137"),
        delegating=frozenset({"eip155:1", "eip155:10", "eip155:8453"}),
        bundlers=frozenset({"eip155:10", "eip155:137"}),
    )
    assert found == enabled


def test_a_delegation_is_for_one_network() -> None:
    assert delegation(1, 7, own_transaction=False) == Authorization(1, STATELESS_DELEGATOR, 7)
    with pytest.raises(ValueError, match="every network"):
        delegation(0, 7, own_transaction=False)


def test_in_the_accounts_own_transaction_a_delegation_comes_after_its_nonce() -> None:
    assert delegation(1, 7, own_transaction=True).nonce == 8


def test_a_delegation_is_taken_back_by_one_to_nobody() -> None:
    assert delegation(1, 7, own_transaction=True, take_back=True) == Authorization(1, NOBODY, 8)
