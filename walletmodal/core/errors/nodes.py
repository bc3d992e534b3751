"""Why a node refuses a transaction, read from its own words."""

from dataclasses import dataclass
from typing import ClassVar, Final

from walletmodal.core.errors import RpcRequestError, WalletModalError
from walletmodal.core.errors.rpc import RpcError
from walletmodal.core.language import _, with_values
from walletmodal.core.text.amounts import format_units

_REVERTED: Final = 3
NODE_ERROR_CODES: Final = frozenset({_REVERTED, -32000, -32003})
"""Only errors with these codes are read for the node's reason."""
_GWEI_DECIMALS: Final = 9


@dataclass(frozen=True, slots=True)
class TransactionFigures:
    """The figures of a transaction that an error's text may name; None where the wallet or node chose.

    Attributes:
        nonce: of the account.
        gas: limit, in units of gas.
        max_fee_per_gas, max_priority_fee_per_gas: in wei.
    """

    nonce: int | None = None
    gas: int | None = None
    max_fee_per_gas: int | None = None
    max_priority_fee_per_gas: int | None = None


_NO_FIGURES: Final = TransactionFigures()


class NodeError(WalletModalError):
    """A node's refusal.

    Args:
        figures: those of the transaction, for the text.
        details: what the node said, untrusted.

    Attributes:
        patterns: any of these in the lower-cased details means this class.
        text: the short message; `{nonce}`, `{gas}`, `{fee_cap}` and `{tip}` are given figures, or nothing.
    """

    name = "NodeError"
    default_code = -32003
    patterns: ClassVar[tuple[str, ...]] = ()
    text: ClassVar[str] = ""
    lines: ClassVar[tuple[str, ...]] = ()

    def __init__(self, figures: TransactionFigures = _NO_FIGURES, *, details: str = "") -> None:
        named = with_values(
            self.text,
            nonce="" if figures.nonce is None else f" ({figures.nonce})",
            gas="" if figures.gas is None else f" ({figures.gas})",
            fee_cap=_fee("maxFeePerGas", figures.max_fee_per_gas),
            tip=_fee("maxPriorityFeePerGas", figures.max_priority_fee_per_gas),
        )
        super().__init__(named, details=details, meta=self.lines)


def _fee(field: str, wei: int | None) -> str:
    return "" if wei is None else f" (`{field}` = {format_units(wei, _GWEI_DECIMALS)} gwei)"


class ExecutionRevertedError(NodeError):
    """The contract refused. `reason` is its own text, untrusted, or ""."""

    name, default_code = "ExecutionRevertedError", _REVERTED
    patterns = ("execution reverted",)

    def __init__(self, figures: TransactionFigures = _NO_FIGURES, *, details: str = "") -> None:
        super().__init__(figures, details=details)
        self.reason = details.replace("execution reverted: ", "", 1).replace("execution reverted", "", 1).strip()
        self.short_message = (
            _("Execution reverted with reason: {reason}.", reason=self.reason)
            if self.reason
            else _("Execution reverted for an unknown reason.")
        )
        self.args = (self.short_message,)


class FeeCapTooHighError(NodeError):
    """No fee can be that high."""

    name = "FeeCapTooHighError"
    patterns = ("max fee per gas higher than 2^256-1", "fee cap higher than 2^256-1")
    text = _("The fee cap{fee_cap} cannot be higher than the maximum allowed value (2^256-1).")


class FeeCapTooLowError(NodeError):
    """The block's base fee is higher than what the sender would pay."""

    name = "FeeCapTooLowError"
    patterns = (
        "max fee per gas less than block base fee",
        "fee cap less than block base fee",
        "transaction is outdated",
    )
    text = _("The fee cap{fee_cap} cannot be lower than the block base fee.")


class NonceTooHighError(NodeError):
    """Earlier transactions of the account are missing."""

    name = "NonceTooHighError"
    patterns = ("nonce too high",)
    text = _("Nonce provided for the transaction{nonce} is higher than the next one expected.")


class NonceTooLowError(NodeError):
    """The nonce was used, or the very transaction is known already."""

    name = "NonceTooLowError"
    patterns = ("nonce too low", "transaction already imported", "already known")
    text = _(
        "Nonce provided for the transaction{nonce} is lower than the current nonce of the account.\n"
        "Try increasing the nonce or find the latest nonce with `getTransactionCount`."
    )


class NonceMaxValueError(NodeError):
    """The account can send no more."""

    name = "NonceMaxValueError"
    patterns = ("nonce has max value",)
    text = _("Nonce provided for the transaction{nonce} exceeds the maximum allowed nonce.")


class InsufficientFundsError(NodeError):
    """The account cannot pay."""

    name = "InsufficientFundsError"
    patterns = ("insufficient funds", "exceeds transaction sender account balance")
    text = _("The total cost (gas * gas fee + value) of executing this transaction exceeds the balance of the account.")
    lines = (
        "The account needs as much of the native coin as all of these together:",
        " - the amount that is sent (`value`)",
        " - the gas limit times the highest fee per gas that the transaction allows (`gas` * `maxFeePerGas`)",
        "The node asks for the whole limit beforehand, even though a part of it comes back afterwards.",
        "Possible ways out:",
        " - send less, or add funds to the account",
        " - set a lower gas limit or fee",
    )


class IntrinsicGasTooHighError(NodeError):
    """More gas than a block has."""

    name = "IntrinsicGasTooHighError"
    patterns = ("intrinsic gas too high", "gas limit reached")
    text = _("The amount of gas{gas} provided for the transaction exceeds the limit allowed for the block.")


class IntrinsicGasTooLowError(NodeError):
    """Less gas than the transaction's bytes alone cost."""

    name = "IntrinsicGasTooLowError"
    patterns = ("intrinsic gas too low",)
    text = _("The amount of gas{gas} provided for the transaction is too low.")


class TransactionTypeNotSupportedError(NodeError):
    """The chain does not know the type of transaction."""

    name = "TransactionTypeNotSupportedError"
    patterns = ("transaction type not valid",)
    text = _("The transaction type is not supported for this chain.")


class TipAboveFeeCapError(NodeError):
    """The tip alone is more than the sender would pay at all."""

    name = "TipAboveFeeCapError"
    patterns = ("max priority fee per gas higher than max fee per gas", "tip higher than fee cap")
    text = _("The provided tip{tip} cannot be higher than the fee cap{fee_cap}.")


class UnknownNodeError(NodeError):
    """A refusal in words that we do not know."""

    name = "UnknownNodeError"

    def __init__(self, cause: str, *, details: str = "") -> None:
        super().__init__(details=details)
        self.short_message = _("An error occurred while executing: {cause}", cause=cause)
        self.args = (self.short_message,)


_IN_ORDER: Final[tuple[type[NodeError], ...]] = (
    ExecutionRevertedError,
    FeeCapTooHighError,
    FeeCapTooLowError,
    NonceTooHighError,
    NonceTooLowError,
    NonceMaxValueError,
    InsufficientFundsError,
    IntrinsicGasTooHighError,
    IntrinsicGasTooLowError,
    TransactionTypeNotSupportedError,
    TipAboveFeeCapError,
)


def classify_node_error(
    details: str, *, code: int = -32000, short_message: str = "", figures: TransactionFigures = _NO_FIGURES
) -> NodeError:
    """The refusal that a node's words mean; the first hit in the order of `_IN_ORDER`.

    Args:
        details: the node's message.
        code: its code; 3 always means a revert.
        short_message: the first sentence of the error that carried it, for `UnknownNodeError`.
        figures: those of the transaction.
    """
    lowered = details.lower()
    for cls in _IN_ORDER:
        if (code == _REVERTED and cls is ExecutionRevertedError) or any(text in lowered for text in cls.patterns):
            return cls(figures, details=details)
    return UnknownNodeError(short_message or details, details=details)


def explain_node_error(error: WalletModalError, figures: TransactionFigures = _NO_FIGURES) -> WalletModalError:
    """The refusal behind a failed send, estimate or call; the error itself when it is not one of a node about a transaction."""
    if not isinstance(error, RpcError | RpcRequestError) or error.code not in NODE_ERROR_CODES:
        return error
    refusal = classify_node_error(error.details, code=error.code, short_message=error.short_message, figures=figures)
    refusal.__cause__ = error
    return refusal
