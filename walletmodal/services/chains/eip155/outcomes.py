"""Outcomes of EVM transactions: a receipt, what took its place, or which of the account's transactions it is."""

import asyncio
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import AddressError, MalformedResponseError, RpcRequestError
from walletmodal.core.transfers.transaction_request import (
    Mined,
    TransactionRequest,
    data_mark,
    is_cancelling,
    is_same,
    token_payment,
)
from walletmodal.services.chains.adapter import Finding
from walletmodal.services.chains.eip155.answers import read_data, read_quantity
from walletmodal.services.chains.eip155.simulated_calls import balance_question
from walletmodal.services.rpc.transport import RpcTransport

FINAL_DEPTH: Final = 12
"""Blocks above a transaction from which on we take it for one that stays."""
MAX_LOOKED_AT: Final = 16
"""Transactions of the account that are compared with one whose answer never came."""
SEARCH_MARGIN: Final = 32
"""Blocks before the one that we knew of when the wallet was asked: nodes behind one URL are not equally far."""
SEARCHED_BLOCKS: Final = 7200
"""How far back is looked where nobody knows how far the chain was."""

MAX_INPUT: Final = 2**19
"""Characters of a transaction's call data that are looked at: more than any node takes."""

HASH: Final = re.compile(r"0x[0-9a-fA-F]{64}")
_DATA: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})*")
_TRANSFER_TOPIC: Final = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
_MAX_LOGS: Final = 10_000


class EvmOutcomes:
    """Looks for transactions on one network.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._transport, self._chain = transport, chain

    async def height(self) -> int:
        """The number of the latest block. Raises TransportError."""
        return read_quantity(await self._ask("eth_blockNumber"), "eth_blockNumber", self._chain)

    async def find(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        """As `ChainAdapter.find_transaction`.

        Raises:
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        if not asked.hash:
            return await self._by_content(asked, taken)
        found = await self._by_hash(asked, asked.hash)
        if found is None and asked.mined_hash:
            found = await self._by_hash(asked, asked.mined_hash)
            return Finding("missing") if found is None else found
        return found if found is not None else await self._by_nonce(asked)

    async def _by_hash(self, asked: TransactionRequest, transaction: str) -> Finding | None:
        """What the node says of one hash; None where it does not know it."""
        raw, receipt = await asyncio.gather(
            self._ask("eth_getTransactionByHash", transaction), self._ask("eth_getTransactionReceipt", transaction)
        )
        if not isinstance(raw, Mapping):
            return None
        sender, nonce = self._address(raw.get("from")), self._quantity(raw.get("nonce"))
        own = sender == asked.proposal.sender
        counted, sent = nonce if own else None, self._sent(raw, sender)
        # Any page can name any transaction of an account.
        proven = own and is_same(asked.proposal, sent)
        if not isinstance(receipt, Mapping) or not isinstance(receipt.get("blockHash"), str):
            return Finding("waiting", transaction, nonce=counted, proven=proven)
        mined = await self._mined(asked, raw, receipt, sent)
        good = self._quantity(receipt.get("status", "0x1")) == 1
        final = await self._stays(self._quantity(receipt.get("blockNumber")))
        return Finding("confirmed" if good else "reverted", transaction, final, mined, counted, proven=proven)

    def _sent(self, raw: Mapping[str, object], sender: str) -> Mined:
        """Reads a transaction itself, without what came of it."""
        to, data = raw.get("to"), self._bytes(raw.get("input"))
        receiver = "" if to is None else self._address(to)
        return Mined(
            chain=str(self._chain),
            hash=str(raw.get("hash")),
            sender=sender,
            to=receiver,
            value=self._quantity(raw.get("value")),
            data=data_mark(data),
            paid=token_payment(receiver, data),
        )

    async def _mined(
        self, asked: TransactionRequest, raw: Mapping[str, object], receipt: Mapping[str, object], sent: Mined
    ) -> Mined:
        # A batch is made in the wallet's own way, and its transaction is the one that the wallet has named for it.
        batch = bool(asked.bundle and asked.hash)
        return replace(
            sent,
            gained=await self._exchanged(asked, raw, receipt) if asked.proposal.given else self._gained(asked, receipt),
            relayed=batch or (sent.sender != asked.proposal.sender and await self._has_code(asked.proposal.sender)),
            height=self._quantity(receipt.get("blockNumber")),
        )

    def _gained(self, asked: TransactionRequest, receipt: Mapping[str, object]) -> int | None:
        """Returns how much of the token the proposed receiver got, by the token's own logs."""
        proposal, logs = asked.proposal, receipt.get("logs")
        if not proposal.token or receipt.get("status") != "0x1" or not isinstance(logs, list):
            return None
        if proposal.sender == proposal.receiver:
            return None
        receiver = "0x" + proposal.receiver[2:].lower().rjust(64, "0")
        total = 0
        for log in logs[:_MAX_LOGS]:
            topics = log.get("topics") if isinstance(log, Mapping) else None
            if not isinstance(topics, list) or len(topics) != 3 or topics[0] != _TRANSFER_TOPIC:
                continue
            if str(topics[2]).lower() == receiver and str(log["address"]).lower() == proposal.token.lower():
                total += int.from_bytes(self._bytes(log.get("data"))[:32], "big")
        return total

    async def _exchanged(
        self, asked: TransactionRequest, raw: Mapping[str, object], receipt: Mapping[str, object]
    ) -> int | None:
        """Returns how much of a swap's target the account has more since the block before; None where the node has forgotten that.

        Tokens that tell nothing in logs, and the native coin, are counted alike.
        """
        proposal, block = asked.proposal, self._quantity(receipt.get("blockNumber"))
        if receipt.get("status") != "0x1" or block == 0:
            return None
        try:
            before, after = await asyncio.gather(
                *(self._held(proposal.token, proposal.sender, hex(at)) for at in (block - 1, block))
            )
        except (MalformedResponseError, RpcRequestError):
            return None
        if proposal.token:
            return after - before
        if str(raw.get("from")).lower() != proposal.sender.lower():
            return after - before
        price = self._quantity(receipt.get("effectiveGasPrice") or raw.get("gasPrice"))
        fee = self._quantity(receipt.get("gasUsed")) * price + self._quantity(receipt.get("l1Fee") or "0x0")
        own = str(raw.get("to")).lower() == proposal.sender.lower()
        return after - before + fee + (0 if own else self._quantity(raw.get("value")))

    async def _held(self, token: str, account: str, block: str) -> int:
        if not token:
            return read_quantity(await self._ask("eth_getBalance", account, block), "eth_getBalance", self._chain)
        question = balance_question(token, account)
        return int.from_bytes(
            read_data(await self._ask("eth_call", question, block), "eth_call", self._chain)[:32], "big"
        )

    async def _stays(self, block: int) -> bool:
        return await self.height() >= block + FINAL_DEPTH

    async def _by_nonce(self, asked: TransactionRequest) -> Finding:
        """Finds another transaction of the account with the nonce of one that the node does not know.

        Where no node has ever shown its nonce, it is the proposed one, unless the wallet has taken another: what has that nonce now is
        believed at once only if it says itself that it is about this transaction.
        """
        anchor = asked.proposal.anchor
        nonce = int(anchor) if asked.nonce is None and anchor else asked.nonce
        if nonce is None or await self._count(asked.proposal.sender, "latest") <= nonce:
            return Finding("missing")
        sure = asked.nonce is not None or asked.missed_at is not None
        raw = await self._sent_with(asked.proposal.sender, nonce, await self._first_block(asked))
        if raw is None:
            return Finding("replaced", nonce=nonce, final=True) if asked.nonce is not None else Finding("missing")
        found = await self._by_hash(asked, str(raw.get("hash")))
        if found is None or found.mined is None:
            return Finding("missing")
        if not sure and not is_same(asked.proposal, found.mined) and not is_cancelling(found.mined):
            return Finding("missing")
        return Finding("replaced", found.hash, found.final, found.mined, nonce, proven=found.proven, reason=found.state)

    async def _by_content(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        """Finds the account's transaction that does the same as one whose hash nobody has told us."""
        sender, first = asked.proposal.sender, await self._first_block(asked)
        before, after = await asyncio.gather(self._count(sender, hex(first)), self._count(sender, "latest"))
        for nonce in range(max(before, after - MAX_LOOKED_AT), after):
            raw = await self._sent_with(sender, nonce, first)
            if raw is None or raw.get("hash") in taken:
                continue
            found = await self._by_hash(asked, str(raw["hash"]))
            if found is not None and found.mined is not None and is_same(asked.proposal, found.mined):
                return found
        return Finding("missing")

    async def _first_block(self, asked: TransactionRequest) -> int:
        known = await self.height() - SEARCHED_BLOCKS if asked.height is None else asked.height - SEARCH_MARGIN
        return max(0, known)

    async def _sent_with(self, sender: str, nonce: int, first: int) -> Mapping[str, object] | None:
        """The mined transaction of an account with a nonce, by halving the blocks in which it can be; None where they do not have it."""
        low, high = first, await self.height()
        if await self._count(sender, hex(low)) > nonce:
            return None
        while low + 1 < high:
            middle = (low + high) // 2
            if await self._count(sender, hex(middle)) > nonce:
                high = middle
            else:
                low = middle
        block = await self._ask("eth_getBlockByNumber", hex(high), True)  # noqa: FBT003 - whole transactions, says the method
        transactions = block.get("transactions") if isinstance(block, Mapping) else None
        for raw in transactions if isinstance(transactions, list) else []:
            if not isinstance(raw, Mapping) or str(raw.get("from")).lower() != sender.lower():
                continue
            if raw.get("nonce") == hex(nonce) and isinstance(raw.get("hash"), str) and HASH.fullmatch(raw["hash"]):
                return raw
        return None

    async def _count(self, account: str, block: str) -> int:
        answer = await self._ask("eth_getTransactionCount", account, block)
        return read_quantity(answer, "eth_getTransactionCount", self._chain)

    async def _has_code(self, account: str) -> bool:
        return await self._ask("eth_getCode", account, "latest") not in ("0x", None)

    async def _ask(self, method: str, *params: object) -> object:
        return await self._transport.request(method, params)

    def _quantity(self, value: object) -> int:
        return read_quantity(value, "a transaction", self._chain)

    def _bytes(self, value: object) -> bytes:
        if not isinstance(value, str) or len(value) > MAX_INPUT or not _DATA.fullmatch(value):
            raise MalformedResponseError(url=str(self._chain), details="a transaction without bytes")
        return bytes.fromhex(value[2:])

    def _address(self, value: object) -> str:
        try:
            return normal_address("eip155", value if isinstance(value, str) else "")
        except AddressError as error:
            raise MalformedResponseError(url=str(self._chain), details="a transaction without address") from error
