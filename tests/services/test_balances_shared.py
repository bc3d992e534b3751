"""What many visitors who look at the same accounts cost the services (the figure of `make bench`, in small)."""

import asyncio
import json
from collections import Counter

import httpx

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.constants import PORTFOLIO_TTL
from walletmodal.services.balances import ListedTokens, TokenBalances
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients, ServiceSettings

CHAIN = parse_chain_id("eip155:1")
ACCOUNTS, VISITORS = 20, 500
ROW = {"name": "Ether", "symbol": "ETH", "value": 1, "price": 1, "quantity": {"decimals": "18", "numeric": "1"}}


def streamed(answer: object) -> httpx.Response:
    return httpx.Response(200, stream=httpx.ByteStream(json.dumps(answer).encode()))


async def test_500_visitors_cost_one_request_per_account_and_30_seconds() -> None:
    asked: Counter[str] = Counter()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/supported-chains"):
            return streamed({"http": ["eip155:1"], "ws": []})
        asked[request.url.path] += 1
        return streamed({"balances": [ROW]})

    clock = MovableClock()
    cache = MemoryCache(clock)
    settings = ServiceSettings(own_origin="http://localhost:3000", blockchain_url="https://blockchain.example")
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        services = ServiceClients(settings, client, cache, clock=clock)
        tokens = TokenBalances(services.blockchain.accounts, ListedTokens([], cache), clock=clock)
        caller = services.caller("https://app.example.com")
        addresses = [f"0x{number + 1:040x}" for number in range(ACCOUNTS)]
        seen: list[int] = []
        for seconds in (0, 10, 19, 2, 28, 3):
            clock.advance(seconds)
            looks = (tokens.balances(caller, CHAIN, addresses[visitor % ACCOUNTS]) for visitor in range(VISITORS))
            await asyncio.gather(*looks)
            seen.append(asked.total())
        await services.close()
    assert PORTFOLIO_TTL == 30
    # At 0, 10, 29, 31, 59 and 62 seconds.
    assert seen == [ACCOUNTS, ACCOUNTS, ACCOUNTS, 2 * ACCOUNTS, 2 * ACCOUNTS, 3 * ACCOUNTS]
    assert set(asked.values()) == {3}
