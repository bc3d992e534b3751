"""Calls that a node runs one after the other on top of its latest block, with questions before and after them (`eth_simulateV1`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.core.errors.nodes import (
    NODE_ERROR_CODES,
    ExecutionRevertedError,
    NodeError,
    UnknownNodeError,
    classify_node_error,
)
from walletmodal.services.chains.eip155.answers import read_data
from walletmodal.services.chains.eip155.reverts import revert_reason
from walletmodal.services.rpc.transport import RpcTransport

METHOD: Final = "eth_simulateV1"
BALANCE_OF: Final = "0x70a08231"

# Codes of the method for a transaction that no block would take.
_CODES: Final = range(-38026, -38009)
_BALANCE_PROGRAM: Final = "0x6000353160005260206000f3"
"""Answers with the balance of the account whose address it is called with: CALLDATALOAD, BALANCE, MSTORE, RETURN."""
NATIVE_BALANCES: Final = "0x00000000000000000000000000000000ba1a0ce5"
"""Where that program stands while calls are simulated, so that the native coin is asked for as tokens are."""


@dataclass(frozen=True, slots=True)
class SimulatedCalls:
    """What came of a run.

    Attributes:
        outcomes: the node's, one for each call, unchecked.
        before, after: what was answered to each question before and after the calls, None for no number.
    """

    outcomes: tuple[Mapping[str, object], ...]
    before: tuple[int | None, ...]
    after: tuple[int | None, ...]


def balance_question(token: str | None, account: str) -> dict[str, str]:
    """Builds the question for an account's balance of a token, or of the native coin."""
    owner = account[2:].lower().rjust(64, "0")
    return {"to": token, "data": BALANCE_OF + owner} if token else {"to": NATIVE_BALANCES, "data": "0x" + owner}


async def simulate_calls(
    transport: RpcTransport, chain: ChainId, calls: Sequence[Mapping[str, object]], questions: Sequence[dict[str, str]]
) -> SimulatedCalls:
    """Has a node run calls, and asks the same before and after them. Fees are not taken.

    Raises:
        MalformedResponseError: the node's answer cannot be understood.
        TransportError: the node cannot be asked, or does not simulate.
    """
    block: dict[str, object] = {"calls": [*questions, *calls, *questions]}
    if any(question["to"] == NATIVE_BALANCES for question in questions):
        block["stateOverrides"] = {NATIVE_BALANCES: {"code": _BALANCE_PROGRAM}}
    result = await transport.request(METHOD, [{"blockStateCalls": [block], "traceTransfers": True}, "latest"])
    made = result[0] if isinstance(result, list) and len(result) == 1 else None
    told = made.get("calls") if isinstance(made, Mapping) else None
    if not isinstance(told, list) or len(told) != 2 * len(questions) + len(calls):
        raise nonsense(chain, "no block of these calls")
    outcomes = [one if isinstance(one, Mapping) else {} for one in told]
    asked = len(questions)
    return SimulatedCalls(
        tuple(outcomes[asked : asked + len(calls)]),
        tuple(_number(one, chain) for one in outcomes[:asked]),
        tuple(_number(one, chain) for one in outcomes[asked + len(calls) :]),
    )


def answer_of(outcome: Mapping[str, object], chain: ChainId) -> bytes:
    """Returns what a call answered.

    Raises:
        MalformedResponseError: no bytes.
    """
    told = outcome.get("returnData")
    return b"" if told in (None, "0x") else read_data(told, METHOD, chain)


def failure_of(outcome: Mapping[str, object], chain: ChainId) -> NodeError | None:
    """Returns why a call failed; None where it went through.

    Raises:
        MalformedResponseError: the outcome says neither.
    """
    if outcome.get("status") == "0x1":
        return None
    if outcome.get("status") != "0x0":
        raise nonsense(chain, "no outcome")
    error = outcome.get("error")
    words = str(error.get("message", "")) if isinstance(error, Mapping) else ""
    reason = revert_reason(answer_of(outcome, chain))
    known = classify_node_error(words)
    if reason or isinstance(known, UnknownNodeError):
        return ExecutionRevertedError(details=f"execution reverted: {reason}" if reason else "")
    return known


def refusal_of(error: RpcRequestError) -> NodeError | None:
    """Returns why no block would take the calls; None where the node says nothing of that, such as one that does not simulate."""
    known = classify_node_error(error.details, code=error.code)
    takes_none = error.code in NODE_ERROR_CODES or error.code in _CODES
    return known if takes_none and not isinstance(known, UnknownNodeError) else None


def nonsense(chain: ChainId, what: str) -> MalformedResponseError:
    """Makes the error of an answer that cannot be understood."""
    return MalformedResponseError(url=str(chain), details=f"{METHOD}: {what}")


def _number(outcome: Mapping[str, object], chain: ChainId) -> int | None:
    if outcome.get("status") != "0x1":
        return None
    try:
        answer = read_data(outcome.get("returnData"), METHOD, chain)
    except MalformedResponseError:
        return None
    return int.from_bytes(answer, "big") if len(answer) == 32 else None
