"""1,000 balances over JSON-RPC, through our transport and through web3 alone, against one anvil, in turn."""

import asyncio
import gc
import itertools
import socket
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import aiohttp
import httpx
from eth_typing import ChecksumAddress

from bench.figures import Figure, Floor, figure
from walletmodal.commands.processes import LOOPBACK, spawn
from walletmodal.commands.project import CommandError, say, tool_environment
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.sandbox.errors import PartMissingError
from walletmodal.sandbox.evm.anvil_program import anvil_binary
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client
from walletmodal.services.rpc.web3_library import AsyncWeb3
from walletmodal.services.rpc.web3_provider import web3_over

CALLS = 1000
ROUNDS = 9
_CHAIN = parse_chain_id("eip155:1")
_START_SECONDS = 20.0
_STOP_SECONDS = 5.0

Ask = Callable[[ChecksumAddress], Awaitable[int]]


@dataclass(frozen=True)
class Contender:
    """One way to a balance, and how many milliseconds it took for all of them, once per round."""

    ask: Ask
    milliseconds: list[float] = field(default_factory=list)


def rpc_calls() -> list[Figure]:
    """The figures.

    Raises:
        CommandError: there is no anvil, it does not answer, or two ways gave different balances.
    """
    say(f"JSON-RPC: {CALLS:,} eth_getBalance, {ROUNDS} rounds")
    with anvil() as url:
        ours, theirs, over_ours = asyncio.run(_race(url))
    ratios = [alone / mine for mine, alone in zip(ours, theirs, strict=True)]
    title = f"{CALLS:,} eth_getBalance"
    beside = "beside it AsyncWeb3 with its own provider, a pooled session and one gather"
    return [
        figure("rpc_times_as_fast", title, "times as fast", ratios, floor=Floor(5, at_least=True), note=beside),
        figure("rpc_transport_ms", f"{title} through the transport", "ms", ours, reference=theirs),
        figure("rpc_web3_ms", f"{title} through web3 over the transport", "ms", over_ours, reference=theirs),
    ]


async def _race(url: str) -> tuple[list[float], list[float], list[float]]:
    addresses = [AsyncWeb3.to_checksum_address(f"0x{place * 7919:040x}") for place in range(1, CALLS + 1)]
    async with rpc_http_client() as client, aiohttp.ClientSession() as pooled:
        endpoints = RpcEndpoints(client, overrides={str(_CHAIN): url})
        transport = endpoints.transport(_CHAIN)
        provider = AsyncWeb3.AsyncHTTPProvider(url)
        await provider.cache_async_session(pooled)

        async def ask(address: ChecksumAddress) -> int:
            return int(str(await transport.request("eth_getBalance", [address, "latest"])), 16)

        ours = Contender(ask)
        theirs = Contender(AsyncWeb3(provider).eth.get_balance)
        over_ours = Contender(web3_over(transport).eth.get_balance)
        order = itertools.cycle(itertools.permutations((ours, theirs, over_ours)))
        for contenders in itertools.islice(order, ROUNDS + 1):
            balances = [await _timed(contender, addresses) for contender in contenders]
            if any(found != balances[0] for found in balances):
                raise CommandError("JSON-RPC: two ways to the same balances gave different ones")
        await endpoints.close()
        # Each one's first round is for warming up.
        return ours.milliseconds[1:], theirs.milliseconds[1:], over_ours.milliseconds[1:]


async def _timed(contender: Contender, addresses: Sequence[ChecksumAddress]) -> list[int]:
    gc.collect()
    started = time.perf_counter()
    balances = await asyncio.gather(*(contender.ask(address) for address in addresses))
    contender.milliseconds.append((time.perf_counter() - started) * 1000)
    return balances


@contextmanager
def anvil(chain_id: int = 31337) -> Iterator[str]:
    """The URL of a node of a chain on a free port, for as long as the block lasts.

    Raises:
        CommandError: there is no anvil, or it does not answer.
    """
    with socket.socket() as found:
        found.bind((LOOPBACK, 0))
        port = found.getsockname()[1]
    try:
        binary = anvil_binary()
    except PartMissingError as error:
        raise CommandError(str(error)) from error
    where = ["--host", LOOPBACK, "--port", str(port), "--chain-id", str(chain_id)]
    node = spawn("anvil", [binary, *where, "--silent"], tool_environment())
    try:
        url = f"http://{LOOPBACK}:{port}"
        _wait_until_it_answers(url)
        yield url
    finally:
        node.ask_to_end()
        try:
            node.process.wait(_STOP_SECONDS)
        finally:
            node.kill_group()


def _wait_until_it_answers(url: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    asked = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []}
    with httpx.Client(trust_env=False) as client:
        while True:
            try:
                client.post(url, json=asked).raise_for_status()
            except httpx.HTTPError as error:
                if time.monotonic() > deadline:
                    raise CommandError(f"anvil does not answer: {error}") from error
                time.sleep(0.01)
            else:
                return
