"""A deployment that takes tokens for network fees, without a chain: what an account holds and what a fee comes to is the test's to say."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from tests.driver import OTHER, Driver
from tests.features.embedded_stage import connected, secure_site
from tests.features.sponsored_stage import PAYMASTER, frame
from walletmodal.config import settings
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.smart_accounts import delegator, safe
from walletmodal.core.smart_accounts.account_state import smart_account_address
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Simulation
from walletmodal.deployment import Deployment
from walletmodal.features.approve.state import ApproveState
from walletmodal.services.chains.adapter import Token
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation, operation_message

__all__ = ["secure_site"]

ON_STAGE = [pytest.mark.usefixtures("deployment_with"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]
"""Marks of the tests on it."""

USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
DAI = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
CALLS = [{"to": OTHER, "value": "0x1"}, {"to": OTHER, "data": "0x1234"}]
BATCH = "wallet_sendCalls"
GWEI, COIN = 10**9, 10**18


@dataclass
class World:
    """Chain, paymaster and bundler in one, which say what a test wants."""

    coins: int = COIN
    held: dict[str, int] = field(default_factory=lambda: {USDC: 25_000_000})
    accepted: tuple[str, ...] = (USDC, DAI)
    most: int = 420_001
    simulation: Simulation = NOT_SIMULATED
    refusal: Exception | None = None
    kind: str = "smartAccount"
    asked: list[OperationRequest] = field(default_factory=list)
    held_up: asyncio.Event | None = None
    quotes_held_up: asyncio.Event | None = None
    runs: int = 0
    trial_end: asyncio.Event | None = None

    async def token_balances(self, _chain: object, _account: str, tokens: list[Token]) -> dict[str, int]:
        return {one.address: self.held.get(one.address, 0) for one in tokens}

    async def native_balance(self, _chain: object, _account: str) -> int:
        return self.coins

    async def read_token(self, _chain: object, address: str) -> Token:
        return Token(address, "", *(("USDC", 6) if address == USDC else ("DAI", 18)))

    async def height(self, _chain: object) -> int:
        return 5

    async def gas_price(self, _chain: object) -> int:
        return 10 * GWEI

    async def quoted(self, _chain: object, tokens: list[str]) -> tuple[str, ...]:
        if self.quotes_held_up is not None:
            await self.quotes_held_up.wait()
        if isinstance(self.refusal, HttpRequestError):
            raise self.refusal
        return tuple(one for one in tokens if one in self.accepted)

    async def simulate(self, *_given: object) -> Simulation:
        self.runs += 1
        if self.trial_end is not None and self.runs > 1:
            await self.trial_end.wait()
        return self.simulation

    async def prepare(self, request: OperationRequest) -> PreparedOperation:
        self.asked.append(request)
        if self.held_up is not None:
            await self.held_up.wait()
        if self.refusal is not None:
            raise self.refusal
        encode = safe.operation_call_data if request.implementation == "safe" else delegator.execute_call_data
        operation = UserOperation(
            sender=smart_account_address(request.implementation, request.owner),
            nonce=7,
            call_data=encode(request.calls),
            max_fee_per_gas=GWEI,
            paymaster=PAYMASTER,
        )
        return PreparedOperation(
            chain=request.chain,
            operation=operation,
            entry_point=delegator.ENTRY_POINT,
            hash=operation.hash(delegator.ENTRY_POINT, 1),
            message=operation_message(operation, request.owner, 1),
            owner=request.owner,
            token=request.payer.token if request.payer else "",
            token_most=self.most,
        )


@pytest.fixture
def deployment_with(secure_site: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A deployment that sponsors nobody, and takes two tokens for fees."""
    monkeypatch.setenv("BUNDLER_URL", "eip155:1=http://127.0.0.1:9/bundler")
    monkeypatch.setenv("PAYMASTER_URL", "eip155:1=http://127.0.0.1:9/paymaster")
    monkeypatch.setenv("GAS_TOKENS", f"eip155:1:{USDC},eip155:1:{DAI.lower()}")
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture
def world(deployed: Deployment, monkeypatch: pytest.MonkeyPatch) -> World:
    found, adapter = World(), deployed.chains.adapter("eip155")
    for name in ("token_balances", "native_balance", "read_token", "height"):
        monkeypatch.setattr(adapter, name, getattr(found, name))
    monkeypatch.setattr(deployed.smart_accounts, "operations", found)
    monkeypatch.setattr(deployed.smart_accounts, "accepted", found.quoted)
    monkeypatch.setattr(deployed, "account_calls", found)
    monkeypatch.setattr(deployed, "simulations", SimpleNamespace(simulate=found.simulate))
    return found


async def pay(driver: Driver, world: World, **fields: Any) -> None:
    """The host has calls made by a visitor who has logged in."""
    await connected(driver)
    async with frame(driver, world.kind):
        await driver.request(BATCH, [{"version": "2.0.0", "calls": CALLS, **fields}])


async def fee(driver: Driver) -> dict[str, Any]:
    return dict((await driver.state(ApproveState)).get_value("fee"))


async def choose(driver: Driver, token: str) -> None:
    await driver.fire(ApproveState.choose_fee((await driver.state(ApproveState)).seen, token))


async def questions(driver: Driver) -> list[str]:
    """What the frame is asked."""
    return [command["params"]["method"] for command in await driver.commands("wallet.request")]
