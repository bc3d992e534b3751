"""What tests of bundler and paymaster ask and do."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx

from tests.patience import patience
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.user_operation import UserOperation, read_user_operation
from walletmodal.sandbox.blockchain.abi import calldata
from walletmodal.sandbox.evm.world import Token

if TYPE_CHECKING:
    from tests.sandbox.bundler.accounts import SmartAccount

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

    async def prepare(self, account: "SmartAccount", *calls: AccountCall) -> UserOperation:
        """An operation of an account that pays for itself, estimated and priced, not yet signed."""
        nonce = await self.nonce(account.entry_point, account.address)
        price = (await self.bundler("pimlico_getUserOperationGasPrice"))["fast"]
        drafted = replace(
            account.operation(calls, nonce),
            max_fee_per_gas=int(price["maxFeePerGas"], 16),
            max_priority_fee_per_gas=int(price["maxPriorityFeePerGas"], 16),
        )
        return await self.sized(drafted, account.entry_point)

    async def sized(self, operation: UserOperation, entry_point: str) -> UserOperation:
        """The operation with the gas limits that the bundler names."""
        limits = await self.bundler("eth_estimateUserOperationGas", operation.to_json(), entry_point)
        return read_user_operation({**operation.to_json(), **limits})

    async def send(self, account: "SmartAccount", operation: UserOperation) -> dict[str, Any]:
        """Sign an operation, hand it in, and give its receipt."""
        signed = account.sign(operation).to_json()
        sent = await self.bundler("eth_sendUserOperation", signed, account.entry_point)
        return await self.receipt(sent)

    async def mined(self, method: str, transaction: dict[str, str] | str) -> None:
        """Hand a transaction to the node, and wait until it has gone through."""
        sent = await self.node(method, transaction)
        async with patience():
            while (receipt := await self.node("eth_getTransactionReceipt", sent)) is None:
                await asyncio.sleep(0.01)
        assert receipt["status"] == "0x1"

    async def receipt(self, operation_hash: str) -> dict[str, Any]:
        """The receipt of an operation, once it is mined."""
        async with patience():
            while (receipt := await self.bundler("eth_getUserOperationReceipt", operation_hash)) is None:
                await asyncio.sleep(0.01)
        return dict(receipt)


def _call(method: str, params: tuple[object, ...]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}


def _result(answer: httpx.Response) -> Any:
    told = answer.json()
    if "error" in told:
        raise RpcError(told["error"])
    return told["result"]
