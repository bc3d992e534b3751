"""What bundler and paymaster refuse, in the codes of ERC-7769."""

from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError
from eth_utils.crypto import keccak

INVALID_PARAMS: Final = -32602
"""A field is missing, has the wrong form, or is below what the bundler takes."""
REJECTED: Final = -32500
"""The entry point or the account refuses the operation."""
REJECTED_BY_PAYMASTER: Final = -32501
OUT_OF_TIME: Final = -32503
WRONG_SIGNATURE: Final = -32507
DEPOSIT_TOO_LOW: Final = -32508
CALL_REVERTED: Final = -32521
"""What the account is to do fails; the code is that of bundlers in use, ERC-7769 has none."""
INTERNAL_ERROR: Final = -32603

_CODES: Final = {
    "AA22": OUT_OF_TIME,
    "AA24": WRONG_SIGNATURE,
    "AA31": DEPOSIT_TOO_LOW,
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
    return OperationRefusedError(REJECTED, revert_reason(output), output)


def revert_reason(output: bytes) -> str:
    """The text of a revert with `Error(string)`; its bytes, hexadecimal, for any other."""
    if output[:4] == _ERROR:
        try:
            return str(decode(["string"], output[4:])[0])[:_SHOWN]
        except (DecodingError, UnicodeDecodeError, OverflowError):
            pass
    return f"0x{output.hex()}"[:_SHOWN]


def _code(text: str) -> int:
    by_family = REJECTED_BY_PAYMASTER if text.startswith("AA3") else REJECTED
    return _CODES.get(text[:4], by_family)
