"""Swaps on the sandbox: an account that signs, what is asked of the service, and services and nodes that cheat, count or cannot."""

from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.patience import PATIENCE, patience
from tests.ports import sandbox_settings
from walletmodal.core.chains.caip import AccountId, parse_account_id, parse_chain_id
from walletmodal.core.errors import RpcRequestError
from walletmodal.core.swaps.answers import ApprovalTransaction, SwapQuote, SwapTransaction
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services.blockchain.swaps import SwapCalls
from walletmodal.services.cache import MemoryCache
from walletmodal.services.chains.eip155.account_calls import EvmAccountCalls
from walletmodal.services.clients import ServiceClients, ServiceSettings
from walletmodal.services.http import Caller
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client
from walletmodal.services.swaps import PreparedSwap, SwapOrder, Swaps

MAINNET = parse_chain_id("eip155:1")
WORLD = worlds()["eip155:1"]
COIN = "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"


def contract(symbol: str) -> str:
    token = WORLD.token(symbol)
    assert token is not None
    return token.address


USDC, USDT, DAI, WETH = (contract(symbol) for symbol in ("USDC", "USDT", "DAI", "WETH"))
ETHER, DOLLAR = 10**18, 10**6
CALLER = Caller(origin="http://localhost:3000", project_id="sandbox")
STRANGER = "0x1111111111111111111111111111111111111111"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(sandbox_settings()) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with rpc_http_client() as client:
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def service(sandbox: Sandbox, client: httpx.AsyncClient) -> AsyncIterator[SwapCalls]:
    settings = ServiceSettings(
        own_origin="http://localhost:3000",
        project_id="sandbox",
        namespaces=("eip155",),
        blockchain_url=f"{sandbox.url}/blockchain",
    )
    clients = ServiceClients(settings, client, MemoryCache())
    yield clients.blockchain.swaps
    await clients.close()


@pytest.fixture
def chains(sandbox: Sandbox, client: httpx.AsyncClient) -> EvmAccountCalls:
    return EvmAccountCalls(RpcEndpoints(client, overrides={"eip155:1": sandbox.rpc_url("eip155:1")}).unjoined)


@pytest.fixture
def swaps(service: SwapCalls, chains: EvmAccountCalls) -> Swaps:
    return Swaps(service, chains)


@pytest_asyncio.fixture(loop_scope="session")
async def wallet(sandbox: Sandbox, client: httpx.AsyncClient) -> AsyncIterator["Wallet"]:
    """An account of the sandbox that signs; each test leaves the chain as it was."""
    wallet = Wallet(client, sandbox.node_url("eip155:1"), WORLD.accounts[2])
    await wallet.ask("anvil_impersonateAccount", wallet.address)
    before = await wallet.ask("evm_snapshot")
    yield wallet
    await wallet.ask("evm_revert", before)


class Wallet:
    """Sends what it is asked for."""

    def __init__(self, client: httpx.AsyncClient, url: str, account: str) -> None:
        self._client, self._url, self.address = client, url, account
        self.account: AccountId = parse_account_id(f"eip155:1:{account}")

    async def ask(self, method: str, *params: object) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = (await self._client.post(self._url, json=body, timeout=PATIENCE)).json()
        assert "error" not in answer, answer
        return answer["result"]

    async def send(self, *requests: object) -> None:
        for request in requests:
            done, receipt = await self.ask("eth_sendTransaction", request), None
            async with patience():
                while receipt is None:
                    receipt = await self.ask("eth_getTransactionReceipt", done)
            assert receipt["status"] == "0x1"

    async def deploy(self, code: str) -> str:
        made = await self.ask("eth_sendTransaction", {"from": self.address, "data": code, "gas": hex(5_000_000)})
        receipt = None
        async with patience():
            while receipt is None:
                receipt = await self.ask("eth_getTransactionReceipt", made)
        found: str = receipt["contractAddress"]
        return found

    async def do(self, to: str, data: str, value: int = 0) -> None:
        await self.send({"from": self.address, "to": to, "data": data, "value": hex(value), "gas": hex(500_000)})

    async def balance(self, token: str) -> int:
        data = "0x70a08231" + self.address[2:].lower().rjust(64, "0")
        return int(await self.ask("eth_call", {"to": token, "data": data}, "latest"), 16)


def order(wallet: Wallet, source: str, target: str, amount: int, slippage: str = "1") -> SwapOrder:
    named = [COIN if token == COIN else f"eip155:1:{token}" for token in (source, target)]
    return SwapOrder(CALLER, wallet.account, named[0], named[1], amount, Decimal(slippage))


def request(prepared: PreparedSwap) -> Any:
    assert prepared.next is not None
    assert isinstance(prepared.next.params, list)
    return prepared.next.params[0]


class Counted(SwapCalls):
    """Counts the questions; the real service answers, or what it has kept."""

    def __init__(self, service: SwapCalls) -> None:
        self._real, self.calls = service, 0

    async def quotes(self, *args: Any, **kwargs: Any) -> tuple[SwapQuote, ...]:
        self.calls += 1
        return await self._real.quotes(*args, **kwargs)


class Cheat(SwapCalls):
    """The real service, some of whose answers are changed."""

    def __init__(
        self,
        service: SwapCalls,
        *,
        quote: dict[str, Any] | None = None,
        transaction: dict[str, Any] | None = None,
        approval: dict[str, Any] | None = None,
    ) -> None:
        self._real, self._changed = service, (quote or {}, transaction or {}, approval or {})

    async def quotes(self, *args: Any, **kwargs: Any) -> tuple[SwapQuote, ...]:
        found = await self._real.quotes(*args, **kwargs)
        return tuple(one.model_copy(update=self._changed[0]) for one in found)

    async def build_transaction(self, *args: Any, **kwargs: Any) -> SwapTransaction:
        return (await self._real.build_transaction(*args, **kwargs)).model_copy(update=self._changed[1])

    async def build_approval(self, *args: Any, **kwargs: Any) -> ApprovalTransaction:
        return (await self._real.build_approval(*args, **kwargs)).model_copy(update=self._changed[2])


class Unable:
    """The way to a node that does not simulate."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport

    async def request(self, method: str, params: Any = ()) -> Any:
        if method == "eth_simulateV1":
            raise RpcRequestError(code=-32601, details="the method does not exist", url="")
        return await self._transport.request(method, params)
