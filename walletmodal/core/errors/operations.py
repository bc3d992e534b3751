"""Why a user operation is refused, by the codes of bundlers (ERC-7769) and of the entry point, in words for the visitor."""

import re
from typing import ClassVar, Final

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import INVALID_PARAMS, UNSUPPORTED_METHOD
from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text

REJECTED_OPERATION: Final = -32500
REJECTED_BY_PAYMASTER: Final = -32501
FORBIDDEN_OPCODE: Final = -32502
OUT_OF_TIME: Final = -32503
THROTTLED: Final = -32504
STAKE_TOO_LOW: Final = -32505
WRONG_SIGNATURE: Final = -32507
PAYMASTER_DEPOSIT_TOO_LOW: Final = -32508
CALL_REVERTED: Final = -32521
"""The code is that of bundlers in use; ERC-7769 has none."""
OPERATION_CODES: Final = frozenset(
    [*range(PAYMASTER_DEPOSIT_TOO_LOW, REJECTED_OPERATION + 1), CALL_REVERTED, INVALID_PARAMS]
)
"""Errors with these codes are about the operation, and not about the way to the bundler."""

_MAX_REASON: Final = 200
_ENTRY_POINT_CODE: Final = re.compile(r"\bAA[0-9]{2}\b")
_BYTES: Final = re.compile(r"0x[0-9a-fA-F]*")


class OperationError(WalletModalError):
    """A user operation is refused, or something about it is not as it was agreed.

    Args:
        details: what the other side said, untrusted.
    """

    name = "OperationError"
    default_code = REJECTED_OPERATION
    text: ClassVar[str] = _("The network's service for smart accounts refuses this.")

    def __init__(self, details: str = "") -> None:
        super().__init__(self.text, details=details)


class AccountRejectedError(OperationError):
    """The account's own code refuses it, or cannot be made."""

    name = "AccountRejectedError"
    text = _("Your smart account refuses this. It may have been changed elsewhere.")


class OperationFundsError(OperationError):
    """The account cannot pay for it."""

    name = "OperationFundsError"
    text = _("Your smart account does not have enough of the network's coin to pay the fee.")


class TokenFundsError(OperationError):
    """The account has less of a token than the fee may take."""

    name = "TokenFundsError"
    text = _("You do not have enough of this token for the fee.")


class OperationNonceError(OperationError):
    """Another operation has the same place."""

    name = "OperationNonceError"
    text = _("Something else was sent from this account meanwhile. Check your activity, then try again.")


class OperationGasError(OperationError):
    """The gas that it has does not suffice, or is more than is taken."""

    name = "OperationGasError"
    text = _("The fee that was worked out does not suffice. Try again.")


class PaymasterRefusedError(OperationError):
    """The paymaster refuses it."""

    name = "PaymasterRefusedError"
    default_code = REJECTED_BY_PAYMASTER
    text = _("The service that would pay the fee refuses this. You can pay the fee yourself.")


class PaymasterDepositError(PaymasterRefusedError):
    """The paymaster's own money is used up."""

    name = "PaymasterDepositError"
    default_code = PAYMASTER_DEPOSIT_TOO_LOW
    text = _("The service that would pay the fee has no money left. You can pay the fee yourself.")


class ForbiddenOpcodeError(OperationError):
    """Its checks do what bundlers do not let them do."""

    name = "ForbiddenOpcodeError"
    default_code = FORBIDDEN_OPCODE
    text = _("The account does something that the network's service for smart accounts does not allow.")


class OperationExpiredError(OperationError):
    """It counts no longer, or not yet."""

    name = "OperationExpiredError"
    default_code = OUT_OF_TIME
    text = _("It took too long, and this no longer counts. Try again.")


class OperationThrottledError(OperationError):
    """The bundler takes no more of this account, factory or paymaster for the moment."""

    name = "OperationThrottledError"
    default_code = THROTTLED
    text = _("The network's service for smart accounts takes no more for the moment. Try again later.")


class OperationStakeError(OperationError):
    """Account, factory or paymaster has too little at stake for the bundler."""

    name = "OperationStakeError"
    default_code = STAKE_TOO_LOW
    text = _("The network's service for smart accounts does not take this kind of account.")


class OperationSignatureError(OperationError):
    """The account or the paymaster does not take its signature."""

    name = "OperationSignatureError"
    default_code = WRONG_SIGNATURE
    text = _("The signature was not accepted. Nothing was sent.")


class OperationRevertedError(OperationError):
    """What the account is to do would fail. `reason`: the contract's own words, untrusted, or ""."""

    name = "OperationRevertedError"
    default_code = CALL_REVERTED
    text = _("This would fail on the network: a contract refuses it.")

    def __init__(self, details: str = "") -> None:
        super().__init__(details)
        # Bytes say nothing to anybody who reads them.
        self.reason = clean_text(_BYTES.sub("", details), limit=_MAX_REASON)


class OperationFieldsError(OperationError):
    """A field is missing, has the wrong form, or is below what the bundler takes."""

    name = "OperationFieldsError"
    default_code = INVALID_PARAMS
    text = _("The network's service for smart accounts does not take this as it is. Try again.")


class SmartAccountUnavailableError(WalletModalError):
    """The network has no service for smart accounts, or not their contracts. `details`: its CAIP-2 id."""

    name = "SmartAccountUnavailableError"
    default_code = UNSUPPORTED_METHOD

    def __init__(self, details: str = "") -> None:
        super().__init__(
            _("Your smart account cannot be used on this network. Switch to your EOA, or to another network."),
            details=details,
        )


class ContractCreationError(WalletModalError):
    """A smart account is asked to make a contract."""

    name = "ContractCreationError"
    default_code = UNSUPPORTED_METHOD

    def __init__(self, details: str = "") -> None:
        super().__init__(_("A smart account cannot make a contract this way."), details=details)


class OperationHashError(OperationError):
    """A bundler answers with the hash of another operation than the one that it was given."""

    name = "OperationHashError"
    text = _(
        "The network's service for smart accounts answered with something else than what was sent. Check your activity before you try again."
    )


class PaymasterTermsError(OperationError):
    """A paymaster wants other terms than those that were shown, or more than anyone should agree to."""

    name = "PaymasterTermsError"
    default_code = REJECTED_BY_PAYMASTER
    text = _("The service that would pay the fee changed its terms. Nothing was sent.")


class SponsorshipError(OperationError):
    """The operator does not pay for this. `reason`: for the visitor."""

    name = "SponsorshipError"
    default_code = REJECTED_BY_PAYMASTER
    text = _("The fee is not paid for you here. You can pay it yourself.")

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = clean_text(reason, limit=_MAX_REASON)


_BY_CODE: Final[dict[int, type[OperationError]]] = {
    one.default_code: one
    for one in (
        PaymasterRefusedError,
        PaymasterDepositError,
        ForbiddenOpcodeError,
        OperationExpiredError,
        OperationThrottledError,
        OperationStakeError,
        OperationSignatureError,
        OperationRevertedError,
        OperationFieldsError,
    )
}
_BY_ENTRY_POINT: Final[dict[str, type[OperationError]]] = {
    # The account was made meanwhile.
    "AA10": OperationNonceError,
    "AA21": OperationFundsError,
    "AA22": OperationExpiredError,
    "AA24": OperationSignatureError,
    "AA25": OperationNonceError,
    "AA26": OperationGasError,
    "AA31": PaymasterDepositError,
    "AA32": OperationExpiredError,
    "AA34": OperationSignatureError,
    "AA36": OperationGasError,
    "AA40": OperationGasError,
    "AA41": OperationGasError,
    "AA50": PaymasterRefusedError,
    "AA51": OperationGasError,
    "AA95": OperationGasError,
}
"""The entry point's own codes, which say more than the bundler's."""
_BY_FAMILY: Final[dict[str, type[OperationError]]] = {
    "AA1": AccountRejectedError,
    "AA2": AccountRejectedError,
    "AA3": PaymasterRefusedError,
}


def operation_error(code: int, details: str) -> OperationError:
    """Returns the refusal that a bundler's or paymaster's error means.

    Args:
        code: of the JSON-RPC error.
        details: its message, untrusted.
    """
    found = _ENTRY_POINT_CODE.search(details)
    told = found.group() if found else ""
    kind = _BY_ENTRY_POINT.get(told) or _BY_FAMILY.get(told[:3]) or _BY_CODE.get(code, OperationError)
    return kind(details)
