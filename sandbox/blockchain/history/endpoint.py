"""GET /v1/account/{account}/history: pages of fifty, newest first, over all chains or one."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.clock import Clock
from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.failures import NodeRefusedError, RefusedError
from walletmodal.sandbox.blockchain.history.blocks import pending_facts
from walletmodal.sandbox.blockchain.history.cursors import Place, from_cursor, to_cursor
from walletmodal.sandbox.blockchain.history.entries import EntryWriter
from walletmodal.sandbox.blockchain.history.facts import TransactionFacts
from walletmodal.sandbox.blockchain.history.index import ChainIndex
from walletmodal.sandbox.blockchain.history.purchases import purchase_entries
from walletmodal.sandbox.blockchain.requests import account, optional
from walletmodal.sandbox.blockchain.solana.history import SolanaHistory
from walletmodal.sandbox.onramp.purchases import PurchaseStore
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN

PAGE: Final = 50


class HistoryEndpoint:
    """Answers histories.

    Args:
        chains: the EVM chains.
        indexes: the index of each, by CAIP-2 id.
        writer: writes EVM entries.
        solana: the history of Solana accounts, where there is a node.
        purchases: what was bought on the pay page.
        clock: tells when a transaction waits.
    """

    def __init__(
        self,
        *,
        chains: Chains,
        indexes: Mapping[str, ChainIndex],
        writer: EntryWriter,
        solana: SolanaHistory | None,
        purchases: PurchaseStore,
        clock: Clock,
    ) -> None:
        self._chains = chains
        self._indexes = indexes
        self._writer = writer
        self._solana = solana
        self._purchases = purchases
        self._clock = clock

    async def history(self, request: Request) -> Response:
        """Answer with `{data, next}`."""
        namespace, address, own_chain = account(request.path_params["account"], "account")
        cursor, chain_id = optional(request, "cursor"), optional(request, "chainId")
        if own_chain is not None:
            self._require(own_chain, "account")
        if chain_id is not None:
            self._require(chain_id, "chainId")
        if (optional(request, "currency") or "usd") != "usd":
            raise RefusedError(400, "currency", "The history is in usd only")
        before = None if cursor is None else from_cursor(cursor)
        onramp = optional(request, "onramp")
        if onramp is not None:
            if onramp != "coinbase":
                raise RefusedError(400, "onramp", "The only on-ramp provider is coinbase")
            return json_answer(purchase_entries(self._purchases, address, chain_id, before))
        if namespace == "solana":
            return json_answer(await self._of_solana(address, chain_id, before))
        return json_answer(await self._of_evm(address, chain_id, before))

    def _require(self, caip2: str, field: str) -> None:
        if caip2 != SOLANA_CHAIN or self._solana is None:
            self._chains.require(caip2, field)

    async def _of_solana(self, address: str, chain_id: str | None, before: Place | None) -> dict[str, object]:
        if self._solana is None or chain_id not in (None, SOLANA_CHAIN):
            return {"data": [], "next": None}
        entries, following = await self._solana.page(address, before, PAGE)
        return {"data": entries, "next": to_cursor(following) if following else None}

    async def _of_evm(self, address: str, chain_id: str | None, before: Place | None) -> dict[str, object]:
        found: list[TransactionFacts] = []
        for index in self._indexes.values():
            if chain_id not in (None, index.chain.caip2):
                continue
            # Asked before the blocks are read: what is mined in between is then seen twice rather than not at all.
            waiting = await self._waiting(index, address) if before is None else []
            await index.up_to_date()
            mined = newest_before(index.of_account(address), before)
            known = {one.hash for one in mined}
            found += [*mined, *(one for one in waiting if one.hash not in known)]
        found.sort(key=lambda one: one.order, reverse=True)
        page = found[:PAGE]
        following = to_cursor(page[-1].order) if len(found) > PAGE else None
        return {"data": await self._written(page, address), "next": following}

    async def _written(self, page: Sequence[TransactionFacts], address: str) -> list[dict[str, object]]:
        by_chain: dict[str, list[TransactionFacts]] = defaultdict(list)
        for one in page:
            by_chain[one.chain].append(one)
        written: dict[str, dict[str, object]] = {}
        for caip2, facts in by_chain.items():
            entries = await self._writer.write(self._chains.require(caip2), facts, address)
            written.update({one.chain + one.hash: entry for one, entry in zip(facts, entries, strict=True)})
        return [written[one.chain + one.hash] for one in page]

    async def _waiting(self, index: ChainIndex, address: str) -> list[TransactionFacts]:
        try:
            pool = await index.chain.node.call("txpool_content")
        except NodeRefusedError:
            return []
        senders = pool.get("pending") if isinstance(pool, dict) else None
        if not isinstance(senders, dict):
            return []
        now = int(self._clock.now().timestamp())
        facts = [
            pending_facts(index.chain, transaction, now)
            for by_nonce in senders.values()
            for transaction in by_nonce.values()
        ]
        return [one for one in facts if address in one.accounts]


def newest_before(entries: Sequence[TransactionFacts], before: Place | None) -> Sequence[TransactionFacts]:
    """The newest of these (oldest first) that are older than a place: a page of them and one more, to know whether there is more."""
    end = len(entries) if before is None else bisect_left(entries, before, key=lambda one: one.order)
    return entries[max(0, end - PAGE - 1) : end]
