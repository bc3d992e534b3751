"""The embedded wallet with a Safe: which account is used, and how what it sends is worked out, signed and told."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any
from unittest.mock import AsyncMock

import pytest

from tests.driver import ADDRESS, OTHER, Driver, left_behind
from tests.features.embedded_stage import connected, logged_in, secure_site
from tests.features.sponsored_stage import SIGN, STRANGER, Preparing, paid, preparing, signature
from tests.features.test_account_type import exchange
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import RequestTimeoutError
from walletmodal.core.errors.codes import CAPABILITY_UNSUPPORTED, TRANSACTION_REJECTED, UNSUPPORTED_METHOD
from walletmodal.core.errors.operations import OperationFundsError, SponsorshipError
from walletmodal.core.permissions.execution_permissions import PermissionRequest, request_json
from walletmodal.core.permissions.permission import Permission
from walletmodal.core.smart_accounts.safe import ENTRY_POINT, SafeAccount
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.deployment import Deployment
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.embedded.account_type import AccountTypeState
from walletmodal.features.requests.permissions import SAFE_ACCOUNT
from walletmodal.features.transactions import operations
from walletmodal.features.transactions.operations import WRONG_SIGNATURE, SafeOperationsState
from walletmodal.features.transactions.state import PendingState
from walletmodal.services.smart_accounts.time_limit import LIMIT

__all__ = ["paid", "preparing", "secure_site"]

pytestmark = [pytest.mark.usefixtures("paid"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

SAFE = SafeAccount((ADDRESS,)).address
TRANSACTION = {"from": SAFE, "to": OTHER, "value": "0x1"}
BATCH = {"version": "2.0.0", "from": SAFE, "calls": [{"to": OTHER, "value": "0x1"}, {"to": OTHER, "data": "0x1234"}]}
HASH = "0x" + "cd" * 32


async def with_safe(driver: Driver, *accounts: str, chain: str = "1") -> None:
    """The frame has said that there is a Safe, which is in use."""
    await connected(driver)
    await driver.tell(sessions={"eip155": logged_in(accounts=list(accounts or (SAFE, ADDRESS)), chain=chain)})


async def question(driver: Driver) -> dict[str, Any]:
    """What the frame is asked."""
    (found,) = await driver.commands("wallet.request")
    params: dict[str, Any] = found["params"]
    return params


async def sign(driver: Driver, key: str = "") -> None:
    """The owner agrees."""
    (command,) = await driver.commands("wallet.request")
    given = signature(command["params"], key) if key else signature(command["params"])
    await driver.reply(command, value=given)


async def records(deployed: Deployment) -> list[TransactionRequest]:
    """Everything on record."""
    return list(await deployed.requests.changed_since(datetime.fromtimestamp(0, UTC)))


async def test_the_safe_is_in_use_and_its_owner_the_other_account(driver: Driver) -> None:
    await with_safe(driver)
    held = await driver.account()
    assert (held.address, held.kind, held.kinds, held.several) == (SAFE, "smartAccount", ["smartAccount", "eoa"], True)


async def test_the_owner_is_in_use_where_that_is_preferred(driver: Driver) -> None:
    await with_safe(driver, ADDRESS, SAFE)
    held = await driver.account()
    assert (held.address, held.kind, held.safe) == (ADDRESS, "eoa", "")


async def test_an_address_that_is_not_the_owners_safe_is_none(driver: Driver) -> None:
    await with_safe(driver, OTHER, ADDRESS)
    held = await driver.account()
    assert (held.kind, held.safe) == ("eoa", "")


@pytest.mark.parametrize(("network", "use"), [("1", "usable"), ("137", "barred")])
async def test_a_safe_says_where_it_cannot_be_used(driver: Driver, network: str, use: str) -> None:
    await with_safe(driver, chain=network)
    assert (await driver.account()).safe == use


async def test_the_frame_keeps_which_account_was_chosen(driver: Driver) -> None:
    await with_safe(driver)
    await driver.fire(AddressesState.choose(ADDRESS))
    assert (await driver.account()).address == ADDRESS
    asked = await question(driver)
    assert (asked["method"], asked["params"]) == ("walletmodal_accountType", [{"type": "eoa"}])


async def test_one_transaction_is_paid_for_by_the_deployment(driver: Driver, preparing: Preparing) -> None:
    await with_safe(driver)
    await driver.request("eth_sendTransaction", [TRANSACTION])
    asked = await question(driver)
    assert (asked["method"], asked["params"][0]["sender"], asked["params"][1]) == (SIGN, SAFE, ENTRY_POINT)
    (one,) = preparing.asked
    assert (one.implementation, one.owner, one.payer is not None) == ("safe", ADDRESS, True)


async def test_an_operation_whose_work_died_with_its_process_is_worked_out_by_the_one_that_has_the_page(
    driver: Driver, preparing: Preparing, monkeypatch: pytest.MonkeyPatch
) -> None:
    await with_safe(driver)
    with monkeypatch.context() as dying:
        dying.setattr(operations, "prepare_operation", AsyncMock(side_effect=ZeroDivisionError))
        preparing.refusal, preparing.refused = SponsorshipError("no"), 1
        await left_behind(driver, driver.request("wallet_sendCalls", [BATCH]))
    told = {"eip155": logged_in(accounts=[SAFE, ADDRESS])}
    await driver.reconnect(sessions=told)
    assert await driver.commands("wallet.request") == []
    monkeypatch.setattr(operations, "PROCESS", "another")
    await driver.reconnect(sessions=told)
    assert (await question(driver))["method"] == SIGN
    assert [one.payer is not None for one in preparing.asked] == [True, False]


async def test_what_its_owner_sends_is_an_ordinary_transaction(driver: Driver, preparing: Preparing) -> None:
    await with_safe(driver, ADDRESS, SAFE)
    await driver.request("wallet_sendCalls", [{**BATCH, "from": ADDRESS}])
    assert ((await question(driver))["method"], preparing.asked) == ("wallet_sendCalls", [])


async def test_where_nobody_pays_the_safe_does(driver: Driver, preparing: Preparing) -> None:
    await with_safe(driver)
    preparing.refusal = SponsorshipError("no")
    preparing.refused = 1
    await driver.request("wallet_sendCalls", [BATCH])
    assert [one.payer is not None for one in preparing.asked] == [True, False]
    assert (await question(driver))["method"] == SIGN


async def test_who_works_an_operation_out_and_never_answers_is_not_waited_for(
    driver: Driver, preparing: Preparing, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(request: Any) -> None:
        preparing.asked.append(request)
        await asyncio.Event().wait()

    monkeypatch.setattr(preparing, "prepare", never)
    await with_safe(driver)
    deployed.clock = clock = MovableClock()
    asking = asyncio.create_task(driver.request("wallet_sendCalls", [BATCH]))
    async with patience():
        # Who would pay, then the Safe by itself.
        for number in (1, 2):
            while len(preparing.asked) < number:
                await asyncio.sleep(0)
            await clock.asleep()
            clock.advance(LIMIT)
        await asking
    assert (await driver.answer("request"))["error"]["message"] == RequestTimeoutError(url="").short_message
    assert [one.status for one in await records(deployed)] == ["declined"]


async def test_the_host_gets_the_transaction_once_the_operation_is_in_a_block(
    driver: Driver, preparing: Preparing, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await with_safe(driver)
    await driver.request("eth_sendTransaction", [TRANSACTION])
    await sign(driver)
    assert (await driver.state(PendingState)).awaits
    (entry,) = await records(deployed)
    await deployed.requests.change(entry, status="confirmed", hash=HASH)
    await driver.fire(PendingState.poll)
    assert ((await driver.answer("request"))["value"], (await driver.state(PendingState)).awaits) == (HASH, False)


async def test_the_host_hears_that_an_operation_is_in_no_block(
    driver: Driver, preparing: Preparing, deployed: Deployment
) -> None:
    await with_safe(driver)
    await driver.request("eth_sendTransaction", [TRANSACTION])
    await sign(driver)
    (entry,) = await records(deployed)
    await deployed.requests.change(entry, status="dropped", settled=True, reason="no")
    await driver.fire(PendingState.poll)
    assert (await driver.answer("request"))["error"] == {
        "code": TRANSACTION_REJECTED,
        "message": "The network has not taken it: no",
    }


async def test_calls_are_told_by_their_operation(driver: Driver, preparing: Preparing, deployed: Deployment) -> None:
    await with_safe(driver)
    await driver.request("wallet_sendCalls", [BATCH])
    await sign(driver)
    (entry,) = await records(deployed)
    assert (await driver.answer("request"))["value"] == {"id": entry.bundle}


async def test_another_keys_signature_sends_nothing(driver: Driver, preparing: Preparing, deployed: Deployment) -> None:
    await with_safe(driver)
    await driver.request("eth_sendTransaction", [TRANSACTION])
    await sign(driver, STRANGER)
    assert (await driver.answer("request"))["error"]["message"] == WRONG_SIGNATURE
    assert [one.status for one in await records(deployed)] == ["declined"]


async def test_what_cannot_be_worked_out_is_told_and_on_record(
    driver: Driver, preparing: Preparing, deployed: Deployment
) -> None:
    await with_safe(driver)
    preparing.refusal = OperationFundsError("AA21")
    await driver.request("wallet_sendCalls", [BATCH])
    assert (await driver.answer("request"))["error"]["message"] == OperationFundsError.text
    assert [one.status for one in await records(deployed)] == ["declined"]


@pytest.mark.parametrize(
    ("network", "fields"), [("137", {}), ("1", {"to": None, "data": "0x6001"})], ids=["no bundler", "a contract"]
)
async def test_what_a_safe_cannot_do_is_refused_before_anybody_is_asked(
    driver: Driver, preparing: Preparing, deployed: Deployment, network: str, fields: dict[str, Any]
) -> None:
    await with_safe(driver, chain=network)
    wanted = {name: value for name, value in {**TRANSACTION, **fields}.items() if value is not None}
    await driver.request("eth_sendTransaction", [wanted])
    assert (await driver.answer("request"))["error"]["code"] == UNSUPPORTED_METHOD
    assert (preparing.asked, await records(deployed), await driver.commands("wallet.request")) == ([], [], [])


async def test_what_no_operation_has_is_refused_where_a_page_insists_on_it(
    driver: Driver, preparing: Preparing, deployed: Deployment
) -> None:
    await with_safe(driver)
    await driver.request("wallet_sendCalls", [{**BATCH, "capabilities": {"flowControl": {}}}])
    assert (await driver.answer("request"))["error"]["code"] == CAPABILITY_UNSUPPORTED
    assert (preparing.asked, await records(deployed)) == ([], [])


async def test_a_safe_grants_nothing_and_says_why(driver: Driver, deployed: Deployment) -> None:
    await with_safe(driver)
    await driver.request("wallet_getSupportedExecutionPermissions", [])
    assert (await driver.answer("request"))["value"] == {}
    now = int(deployed.clock.now().timestamp())
    permission = Permission("native-token-periodic", 10**18, now, period=86_400, until=now + 86_400)
    asked = request_json(PermissionRequest(1, OTHER, "", permission), SAFE)
    await driver.request("wallet_requestExecutionPermissions", [asked], call_id="grant")
    assert SAFE_ACCOUNT in str((await driver.answer("grant"))["error"]["message"])


async def test_nobody_works_out_what_nobody_has_asked_for(driver: Driver, preparing: Preparing) -> None:
    await with_safe(driver)
    await driver.fire(SafeOperationsState.prepare("x"))
    assert (preparing.asked, await driver.commands("wallet.request")) == ([], [])


@pytest.mark.parametrize(("address", "status"), [(SAFE, "supported"), (OTHER, "")])
async def test_the_frames_safe_must_be_ours(driver: Driver, address: str, status: str) -> None:
    await with_safe(driver)
    told = {"type": "smartAccount", "status": "supported", "foreign": "", "address": address}
    await exchange(driver, AccountTypeState.load, told)
    assert (await driver.state(AccountTypeState)).status == status


async def test_who_is_on_a_network_without_safes_may_leave_theirs(driver: Driver) -> None:
    await with_safe(driver, chain="137")
    told = {"type": "smartAccount", "status": "supported", "foreign": "", "address": SAFE}
    await exchange(driver, AccountTypeState.load, told)
    assert (await driver.state(AccountTypeState)).status == "unsupported"
    await exchange(driver, AccountTypeState.switch, {**told, "type": "eoa"})
    assert (await driver.state(AccountTypeState)).kind == "eoa"
