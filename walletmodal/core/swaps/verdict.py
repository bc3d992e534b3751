"""Verdict on a swap: whether its simulation shows what the visitor was promised, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from walletmodal.core.language import _
from walletmodal.core.transfers.simulation import Asset

RunStatus = Literal["done", "failed", "not_simulated"]

LESS: Final = _("It would bring less than the least that was promised.")
NOTHING: Final = _("It would bring nothing of the token that was chosen.")
MORE_TAKEN: Final = _("It would take more than the amount.")
OTHER_TAKEN: Final = _("It would also take something else from the account.")
OTHER_SPENDER: Final = _("It would let another contract take tokens of the account.")
OTHER_CONTRACT: Final = _("The approval is for another contract than the one that swaps.")
OTHER_APPROVAL: Final = _("The approval is not of exactly the amount.")
WOULD_FAIL: Final = _("It would fail on the network.")
NOT_FINISHED: Final = _("The network could not finish a trial run of it.")


@dataclass(frozen=True, slots=True)
class Grant:
    """An approval that a transaction gave: of a token to a spender; `amount` None for a whole collection."""

    token: str
    spender: str
    amount: int | None


@dataclass(frozen=True, slots=True)
class BatchRun:
    """What calls of an account did one after the other, run by a node without sending them.

    Attributes:
        status: not_simulated where no node runs any calls.
        failure: why the first that failed did, in words for the visitor.
        failed_call: its place; -1 where none failed.
        changes: by how much balances of the account differ after the calls, fees left out; addresses in their normal spelling.
        grants: what the account has let others take, in all calls.
        gas: what each call used.
    """

    status: RunStatus
    failure: str = ""
    failed_call: int = -1
    changes: Mapping[Asset, int] = field(default_factory=dict)
    grants: tuple[Grant, ...] = ()
    gas: tuple[int, ...] = ()


NOT_RUN: Final = BatchRun("not_simulated")


@dataclass(frozen=True, slots=True)
class Promise:
    """What a swap was quoted to do. Contracts in their normal spelling; None stands for the native coin.

    Attributes:
        source: what is given, and `amount` of it, in base units.
        target: what is received, and `least` of it.
        contract: the one that swaps, and may take the source token.
    """

    source: str | None
    amount: int
    target: str | None
    least: int
    contract: str


def swap_fault(run: BatchRun, promise: Promise) -> str:
    """Says what speaks against a swap by its simulation, in words for the visitor; "" where it does what was promised.

    A swap that could not be simulated has no fault that is known: that must be told beside it.
    """
    if run.status != "done":
        return (run.failure or WOULD_FAIL) if run.status == "failed" else ""
    changes, given = run.changes, (promise.source, None)
    received = changes.get((promise.target, None), 0)
    faults = (
        (-changes.get(given, 0) > promise.amount, MORE_TAKEN),
        (any(change < 0 for asset, change in changes.items() if asset != given), OTHER_TAKEN),
        (not all(_is_own_grant(grant, promise) for grant in run.grants), OTHER_SPENDER),
        (received <= 0, NOTHING),
        (received < promise.least, LESS),
    )
    return next((text for is_one, text in faults if is_one), "")


def received_by(run: BatchRun, target: str | None) -> int | None:
    """Returns how many base units of the target a simulation brings; None where none ran through."""
    return run.changes.get((target, None), 0) if run.status == "done" else None


def _is_own_grant(grant: Grant, promise: Promise) -> bool:
    # Some tokens tell with each transfer what is left of an approval, which may be an older one of any size.
    return grant.amount == 0 or (grant.token, grant.spender) == (promise.source, promise.contract)
