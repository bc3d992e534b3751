"""The transactions that the visitor sees: how they stand, whose they are, and when the chain is looked at for them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio
from reflex.istate.manager import StateManager

from tests.chain_teller import HASH, Teller
from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.conftest import Rewire
from tests.patience import patience
from tests.silent_server import silent
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.requests.answers import Answer
from walletmodal.core.text.texts import HASH_COPIED, TRANSACTION_STARTED
from walletmodal.core.transfers.transaction_request import Mined, TransactionKind, propose
from walletmodal.db.engine import DatabaseTimeoutError, open_engine
from walletmodal.db.requests import RequestStore
from walletmodal.deployment import Deployment
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.rows import BACKOFF_MS, CALM_MS, FAST_MS, PendingRow
from walletmodal.features.transactions.state import PendingState
from walletmodal.features.transactions.wallet_requests import ask_transaction, save_answer
from walletmodal.services.chains.adapter import Finding
from walletmodal.transaction_watch import Outcomes

ETHER: dict[str, Any] = {"from": ADDRESS, "to": OTHER, "value": hex(15 * 10**17), "data": "0x"}
MINED = Mined("eip155:1", HASH, ADDRESS, OTHER, 15 * 10**17)
CONFIRMED = Finding("confirmed", HASH, mined=MINED, nonce=7, proven=True)

pytestmark = [
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
    pytest.mark.usefixtures("mute_wallet"),
]


@pytest.fixture
def teller(deployed: Deployment) -> Teller:
    """The chain of the deployment."""
    chains: Any = Teller()
    deployed.outcomes = Outcomes(deployed.requests, chains, ["eip155:1"], answer_seconds=120, clock=deployed.clock)
    found: Teller = chains
    return found


@pytest_asyncio.fixture
async def stranger(manager: StateManager, driver: Driver) -> AsyncIterator[Driver]:
    """Another browser."""
    other = Driver(manager, token="stranger")
    async with other.processor:
        yield other


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks follow each other faster here than the chain would be asked."""
    monkeypatch.setattr("walletmodal.transaction_watch.LOOK_GAP", 0.0)


async def ask(driver: Driver, kind: TransactionKind = "send") -> dict[str, Any]:
    """A flow asks for 1.5 ETH to be sent. Returns the command."""
    proposal = propose(parse_chain_id("eip155:1"), ADDRESS, "eth_sendTransaction", [ETHER])
    async with driver.changing(PendingState) as pending:
        await ask_transaction(pending, proposal=proposal, params=[ETHER], kind=kind)
    return (await driver.commands("wallet.request"))[-1]


async def rows(driver: Driver) -> list[PendingRow]:
    return list((await driver.state(PendingState)).get_value("rows"))


async def sent(driver: Driver) -> str:
    """A transaction whose hash is known. Returns its id."""
    await driver.connect()
    command = await ask(driver)
    await driver.reply(command, value=HASH)
    return str(command["id"])


async def test_a_transaction_waits_for_the_wallet(driver: Driver, teller: Teller) -> None:
    await driver.connect()
    command = await ask(driver)
    await driver.fire(PendingState.poll)
    (row,) = await rows(driver)
    assert (row["id"], row["status"], row["title"], row["amount"]) == (command["id"], "asked", "Send", "1.5 ETH")
    assert (row["label"], row["receiver"]) == ("Waiting for your wallet", "0x70...dc79C8")


async def test_nothing_is_looked_for_while_the_wallet_is_asked(driver: Driver, teller: Teller) -> None:
    await driver.connect()
    await ask(driver)
    await driver.fire(PendingState.poll)
    assert ((await driver.state(PendingState)).every, teller.looks) == (0, 0)


async def test_a_sent_transaction_is_looked_for_until_it_is_settled(driver: Driver, teller: Teller) -> None:
    await sent(driver)
    pending = await driver.state(PendingState)
    assert (pending.every, pending.get_value("rows")[0]["label"]) == (FAST_MS, "Waiting for the network")
    teller.tell(CONFIRMED)
    await driver.fire(PendingState.poll)
    pending = await driver.state(PendingState)
    assert (pending.every, pending.get_value("rows")[0]["status"]) == (CALM_MS, "confirmed")
    teller.tell(replace(CONFIRMED, final=True))
    await driver.fire(PendingState.poll)
    assert (await driver.state(PendingState)).every == 0


async def test_a_database_that_hangs_is_one_line_in_the_log(
    driver: Driver, deployed: Deployment, teller: Teller, caplog: pytest.LogCaptureFixture
) -> None:
    await sent(driver)
    async with patience(), silent() as place:
        engine = open_engine(f"postgresql://somebody@{place}/nothing", work_seconds=0.2)
        deployed.requests = RequestStore(engine)
        caplog.clear()
        await driver.fire(PendingState.poll)
        await engine.dispose()
    (line,) = [record for record in caplog.records if record.name == "walletmodal.features.transactions.state"]
    assert line.exc_info is None
    assert line.getMessage() == (
        "the transactions on record cannot be read: DatabaseTimeoutError: the database has not answered within 0.2 s"
    )


async def test_a_sent_transaction_is_looked_for_again_where_the_first_look_has_failed(
    driver: Driver, deployed: Deployment, teller: Teller, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_asked: object, **_named: object) -> None:
        raise DatabaseTimeoutError(5)

    await driver.connect()
    command = await ask(driver)
    with monkeypatch.context() as failing:
        failing.setattr(deployed.requests, "of_account", fail)
        await driver.reply(command, value=HASH)
    pending = await driver.state(PendingState)
    assert (teller.looks, pending.every) == (0, CALM_MS)


async def test_looks_come_less_often_while_nothing_changes(driver: Driver, teller: Teller) -> None:
    await sent(driver)
    seen = []
    for _ in range(len(BACKOFF_MS) + 2):
        await driver.fire(PendingState.poll)
        seen.append((await driver.state(PendingState)).every)
    assert (seen == sorted(seen), seen[-1]) == (True, BACKOFF_MS[-1])


async def test_the_result_view_follows_the_transaction(driver: Driver, teller: Teller) -> None:
    request_id = await sent(driver)
    teller.tell(CONFIRMED)
    await driver.fire(PendingState.poll)
    result = (await driver.state(PendingState)).get_value("result")
    assert (result["id"], result["hash"], result["label"], result["tone"]) == (request_id, HASH, "Confirmed", "good")
    assert result["title"] == "Sent"
    assert result["link"] == f"https://etherscan.io/tx/{HASH}"


async def test_what_the_result_says_takes_the_place_of_the_toast(driver: Driver, teller: Teller) -> None:
    request_id = await sent(driver)
    async with driver.changing(ToastState) as toasts:
        toasts._show(TRANSACTION_STARTED, about=request_id)
    await driver.fire(PendingState.poll)
    before = (await driver.state(ToastState)).message
    teller.tell(CONFIRMED)
    await driver.fire(PendingState.poll)
    assert (before, (await driver.state(ToastState)).message) == (TRANSACTION_STARTED, "")


async def test_what_the_host_has_sent_is_not_the_result_that_is_shown(driver: Driver, teller: Teller) -> None:
    await driver.connect()
    await ask(driver, "host")
    assert (await driver.state(PendingState)).get_value("result")["id"] == ""


async def test_an_altered_transaction_says_what_differs(driver: Driver, teller: Teller) -> None:
    await sent(driver)
    teller.tell(replace(CONFIRMED, mined=replace(MINED, to=ADDRESS)))
    await driver.fire(PendingState.poll)
    result = (await driver.state(PendingState)).get_value("result")
    assert (result["tone"], result["altered"]) == ("bad", [f"Receiver: {ADDRESS} instead of {OTHER}"])


async def test_a_refusal_leaves_no_row(driver: Driver, teller: Teller) -> None:
    await driver.connect()
    await driver.reply(await ask(driver), code=4001, message="no")
    assert (await rows(driver), (await driver.state(PendingState)).get_value("result")["status"]) == ([], "declined")


async def test_a_request_whose_answer_never_comes_is_searched_for(driver: Driver, teller: Teller) -> None:
    await driver.connect()
    await ask(driver)
    await driver.reload(sessions={"eip155": session()})
    (row,) = await rows(driver)
    assert (row["label"], (await driver.state(PendingState)).every) == ("Looking for it on the network", FAST_MS)
    teller.tell(CONFIRMED)
    await driver.fire(PendingState.poll)
    assert (await rows(driver))[0]["hash"] == HASH


async def test_what_the_chain_has_told_first_counts_as_named_once_the_wallet_names_it(
    driver: Driver, teller: Teller, deployed: Deployment
) -> None:
    await driver.connect()
    request_id = (await ask(driver))["id"]
    await driver.reload(sessions={"eip155": session()})
    teller.tell(CONFIRMED)
    await driver.fire(PendingState.poll)
    found = await deployed.requests.get(request_id)
    await save_answer(request_id, Answer("sent", hash=HASH))
    named = await deployed.requests.get(request_id)
    assert found is not None
    assert named is not None
    assert (found.hash, found.answered_at) == (HASH, None)
    assert (named.hash, named.answered_at is None, named.status) == (HASH, False, "confirmed")


async def test_a_closed_tab_loses_no_hash(driver: Driver, stranger: Driver, teller: Teller) -> None:
    await sent(driver)
    # A new tab of the same browser: another session, the same secret of its storage.
    secret = (await driver.state(PendingState)).browser_id
    await stranger.store(PendingState, "browser_id", secret)
    await stranger.connect()
    assert [row["hash"] for row in await rows(stranger)] == [HASH]


async def test_another_browser_does_not_see_what_was_only_asked(
    driver: Driver, stranger: Driver, teller: Teller
) -> None:
    await driver.connect()
    await ask(driver)
    await stranger.connect()
    assert await rows(stranger) == []


async def test_an_invented_hash_reaches_nobody_else(driver: Driver, stranger: Driver, teller: Teller) -> None:
    await sent(driver)
    await driver.fire(PendingState.poll)
    await stranger.connect()
    assert (len(await rows(driver)), await rows(stranger)) == (1, [])


async def test_what_the_chain_has_shown_everybody_may_see(driver: Driver, stranger: Driver, teller: Teller) -> None:
    await sent(driver)
    teller.tell(CONFIRMED)
    await driver.fire(PendingState.poll)
    await stranger.connect()
    assert [row["hash"] for row in await rows(stranger)] == [HASH]


@pytest.mark.parametrize("secret", ["", "x", 5, None, ["a"], {"a": 1}, "a" * 44, "é" * 43])
async def test_a_storage_that_holds_nonsense_is_nobody(driver: Driver, teller: Teller, secret: Any) -> None:
    await driver.store(PendingState, "browser_id", secret)
    await driver.connect()
    await ask(driver)
    assert len((await driver.state(PendingState)).browser_id) == 43


async def test_another_network_has_other_transactions(driver: Driver, teller: Teller) -> None:
    await sent(driver)
    await driver.tell(sessions={"eip155": session(chain="137")})
    assert await rows(driver) == []
    await driver.tell(sessions={"eip155": session()})
    assert [row["hash"] for row in await rows(driver)] == [HASH]


async def test_another_account_that_the_visitor_chooses_has_other_transactions(driver: Driver, teller: Teller) -> None:
    await driver.load(sessions={"eip155": {**session(), "accounts": [ADDRESS, OTHER]}})
    await ask(driver)
    await driver.fire(PendingState.poll)
    assert await rows(driver)
    await driver.fire(AddressesState.choose(OTHER))
    assert await rows(driver) == []


async def test_who_waits_for_final_transactions_hears_of_each_once(
    driver: Driver, teller: Teller, rewire: Rewire
) -> None:
    heard = []

    async def hear(_state: Any) -> list[Any]:
        heard.append(1)
        return []

    rewire(on_transaction_final=(hear,))
    await sent(driver)
    teller.tell(CONFIRMED)
    await driver.fire(PendingState.poll)
    await driver.fire(PendingState.poll)
    assert heard == [1]


async def test_a_look_that_changes_nothing_sends_nothing(driver: Driver, teller: Teller) -> None:
    await sent(driver)
    teller.tell(replace(CONFIRMED, final=True))
    for _ in range(3):
        await driver.fire(PendingState.poll)
    driver.deltas.clear()
    await driver.fire(PendingState.poll)
    assert [values for delta in driver.deltas for values in delta.values() if values] == []


@pytest.mark.parametrize(
    ("ok", "message", "variant"), [(True, HASH_COPIED, "success"), ("yes", "Failed to copy", "error")]
)
async def test_copying_the_hash_is_told(driver: Driver, ok: Any, message: str, variant: str) -> None:
    await driver.fire(PendingState.on_copied(ok))
    toast = await driver.state(ToastState)
    assert (toast.message, toast.variant) == (message, variant)
