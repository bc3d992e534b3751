"""Swaps: how soon a quote and a proven preview are on the screen, and what visitors with open quotes cost the service."""

import asyncio
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

import httpx
from playwright.sync_api import Browser, Frame, Page

from bench.apps import App, served
from bench.blockchain_service import Service, blockchain_service
from bench.browser import fresh_page, wait_for
from bench.figures import Figure, Floor, figure
from bench.preview import at_form, give
from bench.sandbox_start import RunningSandbox, running_sandbox
from scripts.build import build_sandbox
from walletmodal.commands.project import CommandError, say
from walletmodal.core.chains.caip import AccountId, ChainId, parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.constants import SWAP_REFRESH
from walletmodal.features.swap.state import TYPING_SECONDS
from walletmodal.services.cache import MemoryCache
from walletmodal.services.chains.eip155.account_calls import EvmAccountCalls
from walletmodal.services.clients import ServiceClients, ServiceSettings
from walletmodal.services.rpc import rpc_http_client
from walletmodal.services.rpc.transport import RpcTransport
from walletmodal.services.swaps import SwapOrder, Swaps

VISITS = 3
QUOTES = 8
VISITORS = 500
ORDERS = 20
ROUNDS = 5
_CHAIN = "eip155:1"
_COIN = f"{_CHAIN}:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
_DOLLAR = f"{_CHAIN}:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
_RECEIVED = '[data-testid="swap-input-toToken"][data-empty="false"]'
_PROVEN = '[data-testid="swap-simulated"]'
_WATCH_QUOTE = """(selector) => {
  const before = document.querySelector(selector)?.textContent;
  __probe.watch(() => {
    const now = document.querySelector(selector)?.textContent;
    return now !== undefined && now !== before;
  });
}"""
"""Another quote is there."""


def swaps(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures of the form and of the preview.

    Raises:
        CommandError: the sandbox did not start, there was no quote, or the preview was not simulated.
    """
    say(f"swaps: {VISITS} visitors ask for {QUOTES} quotes each, and look at as many previews")
    build_sandbox()
    quoted, proven = list[float](), list[float]()
    with running_sandbox() as sandbox:
        give(sandbox)
        services = {"BLOCKCHAIN_URL": f"{sandbox.url}/blockchain", "RPC_URL": f"{sandbox.url}/rpc"}
        with served(replace(app, environment={**app.environment, **services})):
            for visit in range(VISITS):
                with fresh_page(browser) as page:
                    frame = at_form(page, app, host, "Swap")
                    _choose_target(frame)
                    for number in range(QUOTES):
                        # Each amount is another one, so that no quote is known before.
                        quoted.append(_quote(page, frame, f"1.{visit}{number}7"))
                        proven.append(_preview(page, frame))
        plain = _ask_service(sandbox)
    return [
        figure("swap_quote_ms", "quote painted after the pause of typing", "ms", quoted, floor=Floor(100), reference=plain, note="beside it the service alone, asked for the two quotes of the price impact"),
        figure("swap_preview_ms", "preview of a swap: trial run painted", "ms", proven, floor=Floor(400)),
    ]  # fmt: skip


def _choose_target(frame: Frame) -> None:
    frame.locator(_part("swap-select-token-button-toToken")).click()
    frame.locator(_part("swap-select-token-item-USDC")).click()


def _quote(page: Page, frame: Frame, amount: str) -> float:
    typed = frame.locator(_part("swap-input-sourceToken"))
    typed.wait_for()
    frame.evaluate(_WATCH_QUOTE, _RECEIVED)
    typed.fill(amount)
    painted = wait_for(page, frame, "__probe.painted", "the painting of the quote")
    took = float(painted - frame.evaluate("__probe.typed")) - TYPING_SECONDS * 1000
    if not 0 < took < painted:
        raise CommandError(f"the quote was painted {took:.1f} ms after the pause, which makes no sense")
    return took


def _preview(page: Page, frame: Frame) -> float:
    button = frame.locator(f"{_part('swap-action-button')}:enabled")
    button.wait_for()
    frame.evaluate("(selector) => __probe.watchElement(selector)", _PROVEN)
    button.click()
    painted = wait_for(page, frame, "__probe.painted", "the painting of the preview")
    took = float(painted - frame.evaluate("__probe.clicked"))
    if not 0 < took < painted:
        raise CommandError(f"the preview was painted {took:.1f} ms after the click, which makes no sense")
    frame.locator(_part("swap-preview-cancel")).click()
    # It leaves in a movement, in which it can still be seen.
    frame.locator(_PROVEN).wait_for(state="detached")
    return took


def _part(name: str) -> str:
    return f'[data-testid="{name}"]'


def _ask_service(sandbox: RunningSandbox) -> list[float]:
    """What the sandbox needs for two quotes at once, ms."""
    took = []
    with (
        httpx.Client(base_url=f"{sandbox.url}/blockchain", timeout=60, trust_env=False) as client,
        ThreadPoolExecutor(2) as both,
    ):

        def ask(amount: int) -> httpx.Response:
            asked = {"amount": str(amount), "from": _COIN, "to": _DOLLAR}
            return client.get("/v1/convert/quotes", params=asked).raise_for_status()

        for number in range(VISITS * QUOTES):
            started = time.perf_counter()
            list(both.map(ask, (10**18 + number, 10**15)))
            took.append((time.perf_counter() - started) * 1000)
    return took


def shared_quotes() -> list[Figure]:
    """What 500 visitors with open quotes cost the service.

    Raises:
        CommandError: the service was not asked at all.
    """
    say(f"quotes: {VISITORS} visitors with {ORDERS} swaps open for {ROUNDS * SWAP_REFRESH} seconds of the clock")
    asked = asyncio.run(_keep_open())
    title = f"quotes asked per pair, amount and {SWAP_REFRESH} s, {VISITORS} visitors"
    return [figure("quotes_per_swap", title, "requests", asked, floor=Floor(1, on="max"), note=f"{ORDERS} amounts of one pair, each looked at by {VISITORS // ORDERS} visitors; the small ones for the price impact are counted too")]  # fmt: skip


async def _keep_open() -> list[float]:
    clock, chain = MovableClock(), parse_chain_id(_CHAIN)
    account = AccountId(chain, "0x90F8bf6A479f320ead074411a4B0e7944Ea8c9C1")
    found: list[float] = []
    with _quoting() as service:
        async with rpc_http_client() as client:
            settings = ServiceSettings(own_origin="http://localhost:3000", blockchain_url=service.url)
            services = ServiceClients(settings, client, MemoryCache(clock), clock=clock)
            caller = services.caller("https://app.example.com")
            offered = Swaps(services.blockchain.swaps, EvmAccountCalls(_no_node))
            orders = [SwapOrder(caller, account, _COIN, _DOLLAR, 10**18 + n, Decimal(1)) for n in range(ORDERS)]
            for _ in range(ROUNDS):
                before = service.asked.copy()
                await asyncio.gather(*(offered.quote(orders[visitor % ORDERS]) for visitor in range(VISITORS)))
                clock.advance(SWAP_REFRESH)
                found += [float(count) for path, count in (service.asked - before).items() if "/quotes" in path]
            await services.close()
    if len(found) < ORDERS * ROUNDS:
        raise CommandError(f"quotes: {len(found)} answers instead of {ORDERS * ROUNDS}")
    return found


@contextmanager
def _quoting() -> Iterator[Service]:
    networks = json.dumps({"http": [_CHAIN], "ws": []}).encode()

    def answer(path: str) -> bytes:
        if "/quotes" not in path:
            return networks
        query = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
        quote = {"fromAmount": query["amount"], "fromAccount": query["from"], "toAccount": query["to"]}
        return json.dumps({"quotes": [{**quote, "toAmount": str(int(query["amount"]) * 2500 // 10**12)}]}).encode()

    with blockchain_service(answer, at_once=2 * VISITORS) as service:
        yield service


def _no_node(_chain: ChainId) -> RpcTransport:
    raise CommandError("a quote asks no node")
