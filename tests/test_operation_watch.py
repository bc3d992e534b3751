"""User operations on record: handed in until a bundler has them, and given up only where none can be on its way."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.chain_teller import Teller
from tests.services.rpc_double import status
from tests.watched_request import ANSWER_SECONDS, CHAINS, Record, chain, database, record, template
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors.operations import OperationHashError, OperationNonceError
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.core.transfers.transaction_request import TransactionRequest, propose
from walletmodal.operation_watch import GIVEN_UP_AFTER, HANDED_IN_AGAIN_AFTER, LOOKED_FOR, OperationWatch, write_signed
from walletmodal.services.chains.adapter import Finding
from walletmodal.services.chains.eip155.outcomes import FINAL_DEPTH
from walletmodal.services.smart_accounts.outcomes import OperationOutcome, SentOperation
from walletmodal.transaction_watch import Outcomes

__all__ = ["chain", "database", "record", "template"]

SENDER, PAYMASTER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x777777777777AeC03fd955926DbF81597e66834C"
OPERATION = UserOperation(sender=SENDER, nonce=7, call_data=b"", paymaster=PAYMASTER)
HASH = OPERATION.hash(ENTRY_POINT_0_7, 1)
NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
ENTRY = TransactionRequest(
    "id",
    "owner",
    "",
    "host",
    propose(parse_chain_id("eip155:1"), SENDER, "eth_sendTransaction", [{"to": PAYMASTER}]),
    NOW,
    NOW,
    status="sent",
    bundle="0x" + HASH.hex(),
    entry_point=ENTRY_POINT_0_7,
    signed=write_signed(OPERATION),
    height=100,
)
HANDED_IN = replace(ENTRY, missed_at=NOW)
LANDED = OperationOutcome(True, "0x" + "ab" * 32, 101, 77, nonce=7, paid_for=True)
REFUSAL = OperationNonceError("AA25 invalid account nonce")


class Stage:
    """A watch, what its bundler and its chain say, and what was told of them."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self.outcome: OperationOutcome | None = None
        self.sent, self.told = list[bytes](), list[tuple[int, int]]()
        own: Any = self
        self.watch = OperationWatch(own, own, self.tell)

    async def send(self, _chain: ChainId, operation: UserOperation, _entry_point: str, operation_hash: bytes) -> None:
        assert operation == OPERATION
        self.sent.append(operation_hash)
        if self.failure is not None:
            raise self.failure

    async def find(self, _chain: ChainId, _sent: SentOperation, _head: int) -> OperationOutcome | None:
        return self.outcome

    async def tell(self, _chain: str, _account: str, nonce: int, cost: int) -> None:
        self.told.append((nonce, cost))

    async def missed(self, entry: TransactionRequest, later: timedelta = timedelta()) -> dict[str, Any]:
        changes = self.watch.missing_changes(entry, NOW + later)
        if "missed_at" not in changes:
            return changes
        return changes | await self.watch.hand_in(replace(entry, **changes), first=entry.missed_at is None)


@pytest.fixture
def stage() -> Stage:
    return Stage()


async def test_an_operation_is_handed_in_and_after_a_while_again(stage: Stage) -> None:
    assert (await stage.missed(ENTRY), stage.sent) == ({"missed_at": NOW}, [HASH])
    assert (await stage.missed(HANDED_IN, HANDED_IN_AGAIN_AFTER / 2), len(stage.sent)) == ({}, 1)
    assert (await stage.missed(HANDED_IN, HANDED_IN_AGAIN_AFTER))["missed_at"] == NOW + HANDED_IN_AGAIN_AFTER
    assert stage.sent == [HASH] * 2


async def test_one_that_a_bundler_refuses_is_given_up_with_its_reason(stage: Stage) -> None:
    stage.failure = REFUSAL
    changes = await stage.missed(ENTRY)
    assert (changes["status"], changes["reason"]) == ("dropped", REFUSAL.short_message)


@pytest.mark.parametrize(
    ("later", "changes"),
    [
        (HANDED_IN_AGAIN_AFTER, {"status": "dropped", "settled": False}),
        (GIVEN_UP_AFTER, {"status": "dropped", "settled": False}),
        (LOOKED_FOR, {"status": "dropped", "settled": True, "signed": ""}),
    ],
)
async def test_one_that_was_refused_is_looked_for_and_not_handed_in_again(
    stage: Stage, later: timedelta, changes: dict[str, Any]
) -> None:
    """A bundler may refuse it, and bring it to the network all the same."""
    assert (await stage.missed(replace(HANDED_IN, status="dropped"), later), stage.sent) == (changes, [])


@pytest.mark.parametrize(
    ("entry", "failure"),
    [
        pytest.param(ENTRY, status(503), id="nobody knows whether it arrived"),
        pytest.param(ENTRY, OperationHashError("11 for 22"), id="the bundler knows it by another hash"),
        pytest.param(HANDED_IN, REFUSAL, id="the bundler may have it already"),
    ],
)
async def test_one_that_may_be_on_its_way_is_not_given_up(
    stage: Stage, entry: TransactionRequest, failure: Exception
) -> None:
    stage.failure = failure
    later = HANDED_IN_AGAIN_AFTER
    assert await stage.missed(entry, later) == {"missed_at": NOW + later}


async def test_what_no_block_has_after_ten_minutes_is_given_up(stage: Stage) -> None:
    assert (await stage.missed(HANDED_IN, GIVEN_UP_AFTER), stage.sent) == ({"status": "dropped", "settled": False}, [])


@pytest.mark.parametrize(
    ("later", "changes"),
    [
        (timedelta(), {"status": "sent", "hash": ""}),
        (GIVEN_UP_AFTER, {"status": "dropped", "settled": False}),
    ],
)
async def test_one_whose_block_was_taken_back_is_open_again_for_a_while(
    stage: Stage, later: timedelta, changes: dict[str, Any]
) -> None:
    landed = replace(ENTRY, status="confirmed", hash="0x" + "ab" * 32, signed="")
    assert (await stage.missed(landed, later), stage.sent) == (changes, [])


@pytest.mark.parametrize(("depth", "final"), [(FINAL_DEPTH - 1, False), (FINAL_DEPTH, True)])
async def test_one_is_final_under_so_many_blocks(stage: Stage, depth: int, *, final: bool) -> None:
    stage.outcome = LANDED
    assert (await stage.watch.find(ENTRY, 101 + depth)).final is final


@pytest.mark.parametrize(("paid_for", "told"), [(True, [(7, 77)]), (False, [])])
async def test_what_an_operation_has_cost_is_told_where_a_paymaster_has_paid(
    stage: Stage, *, paid_for: bool, told: list[tuple[int, int]]
) -> None:
    stage.outcome = replace(LANDED, paid_for=paid_for)
    assert ((await stage.watch.find(ENTRY, 102)).state, stage.told) == ("confirmed", told)


class Bundler:
    """Takes an operation once, after a while; who brings it again is refused."""

    def __init__(self) -> None:
        self.asked, self.answers = asyncio.Event(), asyncio.Event()
        self.taken = False

    async def send(self, *_operation: object) -> None:
        """As `services.smart_accounts.bundler.Bundler.send`."""
        if self.taken:
            raise REFUSAL
        self.taken = True
        self.asked.set()
        await self.answers.wait()

    async def find(self, *_operation: object) -> None:
        """The chain has none yet, as `OperationOutcomes.find`."""


async def test_of_two_workers_one_hands_an_operation_in(record: Record) -> None:
    bundler = Bundler()
    others: Any = bundler
    record.outcomes._operations = OperationWatch(others, others, others)
    second = Outcomes(record.store, record.outcomes._chains, CHAINS, answer_seconds=ANSWER_SECONDS, clock=record.clock)
    second._operations = record.outcomes._operations
    await record.begin(status="sent", bundle=ENTRY.bundle, entry_point=ENTRY_POINT_0_7, signed=ENTRY.signed)
    before = await record.entry()
    first = asyncio.create_task(record.outcomes.look(before))
    await bundler.asked.wait()
    await second.look(before)
    bundler.answers.set()
    found = await first
    assert (found.status, bool(found.signed), (await record.entry()).status) == ("sent", True, "sent")
    await second.close()


async def test_one_that_was_never_handed_in_is_handed_in_before_the_chain_is_asked(record: Record) -> None:
    bundler = Bundler()
    bundler.answers.set()
    others: Any = bundler
    nobody: Any = None
    record.outcomes._operations = OperationWatch(others, nobody, others)
    await record.begin(status="sent", bundle=ENTRY.bundle, entry_point=ENTRY_POINT_0_7, signed=ENTRY.signed)
    await record.outcomes.look(await record.entry())
    assert (bundler.taken, (await record.entry()).missed_at) == (True, record.clock.now())


async def test_one_that_was_refused_and_lands_all_the_same_is_told_so(
    record: Record, chain: Teller, stage: Stage
) -> None:
    stage.failure = REFUSAL
    record.outcomes._operations = stage.watch
    await record.begin(status="sent", bundle=ENTRY.bundle, entry_point=ENTRY_POINT_0_7, signed=ENTRY.signed)
    assert (await record.outcomes.look(await record.entry())).status == "dropped"
    stage.outcome = LANDED
    chain.tell(Finding("missing"))
    found = await record.after(60)
    assert (found.status, found.reason, stage.told) == ("confirmed", "", [(7, 77)])


async def test_one_that_lands_in_another_block_after_a_reorganisation_is_told_of_that_one(
    record: Record, chain: Teller, stage: Stage
) -> None:
    first, second = "0x" + "ab" * 32, "0x" + "cd" * 32
    record.outcomes._operations = stage.watch
    await record.begin(status="sent", bundle=ENTRY.bundle, entry_point=ENTRY_POINT_0_7, signed=ENTRY.signed)
    await record.outcomes.look(await record.entry())
    stage.outcome = replace(LANDED, transaction=first, block=1230)
    landed = await record.after(60)
    stage.outcome = None
    taken_back = await record.after(60)
    stage.outcome = replace(LANDED, success=False, transaction=second, block=1232, cost=80, reason="no balance")
    again = await record.after(60)
    assert [(one.status, one.hash, one.settled) for one in (landed, taken_back, again)] == [
        ("confirmed", first, False),
        ("sent", "", False),
        ("reverted", second, False),
    ]
    assert (again.reason, stage.told) == ("no balance", [(7, 77), (7, 80)])
