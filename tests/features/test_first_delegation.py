"""An account that becomes a smart account with its first permission, where the deployment pays for that, and where nobody does."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.driver import ADDRESS, Driver
from tests.features import test_grants_to_keys as keys
from tests.features.embedded_stage import connected
from tests.features.sponsored_stage import Preparing, paid, preparing, secure_site
from tests.features.sponsored_stage import signature as operation_signature
from tests.features.test_embedded_permissions import (
    HASH,
    REQUEST,
    Network,
    network,
    question,
    result,
    signature,
    wanted,
)
from tests.features.test_operations import returns
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.operations import OperationFieldsError
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.deployment import Deployment
from walletmodal.features.requests.first_delegation import OWN_FEE, SIGN_FIRST
from walletmodal.features.transactions.state import PendingState
from walletmodal.services.smart_accounts.time_limit import LIMIT

__all__ = ["network", "paid", "preparing", "secure_site"]

pytestmark = [pytest.mark.usefixtures("paid"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


@pytest.fixture(autouse=True)
def plain(paid: None, network: Network) -> None:
    """The account is an ordinary one."""
    network.kind = "plain"


async def asked(driver: Driver, deployed: Deployment) -> dict[str, Any]:
    """What the frame is asked when a page wants a permission."""
    await connected(driver)
    await driver.request(REQUEST, [wanted(deployed)])
    async with patience():
        while not await driver.commands("wallet.request"):
            await asyncio.sleep(0.001)
    return await question(driver)


def reply_to(command: dict[str, Any]) -> dict[str, Any]:
    """What the frame answers: both signatures."""
    _, _, *operation = command["params"]["params"]
    return {"signature": signature(command), "hash": "", "operation": operation_signature({"params": operation})}


async def recorded(deployed: Deployment) -> TransactionRequest:
    (known,) = await deployed.requests.changed_since(datetime.fromtimestamp(0, UTC))
    return known


async def ends(driver: Driver, deployed: Deployment, status: str) -> Any:
    """The chain tells what became of the operation; returns what the page is told."""
    await deployed.requests.change(await recorded(deployed), status=status, hash=HASH, settled=True)
    await driver.fire(PendingState.poll)
    return await result(driver)


async def test_an_operation_that_does_nothing_else_is_signed_with_the_permission(
    driver: Driver, deployed: Deployment, preparing: Preparing
) -> None:
    asks = (await asked(driver, deployed))["params"]
    assert (asks["method"], len(asks["params"]), asks["hint"]["facts"][0]) == (SIGN_FIRST, 4, "Paid by Acme")
    (request,) = preparing.asked
    assert [(call.to, call.value, call.data) for call in request.calls] == [(ADDRESS, 0, b"")]


async def test_the_page_has_its_answer_once_the_network_has_the_operation(
    driver: Driver, deployed: Deployment, preparing: Preparing
) -> None:
    command = await asked(driver, deployed)
    await driver.reply(command, value=reply_to(command))
    known = await recorded(deployed)
    assert (known.status, bool(known.signed), await driver.settled("request")) == ("sent", True, None)
    (granted,) = await ends(driver, deployed, "confirmed")
    assert granted["from"] == ADDRESS


async def test_what_the_account_has_signed_counts_whatever_becomes_of_it(
    driver: Driver, deployed: Deployment, preparing: Preparing
) -> None:
    command = await asked(driver, deployed)
    await driver.reply(command, value=reply_to(command))
    assert len(await ends(driver, deployed, "dropped")) == 1


async def test_a_lost_session_still_answers_the_page(
    driver: Driver, deployed: Deployment, preparing: Preparing, heir: Driver
) -> None:
    command = await asked(driver, deployed)
    await driver.reply(command, value=reply_to(command))
    await returns(heir, driver)
    (granted,) = await ends(heir, deployed, "confirmed")
    assert granted["from"] == ADDRESS


async def test_a_page_that_names_keys_gets_it_so_as_well(
    driver: Driver, deployed: Deployment, preparing: Preparing
) -> None:
    await connected(driver)
    await driver.request(keys.GRANT, [keys.wanted(deployed)])
    command = await question(driver)
    assert (len(command["params"]["params"]), command["params"]["hint"]["facts"]) == (3, ["Paid by Acme"])
    signed = operation_signature({"params": command["params"]["params"][1:]})
    context = keys.context(keys.delegation(deployed))
    await driver.reply(command, value={"context": context, "operation": signed})
    assert (await ends(driver, deployed, "confirmed"))["context"] == context


async def test_where_nobody_pays_the_visitor_is_told_who_does(
    driver: Driver, deployed: Deployment, preparing: Preparing
) -> None:
    preparing.refusal = OperationFieldsError("eip7702Auth is not known")
    asks = (await asked(driver, deployed))["params"]
    assert (asks["method"], len(asks["params"]), asks["hint"]["facts"][0]) == (SIGN_FIRST, 2, OWN_FEE)


async def test_who_would_pay_and_never_answers_leaves_the_fee_to_the_owner(
    driver: Driver, deployed: Deployment, preparing: Preparing
) -> None:
    deployed.clock, preparing.held_up = (clock := MovableClock()), asyncio.Event()
    asking = asyncio.create_task(asked(driver, deployed))
    async with patience():
        while not preparing.asked or not clock.sleepers:
            await asyncio.sleep(0)
        clock.advance(LIMIT)
        asks = (await asking)["params"]
    assert (asks["method"], asks["hint"]["facts"][0]) == (SIGN_FIRST, OWN_FEE)


async def test_an_account_that_is_one_meanwhile_needs_no_operation(
    driver: Driver, deployed: Deployment, preparing: Preparing
) -> None:
    command = await asked(driver, deployed)
    await driver.reply(command, value={"signature": signature(command), "hash": ""})
    assert ((await recorded(deployed)).status, len(await result(driver))) == ("declined", 1)
