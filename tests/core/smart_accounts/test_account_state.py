"""What an account is by its code, and what follows from it."""

import pytest

from walletmodal.core.smart_accounts.account_state import (
    AccountState,
    Implementation,
    StateKind,
    read_account_state,
    smart_account_address,
)
from walletmodal.core.smart_accounts.authorization import delegated_code
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


def test_a_delegated_account_keeps_its_address_and_a_safe_has_its_own() -> None:
    assert smart_account_address("delegator", OWNER) == OWNER
    assert smart_account_address("safe", OWNER) not in (OWNER, smart_account_address("safe", OTHER))
