"""What the record says of a transaction as time goes by: the chain is a stand-in here, which tells whatever the test wants."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.chain_teller import HASH, MISSING, Teller
from tests.watched_request import (
    ANSWER_SECONDS,
    CONFIRMED,
    MINED,
    OTHER,
    OTHER_HASH,
    SENDER,
    Record,
    chain,
    database,
    record,
    template,
)
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.nodes import InsufficientFundsError
from walletmodal.core.text.texts import CANCELLED, MADE_BEFORE, REPLACED, SPED_UP
from walletmodal.core.transfers.transaction_request import Exchange, Mined, TransactionRequest, propose
from walletmodal.services.chains.adapter import Finding
from walletmodal.transaction_watch import EXPIRED_FOR, GIVEN_UP_AFTER, MISSED_FOR, SEARCHED_FOR, STAYS_AFTER

__all__ = ["chain", "database", "record", "template"]


async def test_a_mined_transaction_is_confirmed_then_settled(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(CONFIRMED)
    first = await record.after(1)
    assert (first.status, first.settled, first.nonce, first.proven, first.altered) == ("confirmed", False, 7, True, ())
    assert not (await record.after(STAYS_AFTER.total_seconds() - 1)).settled
    assert (await record.after(1)).settled


async def test_a_final_transaction_is_settled_at_once(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(replace(CONFIRMED, final=True))
    assert (await record.after(1)).settled


async def test_what_is_settled_is_looked_at_no_more(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(replace(CONFIRMED, final=True))
    await record.after(1)
    await record.after(1)
    assert chain.looks == 1


async def test_a_look_of_one_whose_budget_is_spent_keeps_nobody_from_looking(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(CONFIRMED)
    chain.spent = True
    assert (await record.after(1)).status == "sent"
    chain.spent = False
    assert (await record.after(0)).status == "confirmed"


async def test_a_block_that_is_taken_back_opens_everything_again(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(CONFIRMED)
    await record.after(1)
    chain.tell(MISSING)
    assert (await record.after(1)).status == "sent"
    chain.tell(Finding("waiting", HASH, nonce=7, proven=True))
    assert (await record.after(1)).status == "sent"


async def test_a_revert_is_told_with_its_reason(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(Finding("reverted", HASH, mined=MINED, reason="no"))
    found = await record.after(1)
    assert (found.status, found.reason) == ("reverted", "no")


async def test_what_is_not_as_proposed_is_on_record(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(replace(CONFIRMED, mined=replace(MINED, to=SENDER, value=6)))
    assert (await record.after(1)).altered == (
        f"Receiver: {SENDER} instead of {OTHER}",
        "Amount: 0.000000000000000006 ETH instead of 0.000000000000000005 ETH",
    )


async def test_a_transaction_from_before_the_question_is_no_answer_to_it(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH, height=10_000)
    chain.tell(replace(CONFIRMED, mined=replace(MINED, height=9_000)))
    assert (await record.after(1)).altered == (MADE_BEFORE,)


@pytest.mark.parametrize("height", [9_990, 10_001])
async def test_nodes_that_are_not_equally_far_are_no_reason_for_doubt(
    record: Record, chain: Teller, height: int
) -> None:
    await record.begin(status="sent", hash=HASH, height=10_000)
    chain.tell(replace(CONFIRMED, mined=replace(MINED, height=height)))
    assert (await record.after(1)).altered == ()


async def test_a_transaction_on_another_network_is_found_there(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(replace(CONFIRMED, mined=replace(MINED, chain="eip155:137")), "eip155:137")
    found = await record.after(1)
    assert (found.status, found.altered) == ("confirmed", ("Network: Polygon instead of Ethereum",))
    assert (await record.after(STAYS_AFTER.total_seconds())).settled


@pytest.mark.parametrize(
    "finding",
    [Finding("waiting", HASH, nonce=0, proven=True), replace(CONFIRMED, nonce=0)],
    ids=["waiting", "confirmed"],
)
async def test_the_nonce_of_another_network_says_nothing_about_this_one(
    record: Record, chain: Teller, finding: Finding
) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(finding, "eip155:137")
    assert (await record.after(1)).nonce is None


@pytest.mark.parametrize(
    ("mined", "inner", "status", "reason"),
    [
        (replace(MINED, hash=OTHER_HASH), "confirmed", "replaced", SPED_UP),
        (replace(MINED, hash=OTHER_HASH), "reverted", "reverted", SPED_UP),
        (Mined("eip155:1", OTHER_HASH, SENDER, SENDER, 0), "confirmed", "replaced", CANCELLED),
        (Mined("eip155:1", OTHER_HASH, SENDER, OTHER, 9), "confirmed", "replaced", REPLACED),
    ],
    ids=["sped-up", "sped-up-reverted", "cancelled", "another"],
)
async def test_a_replaced_transaction_names_what_took_its_place(
    record: Record, chain: Teller, mined: Mined, inner: str, status: str, reason: str
) -> None:
    await record.begin(status="sent", hash=HASH, nonce=7)
    chain.tell(Finding("replaced", OTHER_HASH, mined=mined, nonce=7, proven=True, reason=inner))
    found = await record.after(1)
    assert (found.status, found.reason, found.shown_hash, found.hash) == (status, reason, OTHER_HASH, HASH)
    assert found.altered == ()


async def test_what_took_its_place_is_settled_when_it_stays(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH, nonce=7)
    mined = replace(MINED, hash=OTHER_HASH)
    chain.tell(Finding("replaced", OTHER_HASH, mined=mined, nonce=7, proven=True, reason="confirmed"))
    await record.after(1)
    chain.tell(Finding("confirmed", OTHER_HASH, mined=mined, nonce=7, proven=True))
    found = await record.after(STAYS_AFTER.total_seconds())
    assert (found.status, found.settled) == ("replaced", True)


async def test_a_transaction_that_was_taken_for_replaced_may_turn_up(record: Record, chain: Teller) -> None:
    await record.begin(status="replaced", hash=HASH, mined_hash=OTHER_HASH, reason=REPLACED)
    chain.tell(CONFIRMED)
    found = await record.after(1)
    assert (found.status, found.shown_hash, found.reason) == ("confirmed", HASH, "")


async def test_a_transaction_that_no_node_knows_is_dropped_after_a_while(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    assert (await record.after(1)).status == "sent"
    assert (await record.after(MISSED_FOR.total_seconds() - 1)).status == "sent"
    assert (await record.after(1)).status == "dropped"


async def test_a_dropped_transaction_may_turn_up_again(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    await record.after(1)
    await record.after(MISSED_FOR.total_seconds())
    chain.tell(CONFIRMED)
    assert (await record.after(60)).status == "confirmed"


async def test_a_dropped_transaction_is_given_up_in_the_end(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    await record.after(1)
    found = await record.after(GIVEN_UP_AFTER.total_seconds())
    assert (found.status, found.settled) == ("dropped", True)


async def test_a_transaction_that_is_seen_again_has_not_been_missed(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    await record.after(1)
    chain.tell(Finding("waiting", HASH, nonce=7, proven=True))
    await record.after(30)
    chain.tell(MISSING)
    await record.after(30)
    assert (await record.after(MISSED_FOR.total_seconds() - 1)).status == "sent"


async def test_what_can_never_land_is_dropped(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(Finding("gone"))
    assert (await record.after(1)).status == "sent"
    found = await record.after(EXPIRED_FOR.total_seconds())
    assert (found.status, found.settled) == ("dropped", True)


async def test_while_the_wallet_is_asked_only_the_height_is_noted(record: Record, chain: Teller) -> None:
    await record.begin()
    found = await record.after(1, answer_expected=True)
    assert (found.height, found.status, chain.looks) == (1234, "asked", 0)


async def test_a_transaction_whose_answer_never_came_is_found(record: Record, chain: Teller) -> None:
    await record.begin()
    chain.tell(CONFIRMED)
    found = await record.after(1)
    assert (found.status, found.hash, found.proven) == ("confirmed", HASH, True)


async def test_an_answer_that_never_came_leaves_the_outcome_unknown(record: Record, chain: Teller) -> None:
    await record.begin()
    assert (await record.after(ANSWER_SECONDS + SEARCHED_FOR.total_seconds() - 1)).status == "asked"
    assert (await record.after(1)).status == "unknown"


async def test_an_answer_that_said_nothing_is_searched_for_less_long(record: Record, chain: Teller) -> None:
    await record.begin(answered_at=record.clock.now())
    assert (await record.after(SEARCHED_FOR.total_seconds())).status == "unknown"


async def test_an_unknown_outcome_may_become_known(record: Record, chain: Teller) -> None:
    await record.begin()
    await record.after(ANSWER_SECONDS + SEARCHED_FOR.total_seconds())
    chain.tell(CONFIRMED)
    assert (await record.after(3600)).status == "confirmed"


async def test_an_unknown_outcome_is_given_up_in_the_end(record: Record, chain: Teller) -> None:
    await record.begin()
    found = await record.after(GIVEN_UP_AFTER.total_seconds() + 1)
    assert (found.status, found.settled) == ("unknown", True)


async def test_a_node_that_is_down_changes_nothing(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.down = True
    before = await record.entry()
    assert await record.after(3600) == before


async def test_where_no_node_can_be_asked_the_time_for_an_answer_runs_out_too(record: Record, chain: Teller) -> None:
    await record.begin()
    chain.down = True
    assert (await record.after(ANSWER_SECONDS + SEARCHED_FOR.total_seconds())).status == "unknown"


async def test_what_the_wallet_only_signed_is_brought_to_the_network_until_it_is_there(
    record: Record, chain: Teller
) -> None:
    await record.begin(status="sent", hash=HASH, signed="c2lnbmVk")
    await record.after(1)
    await record.after(1)
    assert chain.brought == ["c2lnbmVk"] * 2
    chain.tell(CONFIRMED)
    found = await record.after(1)
    assert (found.status, found.signed) == ("confirmed", "")


async def test_what_the_network_refuses_is_told_with_its_reason(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH, signed="c2lnbmVk")
    chain.refuses = True
    found = await record.after(1)
    assert (found.status, found.settled, found.reason) == ("dropped", True, InsufficientFundsError().short_message)


async def test_looks_at_the_same_time_are_one(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.held.clear()
    entry = await record.entry()
    looks = [asyncio.create_task(record.outcomes.look(entry)) for _ in range(3)]
    while not chain.looks:
        await asyncio.sleep(0)
    chain.tell(CONFIRMED)
    chain.held.set()
    assert {(await look).status for look in looks} <= {"confirmed", "sent"}
    assert chain.looks == 1


async def test_nobody_can_have_the_chain_asked_without_end(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    for _ in range(20):
        await record.after(0)
    assert chain.looks <= 2


async def test_of_two_who_find_something_one_writes(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    before = await record.entry()
    await record.store.change(before, status="confirmed")
    assert await record.store.change(before, status="dropped") is None
    assert (await record.entry()).status == "confirmed"


class Landed:
    """User operations that the chain has."""

    async def find(self, _asked: TransactionRequest, _height: int) -> Finding:
        """As `OperationWatch.find`."""
        return replace(CONFIRMED, mined=Mined("eip155:1", HASH, SENDER, relayed=True))


async def test_a_swap_that_went_as_an_operation_tells_what_it_has_brought(record: Record, chain: Teller) -> None:
    landed: Any = Landed()
    record.outcomes._operations = landed
    exchange = Exchange(5, "ETH", 18, OTHER, 90, "USDC", 6, "")
    transaction = [{"to": OTHER, "value": "0x5"}]
    proposal = propose(parse_chain_id("eip155:1"), SENDER, "eth_sendTransaction", transaction, exchange=exchange)
    await record.begin(status="sent", kind="swap", proposal=proposal, bundle=OTHER_HASH, entry_point=OTHER)
    chain.tell(replace(CONFIRMED, mined=replace(MINED, gained=95)))
    found = await record.after(1)
    assert (found.status, found.hash, found.gained, found.altered) == ("confirmed", HASH, 95, ())


async def test_what_was_just_sent_is_looked_at_sooner_than_what_has_waited(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    chain.tell(Finding("waiting", HASH))
    seen = []
    for seconds in (0.05, 0.05, 0.1, 10, 0.3, 0.3):
        before = chain.looks
        await record.after(seconds)
        seen.append(chain.looks - before)
    assert seen == [1, 1, 1, 1, 0, 1]
