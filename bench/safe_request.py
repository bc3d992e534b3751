"""What a read of the host's provider costs over asking the node directly: the server's part, and the whole way in a page."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import httpx
from playwright.sync_api import Browser

from bench.apps import App, served
from bench.browser import fresh_page, preloaded
from bench.figures import Figure, Floor, figure
from bench.rpc_calls import anvil
from walletmodal.commands.project import CommandError, say

READS: Final = 300
ROUNDS_BEFORE: Final = 50
_CHAIN: Final = "eip155:1"
_METHOD: Final = "eth_getBalance"
_PARAMS: Final = ["0x90f8bf6a479f320ead074411a4b0e7944ea8c9c1", "latest"]
_IN_PAGE: Final = """
  async ([node, method, params, rounds, before]) => {
    const provider = modal.getProvider("eip155");
    // What the browser asks the node beforehand holds for some seconds: the median is without it.
    const asked = { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), headers: { "content-type": "application/json" } };
    const ways = [() => provider.request({ method, params }), async () => (await (await fetch(node, asked)).json()).result];
    const times = [[], []];
    for (let round = -before; round < rounds; round++) {
      const results = [];
      for (const place of round % 2 ? [0, 1] : [1, 0]) {
        const started = performance.now();
        results.push(await ways[place]());
        if (round >= 0) times[place].push(performance.now() - started);
      }
      if (results[0] !== results[1] || typeof results[0] !== "string") throw new Error("two ways gave different balances");
    }
    return times;
  }
"""


def safe_requests(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures.

    Raises:
        CommandError: there is no anvil, or two ways gave different balances.
    """
    say(f"safe requests: {READS} reads each over HTTP and in a page")
    with anvil() as node:
        nodes = {"RPC_URLS": f"{_CHAIN}={node}"}
        with served(replace(app, environment={**app.environment, **nodes})), fresh_page(browser) as page:
            ours, plain = _over_http(app, node)
            preloaded(page, host, app.url)
            asked = [node, _METHOD, _PARAMS, READS, ROUNDS_BEFORE]
            whole, fetched = page.evaluate(_IN_PAGE, asked)
    return [
        figure("safe_request_server", "safe request: the route over the node itself", "ms", _over(ours, plain), floor=Floor(5), reference=plain, note="beside it the node, asked directly"),
        figure("safe_request_page", "the same in a page: provider over a fetch of the node", "ms", _over(whole, fetched), floor=Floor(5), reference=fetched, note="beside it that fetch"),
    ]  # fmt: skip


def _over(ours: list[float], plain: list[float]) -> list[float]:
    return [max(0.0, mine - alone) for mine, alone in zip(ours, plain, strict=True)]


def _over_http(app: App, node: str) -> tuple[list[float], list[float]]:
    headers = {"Origin": app.url}
    call = {"chain": _CHAIN, "method": _METHOD, "params": _PARAMS}
    plain_call = {"jsonrpc": "2.0", "id": 1, "method": _METHOD, "params": _PARAMS}
    ours, plain = list[float](), list[float]()
    with httpx.Client(trust_env=False) as client:
        for place in range(-ROUNDS_BEFORE, READS):
            mine, took = _timed(lambda: client.post(f"{app.url}/v1/rpc", json=call, headers=headers))
            alone, took_alone = _timed(lambda: client.post(node, json=plain_call))
            if mine.get("result") is None or mine["result"] != alone.get("result"):
                raise CommandError(f"safe requests: two ways gave different balances: {mine} and {alone}")
            if place >= 0:
                ours.append(took)
                plain.append(took_alone)
    return ours, plain


def _timed(ask: Callable[[], httpx.Response]) -> tuple[dict[str, Any], float]:
    started = time.perf_counter()
    answer: dict[str, Any] = ask().json()
    return answer, (time.perf_counter() - started) * 1000
