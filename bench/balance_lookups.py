"""How many balances a process gives out per second from what it has kept, without asking anybody."""

import asyncio
import gc
import itertools
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bench.figures import Figure, figure
from bench.sandbox_start import running_sandbox
from scripts.build import build_sandbox
from walletmodal.commands.project import CommandError, say
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import WalletModalError
from walletmodal.services.balances import ListedTokens, NativeBalances, TokenBalances
from walletmodal.services.cache import MemoryCache
from walletmodal.services.chains.registry import Chains
from walletmodal.services.clients import ServiceClients, ServiceSettings
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client

ACCOUNTS = 500
LOOKUPS = 10_000
ROUNDS = 7
_CHAIN = parse_chain_id("eip155:1")
_STEP = 7919

Look = Callable[[str], Awaitable[object]]


@dataclass(frozen=True)
class Contender:
    """One way to what is kept, and how many lookups it did per second, once per round."""

    look: Look
    per_second: list[float] = field(default_factory=list)


def balance_lookups() -> list[Figure]:
    """The figures.

    Raises:
        CommandError: the sandbox did not start or did not answer, or what was kept is not what was asked.
    """
    say(f"balances: {LOOKUPS:,} cached lookups of {ACCOUNTS} accounts, {ROUNDS} rounds")
    build_sandbox()
    try:
        owned, native, plain, asked = asyncio.run(_measure())
    except WalletModalError as error:
        raise CommandError(f"balances: {error.short_message} {error.details}") from error
    beside = "beside it a dict of the same answers behind a coroutine"
    return [
        figure("cached_tokens_per_second", "cached lookups of all that an account owns", "per s", owned, reference=plain, note=f"{beside}; {asked:,.0f} per s when each is asked for"),
        figure("cached_native_per_second", "cached lookups of a native balance", "per s", native, reference=plain, note=beside),
    ]  # fmt: skip


async def _measure() -> tuple[list[float], list[float], list[float], float]:
    # It stands still, so that nothing expires, and a lookup that asked after all would find nobody.
    clock = MovableClock()
    addresses = [f"0x{place * _STEP:040x}" for place in range(1, ACCOUNTS + 1)]
    async with rpc_http_client() as client:
        with running_sandbox() as sandbox:
            settings = ServiceSettings(
                own_origin="http://localhost:3000",
                project_id="sandbox",
                namespaces=("eip155",),
                blockchain_url=f"{sandbox.url}/blockchain",
            )
            cache = MemoryCache(clock)
            endpoints = RpcEndpoints(client, gateway=f"{sandbox.url}/rpc", project_id="sandbox")
            services = ServiceClients(settings, client, cache, clock=clock)
            chains = Chains(endpoints.unjoined)
            listed = ListedTokens(chains, cache)
            tokens = TokenBalances(services.blockchain.accounts, listed, clock=clock)
            native = NativeBalances(chains, cache, clock=clock)
            caller = services.caller("https://app.example.com")

            async def owned(address: str) -> object:
                return await tokens.balances(caller, _CHAIN, address)

            async def coins(address: str) -> object:
                return await native.native_balance(_CHAIN, address)

            asked = await _rate(owned, addresses)
            kept = {address: (await owned(address), await coins(address)) for address in addresses}

        async def plain(address: str) -> object:
            return kept[address]

        for address in addresses:
            if (await owned(address), await coins(address)) != kept[address]:
                raise CommandError("balances: what was kept is not what was asked")
        contenders = (Contender(owned), Contender(coins), Contender(plain))
        wanted = [addresses[place * _STEP % ACCOUNTS] for place in range(LOOKUPS)]
        order = itertools.cycle(itertools.permutations(contenders))
        for turn in itertools.islice(order, ROUNDS + 1):
            for contender in turn:
                contender.per_second.append(await _rate(contender.look, wanted))
        await native.close()
        await listed.close()
        await services.close()
        await endpoints.close()
    first, second, third = (contender.per_second[1:] for contender in contenders)
    return first, second, third, asked


async def _rate(look: Look, wanted: Sequence[str]) -> float:
    gc.collect()
    started = time.perf_counter()
    for address in wanted:
        await look(address)
    return len(wanted) / (time.perf_counter() - started)
