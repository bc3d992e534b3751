"""Swaps of all visitors of a process: quotes, and transactions that a simulation has shown to do what was quoted."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from walletmodal.core.chains.addresses import is_native_token, normal_address
from walletmodal.core.chains.caip import AccountId, ChainId, parse_account_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.constants import SWAP_GAS_LIMIT
from walletmodal.core.errors import TransportError
from walletmodal.core.errors.rules import SwapError
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.language import _
from walletmodal.core.swaps.answers import SwapTransaction
from walletmodal.core.swaps.calls import ContractCall, approve_call, read_approval
from walletmodal.core.swaps.terms import least_received, pool_impact, sample_amount
from walletmodal.core.swaps.verdict import (
    NOT_FINISHED,
    NOT_RUN,
    OTHER_APPROVAL,
    OTHER_CONTRACT,
    BatchRun,
    Promise,
    received_by,
    swap_fault,
)
from walletmodal.core.text.texts import SWAP_ALLOWANCE_FAILED
from walletmodal.services.blockchain.swaps import SwapCalls
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.chains.eip155.account_calls import EvmAccountCalls
from walletmodal.services.http import Caller

SIMULATION_SECONDS: Final = 15.0
NATIVE_DECIMALS: Final = 18
"""Of the coin of a network that is not in the table."""
NO_QUOTE: Final = _("Nobody offers this swap right now.")
OTHER_QUOTE: Final = _("The quote is for another swap.")
OTHER_TRANSACTION: Final = _("The transaction is for another swap.")
OTHER_DECIMALS: Final = _("A token is listed with other decimals than it has, so its amounts would be wrong.")


@dataclass(frozen=True, slots=True)
class SwapOrder:
    """What is to be swapped.

    Attributes:
        caller: the embed.
        account: who swaps; its network is that of both tokens.
        source, target: CAIP-10 ids of the tokens, the native coin's too.
        amount: base units of the source, more than zero.
        slippage: how much less than quoted it may bring, in percent.
    """

    caller: Caller
    account: AccountId
    source: str
    target: str
    amount: int
    slippage: Decimal


@dataclass(frozen=True, slots=True)
class Quoted:
    """What a swap brings now.

    Attributes:
        amount: base units of the target.
        impact: price impact by the pool's own prices, in percent; None where it is not known.
    """

    amount: int
    impact: Decimal | None


@dataclass(frozen=True, slots=True)
class PreparedSwap:
    """A swap whose wallet may be asked for its next step.

    Attributes:
        quoted: what it brings.
        least: base units of the target that it brings at least.
        calls: what is left to do, in order; the last one swaps, those before approve.
        next: the first of them as the wallet is asked for it.
        fee: the most that all of them cost, in wei.
        run: their simulation.
        promise: what it was held against.
        fault: what speaks against it, "" for nothing; then it is not offered.
    """

    quoted: Quoted
    least: int
    calls: tuple[ContractCall, ...]
    next: PreparedTransfer | None
    fee: int
    run: BatchRun
    promise: Promise
    fault: str

    @property
    def approves(self) -> bool:
        """Whether an approval comes first."""
        return len(self.calls) > 1

    @property
    def simulated(self) -> int | None:
        """Base units of the target that arrived in the simulation; None without one."""
        return received_by(self.run, self.promise.target)


class Swaps:
    """Quotes swaps and builds them.

    Args:
        service: the calls of the blockchain service about swaps.
        chains: contract calls on the networks.
        seconds: for how long a simulation may take; a visitor waits for it.
    """

    def __init__(self, service: SwapCalls, chains: EvmAccountCalls, *, seconds: float = SIMULATION_SECONDS) -> None:
        self._service, self._chains, self._seconds = service, chains, seconds

    async def quote(self, order: SwapOrder, *, fresh: bool = False) -> Quoted:
        """Quotes a swap; visitors who ask for the same within 10 seconds share the answer.

        Raises:
            NotConfiguredError, ServiceError: the service has none, with the provider's reason where it gave one.
            SwapError: nothing is quoted, or something else.
        """
        sample = sample_amount(order.amount)
        amount, small = await asyncio.gather(
            self._best(order, order.amount, fresh=fresh), self._sample(order, sample) if sample else _nothing()
        )
        return Quoted(amount, pool_impact(order.amount, amount, sample, small))

    async def check_decimals(self, order: SwapOrder, source: int, target: int) -> None:
        """Compares the decimals with which the amounts of both tokens are read and shown with those that the network knows.

        Raises:
            AddressError, CaipError: a token is none of any network.
            NetworkError: a contract is no token.
            SwapError: they differ, or a token is of another network.
            TransportError: the node cannot be asked.
        """
        known = await asyncio.gather(self._decimals(order, order.source), self._decimals(order, order.target))
        if tuple(known) != (source, target):
            raise SwapError(OTHER_DECIMALS, details=f"{known} and not {source}, {target}")

    async def prepare(self, order: SwapOrder, *, sponsored: bool = False) -> PreparedSwap:
        """Builds a swap with the approvals that it needs, and holds its simulation against the quote.

        Args:
            order: what is swapped.
            sponsored: somebody else may pay the fee, so the account need not have it.

        Raises:
            AddressError, CaipError: the service names what is no address.
            NodeError: the node says that its first step would fail.
            NotConfiguredError, ServiceError, SwapError: as `quote`.
            TransportError: a node cannot be asked.
        """
        account, chain = order.account, order.account.chain
        quoted, built = await asyncio.gather(self.quote(order, fresh=True), self._build(order))
        source, target = contract_of(order.source), contract_of(order.target)
        contract = normal_address("eip155", built.contract)
        least = least_received(quoted.amount, order.slippage)
        promise = Promise(source, order.amount, target, least, contract)
        swap = ContractCall(contract, built.data, order.amount if source is None else 0)
        approvals = await self._approvals(order, source, contract)
        calls, run = await self._simulated(account, (*approvals, swap), promise)
        fault = swap_fault(run, promise)
        if fault:
            return PreparedSwap(quoted, least, calls, None, 0, run, promise, fault)
        first, price = await asyncio.gather(
            self._chains.build(chain, account.address, calls[0], sponsored=sponsored), self._chains.gas_price(chain)
        )
        # What comes after the first step can be estimated by its simulation alone.
        rest = sum(run.gas[1:]) * 5 // 4 if run.gas else SWAP_GAS_LIMIT * (len(calls) - 1)
        return PreparedSwap(quoted, least, calls, first, first.fee + rest * price, run, promise, "")

    async def check(
        self, order: SwapOrder, prepared: PreparedSwap, *, sponsored: bool = False
    ) -> tuple[PreparedTransfer | None, str]:
        """Simulates a prepared swap once more, and builds its next step anew; `sponsored` as `prepare`.

        Returns:
            The step with today's nonce and gas, and what speaks against the swap by now: "" for nothing, else there is no step.

        Raises:
            NodeError, TransportError: as `prepare`; also where what has been simulated cannot be by now.
        """
        account = order.account
        run = await self._run(account, prepared.calls, prepared.promise)
        if run.status == "not_simulated" and prepared.run.status == "done":
            raise TransportError("The network offers no trial run any more", details=str(account.chain))
        fault = swap_fault(run, prepared.promise)
        if fault:
            return None, fault
        return await self._chains.build(account.chain, account.address, prepared.calls[0], sponsored=sponsored), ""

    async def usual_fee(self, chain: ChainId) -> int:
        """Returns what a usual swap costs at most, in wei, before it is known. Raises TransportError."""
        return SWAP_GAS_LIMIT * await self._chains.gas_price(chain)

    async def _decimals(self, order: SwapOrder, token: str) -> int:
        chain, contract = order.account.chain, contract_of(token)
        if parse_account_id(token).chain != chain:
            raise SwapError(OTHER_QUOTE, details=token)
        if contract is not None:
            return await self._chains.decimals(chain, contract)
        network = bundled_networks().get(str(chain))
        return NATIVE_DECIMALS if network is None else network.native_currency.decimals

    async def _best(self, order: SwapOrder, amount: int, *, fresh: bool) -> int:
        offers = await self._service.quotes(
            order.caller,
            order.account,
            amount=amount,
            source=order.source,
            target=order.target,
            gas_price=0,
            fresh=fresh,
        )
        if not offers:
            raise SwapError(NO_QUOTE)
        asked = (amount, order.source.lower(), order.target.lower())
        right = [one for one in offers if (one.from_amount, one.from_account.lower(), one.to_account.lower()) == asked]
        if not right:
            raise SwapError(OTHER_QUOTE)
        best = max(one.to_amount for one in right)
        if not 0 < best < 2**256:
            raise SwapError(NO_QUOTE)
        return best

    async def _sample(self, order: SwapOrder, amount: int) -> int:
        """Quotes a small amount; 0 where nobody does, which only leaves the price impact unknown."""
        try:
            return await self._best(order, amount, fresh=False)
        except (ServiceError, SwapError):
            return 0

    async def _build(self, order: SwapOrder) -> SwapTransaction:
        built = await self._service.build_transaction(
            order.caller,
            order.account,
            amount=order.amount,
            source=order.source,
            target=order.target,
            slippage=order.slippage,
        )
        same = parse_account_id(built.sender) if built.sender else order.account
        called = parse_account_id(built.to)
        # A contract account obeys its own calls, which no balance tells: to whom it belongs, who may act for it.
        wrong = called.chain != order.account.chain or called.address.lower() == order.account.address.lower()
        if wrong or str(same).lower() != str(order.account).lower() or built.amount != order.amount:
            raise SwapError(OTHER_TRANSACTION)
        return built

    async def _approvals(self, order: SwapOrder, source: str | None, contract: str) -> tuple[ContractCall, ...]:
        """The approval of exactly the amount that is still missing, after one of zero where there is another."""
        if source is None or source == contract:
            return ()
        account = order.account
        try:
            allowed = await self._chains.allowance(account.chain, source, account.address, contract)
        except TransportError as error:
            raise SwapError(SWAP_ALLOWANCE_FAILED, details=str(error)) from error
        if allowed >= order.amount:
            return ()
        built = await self._service.build_approval(
            order.caller, account, source=order.source, target=order.target, amount=order.amount
        )
        approval = read_approval(built.data)
        if approval is None or approval.amount != order.amount or built.value:
            raise SwapError(OTHER_APPROVAL)
        if approval.spender != contract or normal_address("eip155", built.contract) != source:
            raise SwapError(OTHER_CONTRACT)
        exact = approve_call(source, contract, order.amount)
        return (approve_call(source, contract, 0), exact) if allowed else (exact,)

    async def _simulated(
        self, account: AccountId, calls: tuple[ContractCall, ...], promise: Promise
    ) -> tuple[tuple[ContractCall, ...], BatchRun]:
        """The simulation, without a reset of the allowance where the token does not ask for one."""
        if len(calls) < 3:
            return calls, await self._run(account, calls, promise)
        direct = await self._run(account, calls[1:], promise)
        if direct.status == "done":
            return calls[1:], direct
        return calls, await self._run(account, calls, promise)

    async def _run(self, account: AccountId, calls: tuple[ContractCall, ...], promise: Promise) -> BatchRun:
        with suppress(TransportError, TimeoutError):
            async with asyncio.timeout(self._seconds):
                return await self._chains.simulate(
                    account.chain, account.address, calls, (promise.source, promise.target)
                )
        # A contract can keep a node from telling what it does: by its gas, by how much it logs, by what it answers.
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                if await self._chains.can_simulate(account.chain):
                    return BatchRun("failed", failure=NOT_FINISHED)
        return NOT_RUN


def contract_of(token: str) -> str | None:
    """Returns the contract of a token's CAIP-10 id in its normal spelling; None for the native coin.

    Raises:
        AddressError, CaipError: it is none.
    """
    account = parse_account_id(token)
    if is_native_token(account.namespace, account.address):
        return None
    return normal_address(account.namespace, account.address)


async def _nothing() -> int:
    return 0
