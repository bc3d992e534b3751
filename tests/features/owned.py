"""A visitor's account in tests, and the service that knows what it owns."""

from __future__ import annotations

from typing import Any

from tests.driver import Driver
from tests.services.balance_doubles import Service
from walletmodal.core.accounts.tokens import TokenBalance, parse_token_balance
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import Deployment
from walletmodal.features.account.state import Eip155State
from walletmodal.features.account.tokens import TokensState
from walletmodal.services.balances import ListedTokens, TokenBalances
from walletmodal.services.blockchain import Portfolio
from walletmodal.services.cache import MemoryCache

USDC = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"


def token(symbol: str, quantity: str = "1", **more: Any) -> TokenBalance:
    """What the service says of one token."""
    raw = {"name": f"{symbol} Coin", "symbol": symbol, "chainId": "eip155:1", "address": f"eip155:1:0x{symbol}"}
    return parse_token_balance({**raw, "quantity": {"decimals": "18", "numeric": quantity}, **more})


def coin(quantity: str = "1", **more: Any) -> TokenBalance:
    """The native coin."""
    return token("ETH", quantity, **{"address": None, "name": "Ether", **more})


def served(deployed: Deployment, *owned: TokenBalance, clock: MovableClock | None = None) -> Service:
    """Has the deployment ask a service that knows these balances; everything is timed with the clock."""
    service = Service()
    service.portfolio = Portfolio(owned)
    deployed.clock = clock or MovableClock()
    listed = ListedTokens(deployed.chains, MemoryCache(deployed.clock))
    deployed.tokens = TokenBalances(service, listed, clock=deployed.clock)
    return service


async def silent(driver: Driver) -> None:
    """The wallet has said before that it does not know its tokens, so that it is not asked."""
    async with driver.changing(Eip155State) as held:
        held._mute = held.caip_address, held.connector


async def looking(driver: Driver, **parts: Any) -> TokensState:
    """A connected visitor has looked at the account; the wallet is not asked."""
    await driver.connect(**parts)
    await silent(driver)
    await driver.call("open")
    await driver.fire(TokensState.refresh_all)
    return await driver.state(TokensState)
