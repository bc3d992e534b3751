"""NFTs of EVM networks: transfers of ERC-721 and ERC-1155 contracts, whose word on who owns what is asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from walletmodal.core.accounts.nfts import MAX_COLLECTION, MAX_METADATA, NftStandard, token_uri
from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import (
    MalformedResponseError,
    RequestTimeoutError,
    ResponseTooLargeError,
    RpcRequestError,
)
from walletmodal.core.text.display_text import clean_text
from walletmodal.services.chains.eip155.answers import read_quantity
from walletmodal.services.chains.eip155.contract_call import call_contract
from walletmodal.services.nfts.found import MAX_STEPS, Arrival, Held, Scan
from walletmodal.services.rpc.transport import RpcTransport

TRANSFER: Final = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
TRANSFER_SINGLE: Final = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62"
TRANSFER_BATCH: Final = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb"
MAX_WINDOWS: Final = 8
"""Ranges of blocks that one step asks for."""
SMALLEST_SPAN: Final = 10
LARGEST_SPAN: Final = 4_000_000
MAX_LOGS: Final = 10_000
MAX_BATCH: Final = 200
"""NFTs of one ERC-1155 transfer that are looked at."""

_OWNER_OF: Final = "0x6352211e"
_BALANCE_OF_1155: Final = "0x00fdd58e"
_URI_721: Final = "0xc87b56dd"
_URI_1155: Final = "0x0e89341c"
_NAME: Final = "0x06fdde03"


class EvmNfts:
    """Finds and reads the NFTs of one network.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._transport, self._chain = transport, chain

    async def search(self, owner: str, scan: Scan) -> None:
        """Looks through the newest blocks, then through older ones, as wide as the node lets us: nodes refuse too wide a question."""
        head = read_quantity(await self._transport.request("eth_blockNumber"), "eth_blockNumber", self._chain)
        if scan.newest < 0:
            scan.newest, scan.oldest = head, head + 1
        elif head > scan.newest:
            await self._catch_up(owner, scan, head)
        if scan.oldest == 0 or scan.steps >= MAX_STEPS:
            return
        scan.steps = MAX_STEPS if len(scan.arrivals) > MAX_LOGS else scan.steps + 1
        for _ in range(MAX_WINDOWS):
            if scan.oldest > 0 and not await self._scan_older_blocks(owner, scan):
                scan.steps = MAX_STEPS
                return

    async def _catch_up(self, owner: str, scan: Scan, head: int) -> None:
        """The blocks since the last look; of more than the node tells in a few questions, some are left out.

        Raises:
            TransportError: the node cannot be asked, or refuses even a few blocks.
        """
        span = scan.span or LARGEST_SPAN
        firsts = range(scan.newest + 1, head + 1, span)[-MAX_WINDOWS:]
        scan.gap |= firsts[0] > scan.newest + 1
        try:
            for first in firsts:
                last = min(first + span - 1, head)
                scan.put_first(await self._arrivals(owner, first, last))
                scan.newest = last
        except (RpcRequestError, ResponseTooLargeError):
            if head - scan.newest <= SMALLEST_SPAN:
                # Not for their number: asked again, they may be told.
                raise
            scan.gap = 1
        scan.newest = head

    async def _scan_older_blocks(self, owner: str, scan: Scan) -> bool:
        """Scans a range of older blocks; False where the node has told all that it is going to: some have forgotten the past.

        Raises:
            TransportError: the node cannot be asked, or tells nothing at all.
        """
        last = scan.oldest - 1
        # The first question is for everything: a node of one's own answers it at once.
        first = max(0, last + 1 - scan.span) if scan.span else 0
        try:
            arrivals = await self._arrivals(owner, first, last)
        except (RpcRequestError, ResponseTooLargeError, RequestTimeoutError) as error:
            width = last + 1 - first
            if width <= SMALLEST_SPAN:
                if scan.answered and not isinstance(error, RequestTimeoutError):
                    return False
                raise
            scan.refused = width
            smaller = scan.answered if 0 < scan.answered < width else width // 8
            scan.span = max(min(smaller, LARGEST_SPAN), SMALLEST_SPAN)
            return True
        scan.add(arrivals)
        scan.oldest = first
        if scan.span:
            scan.answered, wider = scan.span, min(scan.span * 2, LARGEST_SPAN)
            scan.span = wider if wider < scan.refused else scan.span
        return True

    async def _arrivals(self, owner: str, first: int, last: int) -> list[Arrival]:
        """What came in a range of blocks, the newest first."""
        topic = "0x" + owner[2:].lower().rjust(64, "0")
        blocks = {"fromBlock": hex(first), "toBlock": hex(last)}
        filters = ([TRANSFER, None, topic, None], [[TRANSFER_SINGLE, TRANSFER_BATCH], None, None, topic])
        answers = await asyncio.gather(
            *(self._transport.request("eth_getLogs", [{**blocks, "topics": topics}]) for topics in filters)
        )
        logs: list[object] = []
        for answer in answers:
            if not isinstance(answer, list):
                raise MalformedResponseError(url=str(self._chain), details="eth_getLogs answered with no list")
            if len(answer) > MAX_LOGS:
                raise ResponseTooLargeError(url=str(self._chain), limit=MAX_LOGS)
            logs += answer
        return await asyncio.to_thread(_newest_first, logs, owner) if len(logs) > 200 else _newest_first(logs, owner)

    async def brought_by(self, owner: str, transactions: Sequence[str]) -> tuple[Arrival, ...]:
        """By their receipts."""
        receipts = await asyncio.gather(
            *(self._transport.request("eth_getTransactionReceipt", [each]) for each in transactions)
        )
        logs: list[object] = []
        for receipt in receipts:
            found = receipt.get("logs") if isinstance(receipt, Mapping) else None
            logs += found[:MAX_LOGS] if isinstance(found, list) else []
        return tuple(_newest_first(logs, owner))

    async def read(self, owner: str, arrivals: Sequence[Arrival]) -> tuple[Held, ...]:
        """Asks each contract who owns it or how many, for its metadata and its name; one that answers with nonsense has nothing."""
        read = await asyncio.gather(*(self._held(owner, arrival) for arrival in arrivals))
        return tuple(held for held in read if held is not None)

    async def describe(self, arrival: Arrival) -> Held | None:
        """Metadata and collection."""
        return await self._load_nft(arrival, 1)

    async def _held(self, owner: str, arrival: Arrival) -> Held | None:
        token = f"{int(arrival.token_id):064x}"
        if arrival.standard == "erc721":
            answer = await self._call(arrival.contract, _OWNER_OF + token)
            amount = int(len(answer) >= 32 and answer[12:32].hex() == owner[2:].lower())
        else:
            who = owner[2:].lower().rjust(64, "0")
            answer = await self._call(arrival.contract, _BALANCE_OF_1155 + who + token)
            amount = int.from_bytes(answer[:32], "big") if len(answer) >= 32 else 0
        return await self._load_nft(arrival, amount) if amount else None

    async def _load_nft(self, arrival: Arrival, amount: int) -> Held:
        token_id = int(arrival.token_id)
        which = _URI_721 if arrival.standard == "erc721" else _URI_1155
        uri, name = await asyncio.gather(
            self._call(arrival.contract, f"{which}{token_id:064x}"), self._call(arrival.contract, _NAME)
        )
        return Held(
            arrival, amount, token_uri(_text(uri), token_id), clean_text(_text(name)[:1000], limit=MAX_COLLECTION)
        )

    async def _call(self, contract: str, data: str) -> bytes:
        return await call_contract(self._transport, self._chain, contract, data)


def _newest_first(logs: Sequence[object], owner: str) -> list[Arrival]:
    placed: list[tuple[int, int, Arrival]] = []
    for log in logs:
        if not isinstance(log, Mapping):
            continue
        try:
            place = (int(str(log["blockNumber"]), 16), int(str(log["logIndex"]), 16))
            placed += [(*place, arrival) for arrival in _arrivals_of(log, owner)]
        except (KeyError, TypeError, ValueError, OverflowError, DecodingError):
            # One log that makes no sense takes nothing from the others.
            continue
    placed.sort(key=lambda one: one[:2], reverse=True)
    return [arrival for _, _, arrival in placed]


def _arrivals_of(log: Mapping[str, object], owner: str) -> list[Arrival]:
    topics, contract, hash_ = log["topics"], log["address"], log["transactionHash"]
    if not isinstance(topics, list) or not isinstance(contract, str) or not isinstance(hash_, str) or len(topics) != 4:
        return []
    if not is_address("eip155", contract):
        return []
    data = bytes.fromhex(str(log["data"])[2:])
    to, kind = owner[2:].lower(), str(topics[0]).lower()
    standard: NftStandard = "erc721" if kind == TRANSFER else "erc1155"
    if str(topics[2 if kind == TRANSFER else 3])[-40:].lower() != to:
        return []
    if kind == TRANSFER:
        ids = [int(str(topics[3]), 16)]
    elif kind == TRANSFER_SINGLE:
        ids = [int.from_bytes(data[:32], "big")]
    elif kind == TRANSFER_BATCH:
        ids = list(decode(["uint256[]", "uint256[]"], data)[0])[:MAX_BATCH]
    else:
        return []
    address = normal_address("eip155", contract.lower())
    return [Arrival(standard, address, str(token_id), hash_.lower()) for token_id in ids]


def _text(answer: bytes) -> str:
    try:
        (text,) = decode(["string"], answer)
    except (DecodingError, OverflowError, UnicodeDecodeError):
        return ""
    return str(text)[:MAX_METADATA]
