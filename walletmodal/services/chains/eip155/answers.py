"""Checked answers of nodes: quantities, bytes, and whether a refusal is the contract's or the node's."""

import re
from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.core.errors.nodes import ExecutionRevertedError, classify_node_error

MAX_ANSWER: Final = 65_536
"""Bytes of a contract's answer that are looked at."""

_QUANTITY: Final = re.compile(r"0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})")
_DATA: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})*")
_HALTED: Final = re.compile(
    r"out\s?of\s?gas|gas required exceeds allowance|gas exhausted|EVM error|(invalid|bad)\s?(FE)?\s?(opcode|instruction|jump)"
    r"|stack\s?(under|over)flow",
    re.IGNORECASE,
)


def read_quantity(result: object, method: str, chain: ChainId) -> int:
    """A hexadecimal quantity.

    Raises:
        MalformedResponseError: it is none.
    """
    if not isinstance(result, str) or not _QUANTITY.fullmatch(result):
        raise MalformedResponseError(url=str(chain), details=f"{method} answered with no quantity")
    return int(result, 16)


def read_data(result: object, method: str, chain: ChainId) -> bytes:
    """Hexadecimal bytes.

    Raises:
        MalformedResponseError: they are none, or more than anybody needs.
    """
    if not isinstance(result, str) or is_too_long(result) or not _DATA.fullmatch(result):
        raise MalformedResponseError(url=str(chain), details=f"{method} answered with no bytes")
    return bytes.fromhex(result[2:])


def is_too_long(result: object) -> bool:
    """Whether a contract answered with more than anybody needs."""
    return isinstance(result, str) and len(result) > 2 * MAX_ANSWER + 2


def is_revert(error: RpcRequestError) -> bool:
    """Whether the contract refused the call, rather than the node."""
    return isinstance(classify_node_error(error.details, code=error.code), ExecutionRevertedError)


def is_halt(error: RpcRequestError) -> bool:
    """Whether the contract's code broke off: it used up all gas that the call may use, or did what no code may. Nodes have only words for it."""
    return _HALTED.search(error.details) is not None
