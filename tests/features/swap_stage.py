"""A deployment on which something can be swapped, without a chain or a service: what is quoted and found is the test's to say."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.driver import ADDRESS, Driver
from tests.features.send_stage import FEE, USDC, held, world
from tests.patience import patience
from walletmodal.core.accounts.tokens import FungiblePrice
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.nodes import InsufficientFundsError
from walletmodal.core.errors.rules import SwapError
from walletmodal.core.swaps.answers import SwapToken
from walletmodal.core.swaps.calls import ContractCall, approve_call
from walletmodal.core.swaps.terms import least_received
from walletmodal.core.swaps.verdict import NOT_RUN, BatchRun, Promise
from walletmodal.deployment import Deployment
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.swap.picker import SwapPickState
from walletmodal.features.swap.preview import SwapPreviewState
from walletmodal.features.swap.state import SwapState
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.swaps import OTHER_DECIMALS, PreparedSwap, Quoted, SwapOrder

COIN = "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
DOLLAR = f"eip155:1:{USDC}"
UNI = "eip155:1:0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984"
ROUTER = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"
STEP = 0.05
"""Seconds by which the clock moves while something goes on: too few of them to make a quote old."""
RATE = 2500 * 10**6
"""Base units of the dollar for a coin."""


def token(address: str, symbol: str, decimals: int) -> SwapToken:
    return SwapToken(name=f"The {symbol}", symbol=symbol, address=address, decimals=decimals)


@dataclass
class SwapStage:
    """What is offered.

    Attributes:
        failure: raised by each question. penniless: the account cannot pay a fee. approved: no approval is needed any more.
        decimals: those that the target has on its network, None for those of the list.
        held: holds up the last check. lists: the list of tokens.
        account, capabilities, calls: what the wallet says of the account, of itself and of its batches, None where it does not know the method.
    """

    tokens_listed: tuple[SwapToken, ...] = (token(COIN, "ETH", 18), token(DOLLAR, "USDC", 6), token(UNI, "UNI", 18))
    rate: int = RATE
    impact: Decimal | None = Decimal("0.05")
    price: Decimal | None = Decimal(8)
    fault: str = ""
    check_fault: str = ""
    approved: bool = False
    simulates: bool = True
    router: str = ROUTER
    decimals: int | None = None
    nonce: int = 7
    failure: WalletModalError | None = None
    penniless: bool = False
    held: asyncio.Event | None = None
    account: object = None
    capabilities: object = None
    calls: object = None
    lists: asyncio.Event | None = None
    orders: list[SwapOrder] = field(default_factory=list)
    quotes: list[SwapOrder] = field(default_factory=list)

    def on(self, deployment: Deployment) -> SwapStage:
        """Puts it in the place of a deployment's swaps, on the world of sending."""
        world().on(deployment)
        made: Any = deployment
        made.swaps = self
        made.services.blockchain.swaps = self
        return self

    # The service's lists.

    async def tokens(self, _caller: object, _chain: ChainId) -> tuple[SwapToken, ...]:
        if self.lists is not None:
            await self.lists.wait()
        if self.failure is not None:
            raise self.failure
        return self.tokens_listed

    async def prices(self, _caller: object, _chain: ChainId, tokens: Sequence[str]) -> tuple[FungiblePrice, ...]:
        if self.price is None:
            return ()
        return (FungiblePrice(address=tokens[0], name="", symbol="", price=self.price),)

    # Quotes and transactions.

    async def usual_fee(self, _chain: ChainId) -> int:
        return 10**30 if self.penniless else FEE

    async def quote(self, order: SwapOrder) -> Quoted:
        self.quotes.append(order)
        if self.failure is not None:
            raise self.failure
        # Of dollars eight make one UNI, and of a coin `rate`.
        amount = order.amount * self.rate // 10**18 if order.source == COIN else order.amount * 10**12 // 8
        return Quoted(amount, self.impact)

    async def prepare(self, order: SwapOrder, *, sponsored: bool = False) -> PreparedSwap:
        self.orders.append(order)
        if self.penniless and not sponsored:
            raise InsufficientFundsError
        quoted = await self.quote(order)
        least = least_received(quoted.amount, order.slippage)
        source = None if order.source == COIN else order.source.rpartition(":")[2]
        target = None if order.target == COIN else order.target.rpartition(":")[2]
        swap = ContractCall(self.router, "0x12345678", order.amount if source is None else 0)
        approves = source is not None and not self.approved
        calls = (approve_call(source or self.router, self.router, order.amount), swap) if approves else (swap,)
        run = BatchRun("done", changes={(target, None): quoted.amount}, gas=(50_000,)) if self.simulates else NOT_RUN
        promise = Promise(source, order.amount, target, least, self.router)
        if self.fault:
            return PreparedSwap(quoted, least, calls, None, 0, run, promise, self.fault)
        return PreparedSwap(quoted, least, calls, self._step(calls[0]), FEE, run, promise, "")

    async def check_decimals(self, _order: SwapOrder, _source: int, target: int) -> None:
        if self.decimals is not None and target != self.decimals:
            raise SwapError(OTHER_DECIMALS)

    async def check(
        self, _order: SwapOrder, prepared: PreparedSwap, **_how: bool
    ) -> tuple[PreparedTransfer | None, str]:
        if self.held is not None:
            await self.held.wait()
        if self.failure is not None:
            raise self.failure
        return (None, self.check_fault) if self.check_fault else (self._step(prepared.calls[0]), "")

    def _step(self, call: ContractCall) -> PreparedTransfer:
        request = {
            **call.request(ADDRESS),
            "chainId": "0x1",
            "gas": hex(100_000),
            "nonce": hex(self.nonce),
            "maxFeePerGas": hex(10**9),
            "maxPriorityFeePerGas": "0x1",
        }
        return PreparedTransfer(ChainId("eip155", "1"), "eth_sendTransaction", [request], fee=FEE)


async def settles(driver: Driver, deployment: Deployment) -> None:
    """Returns once nothing is being read, quoted, prepared or checked; what waits for typing to end waits no longer."""
    clock: Any = deployment.clock
    async with patience():
        while True:
            form, preview = await driver.state(SwapState), await driver.state(SwapPreviewState)
            shell = await driver.state(ShellState)
            reads = form.phase == "loading" and shell.view == "Swap" and shell.open
            makes = preview.phase == "loading" and shell.view == "SwapPreview" and shell.open
            if not (reads or makes or form.quoting or preview.phase == "checking"):
                return
            await _answer_reads(driver, deployment)
            clock.advance(STEP)
            await asyncio.sleep(0.001)


async def _answer_reads(driver: Driver, deployment: Deployment) -> None:
    stage: Any = deployment.swaps
    says = {
        "walletmodal_accountType": stage.account,
        "wallet_getCapabilities": stage.capabilities,
        "wallet_getCallsStatus": stage.calls,
    }
    for command in await driver.commands("wallet.request"):
        if (method := command["params"]["method"]) in says:
            told = says[method]
            await driver.reply(command, **({"value": told} if told else {"code": -32601, "message": "no such method"}))


async def goes_on(deployment: Deployment, acting: Coroutine[Any, Any, None], *, driver: Driver | None = None) -> None:
    """What somebody does, and all that follows from it; the clock goes on for what waits for typing to end."""
    clock: Any = deployment.clock
    task = asyncio.create_task(acting)
    async with patience():
        while not task.done():
            if driver is not None:
                await _answer_reads(driver, deployment)
            clock.advance(STEP)
            await asyncio.sleep(0.001)
    await task


async def act(driver: Driver, deployment: Deployment, spec: Any) -> None:
    """An event of the visitor."""
    await goes_on(deployment, driver.fire(spec), driver=driver)


async def at_form(driver: Driver, deployment: Deployment, **sessions: Any) -> SwapState:
    """The form is open."""
    await goes_on(deployment, driver.load(sessions=sessions or held()))
    await goes_on(deployment, driver.call("open"))
    await act(driver, deployment, SwapState.open_form)
    await act(driver, deployment, SwapState.on_shown)
    await settles(driver, deployment)
    return await driver.state(SwapState)


async def choose(driver: Driver, deployment: Deployment, side: str, chosen: str) -> None:
    """A token is chosen from the list."""
    await act(driver, deployment, SwapPickState.open_list(side))
    await act(driver, deployment, SwapPickState.on_shown)
    await act(driver, deployment, SwapPickState.choose(chosen))
    async with patience():
        while (await driver.state(ShellState)).view != "Swap":
            await asyncio.sleep(0.001)
    await settles(driver, deployment)


async def quoted(
    driver: Driver, deployment: Deployment, amount: str = "2", source: str = COIN, target: str = DOLLAR
) -> SwapState:
    """The form is complete."""
    await at_form(driver, deployment)
    if source != COIN:
        await choose(driver, deployment, "source", source)
    await choose(driver, deployment, "target", target)
    await act(driver, deployment, SwapState.type_amount(amount))
    await settles(driver, deployment)
    return await driver.state(SwapState)


async def at_preview(driver: Driver, deployment: Deployment, **entered: str) -> SwapPreviewState:
    """The preview of what was entered."""
    await quoted(driver, deployment, **entered)
    await act(driver, deployment, SwapPreviewState.open)
    await act(driver, deployment, SwapPreviewState.on_shown)
    await settles(driver, deployment)
    return await driver.state(SwapPreviewState)


async def confirm(driver: Driver, deployment: Deployment) -> SwapPreviewState:
    """The Approve or Swap button, and all that follows from it."""
    await act(driver, deployment, SwapPreviewState.confirm((await driver.state(SwapPreviewState)).seen))
    await settles(driver, deployment)
    async with patience():
        while (await driver.state(SwapPreviewState)).phase == "asking" and not await driver.commands("wallet.request"):
            await asyncio.sleep(0.001)
    return await driver.state(SwapPreviewState)


def worse(stage: SwapStage, percent: int) -> None:
    """The price moves against the visitor."""
    stage.rate = stage.rate * (100 - percent) // 100


async def told_events(driver: Driver) -> list[str]:
    return [item["event"] for item in driver.told()]


async def returns(heir: Driver, driver: Driver, deployed: Deployment) -> None:
    """The socket of the tab is back under its new token."""
    heir.follow(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await goes_on(deployed, heir.load(sessions=held()))


def later(deployed: Deployment) -> None:
    """So long that a preview is to be made anew."""
    assert isinstance(deployed.clock, MovableClock)
    deployed.clock.advance(10)


async def preview(driver: Driver) -> SwapPreviewState:
    return await driver.state(SwapPreviewState)
