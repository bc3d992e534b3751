"""Two real chains with the service over them, and a client that knows neither: it signs transactions and sends them to the node."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
from eth_account import Account
from eth_account.messages import encode_defunct
from eth_account.signers.local import LocalAccount

from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.blockchain import BlockchainService
from walletmodal.sandbox.evm.artifacts import arguments_data, call_data, creation_code
from walletmodal.sandbox.evm.world import EvmWorld, worlds
from walletmodal.sandbox.faults import FaultBook
from walletmodal.sandbox.gate import ServiceGate
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.onramp.purchases import PurchaseStore

ETHEREUM, POLYGON = "eip155:1", "eip155:137"
NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
SDK = {"origin": "https://host.example"}
VERSION = "react-universal-1.7.2"
ETHER = 10**18


def caip10(address: str, chain: str = ETHEREUM) -> str:
    return f"{chain}:{address}"


def world(chain: str = ETHEREUM) -> EvmWorld:
    return worlds()[chain]


def token(symbol: str, chain: str = ETHEREUM) -> str:
    found = world(chain).token(symbol)
    assert found is not None
    return found.address.lower()


class Foreign:
    """An account that no part of the sandbox knows."""

    def __init__(self, node: AnvilNode, key: LocalAccount) -> None:
        self.node = node
        self.key = key
        self.address = key.address.lower()

    @classmethod
    async def funded(cls, node: AnvilNode, amount: int = 100 * ETHER) -> "Foreign":
        key = Account.create()
        await node.rpc("anvil_setBalance", [key.address, hex(amount)])
        return cls(node, key)

    async def send(
        self, to: str | None, data: bytes | str = b"", value: int = 0, *, mined: bool = True, **fields: Any
    ) -> str:
        """Sign and send a transaction; gives its hash once it is mined, whether it succeeded or not."""
        nonce = int(str(await self.node.rpc("eth_getTransactionCount", [self.key.address, "pending"])), 16)
        raw = bytes.fromhex(data[2:]) if isinstance(data, str) else data
        transaction: dict[str, Any] = {
            "nonce": nonce,
            "gas": 3_000_000,
            "gasPrice": 3 * 10**9,
            "value": value,
            "data": raw,
            "chainId": self.node.chain.id,
            **fields,
        }
        if to is not None:
            transaction["to"] = bytes.fromhex(to[-40:])
        signed = self.key.sign_transaction(transaction)
        sent = str(await self.node.rpc("eth_sendRawTransaction", ["0x" + signed.raw_transaction.hex()]))
        if mined:
            await self.mined(sent)
        return sent

    async def mined(self, sent: str) -> Mapping[str, Any]:
        """The receipt of a transaction, once it is mined."""
        async with patience():
            while await self.node.rpc("eth_getTransactionReceipt", [sent]) is None:
                await asyncio.sleep(0.002)
        return await self.receipt(sent)

    async def call(self, to: str, signature: str, *arguments: object, value: int = 0) -> str:
        return await self.send(to, call_data(signature, *arguments), value)

    async def deploy(self, contract: str, signature: str, *arguments: object) -> str:
        """Put a contract on the chain; gives its address."""
        sent = await self.send(None, creation_code(contract) + arguments_data(signature, *arguments))
        receipt = await self.receipt(sent)
        return str(receipt["contractAddress"]).lower()

    async def receipt(self, sent: str) -> Mapping[str, Any]:
        receipt: Any = await self.node.rpc("eth_getTransactionReceipt", [sent])
        return dict(receipt)

    def sign(self, text: str) -> str:
        return "0x" + self.key.sign_message(encode_defunct(text=text)).signature.hex()


@dataclass
class Stage:
    """The chains, the service, and a client of the service."""

    nodes: Mapping[str, AnvilNode]
    clock: MovableClock
    purchases: PurchaseStore
    service: BlockchainService
    http: httpx.AsyncClient

    @property
    def node(self) -> AnvilNode:
        return self.nodes[ETHEREUM]

    async def get(self, path: str, **query: str) -> Any:
        answer = await self.http.get(path, params={key.rstrip("_"): value for key, value in query.items()})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: object) -> Any:
        answer = await self.http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def history(self, address: str, **query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.get(f"/v1/account/{address}/history", **query))["data"]
        return found

    async def newest(self, address: str) -> dict[str, Any]:
        return (await self.history(address, chainId=ETHEREUM))[0]

    async def balances(self, address: str, **query: str) -> list[dict[str, Any]]:
        asked = {"currency": "usd", "sv": VERSION, **query}
        answer = await self.http.get(f"/v1/account/{address}/balance", params=asked, headers=SDK)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["balances"]
        return found


def staged(nodes: Mapping[str, AnvilNode], **options: Any) -> Stage:
    """A service of its own over running chains."""
    clock, purchases = MovableClock(datetime.now(UTC)), PurchaseStore()
    relays = {chain: node.relay for chain, node in nodes.items()}
    service = BlockchainService(relays, None, "http://localhost:8700", purchases, clock=clock, **options)
    gate = ServiceGate(service, "blockchain", FaultBook(), Journal())
    transport = httpx.ASGITransport(gate, raise_app_exceptions=True)
    return Stage(nodes, clock, purchases, service, httpx.AsyncClient(transport=transport, base_url="http://service"))
