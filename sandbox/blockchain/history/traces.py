"""Native coin that contracts paid out inside a transaction: no event tells of it, only the trace of the calls does."""

from collections.abc import Iterable

from walletmodal.sandbox.blockchain.abi import hex_number
from walletmodal.sandbox.blockchain.chains import NATIVE
from walletmodal.sandbox.blockchain.history.facts import Movement


def internal_payments(trace: object) -> tuple[Movement, ...]:
    """The native payments in a transaction's trace (`trace_transaction`), without the transaction's own value."""
    if not isinstance(trace, list):
        return ()
    calls = [call for call in trace if isinstance(call, dict)]
    failed = [_place(call) for call in calls if call.get("error")]
    found: list[Movement] = []
    for call in calls:
        place = _place(call)
        if place and not _is_below(place, failed) and (payment := _payment(call)) is not None:
            found.append(payment)
    return tuple(found)


def _payment(call: dict[str, object]) -> Movement | None:
    action, result = call.get("action"), call.get("result")
    if not isinstance(action, dict):
        return None
    kind = call.get("type")
    if kind == "suicide":
        sender, recipient, amount = action.get("address"), action.get("refundAddress"), action.get("balance")
    elif kind == "create" and isinstance(result, dict):
        sender, recipient, amount = action.get("from"), result.get("address"), action.get("value")
    elif kind == "call" and action.get("callType") == "call":
        sender, recipient, amount = action.get("from"), action.get("to"), action.get("value")
    else:
        return None
    paid = hex_number(amount)
    if not paid or not isinstance(sender, str) or not isinstance(recipient, str):
        return None
    return Movement("native", NATIVE, sender.lower(), recipient.lower(), paid)


def _place(call: dict[str, object]) -> tuple[int, ...]:
    place = call.get("traceAddress")
    return tuple(step for step in place if isinstance(step, int)) if isinstance(place, list) else ()


def _is_below(place: tuple[int, ...], failed: Iterable[tuple[int, ...]]) -> bool:
    return any(place[: len(one)] == one for one in failed)
