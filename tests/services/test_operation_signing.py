"""What a frame has signed of an operation comes by way of the browser: only just this operation, and just this delegation, is handed in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from eth_account import Account
from eth_account.signers.local import LocalAccount

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.smart_accounts import delegator
from walletmodal.core.smart_accounts.authorization import Authorization, SignedAuthorization
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.services.smart_accounts.operations import PreparedOperation
from walletmodal.services.smart_accounts.signing import (
    WrongSignatureError,
    from_record,
    read_signed_operation,
    to_record,
)

CHAIN = parse_chain_id("eip155:1")
OWNER: LocalAccount = Account.from_key("0x" + "11" * 32)
STRANGER: LocalAccount = Account.from_key("0x" + "22" * 32)
OPERATION = UserOperation(sender=OWNER.address, nonce=7, call_data=b"\x12", call_gas_limit=5, max_fee_per_gas=9)
BECOMING = Authorization(1, STATELESS_DELEGATOR, 3)


def prepared(authorization: Authorization | None = BECOMING) -> PreparedOperation:
    """As it is kept while its owner is asked."""
    found = PreparedOperation(
        chain=CHAIN,
        operation=OPERATION,
        entry_point=delegator.ENTRY_POINT,
        hash=OPERATION.hash(delegator.ENTRY_POINT, 1),
        message=delegator.operation_message(OPERATION, 1),
        authorization=authorization,
    )
    return from_record(CHAIN, to_record(found))


def signature(operation: UserOperation = OPERATION, key: LocalAccount = OWNER, chain: int = 1) -> str:
    digest = delegator.operation_message(operation, chain).digest
    return str(Account.unsafe_sign_hash(digest, key.key).signature.to_0x_hex())


def authorized(key: LocalAccount = OWNER, **changes: Any) -> dict[str, str]:
    unsigned = replace(BECOMING, **changes)
    made = Account.unsafe_sign_hash(unsigned.hash, key.key)
    return SignedAuthorization(unsigned, made.v - 27, made.r, made.s).to_json()


def test_what_was_asked_for_is_handed_in() -> None:
    found = read_signed_operation(prepared(), {"signature": signature(), "eip7702Auth": authorized()})
    assert (found.hash(delegator.ENTRY_POINT, 1), found.authorization and found.authorization.authorization) == (
        prepared().hash,
        BECOMING,
    )


@pytest.mark.parametrize(
    "signed",
    [
        signature(replace(OPERATION, call_data=b"\x13")),
        signature(replace(OPERATION, nonce=8)),
        signature(replace(OPERATION, max_fee_per_gas=10)),
        signature(key=STRANGER),
        signature(chain=137),
        "0x",
    ],
    ids=["other calls", "another nonce", "a higher fee", "another key", "another network", "nothing"],
)
def test_a_signature_of_something_else_sends_nothing(signed: str) -> None:
    with pytest.raises(WrongSignatureError):
        read_signed_operation(prepared(), {"signature": signed, "eip7702Auth": authorized()})


@pytest.mark.parametrize(
    "given",
    [
        authorized(STRANGER),
        authorized(chain_id=0),
        authorized(chain_id=137),
        authorized(nonce=4),
        authorized(address=STRANGER.address),
        None,
    ],
    ids=["another key", "every network", "another network", "another nonce", "another contract", "none"],
)
def test_another_delegation_than_the_one_that_was_prepared_sends_nothing(given: object) -> None:
    with pytest.raises(WrongSignatureError):
        read_signed_operation(prepared(), {"signature": signature(), "eip7702Auth": given})


def test_an_account_that_is_delegated_already_is_not_delegated_anew() -> None:
    with pytest.raises(WrongSignatureError):
        read_signed_operation(prepared(None), {"signature": signature(), "eip7702Auth": authorized()})
