"""What a passkey has signed of an operation comes by way of the browser: only what the chain would take is handed in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.services.passkey_owner import PRESENT, PasskeyOwner
from tests.services.smart_account_stage import sign_digest
from tests.services.test_operation_signing import CHAIN, OWNER
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.smart_accounts.safe import ENTRY_POINT, SafeAccount, operation_call_data, operation_message
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.services.smart_accounts.operations import PreparedOperation
from walletmodal.services.smart_accounts.signing import (
    WrongSignatureError,
    from_record,
    params_of,
    read_signed_operation,
    to_record,
)

PASSKEY, OTHER = PasskeyOwner(), PasskeyOwner()
OPERATION = UserOperation(
    sender=SafeAccount((OWNER.address,)).address,
    nonce=7,
    call_data=operation_call_data([AccountCall(OWNER.address, 1)]),
)
MESSAGE = operation_message(OPERATION, 1)


def prepared(passkey: PasskeySigner = PASSKEY.signer) -> PreparedOperation:
    """As it is kept while its owner is asked."""
    found = PreparedOperation(
        chain=CHAIN,
        operation=OPERATION,
        entry_point=ENTRY_POINT,
        hash=OPERATION.hash(ENTRY_POINT, 1),
        message=MESSAGE,
        owner=OWNER.address,
        passkey=passkey,
    )
    return from_record(CHAIN, to_record(found))


def test_the_frame_is_told_which_passkey_signs() -> None:
    assert params_of(prepared())[2:] == [{"passkey": PASSKEY.signer.address}]


@pytest.mark.parametrize("high", [False, True])
def test_what_the_passkey_has_signed_is_handed_in(high: bool) -> None:
    """The contract takes both values of s, and the nonce lets an operation count once."""
    signed = PASSKEY.sign(MESSAGE.digest, high=high)
    assert read_signed_operation(prepared(), {"signature": "0x" + signed.hex()}).signature == signed


@pytest.mark.parametrize(
    "signed",
    [
        lambda: OTHER.sign(MESSAGE.digest),
        lambda: PASSKEY.signed(OTHER.assertion(MESSAGE.digest)),
        lambda: PASSKEY.sign(bytes(32)),
        lambda: PASSKEY.sign(MESSAGE.digest, flags=PRESENT),
        lambda: PASSKEY.sign(MESSAGE.digest) + b"\0",
        lambda: PASSKEY.signed(PASSKEY.assertion(MESSAGE.digest)._replace(authenticator_data=b"")),
        lambda: bytes(12),
        lambda: bytes(12) + sign_digest(MESSAGE.digest, OWNER),
    ],
    ids=[
        "another passkey",
        "another key",
        "another operation",
        "unverified",
        "longer",
        "no data",
        "nothing",
        "the key",
    ],
)
def test_nothing_else_is_handed_in(signed: Callable[[], bytes]) -> None:
    with pytest.raises(WrongSignatureError):
        read_signed_operation(prepared(), {"signature": "0x" + signed().hex()})


def test_a_key_that_is_no_point_of_the_curve_has_signed_nothing() -> None:
    nowhere = PasskeySigner(PASSKEY.signer.x, PASSKEY.signer.x)
    signed = bytes(12) + nowhere.sign(PASSKEY.assertion(MESSAGE.digest))
    with pytest.raises(WrongSignatureError):
        read_signed_operation(prepared(nowhere), {"signature": "0x" + signed.hex()})
