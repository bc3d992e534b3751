"""Whom an account has dealt with: what is kept, what is asked of the chain, and what of it is believed."""

from typing import Any, cast

import httpx
import pytest

from tests.services import node as nodes
from tests.services.node import Node
from walletmodal.core.accounts.counterparties import Counterparty
from walletmodal.core.accounts.transactions import HistoryPage
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.errors.receivers import HistoryUnknownError
from walletmodal.core.errors.services import NotConfiguredError, ServiceError
from walletmodal.services.blockchain.accounts import AccountCalls
from walletmodal.services.cache import MemoryCache
from walletmodal.services.chains.adapter import Authorship
from walletmodal.services.chains.eip155 import Eip155Adapter
from walletmodal.services.chains.registry import Chains
from walletmodal.services.http import Caller
from walletmodal.services.receivers.correspondence import KEPT_SECONDS, MAX_PAGES, Correspondence
from walletmodal.services.rpc import HttpRpcTransport

MAINNET = parse_chain_id("eip155:1")
CALLER = Caller("https://app.example", "project-1")
OWN, FRIEND = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
HASHES = ("0x" + "11" * 32, "0x" + "22" * 32)
PAID = Counterparty(FRIEND, HASHES, paid=True, received=False)
UNPAID = Counterparty(FRIEND, HASHES, paid=False, received=False)


class Histories:
    """`AccountCalls` with pages that never end, until `failure`."""

    def __init__(self) -> None:
        self.asked: list[str | None] = []
        self.failure: Exception | None = None
        self.known = True

    async def knows(self, _caller: Caller, _chain: ChainId) -> bool:
        return self.known

    async def history(self, _caller: Caller, _chain: ChainId, _account: str, *, cursor: str | None) -> HistoryPage:
        if self.failure is not None:
            raise self.failure
        self.asked.append(cursor)
        return HistoryPage(data=(), next=f"page-{len(self.asked) + 1}")


class Authors:
    """`Chains` that says who made which transaction, one after the other; an exception is a node that is down."""

    def __init__(self, *says: Authorship | Exception) -> None:
        self.says = list(says)

    def adapter(self, _namespace: str) -> "Authors":
        return self

    async def authorship(self, _chain: ChainId, _transaction: str, _address: str) -> Authorship:
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


def correspondence(
    histories: Histories | None = None, authors: Authors | None = None, clock: MovableClock | None = None
) -> Correspondence:
    return Correspondence(
        cast("AccountCalls", histories or Histories()), cast("Chains", authors or Authors()), MemoryCache(clock)
    )


async def test_a_few_pages_are_read_and_kept_for_a_minute() -> None:
    histories, clock = Histories(), MovableClock()
    read = correspondence(histories, clock=clock)
    await read.of(CALLER, MAINNET, OWN)
    await read.of(CALLER, MAINNET, OWN)
    assert histories.asked == [None, "page-2", "page-3"]
    clock.advance(KEPT_SECONDS + 1)
    await read.of(CALLER, MAINNET, OWN)
    assert len(histories.asked) == 2 * MAX_PAGES


@pytest.mark.parametrize("failure", [ServiceError("blockchain", status=500), NotConfiguredError("blockchain")])
async def test_a_history_that_cannot_be_read_is_no_empty_one_and_not_kept(failure: Exception) -> None:
    histories = Histories()
    read = correspondence(histories)
    histories.failure = failure
    with pytest.raises(HistoryUnknownError):
        await read.of(CALLER, MAINNET, OWN)
    histories.failure = None
    assert await read.of(CALLER, MAINNET, OWN) == ()


async def test_a_network_that_the_service_does_not_know_has_no_history_to_trust() -> None:
    histories = Histories()
    histories.known = False
    with pytest.raises(HistoryUnknownError):
        await correspondence(histories).of(CALLER, MAINNET, OWN)


DOWN = HttpRequestError(url="http://node", details="refused")


@pytest.mark.parametrize(
    ("one", "says", "confirmed"),
    [
        (UNPAID, ["own"], True),
        (UNPAID, ["foreign", "own"], True),
        (PAID, ["foreign", "foreign"], False),
        # A contract account has others make its transactions; strangers can make them, too, but not with money.
        (PAID, ["unclear"], True),
        (UNPAID, ["unclear", "unclear"], False),
        (PAID, [DOWN, "own"], True),
    ],
)
async def test_who_was_sent_something_is_believed_by_who_made_the_transaction(
    one: Counterparty, says: list[Any], confirmed: bool
) -> None:
    assert await correspondence(authors=Authors(*says)).confirmed(MAINNET, OWN, one) is confirmed


async def test_what_could_not_be_asked_is_not_denied() -> None:
    with pytest.raises(HistoryUnknownError):
        await correspondence(authors=Authors("foreign", DOWN)).confirmed(MAINNET, OWN, PAID)


@pytest.mark.parametrize(
    ("transaction", "code", "author"),
    [
        ({"from": OWN.lower()}, "0x", "own"),
        ({"from": FRIEND}, "0x", "foreign"),
        ({"from": FRIEND}, "0x6000", "unclear"),
        ({"from": 5}, "0x", "foreign"),
        (None, "0x6000", "foreign"),
        ("nonsense", None, "foreign"),
    ],
)
async def test_the_node_says_who_made_a_transaction(
    client: httpx.AsyncClient, node: Node, transaction: object, code: object, author: str
) -> None:
    node.behaviour = nodes.each(lambda call: {"result": code if call["method"] == "eth_getCode" else transaction})
    transport = HttpRpcTransport(client, node.url)
    adapter = Eip155Adapter(lambda _chain: transport)
    assert await adapter.authorship(MAINNET, HASHES[0], OWN) == author
