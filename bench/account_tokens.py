"""The account: how soon 200 tokens are painted, and what visitors who look at their accounts cost the services."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from playwright.sync_api import Browser, Page

from bench.apps import App, served
from bench.blockchain_service import Service, blockchain_service
from bench.browser import ROW, fresh_page, preloaded, wait_for
from bench.figures import Figure, Floor, figure
from bench.host_page import PAGES
from walletmodal.commands.project import CommandError, say
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.constants import PORTFOLIO_TTL
from walletmodal.services.balances import ListedTokens, TokenBalances
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients, ServiceSettings
from walletmodal.services.rpc import rpc_http_client

VISITS = 10
TOKENS = 200
VISITORS = 500
ACCOUNTS = 100
ROUNDS = 5
_CHAIN = "eip155:1"
_FIRST = '[data-testid="token-item-TKN0"]'


def _tokens(count: int) -> list[dict[str, object]]:
    """So many tokens, the first the most valuable."""
    return [
        {
            "name": f"Token {number}",
            "symbol": f"TKN{number}",
            "chainId": _CHAIN,
            "address": f"{_CHAIN}:0x{number + 1:040x}",
            "value": count - number,
            "price": 1,
            "quantity": {"decimals": "18", "numeric": str(count - number)},
        }
        for number in range(count)
    ]


@contextmanager
def _owned(tokens: int) -> Iterator[Service]:
    """A blockchain service that knows one network, and whose every account owns so many tokens."""
    networks = json.dumps({"http": [_CHAIN], "ws": []}).encode()
    balances = json.dumps({"balances": _tokens(tokens)}).encode()

    def answer(path: str) -> bytes:
        plain = path.partition("?")[0]
        return networks if plain.endswith("/supported-chains") else balances if plain.endswith("/balance") else b"{}"

    # All accounts are asked for at once.
    with blockchain_service(answer, at_once=2 * ACCOUNTS) as service:
        yield service


def shared_accounts() -> list[Figure]:
    """What 500 visitors who look at 100 accounts every ten seconds cost the service.

    Raises:
        CommandError: the service was not asked at all.
    """
    say(f"accounts: {VISITORS} visitors look at {ACCOUNTS} accounts for {ROUNDS * PORTFOLIO_TTL} seconds of the clock")
    asked = asyncio.run(_look())
    return [
        figure("requests_per_account", "balance requests per account and 30 s, 500 visitors", "requests", asked, floor=Floor(1, on="max"), note=f"{ACCOUNTS} accounts, each looked at by five visitors every ten seconds"),
    ]  # fmt: skip


async def _look() -> list[float]:
    clock, chain = MovableClock(), parse_chain_id(_CHAIN)
    found: list[float] = []
    with _owned(1) as service:
        async with rpc_http_client() as client:
            cache = MemoryCache(clock)
            settings = ServiceSettings(own_origin="http://localhost:3000", blockchain_url=service.url)
            services = ServiceClients(settings, client, cache, clock=clock)
            tokens = TokenBalances(services.blockchain.accounts, ListedTokens([], cache), clock=clock)
            caller = services.caller("https://app.example.com")
            addresses = [f"0x{number + 1:040x}" for number in range(ACCOUNTS)]
            for _ in range(ROUNDS):
                before = service.asked.copy()
                for _ in range(PORTFOLIO_TTL // 10):
                    looks = (tokens.balances(caller, chain, addresses[n % ACCOUNTS]) for n in range(VISITORS))
                    await asyncio.gather(*looks)
                    clock.advance(10)
                asked = Counter[str]()
                for path, count in (service.asked - before).items():
                    asked[path.partition("?")[0]] += count
                found += [float(count) for path, count in asked.items() if path.endswith("/balance")]
            await services.close()
    if len(found) != ACCOUNTS * ROUNDS:
        raise CommandError(f"accounts: {len(found)} answers instead of {ACCOUNTS * ROUNDS}")
    return found


def account_tokens(browser: Browser, app: App, host: str) -> list[Figure]:
    """From the packet with 200 tokens to the frame in which the first of them is painted.

    Raises:
        CommandError: the account did not show what it should.
    """
    say(f"account: {VISITS} visitors with {TOKENS} tokens")
    painted: list[float] = []
    with _owned(TOKENS) as service:
        owning = replace(app, environment={**app.environment, "BLOCKCHAIN_URL": service.url})
        with served(owning):
            for _ in range(VISITS):
                with fresh_page(browser) as page:
                    painted.append(_open(page, app, host))
    return [
        figure("tokens_ms", f"account with {TOKENS} tokens painted after its data", "ms", painted, floor=Floor(100))
    ]


def _open(page: Page, app: App, host: str) -> float:
    page.context.add_init_script(path=PAGES / "tokens.js")
    frame = preloaded(page, host, app.url)
    page.evaluate("modal.open(), null")
    frame.locator(ROW).first.click()
    wait_for(page, page, "window.__connected", "the address at the host")
    frame.locator(ROW).first.wait_for(state="detached")
    frame.evaluate("(selector) => __probe.watchElement(selector)", _FIRST)
    page.evaluate("modal.open(), null")
    seen = wait_for(page, frame, "__probe.painted", "the painting of the first token")
    if frame.locator('[data-testid^="token-item-"]').count() != TOKENS:
        raise CommandError("not all tokens are on the list")
    took = float(seen - frame.evaluate("__tokens.data"))
    if not 0 < took < seen:
        raise CommandError(f"the tokens were painted {took:.1f} ms after their data, which makes no sense")
    return took
