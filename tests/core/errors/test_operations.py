"""Why user operations are refused: by the bundler's code, and by the entry point's own, which says more."""

import pytest

from walletmodal.core.errors.operations import (
    AccountRejectedError,
    ForbiddenOpcodeError,
    OperationError,
    OperationExpiredError,
    OperationFieldsError,
    OperationFundsError,
    OperationGasError,
    OperationNonceError,
    OperationRevertedError,
    OperationSignatureError,
    OperationStakeError,
    OperationThrottledError,
    PaymasterDepositError,
    PaymasterRefusedError,
    operation_error,
)


@pytest.mark.parametrize(
    ("code", "details", "kind"),
    [
        (-32500, "no reason", OperationError),
        (-32500, "AA21 didn't pay prefund", OperationFundsError),
        (
            -32500,
            "UserOperation reverted during simulation with reason: AA25 invalid account nonce",
            OperationNonceError,
        ),
        (-32500, "AA10 sender already constructed", OperationNonceError),
        (-32500, "AA13 initCode failed or OOG", AccountRejectedError),
        (-32500, "AA23 reverted: 0x", AccountRejectedError),
        (-32500, "AA26 over verificationGasLimit", OperationGasError),
        (-32501, "AA33 reverted", PaymasterRefusedError),
        (-32501, "AA31 paymaster deposit too low", PaymasterDepositError),
        (-32501, "not today", PaymasterRefusedError),
        (-32502, "uses GASPRICE", ForbiddenOpcodeError),
        (-32503, "expires shortly", OperationExpiredError),
        (-32500, "AA22 expired or not due", OperationExpiredError),
        (-32504, "throttled", OperationThrottledError),
        (-32505, "unstaked", OperationStakeError),
        (-32507, "AA24 signature error", OperationSignatureError),
        (-32507, "wrong", OperationSignatureError),
        (-32508, "deposit", PaymasterDepositError),
        (-32521, "execution reverted", OperationRevertedError),
        (-32602, "nonce", OperationFieldsError),
        (-32599, "of tomorrow", OperationError),
        (-32500, "BAA21X", OperationError),
    ],
)
def test_a_refusal_has_its_own_words(code: int, details: str, kind: type[OperationError]) -> None:
    found = operation_error(code, details)
    assert (type(found), found.details) == (kind, details)


def test_what_a_stranger_says_is_no_word_of_ours() -> None:
    assert "free money" not in operation_error(-32500, "free money at evil.example").short_message


def test_of_a_revert_the_contracts_words_are_kept_without_bytes() -> None:
    assert OperationRevertedError("no balance 0x08c379a0").reason == "no balance"
