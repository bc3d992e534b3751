"""One transaction request on record, and what the watch finds of it as time goes by; the chain tells whatever the test wants."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.chain_teller import HASH, Teller
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.transfers.transaction_request import Mined, TransactionRequest, propose
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import upgrade
from walletmodal.db.requests import RequestStore
from walletmodal.services.chains.adapter import Finding
from walletmodal.transaction_watch import Outcomes

SENDER, OTHER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
OTHER_HASH = "0x" + "cd" * 32
ANSWER_SECONDS = 120.0
CHAINS = ("eip155:1", "eip155:137")
PROPOSAL = propose(parse_chain_id("eip155:1"), SENDER, "eth_sendTransaction", [{"to": OTHER, "value": "0x5"}])
MINED = Mined("eip155:1", HASH, SENDER, OTHER, 5)
CONFIRMED = Finding("confirmed", HASH, mined=MINED, nonce=7, proven=True)


class Record:
    """One entry, and what is known of it as time goes by."""

    def __init__(self, store: RequestStore, outcomes: Outcomes, clock: MovableClock) -> None:
        self.store, self.outcomes, self.clock = store, outcomes, clock
        self.id = ""

    async def begin(self, **changes: Any) -> None:
        now = self.clock.now()
        entry = replace(TransactionRequest("id", "owner", "", "send", PROPOSAL, now, now), **changes)
        self.id = entry.id
        await self.store.ask(entry)

    async def entry(self, request_id: str = "") -> TransactionRequest:
        """The one that was begun last, or another one."""
        found = await self.store.get(request_id or self.id)
        assert found is not None
        return found

    async def after(self, seconds: float, **options: Any) -> TransactionRequest:
        """The entry when it is looked at so many seconds later."""
        self.clock.advance(seconds)
        return await self.outcomes.look(await self.entry(), **options)


@pytest.fixture
def chain() -> Teller:
    return Teller()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with its tables."""
    path = tmp_path_factory.mktemp("outcomes") / "empty.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def database(template: Path, tmp_path: Path) -> str:
    """URL of a database of the test's own."""
    (tmp_path / "test.db").write_bytes(template.read_bytes())
    return f"sqlite:///{tmp_path / 'test.db'}"


@pytest_asyncio.fixture
async def record(chain: Teller, database: str) -> AsyncIterator[Record]:
    engine, clock = open_engine(database), MovableClock()
    store = RequestStore(engine, clock=clock)
    chains: Any = chain
    outcomes = Outcomes(store, chains, CHAINS, answer_seconds=ANSWER_SECONDS, clock=clock)
    yield Record(store, outcomes, clock)
    await outcomes.close()
    await engine.dispose()
