"""An EVM node with NFTs, in memory: contracts that tell the truth, and some that do not."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eth_abi.abi import decode, encode

from walletmodal.core.errors import RpcRequestError, TransportError
from walletmodal.services.nfts.eip155 import TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE
from walletmodal.services.rpc.transport import JsonParams

OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
KITES = "0x" + "a1" * 20
BADGES = "0x" + "b2" * 20


def word(value: int | str) -> str:
    """32 bytes, hexadecimal."""
    number = int(value, 16) if isinstance(value, str) else value
    return f"0x{number:064x}"


def metadata_uri(**fields: Any) -> str:
    """Metadata that a contract carries itself."""
    return "data:application/json;base64," + base64.b64encode(json.dumps(fields).encode()).decode()


@dataclass
class NftNode:
    """The node.

    Attributes:
        widest: how many blocks may be asked for at once; None: all.
        forgotten: how many of the first blocks it knows nothing of any more.
        refusals: how many of the next questions for logs it refuses.
        owners: who has which ERC-721 token; amounts: how many of which ERC-1155 token who has.
        uris: by contract and id; what is missing has metadata of a name.
        asked: the methods that were asked for; ranges: the blocks.
    """

    head: int = 1000
    widest: int | None = None
    forgotten: int = 0
    down: bool = False
    refusals: int = 0
    logs: list[dict[str, Any]] = field(default_factory=list)
    owners: dict[tuple[str, int], str] = field(default_factory=dict)
    amounts: dict[tuple[str, int], int] = field(default_factory=dict)
    uris: dict[tuple[str, int], str] = field(default_factory=dict)
    name: str = "Kites"
    asked: list[str] = field(default_factory=list)
    ranges: list[tuple[int, int]] = field(default_factory=list)

    def give(self, token_id: int, *, block: int = 10, contract: str = KITES, to: str = OWNER) -> None:
        """An ERC-721 token comes to an account."""
        self.owners[contract, token_id] = to
        self._log(block, contract, [TRANSFER, word(0), word(to), word(token_id)], "0x")

    def give_some(self, ids: Sequence[int], amount: int, *, block: int = 10, contract: str = BADGES) -> None:
        """ERC-1155 tokens come to the owner."""
        for token_id in ids:
            self.amounts[contract, token_id] = amount
        topics = [word(OTHER), word(0), word(OWNER)]
        if len(ids) == 1:
            data = encode(["uint256", "uint256"], [ids[0], amount])
            self._log(block, contract, [TRANSFER_SINGLE, *topics], "0x" + data.hex())
        else:
            data = encode(["uint256[]", "uint256[]"], [list(ids), [amount] * len(ids)])
            self._log(block, contract, [TRANSFER_BATCH, *topics], "0x" + data.hex())

    def _log(self, block: int, contract: str, topics: list[str], data: str) -> None:
        number = len(self.logs)
        self.logs.append(
            {
                "blockNumber": hex(block),
                "logIndex": hex(number),
                "transactionHash": self.hash_of(number),
                "address": contract,
                "topics": topics,
                "data": data,
            }
        )

    @staticmethod
    def hash_of(number: int) -> str:
        """The hash of the transaction with the log of this number."""
        return f"0x{number + 1:064x}"

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """Answer."""
        self.asked.append(method)
        if self.down:
            raise TransportError("The node is away.")
        asked: Any = list(params)
        if method == "eth_blockNumber":
            return hex(self.head)
        if method == "eth_getLogs":
            return self._found(asked[0])
        if method == "eth_getTransactionReceipt":
            return {"logs": [log for log in self.logs if log["transactionHash"] == asked[0]]}
        return self._called(asked[0]["to"].lower(), asked[0]["data"])

    def _found(self, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
        first, last = int(wanted["fromBlock"], 16), int(wanted["toBlock"], 16)
        self.ranges.append((first, last))
        if self.refusals > 0:
            self.refusals -= 1
            raise RpcRequestError(code=-32005, details="too many requests", url="http://node")
        if self.widest is not None and last + 1 - first > self.widest:
            raise RpcRequestError(code=-32602, details="block range is too wide", url="http://node")
        if first < self.forgotten:
            raise RpcRequestError(code=-32005, details="history has been pruned", url="http://node")
        kinds = wanted["topics"][0] if isinstance(wanted["topics"][0], list) else [wanted["topics"][0]]
        return [
            log
            for log in self.logs
            if first <= int(log["blockNumber"], 16) <= last and (log["topics"] or [""])[0] in kinds
        ]

    def _called(self, contract: str, data: str) -> str:
        selector, words = data[:10], bytes.fromhex(data[10:])
        if selector == "0x06fdde03":
            return "0x" + encode(["string"], [self.name]).hex()
        if selector == "0x00fdd58e":
            (_, token_id) = decode(["address", "uint256"], words)
            return word(self.amounts.get((contract, token_id), 0))
        token_id = int.from_bytes(words[:32], "big")
        if selector == "0x6352211e":
            if (contract, token_id) not in self.owners:
                raise RpcRequestError(code=3, details="execution reverted: no such token", url="http://node")
            return word(self.owners[contract, token_id])
        uri = self.uris.get(
            (contract, token_id), metadata_uri(name=f"Kite {token_id}", image="https://p.example/1.png")
        )
        return "0x" + encode(["string"], [uri]).hex()
