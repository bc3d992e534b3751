"""`requests tail`: decisions and transactions in the order in which they happened, and what comes after."""

from __future__ import annotations

import argparse
import asyncio
import io
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.db.sign_in_samples import ADDRESS, NOW, ORIGIN, OTHER_ADDRESS
from tests.operator.conftest import Deployed
from tests.patience import eventually
from walletmodal.config import Settings
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.requests.audit import AuditEntry
from walletmodal.core.transfers.transaction_request import TransactionRequest, propose
from walletmodal.db.audit import AuditStore
from walletmodal.db.engine import open_engine
from walletmodal.db.requests import RequestStore
from walletmodal.operator.printing import Printer
from walletmodal.operator.requests_tail import Tail, tail

PROPOSAL = propose(parse_chain_id("eip155:1"), ADDRESS, "eth_sendTransaction", [{"to": OTHER_ADDRESS, "value": "0x1"}])
HASH = "0x" + "ab" * 32


@dataclass
class Written:
    """The tables, and who writes them."""

    url: str
    audit: AuditStore
    record: RequestStore
    clock: MovableClock

    @property
    def reader(self) -> Tail:
        return Tail(self.audit, self.record)

    async def decide(self, outcome: Any, method: str, **fields: Any) -> None:
        fields = {"origin": ORIGIN, "chain": "eip155:1", "account": ADDRESS, **fields}
        self.audit.note(AuditEntry(self.clock.now(), outcome, method, **fields))
        await self.audit.flush()
        self.clock.advance(1)

    async def ask(self, request_id: str) -> TransactionRequest:
        now = self.clock.now()
        asked = TransactionRequest(request_id, "me", ORIGIN, "host", PROPOSAL, now, now)
        await self.record.ask(asked)
        self.clock.advance(1)
        return asked


@pytest_asyncio.fixture
async def written(tmp_path: Path, empty_database: bytes) -> AsyncIterator[Written]:
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    url = f"sqlite:///{path}"
    engine, clock = open_engine(url), MovableClock(NOW)
    audit = AuditStore(engine, clock=clock)
    yield Written(url, audit, RequestStore(engine, clock=clock), clock)
    await audit.close()
    await engine.dispose()


async def test_both_tables_are_told_in_the_order_of_time(written: Written) -> None:
    await written.decide("denied", "eth_sign", reason="never")
    asked = await written.ask("one")
    await written.decide("allowed", "personal_sign", summary="a message")
    await written.record.change(asked, status="sent", hash=HASH)
    lines = await written.reader.last(10)
    assert [(line.kind, line.outcome, line.method, line.detail) for line in lines] == [
        ("decision", "denied", "eth_sign", "never"),
        ("decision", "allowed", "personal_sign", "a message"),
        ("transaction", "sent", "eth_sendTransaction", HASH),
    ]
    assert {(line.account, line.origin) for line in lines} == {(f"eip155:1:{ADDRESS}", ORIGIN)}
    assert [line.outcome for line in await written.reader.last(2)] == ["allowed", "sent"]


async def test_who_follows_is_told_each_change_once(written: Written) -> None:
    asked = await written.ask("one")
    reader = written.reader
    assert [line.outcome for line in await reader.last(5)] == ["asked"]
    assert await reader.more() == []
    changed = await written.record.change(asked, status="sent", hash=HASH)
    written.clock.advance(1)
    await written.decide("limited", "eth_sendTransaction")
    assert [line.outcome for line in await reader.more()] == ["sent", "limited"]
    assert changed
    await written.record.change(changed, status="confirmed")
    assert [line.outcome for line in await reader.more()] == ["confirmed"]
    assert await reader.more() == []


async def test_what_is_written_in_the_same_moment_later_is_not_missed(written: Written) -> None:
    now = written.clock.now()
    await written.record.ask(TransactionRequest("one", "me", ORIGIN, "host", PROPOSAL, now, now))
    reader = written.reader
    await reader.last(5)
    await written.record.ask(TransactionRequest("two", "me", ORIGIN, "host", PROPOSAL, now, now))
    assert [line.id for line in await reader.more()] == ["two"]
    await written.record.ask(TransactionRequest("three", "me", ORIGIN, "host", PROPOSAL, now, now))
    assert [line.id for line in await reader.more()] == ["three"]


async def test_who_begins_with_nothing_is_told_all_that_comes(written: Written) -> None:
    reader = written.reader
    assert await reader.last(5) == []
    await written.ask("one")
    assert [line.id for line in await reader.more()] == ["one"]


async def test_following_goes_on_until_it_is_interrupted(written: Written) -> None:
    out, clock = io.StringIO(), MovableClock()
    await written.decide("allowed", "personal_sign")
    asked = argparse.Namespace(lines=5, follow=True, json=True)
    settings = Settings(_env_file=None, database_url=written.url)
    following = asyncio.create_task(tail(settings, asked, Printer(machine=True, out=out), clock=clock))
    await clock.asleep()
    await written.decide("denied", "eth_sign")
    clock.advance(2)
    await eventually(lambda: len(out.getvalue().splitlines()) == 2)
    assert [json.loads(line)["outcome"] for line in out.getvalue().splitlines()] == ["allowed", "denied"]
    following.cancel()
    with pytest.raises(asyncio.CancelledError):
        await following


def test_what_strangers_say_is_one_line_that_moves_no_cursor(deployed: Deployed) -> None:
    async def note(engine: Any) -> None:
        audit = AuditStore(engine)
        audit.note(AuditEntry(NOW, "denied", "eth_sign", reason="no\x1b[2J\r\n2026 ok  decision  allowed \u202e"))
        audit.note(AuditEntry(NOW + timedelta(seconds=1), "not_allowed", "x", count=1))
        await audit.flush()
        await audit.close()

    deployed.write(note)
    answer = deployed.run("requests", "tail")
    assert len(answer.lines) == 2
    assert all(line.isprintable() for line in answer.lines)
    first, _ = (json.loads(line) for line in deployed.run("requests", "tail", "--json").lines)
    assert first["detail"].startswith("no\x1b")
