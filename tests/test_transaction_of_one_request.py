"""Each transaction of the chain is that of one request, whoever finds or names it first."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.chain_teller import HASH, MISSING, Teller
from tests.watched_request import (
    CONFIRMED,
    MINED,
    OTHER,
    OTHER_HASH,
    PROPOSAL,
    Record,
    chain,
    database,
    record,
    template,
)
from walletmodal.core.text.texts import MADE_BEFORE
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.services.chains.adapter import Finding

__all__ = ["chain", "database", "record", "template"]


async def test_a_transaction_that_another_request_has_is_no_second_payment(record: Record, chain: Teller) -> None:
    await record.begin(id="first", status="confirmed", settled=True, hash=HASH)
    record.clock.advance(60)
    await record.begin(id="again", status="sent", hash=HASH)
    chain.tell(CONFIRMED)
    again = await record.after(1)
    assert (again.status, again.altered) == ("confirmed", (MADE_BEFORE,))


async def test_one_transaction_may_carry_out_two_requests_of_a_contract_account(record: Record, chain: Teller) -> None:
    await record.begin(id="first", status="confirmed", settled=True, hash=HASH)
    await record.begin(id="second", status="sent", hash=HASH)
    chain.tell(replace(CONFIRMED, mined=replace(MINED, sender=OTHER, relayed=True)))
    assert (await record.after(1)).altered == ()


async def test_what_another_request_has_is_not_taken(record: Record, chain: Teller) -> None:
    await record.begin(status="sent", hash=HASH)
    now = record.clock.now()
    await record.store.ask(TransactionRequest("second", "owner", "", "send", PROPOSAL, now, now))
    record.id = "second"
    await record.after(1)
    assert chain.taken == [frozenset({HASH})]


async def test_a_transaction_that_is_found_for_two_requests_is_that_of_one(record: Record, chain: Teller) -> None:
    await record.begin(id="first")
    await record.begin(id="second")
    chain.tell(CONFIRMED)
    chain.held.clear()
    looks = [
        asyncio.create_task(record.outcomes.look(await record.entry(one), answer_expected=False))
        for one in ("first", "second")
    ]
    while chain.looks < 2:
        await asyncio.sleep(0)
    chain.held.set()
    assert sorted([(await look).hash for look in looks]) == ["", HASH]
    assert sorted([(await record.entry(one)).status for one in ("first", "second")]) == ["asked", "confirmed"]


async def found_and_named(record: Record, chain: Teller, finding: Finding, **lost: Any) -> TransactionRequest:
    """A transaction is found for a request whose answer was lost, and named for the next one. The first one as it is then."""
    await record.begin(id="lost", **lost)
    record.clock.advance(1)
    await record.begin(id="named")
    chain.tell(finding)
    await record.outcomes.look(await record.entry("lost"))
    assert (await record.entry("lost")).hash == HASH
    now = record.clock.now()
    await record.store.change(await record.entry("named"), status="sent", hash=HASH, answered_at=now)
    return await record.entry("lost")


@pytest.mark.parametrize("failed", [False, True], ids=["unanswered", "answer-failed"])
async def test_what_was_found_for_a_request_is_given_back_when_the_wallet_names_it_for_another(
    record: Record, chain: Teller, *, failed: bool
) -> None:
    answered = {"answered_at": record.clock.now()} if failed else {}
    lost = await found_and_named(record, chain, CONFIRMED, **answered)
    assert (lost.status, lost.hash, lost.settled, lost.proven, lost.nonce) == ("unknown", "", False, False, None)
    assert ((await record.after(1)).status, (await record.entry()).altered) == ("confirmed", ())
    chain.tell(MISSING)
    await record.outcomes.look(await record.entry("lost"))
    assert chain.taken[-1] == {HASH}


async def test_what_is_final_is_not_given_back(record: Record, chain: Teller) -> None:
    lost = await found_and_named(record, chain, replace(CONFIRMED, final=True))
    assert (lost.hash, lost.status, lost.settled) == (HASH, "confirmed", True)
    assert (await record.after(1)).altered == (MADE_BEFORE,)


async def test_what_another_request_could_not_have_done_is_not_given_back(record: Record, chain: Teller) -> None:
    other = PROPOSAL.model_copy(update={"value": 6})
    lost = await found_and_named(record, chain, CONFIRMED, proposal=other)
    assert (lost.hash, lost.status) == (HASH, "confirmed")


async def test_what_took_the_place_of_a_named_transaction_is_given_back_too(record: Record, chain: Teller) -> None:
    await record.begin(id="lost")
    await record.begin(id="sped-up", status="sent", hash=OTHER_HASH, nonce=7, answered_at=record.clock.now())
    chain.tell(CONFIRMED)
    await record.outcomes.look(await record.entry("lost"))
    chain.tell(Finding("replaced", HASH, mined=MINED, nonce=7, proven=True))
    assert (await record.after(1)).mined_hash == HASH
    assert (await record.entry("lost")).hash == ""


async def test_what_has_taken_the_nonce_of_another_request_is_its_own_requests(record: Record, chain: Teller) -> None:
    other = PROPOSAL.model_copy(update={"value": 6})
    now = record.clock.now()
    await record.begin(id="stuck", proposal=other, status="sent", hash=OTHER_HASH, nonce=7, answered_at=now)
    chain.tell(Finding("replaced", HASH, final=True, mined=MINED, nonce=7, proven=True, reason="confirmed"))
    stuck = await record.after(1)
    assert (stuck.status, stuck.mined_hash, stuck.settled) == ("replaced", HASH, True)
    await record.begin(id="own")
    chain.tell(CONFIRMED)
    own = await record.after(1)
    assert (own.status, own.hash, own.altered, chain.taken[-1]) == ("confirmed", HASH, (), {OTHER_HASH})


async def test_a_batch_whose_transaction_its_wallet_names_for_another_is_asked_for_again(
    record: Record, chain: Teller
) -> None:
    lost = await found_and_named(record, chain, CONFIRMED, bundle="0x01", answered_at=record.clock.now())
    assert (lost.hash, lost.settled, lost.bundle) == ("", False, "0x01")


async def test_who_was_first_in_naming_a_final_transaction_keeps_it(record: Record, chain: Teller) -> None:
    await record.begin(id="late")
    record.clock.advance(1)
    await record.begin(id="first", status="sent", hash=HASH)
    chain.tell(replace(CONFIRMED, final=True))
    await record.after(1)
    record.id = "late"
    await record.store.change(await record.entry(), status="sent", hash=HASH, answered_at=record.clock.now())
    assert (await record.after(1)).altered == (MADE_BEFORE,)
    assert (await record.entry("first")).altered == ()


async def test_what_the_wallet_has_named_late_is_not_given_back(record: Record, chain: Teller) -> None:
    await record.begin(id="late")
    chain.tell(CONFIRMED)
    await record.after(1)
    await record.store.change(await record.entry(), answered_at=record.clock.now())
    record.clock.advance(1)
    await record.begin(id="again")
    await record.store.change(await record.entry(), status="sent", hash=HASH, answered_at=record.clock.now())
    assert (await record.entry("late")).hash == HASH
    assert (await record.after(1)).altered == (MADE_BEFORE,)
