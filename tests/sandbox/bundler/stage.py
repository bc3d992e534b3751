"""What tests of bundler and paymaster ask and do."""

from typing import Any

import httpx

from sandbox.blockchain.abi import calldata
from sandbox.evm.world import Token

CHAIN = "eip155:1"


class RpcError(Exception):
    """An error that JSON-RPC tells."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data")


class Stage:
    """One chain with its bundler and paymaster.

    Args:
        http: a client of the sandbox.
        node: a client of its node.
        node_url: where that is.
    """

    def __init__(self, http: httpx.AsyncClient, node: httpx.AsyncClient, node_url: str) -> None:
        self._http, self._node, self._node_url = http, node, node_url

    async def bundler(self, method: str, *params: object) -> Any:
        return _result(await self._http.post(f"/bundler/{CHAIN}", json=_call(method, params)))

    async def paymaster(self, method: str, *params: object) -> Any:
        return _result(await self._http.post(f"/paymaster/{CHAIN}", json=_call(method, params)))

    async def node(self, method: str, *params: object) -> Any:
        return _result(await self._node.post(self._node_url, json=_call(method, params)))

    async def call(self, to: str, signature: str, *arguments: object) -> bytes:
        answer = await self.node("eth_call", {"to": to, "data": calldata(signature, *arguments)}, "latest")
        return bytes.fromhex(answer[2:])

    async def give(self, address: str, amount: int, token: Token | None = None) -> None:
        wish = {"address": address, "chain": CHAIN, "amount": str(amount)}
        wish |= {"token": f"{CHAIN}:{token.address}"} if token else {}
        (await self._http.post("/sandbox/faucet", json=wish)).raise_for_status()

    async def balance(self, address: str, token: Token | None = None) -> int:
        if token is None:
            return int(await self.node("eth_getBalance", address, "latest"), 16)
        return int.from_bytes(await self.call(token.address, "balanceOf(address)", address))

    async def deposit(self, entry_point: str, address: str) -> int:
        return int.from_bytes(await self.call(entry_point, "balanceOf(address)", address))

    async def nonce(self, entry_point: str, account: str) -> int:
        return int.from_bytes(await self.call(entry_point, "getNonce(address,uint192)", account, 0))


def _call(method: str, params: tuple[object, ...]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}


def _result(answer: httpx.Response) -> Any:
    told = answer.json()
    if "error" in told:
        raise RpcError(told["error"])
    return told["result"]
