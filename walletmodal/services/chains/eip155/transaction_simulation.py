"""Simulation of EVM transactions by a node, on top of its latest block (`eth_simulateV1`).

Logs are what contracts say; balances before and after are what is so. A token's balances are asked in the same run, and where they
differ from its logs, they are believed.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, RpcRequestError, ShapeError
from walletmodal.core.errors.nodes import ExecutionRevertedError, NodeError, UnknownNodeError, classify_node_error
from walletmodal.core.transfers.simulation import NOT_SIMULATED, REFUSED, Asset, Simulation, failure_words, told
from walletmodal.services.chains.eip155.answers import read_data
from walletmodal.services.chains.eip155.movements import Movement, changes, movements
from walletmodal.services.chains.eip155.reverts import revert_reason
from walletmodal.services.chains.eip155.simulated_calls import (
    answer_of,
    balance_question,
    failure_of,
    nonsense,
    refusal_of,
    simulate_calls,
)
from walletmodal.services.rpc.transport import RpcTransport

MAX_TOKENS: Final = 16
"""Whose balances are asked; of further ones the logs are believed."""

_QUANTITY: Final = re.compile(r"0x[0-9a-fA-F]{1,64}")
_FIELDS: Final = ("to", "value", "data", "gas")
_TRANSFER: Final = "0xa9059cbb"


@dataclass(frozen=True, slots=True)
class _Run:
    """A run: the transaction's own outcome, and the balances of `asked` before and after it; None for what no token answered."""

    outcome: Mapping[str, object]
    before: Mapping[tuple[str, str], int | None]
    after: Mapping[tuple[str, str], int | None]


class TransactionSimulation:
    """Simulates the transactions of one network.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._transport, self._chain = transport, chain

    async def simulate(self, request: Mapping[str, object], sender: str, receiver: str) -> Simulation:
        """Simulates what a transaction does to two accounts.

        Args:
            request: the parameter of `eth_sendTransaction`.
            sender: the account that signs.
            receiver: who is to get something, or "" for the sender.

        Raises:
            AddressError: one of the addresses is none.
            MalformedResponseError: the node's answer cannot be understood.
            TransportError: the node cannot be asked.
        """
        account = normal_address("eip155", sender)
        other = normal_address("eip155", receiver) if receiver else account
        call = {"from": account, **{name: request[name] for name in _FIELDS if name in request}}
        parties = tuple(dict.fromkeys((account, other)))
        try:
            return await self._run_call(call, parties)
        except RpcRequestError as error:
            return await self._without(call, error)

    async def _run_call(self, call: Mapping[str, object], parties: Sequence[str]) -> Simulation:
        # A plain transfer of a token is run once: its token is known beforehand.
        guessed = [str(call["to"])] if str(call.get("data", "0x")) != "0x" and call.get("to") else []
        run = await self._run(call, parties, guessed)
        failure = self._failure(run.outcome, call)
        if failure:
            return Simulation(ran=True, failure=failure)
        moved = self._movements(run.outcome, call)
        unasked = _tokens(moved, parties) - {token.lower() for token in guessed}
        if unasked:
            run = await self._run(call, parties, [*guessed, *sorted(unasked)][:MAX_TOKENS])
            if self._failure(run.outcome, call):
                raise nonsense(self._chain, "another block has come in between")
            moved = self._movements(run.outcome, call)
        account, other = parties[0], parties[-1]
        return told(_corrected(changes(moved, account), account, run), _corrected(changes(moved, other), other, run))

    async def _run(self, call: Mapping[str, object], parties: Sequence[str], tokens: Sequence[str]) -> _Run:
        asked = [(token, party) for token in tokens for party in parties]
        questions = [balance_question(token, party) for token, party in asked]
        run = await simulate_calls(self._transport, self._chain, [call], questions)
        return _Run(
            run.outcomes[0],
            dict(zip(asked, run.before, strict=True)),
            dict(zip(asked, run.after, strict=True)),
        )

    def _movements(self, outcome: Mapping[str, object], call: Mapping[str, object]) -> list[Movement]:
        logs = outcome.get("logs")
        if not isinstance(logs, list):
            raise nonsense(self._chain, "no logs")
        try:
            moved = movements(logs)
        except ValueError as error:
            raise nonsense(self._chain, str(error)) from error
        own = _own_payment(call)
        # Not every node traces payments; that of the transaction itself is certain.
        return moved if own is None or own in moved else [own, *moved]

    def _failure(self, outcome: Mapping[str, object], call: Mapping[str, object]) -> str:
        """Why the transaction fails, or ""."""
        failed = failure_of(outcome, self._chain)
        if failed is not None:
            return failure_words(failed)
        answer = answer_of(outcome, self._chain)
        says_no = len(answer) == 32 and not any(answer) and str(call.get("data", "")).startswith(_TRANSFER)
        return REFUSED if says_no else ""

    async def _without(self, call: Mapping[str, object], refusal: RpcRequestError) -> Simulation:
        """What can be told by a node that does not simulate, or that says why no block would take the transaction."""
        known = refusal_of(refusal)
        if known is not None:
            return Simulation(ran=True, failure=failure_words(known))
        try:
            await self._transport.request("eth_call", [call, "latest"])
        except RpcRequestError as error:
            reason = classify_node_error(error.details, code=error.code)
            if not isinstance(reason, UnknownNodeError):
                return Simulation(ran=False, failure=_call_failure(reason, error, self._chain))
        return NOT_SIMULATED


def transaction_of(params: object) -> Mapping[str, object]:
    """The transaction of an `eth_sendTransaction`.

    Raises:
        ShapeError: there is none.
    """
    if (
        isinstance(params, Sequence)
        and not isinstance(params, str)
        and len(params) >= 1
        and isinstance(params[0], Mapping)
    ):
        return params[0]
    raise ShapeError("params: must be a list with a transaction")


def _own_payment(call: Mapping[str, object]) -> Movement | None:
    """Returns what a transaction itself pays of the native coin."""
    value, to = str(call.get("value", "0x0")), call.get("to")
    if not _QUANTITY.fullmatch(value) or not isinstance(to, str) or int(value, 16) == 0:
        return None
    return Movement((None, None), str(call["from"]).lower(), to.lower(), int(value, 16))


def _tokens(moved: Iterable[Movement], parties: Sequence[str]) -> set[str]:
    """The fungible tokens, in lower case, of which a party gets or loses some."""
    own = {party.lower() for party in parties}
    return {
        one.asset[0].lower()
        for one in moved
        if one.asset[0] is not None and one.asset[1] is None and own & {one.sender, one.receiver}
    }


def _corrected(changed: Mapping[Asset, int], party: str, run: _Run) -> Mapping[Asset, int]:
    """The changes of a party with those of its balances in the place of what logs say."""
    found = dict(changed)
    # A collection's balance only counts what its logs name.
    collections = {token.lower() for token, number in changed if token is not None and number is not None}
    for (token, owner), after in run.after.items():
        before = run.before[token, owner]
        if owner == party and before is not None and after is not None and token.lower() not in collections:
            found[normal_address("eip155", token.lower()), None] = after - before
    return found


def _reverted(reason: str) -> str:
    return failure_words(ExecutionRevertedError(details=f"execution reverted: {reason}" if reason else ""))


def _call_failure(reason: NodeError, error: RpcRequestError, chain: ChainId) -> str:
    if not isinstance(reason, ExecutionRevertedError):
        return failure_words(reason)
    try:
        told_by_bytes = revert_reason(read_data(error.data, "eth_call", chain))
    except MalformedResponseError:
        told_by_bytes = ""
    return _reverted(told_by_bytes) if told_by_bytes else failure_words(reason)
