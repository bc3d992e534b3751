"""Contract calls that an account makes one after the other: simulated together, and each as its wallet is asked for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import TransportError
from walletmodal.core.errors.nodes import ExecutionRevertedError, NodeError
from walletmodal.core.language import _
from walletmodal.core.swaps.calls import ContractCall
from walletmodal.core.swaps.verdict import BatchRun, Grant
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.transfers.simulation import MAX_REASON, Asset
from walletmodal.services.chains.adapter import PreparedTransfer, TransportOf
from walletmodal.services.chains.eip155.answers import read_quantity
from walletmodal.services.chains.eip155.contract_call import call_contract
from walletmodal.services.chains.eip155.movements import MAX_LOGS, changes, movements
from walletmodal.services.chains.eip155.simulated_calls import (
    NATIVE_BALANCES,
    SimulatedCalls,
    balance_question,
    failure_of,
    nonsense,
    simulate_calls,
)
from walletmodal.services.chains.eip155.tokens import Erc20Tokens
from walletmodal.services.chains.lazily import lazily

if TYPE_CHECKING:
    from walletmodal.services.chains.eip155.transfers import EvmTransfers

MAX_TOKENS: Final = 16
_WORD: Final = re.compile(r"0x[0-9a-f]{64}")
_ALLOWANCE: Final = "0xdd62ed3e"
_APPROVAL: Final = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"
_APPROVAL_FOR_ALL: Final = "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31"


class EvmAccountCalls:
    """Calls of accounts, on any EVM network.

    Args:
        transport: gives the way to a network's nodes, such as `RpcEndpoints.transport`.
    """

    def __init__(self, transport: TransportOf) -> None:
        self._transport = transport

    async def allowance(self, chain: ChainId, token: str, owner: str, spender: str) -> int:
        """Returns how many base units of a token a spender may take, as the token itself says; 0 where it does not say.

        Raises:
            TransportError: the node cannot be asked.
        """
        words = "".join(party[2:].lower().rjust(64, "0") for party in (owner, spender))
        answer = await call_contract(self._transport(chain), chain, token, _ALLOWANCE + words)
        return int.from_bytes(answer[:32], "big") if len(answer) >= 32 else 0

    async def decimals(self, chain: ChainId, token: str) -> int:
        """Returns the decimals that a token's contract says.

        Raises:
            NetworkError: it is no token.
            TransportError: the node cannot be asked.
        """
        return await Erc20Tokens(self._transport(chain), chain).decimals(token)

    async def gas_price(self, chain: ChainId) -> int:
        """Returns the most that a unit of gas costs, in wei. Raises TransportError."""
        return await (await self._transfers(chain)).gas_price(chain)

    async def build(
        self, chain: ChainId, sender: str, call: ContractCall, *, sponsored: bool = False
    ) -> PreparedTransfer:
        """`eth_sendTransaction` of a call, with gas, fees and nonce; what is `sponsored` may cost more gas than the account can pay.

        Raises:
            NodeError: the node says that it would fail.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        return await (await self._transfers(chain)).build_call(chain, call.request(sender), sponsored=sponsored)

    async def simulate(
        self, chain: ChainId, account: str, calls: Sequence[ContractCall], tokens: Iterable[str | None]
    ) -> BatchRun:
        """Runs calls of an account without sending them.

        Args:
            chain: the network.
            account: who calls, in its normal spelling.
            calls: in their order.
            tokens: contracts whose balances count in any case, None for the native coin; those that logs name are added.

        Raises:
            MalformedResponseError: the node's answer cannot be understood.
            TransportError: the node cannot be asked, or refuses to simulate them.
        """
        asked: list[str | None] = list(dict.fromkeys([None, *tokens]))
        run = await self._run(chain, account, calls, asked)
        failed = _failed(run, chain)
        if failed is not None:
            return failed
        others = [token for token, _ in _moved(run, account, chain) if token not in asked]
        if others:
            asked = [*asked, *dict.fromkeys(others)][:MAX_TOKENS]
            run = await self._run(chain, account, calls, asked)
            if (failed := _failed(run, chain)) is not None:
                return failed
        told = dict(_moved(run, account, chain))
        collections = {token for token, number in told if number is not None}
        for token, before, after in zip(asked, run.before, run.after, strict=True):
            # What an account has counts for more than what contracts tell of it; a collection only counts its NFTs.
            if before is not None and after is not None and token not in collections:
                told[token, None] = after - before
        return BatchRun(
            "done",
            changes={asset: change for asset, change in told.items() if change},
            grants=_grants(run, account),
            gas=tuple(read_quantity(one.get("gasUsed"), "eth_simulateV1", chain) for one in run.outcomes),
        )

    async def can_simulate(self, chain: ChainId) -> bool:
        """Whether the network's node simulates calls at all, whatever they do."""
        try:
            await simulate_calls(self._transport(chain), chain, (), [balance_question(None, NATIVE_BALANCES)])
        except TransportError:
            return False
        return True

    async def _run(
        self, chain: ChainId, account: str, calls: Sequence[ContractCall], tokens: Sequence[str | None]
    ) -> SimulatedCalls:
        questions = [balance_question(token, account) for token in tokens]
        requests = [call.request(account) for call in calls]
        return await simulate_calls(self._transport(chain), chain, requests, questions)

    async def _transfers(self, chain: ChainId) -> EvmTransfers:
        opened: type[EvmTransfers] = await lazily("walletmodal.services.chains.eip155.transfers", "EvmTransfers")
        return opened(self._transport(chain))


def _failed(run: SimulatedCalls, chain: ChainId) -> BatchRun | None:
    """The run up to the first call that failed; None where all went through."""
    for place, outcome in enumerate(run.outcomes):
        failure = failure_of(outcome, chain)
        if failure is not None:
            return BatchRun("failed", failure=failure_text(failure), failed_call=place)
    return None


def failure_text(failure: NodeError) -> str:
    """Says why a contract's call would fail, for the visitor."""
    if not isinstance(failure, ExecutionRevertedError):
        return failure.short_message
    reason = clean_text(failure.reason, limit=MAX_REASON).rstrip(".")
    return (
        _("The contract refuses it: {reason}.", reason=reason)
        if reason
        else _("The contract refuses it without a reason.")
    )


def _logs(run: SimulatedCalls, chain: ChainId) -> list[object]:
    found: list[object] = []
    for outcome in run.outcomes:
        logs = outcome.get("logs")
        if not isinstance(logs, list) or len(found) + len(logs) > MAX_LOGS:
            raise nonsense(chain, "no logs, or too many")
        found += logs
    return found


def _moved(run: SimulatedCalls, account: str, chain: ChainId) -> Mapping[Asset, int]:
    return changes(movements(_logs(run, chain)), account)


def _grants(run: SimulatedCalls, account: str) -> tuple[Grant, ...]:
    """What logs tell that the account lets others take; those that cannot be read are none of a token that wallets know."""
    found: list[Grant] = []
    for outcome in run.outcomes:
        logs = outcome.get("logs")
        for log in logs if isinstance(logs, list) else []:
            grant = _grant(log, account) if isinstance(log, Mapping) else None
            if grant is not None:
                found.append(grant)
    return tuple(found)


def _grant(log: Mapping[str, object], account: str) -> Grant | None:
    topics, contract, data = log.get("topics"), str(log.get("address")).lower(), str(log.get("data"))
    words = [str(topic).lower() for topic in topics] if isinstance(topics, list) else []
    if len(words) not in (3, 4) or not all(map(_WORD.fullmatch, words)) or not is_address("eip155", contract):
        return None
    if words[1][-40:] != account[2:].lower():
        return None
    token, spender = normal_address("eip155", contract), normal_address("eip155", "0x" + words[2][-40:])
    amount = int(data, 16) if _WORD.fullmatch(data.lower()) else 0
    if words[0] == _APPROVAL_FOR_ALL:
        return Grant(token, spender, None if amount else 0)
    if words[0] != _APPROVAL:
        return None
    # With a fourth topic it is one NFT; the address of zero takes an approval back.
    return Grant(token, spender, amount if len(words) == 3 else (1 if int(words[2], 16) else 0))
