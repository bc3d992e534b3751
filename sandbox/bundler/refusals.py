"""What bundler and paymaster refuse, in the codes of ERC-7769."""

from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError
from eth_utils.crypto import keccak

from walletmodal.core.errors.operations import (
    OUT_OF_TIME,
    PAYMASTER_DEPOSIT_TOO_LOW,
    REJECTED_BY_PAYMASTER,
    REJECTED_OPERATION,
    WRONG_SIGNATURE,
)

_CODES: Final = {
    "AA22": OUT_OF_TIME,
    "AA24": WRONG_SIGNATURE,
    "AA31": PAYMASTER_DEPOSIT_TOO_LOW,
    "AA32": OUT_OF_TIME,
    "AA34": WRONG_SIGNATURE,
}
_FAILED, _FAILED_WITH_REVERT, _ERROR = (
    keccak(text=signature)[:4]
    for signature in ("FailedOp(uint256,string)", "FailedOpWithRevert(uint256,string,bytes)", "Error(string)")
)
_SHOWN: Final = 500
"""Characters of a contract's words that are passed on."""


class OperationRefusedError(Exception):
    """A request that is not granted.

    Args:
        code: as JSON-RPC has it.
        message: why.
        data: what a contract gave back, where that is the reason.
    """

    def __init__(self, code: int, message: str, data: bytes = b"") -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def entry_point_refusal(output: bytes) -> OperationRefusedError:
    """Reads why an entry point reverted: `FailedOp`, `FailedOpWithRevert`, or something else."""
    try:
        if output[:4] == _FAILED:
            _, text = decode(["uint256", "string"], output[4:])
            return OperationRefusedError(_code(text), text[:_SHOWN])
        if output[:4] == _FAILED_WITH_REVERT:
            _, text, inner = decode(["uint256", "string", "bytes"], output[4:])
            return OperationRefusedError(_code(text), f"{text[:_SHOWN]}: {revert_reason(inner)}", inner)
    except (DecodingError, UnicodeDecodeError, OverflowError):
        pass
    return OperationRefusedError(REJECTED_OPERATION, revert_reason(output), output)


def revert_reason(output: bytes) -> str:
    """The text of a revert with `Error(string)`; its bytes, hexadecimal, for any other."""
    if output[:4] == _ERROR:
        try:
            return str(decode(["string"], output[4:])[0])[:_SHOWN]
        except (DecodingError, UnicodeDecodeError, OverflowError):
            pass
    return f"0x{output.hex()}"[:_SHOWN]


def _code(text: str) -> int:
    by_family = REJECTED_BY_PAYMASTER if text.startswith("AA3") else REJECTED_OPERATION
    return _CODES.get(text[:4], by_family)
