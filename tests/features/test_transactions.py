"""Transactions on record: written before the wallet is asked, and its answer before the browser may forget it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from reflex.istate.manager import StateManager
from sqlalchemy import text

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.conftest import Rewire
from tests.features.namespaces import SOLANA, WALLETS, told
from tests.solana_samples import SENDER, encoded, payment
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.flow import (
    AnotherNetworkError,
    NoActiveAddressError,
    NotRecordedError,
    TooManyPendingError,
)
from walletmodal.core.transfers.transaction_request import TransactionKind, TransactionRequest, propose
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.deployment import Deployment
from walletmodal.features.bridge.state import RESYNC_SECONDS, BridgeState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.transactions.state import PendingState
from walletmodal.features.transactions.wallet_requests import ask_transaction

HASH, OTHER_HASH = "0x" + "ab" * 32, "0x" + "cd" * 32
PAYMENT: dict[str, Any] = {"from": ADDRESS, "to": OTHER, "value": "0x1", "data": "0x"}
SOL_SENDER = str(SENDER.pubkey())
WORDS: list[TransactionOutcome] = []

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


async def heard(_state: Any, outcome: TransactionOutcome, context: dict[str, Any]) -> list[Any]:
    """The flow's own step."""
    WORDS.append(outcome)
    assert context == {"a": 1}
    return []


@pytest.fixture(autouse=True)
def words(rewire: Rewire) -> list[TransactionOutcome]:
    """What the flow heard."""
    rewire(transaction_outcomes={"tests.outcome": heard})
    WORDS.clear()
    return WORDS


@pytest_asyncio.fixture
async def heir(manager: StateManager, driver: Driver) -> AsyncIterator[Driver]:
    """The same tab after its session was lost."""
    after = Driver(manager, token="visitor-again")
    after.follow(driver)
    async with after.processor:
        yield after


async def ask(driver: Driver, *, chain: str = "eip155:1", kind: TransactionKind = "send", **changes: Any) -> None:
    """One of the modal's flows wants a transaction."""
    params = [{**PAYMENT, **changes}]
    proposal = propose(parse_chain_id(chain), ADDRESS, "eth_sendTransaction", params)
    async with driver.changing(PendingState) as pending:
        await ask_transaction(
            pending, proposal=proposal, params=params, kind=kind, then="tests.outcome", context={"a": 1}
        )


async def ask_on_solana(driver: Driver, transaction: str) -> None:
    """The same on Solana, for the account of the samples."""
    params = {"transaction": transaction}
    proposal = propose(parse_chain_id(SOLANA), SOL_SENDER, "solana_signAndSendTransaction", params)
    async with driver.changing(PendingState) as pending:
        await ask_transaction(
            pending, proposal=proposal, params=params, kind="send", then="tests.outcome", context={"a": 1}
        )


async def asked(driver: Driver) -> dict[str, Any]:
    """The command that has the wallet send."""
    return (await driver.commands("wallet.request"))[0]


async def entry(deployed: Deployment, request_id: str) -> TransactionRequest:
    """What is on record."""
    found = await deployed.requests.get(request_id)
    assert found is not None
    return found


async def test_a_transaction_is_on_record_when_the_wallet_is_asked(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await ask(driver)
    found = await entry(deployed, (await asked(driver))["id"])
    assert (found.status, found.kind, found.origin) == ("asked", "send", "http://localhost:8700")
    assert (found.proposal.receiver, found.proposal.amount) == (OTHER, 1)


@pytest.mark.parametrize("method", ["eth_sendTransaction", "wallet_sendCalls"])
async def test_what_a_host_has_sent_is_on_record(driver: Driver, deployed: Deployment, method: str) -> None:
    await driver.connect()
    calls = {"from": ADDRESS, "calls": [{"to": OTHER, "value": "0x1", "data": "0x"}]}
    await driver.request(method, [PAYMENT if method == "eth_sendTransaction" else calls])
    found = await entry(deployed, (await asked(driver))["id"])
    assert (found.kind, found.proposal.to, found.proposal.value) == ("host", OTHER, 1)


async def test_without_the_record_no_wallet_is_asked(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await broken(deployed)
    with pytest.raises(NotRecordedError):
        await ask(driver)
    assert await driver.commands("wallet.request") == []


async def test_a_host_hears_that_nothing_could_be_put_on_record(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await broken(deployed)
    await driver.request("eth_sendTransaction", [PAYMENT])
    assert (await driver.answer("request"))["error"]["message"] == NotRecordedError().short_message


@pytest.mark.parametrize("value", ["1", 1, "0xzz", "-0x1", {}])
async def test_a_host_s_transaction_that_cannot_be_read_is_refused(driver: Driver, value: Any) -> None:
    await driver.connect()
    await driver.request("eth_sendTransaction", [{**PAYMENT, "value": value}])
    assert ((await driver.answer("request"))["error"]["code"], await driver.commands("wallet.request")) == (-32602, [])


async def test_the_hundredth_pending_transaction_is_refused(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await ask(driver)
    first = await entry(deployed, (await asked(driver))["id"])
    for number in range(98):
        await deployed.requests.ask(copy(first, f"other-{number}"))
    with pytest.raises(TooManyPendingError):
        await ask(driver)
    assert len(await driver.commands("wallet.request")) == 1


@pytest.mark.parametrize(
    ("connected", "network", "error"),
    [(False, "eip155:1", NoActiveAddressError), (True, "eip155:137", AnotherNetworkError)],
)
async def test_an_account_that_is_not_there_any_more_is_asked_nothing(
    driver: Driver, connected: bool, network: str, error: type[WalletModalError]
) -> None:
    await driver.load(sessions={"eip155": session()} if connected else {})
    with pytest.raises(error):
        await ask(driver, chain=network)
    assert await driver.commands("wallet.request") == []


async def test_a_hash_is_on_record_and_told_to_the_flow(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await ask(driver)
    command = await asked(driver)
    await driver.reply(command, value=HASH.upper().replace("0X", "0x"))
    found = await entry(deployed, command["id"])
    assert (found.status, found.hash, WORDS) == ("sent", HASH, [TransactionOutcome(command["id"], "sent", HASH)])


@pytest.mark.parametrize(
    ("code", "message"), [(4001, "no"), (4100, "locked"), (-32000, "insufficient funds"), (5000, "User rejected.")]
)
async def test_a_refusal_is_on_record_and_told_to_the_flow(
    driver: Driver, deployed: Deployment, code: int, message: str
) -> None:
    await driver.connect()
    await ask(driver)
    command = await asked(driver)
    await driver.reply(command, code=code, message=message)
    found = await entry(deployed, command["id"])
    assert (found.status, found.settled, found.reason) == ("declined", True, message)
    assert [TransactionOutcome(command["id"], "declined", code=code, message=message)] == WORDS


@pytest.mark.parametrize(
    ("code", "message"),
    [(-32002, "No answer in time"), (4900, "gone"), (-1, "orphaned"), (-32603, "?"), (-32000, "already known")],
)
async def test_no_answer_leaves_everything_open(driver: Driver, deployed: Deployment, code: int, message: str) -> None:
    await driver.connect()
    await ask(driver)
    command = await asked(driver)
    await driver.reply(command, code=code, message=message)
    assert ((await entry(deployed, command["id"])).status, WORDS[0].status) == ("asked", "unanswered")


@pytest.mark.parametrize("value", [None, 5, "0x", HASH + "00", [HASH], {"hash": HASH}, "0x" + "zz" * 32])
async def test_an_answer_that_is_no_hash_is_none(driver: Driver, deployed: Deployment, value: Any) -> None:
    await driver.connect()
    await ask(driver)
    command = await asked(driver)
    await driver.reply(command, value=value)
    assert ((await entry(deployed, command["id"])).hash, WORDS[0].status) == ("", "unanswered")


async def test_an_answer_that_cannot_be_written_is_heard_again(driver: Driver, deployed: Deployment) -> None:
    deployed.clock = clock = MovableClock()
    await driver.connect()
    await ask(driver)
    command = await asked(driver)
    await broken(deployed)
    sync = (await driver.state(BridgeState)).sync
    answering = asyncio.create_task(driver.reply(command, value=HASH))
    await clock.asleep()
    assert await driver.commands("wallet.request") == [command]
    clock.advance(RESYNC_SECONDS)
    await answering
    assert (await driver.state(BridgeState)).sync != sync
    await mended(deployed)
    await driver.reply(command, value=HASH)
    assert ((await entry(deployed, command["id"])).hash, len(WORDS)) == (HASH, 1)


async def test_a_hash_that_comes_after_the_session_was_lost_is_on_record(
    driver: Driver, heir: Driver, deployed: Deployment
) -> None:
    await driver.connect()
    await ask(driver)
    command = await asked(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.load(sessions={"eip155": session()})
    await heir.reply(command, value=HASH)
    assert ((await entry(deployed, command["id"])).hash, WORDS[0].status) == (HASH, "sent")


async def test_the_result_that_was_shown_is_shown_again_after_the_session_was_lost(
    driver: Driver, heir: Driver
) -> None:
    await driver.connect()
    await ask(driver)
    await driver.reply(await asked(driver), value=HASH)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.load(sessions={"eip155": session()})
    before, after = (await driver.state(PendingState)).result, (await heir.state(PendingState)).result
    assert before["id"] == after["id"] != ""


async def test_the_result_is_followed_also_when_the_session_is_lost_before_the_answer(
    driver: Driver, heir: Driver
) -> None:
    await driver.connect()
    await ask(driver)
    command = await asked(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.load(sessions={"eip155": session()})
    await heir.reply(command, value=HASH)
    assert (await heir.state(PendingState)).get_value("result")["id"] == command["id"]


async def test_an_answer_counts_once(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await ask(driver)
    command = await asked(driver)
    await driver.reply(command, value=HASH)
    await driver.reply(command, value=OTHER_HASH)
    assert ((await entry(deployed, command["id"])).hash, len(WORDS)) == (HASH, 1)


@pytest.mark.usefixtures("every_chain")
async def test_a_wallet_that_only_signs_is_asked_to_sign(driver: Driver, deployed: Deployment) -> None:
    await driver.load(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL_SENDER)})
    await ask_on_solana(driver, encoded(payment(5)))
    first = await asked(driver)
    await driver.reply(first, code=4200, message="no")
    second = await asked(driver)
    signed = encoded(payment(5), signed=True)
    await driver.reply(second, value={"transaction": signed})
    found = await entry(deployed, first["id"])
    assert second["params"]["method"] == "solana_signTransaction"
    assert (found.status, found.signed, WORDS[0].hash) == ("sent", signed, found.hash)


@pytest.mark.usefixtures("every_chain")
async def test_another_transaction_than_was_to_be_signed_is_not_sent(driver: Driver, deployed: Deployment) -> None:
    await driver.load(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL_SENDER)})
    await ask_on_solana(driver, encoded(payment(5)))
    first = await asked(driver)
    await driver.reply(first, code=4200, message="no")
    await driver.reply(await asked(driver), value={"transaction": encoded(payment(6), signed=True)})
    found = await entry(deployed, first["id"])
    assert (found.status, found.signed, found.hash, WORDS[0].status) == ("declined", "", "", "declined")


def copy(one: TransactionRequest, request_id: str) -> TransactionRequest:
    """The same under another id."""
    fields = {name: getattr(one, name) for name in one.__slots__}
    return TransactionRequest(**{**fields, "id": request_id})


async def broken(deployed: Deployment) -> None:
    """The database does not take anything any more."""
    async with deployed._engine.begin() as connection:
        await connection.execute(text("ALTER TABLE requests RENAME TO kept"))


async def mended(deployed: Deployment) -> None:
    """The database is back."""
    async with deployed._engine.begin() as connection:
        await connection.execute(text("ALTER TABLE kept RENAME TO requests"))
