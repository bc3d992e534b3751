"""Requests of the embedded wallet's owner whose fee somebody else pays: worked out, signed in the frame, on record, told the host."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.embedded_stage import connected, logged_in, sessions
from tests.features.send_stage import HASH
from tests.features.sponsored_stage import (
    SIGN,
    STRANGER,
    Preparing,
    asked_to_sign,
    frame,
    paid,
    preparing,
    secure_site,
    signature,
)
from walletmodal.core.errors.codes import CHAIN_DISCONNECTED, TRANSACTION_REJECTED
from walletmodal.core.errors.operations import PaymasterRefusedError, SponsorshipError
from walletmodal.core.smart_accounts import delegator
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.deployment import Deployment
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.requests.operations import OperationsState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.transactions.operations import WRONG_SIGNATURE
from walletmodal.features.transactions.state import PendingState
from walletmodal.operation_watch import read_signed
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation

__all__ = ["paid", "preparing", "secure_site"]

pytestmark = [pytest.mark.usefixtures("paid"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]

CALLS = [{"to": OTHER, "value": "0x1"}, {"to": OTHER, "data": "0x1234"}]


async def pay(driver: Driver, kind: str = "smartAccount", **fields: Any) -> None:
    """The host has calls made by a visitor whose account is of that kind."""
    async with frame(driver, kind):
        await driver.request("wallet_sendCalls", [{"version": "2.0.0", "calls": CALLS, **fields}])


async def question(driver: Driver) -> dict[str, Any]:
    """What the frame is asked."""
    (found,) = await driver.commands("wallet.request")
    params: dict[str, Any] = found["params"]
    return params


async def answer(driver: Driver, **reply: Any) -> None:
    """The frame answers."""
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, **reply)


async def test_the_frame_is_asked_to_sign_what_the_host_wants(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await pay(driver)
    asked = await question(driver)
    assert (asked["method"], asked["params"][1]) == (SIGN, delegator.ENTRY_POINT)
    assert [(call.to, call.value, call.data) for call in preparing.asked[0].calls] == [
        (OTHER, 1, b""),
        (OTHER, 0, b"\x12\x34"),
    ]


async def test_the_host_hears_the_operations_hash_once_it_is_on_record(
    driver: Driver, preparing: Preparing, deployed: Deployment
) -> None:
    await connected(driver)
    await pay(driver)
    asked = await question(driver)
    await answer(driver, value=signature(asked))
    bundle = (await driver.answer("request"))["value"]["id"]
    known = await deployed.requests.of_bundle("stranger", "", ADDRESS, bundle)
    assert known is not None
    assert (known.status, known.entry_point, known.height) == ("sent", delegator.ENTRY_POINT, 5)
    assert read_signed(known.signed).hash(delegator.ENTRY_POINT, 1) == bytes.fromhex(bundle[2:])


@pytest.mark.parametrize(
    "value",
    [None, {}, {"signature": "0x12"}, {"signature": 5}, {"signature": "0x" + "00" * 65, "eip7702Auth": {}}],
)
async def test_an_answer_that_is_no_signature_sends_nothing(
    driver: Driver, preparing: Preparing, deployed: Deployment, value: Any
) -> None:
    await connected(driver)
    await pay(driver)
    await answer(driver, value=value)
    assert (await driver.answer("request"))["error"]["message"] == WRONG_SIGNATURE
    assert await statuses(deployed) == ["declined"]


async def test_another_keys_signature_sends_nothing(driver: Driver, preparing: Preparing, deployed: Deployment) -> None:
    await connected(driver)
    await pay(driver)
    await answer(driver, value=signature(await question(driver), STRANGER))
    assert (await driver.answer("request"))["error"]["message"] == WRONG_SIGNATURE
    assert await statuses(deployed) == ["declined"]


async def test_who_declines_is_on_record_and_the_host_hears_it(
    driver: Driver, preparing: Preparing, deployed: Deployment
) -> None:
    await connected(driver)
    await pay(driver)
    await answer(driver, code=4001, message="User rejected the request")
    assert (await driver.answer("request"))["error"]["code"] == 4001
    assert await statuses(deployed) == ["declined"]


async def statuses(deployed: Deployment) -> list[str]:
    """What became of the entries on record."""
    return [one.status for one in await deployed.requests.changed_since(datetime.fromtimestamp(0, UTC))]


async def test_where_nobody_pays_the_visitor_may(driver: Driver, preparing: Preparing) -> None:
    preparing.refusal = SponsorshipError("the limit of the day is reached")
    await connected(driver)
    await pay(driver)
    asked = await question(driver)
    assert asked["method"] == "wallet_sendCalls"
    assert "The fee is not paid for you here. You can pay it yourself." in asked["hint"]["lines"]


@pytest.mark.parametrize(("optional", "method"), [(True, "wallet_sendCalls"), (False, "")])
async def test_a_page_that_insists_on_its_paymaster_gets_its_refusal(
    driver: Driver, preparing: Preparing, *, optional: bool, method: str
) -> None:
    preparing.refusal = PaymasterRefusedError("no")
    await connected(driver)
    service = {"url": "https://paymaster.example/rpc", "optional": optional}
    await pay(driver, capabilities={"paymasterService": service})
    commands = await driver.commands("wallet.request")
    assert [one["params"]["method"] for one in commands] == ([method] if method else [])
    if not method:
        assert (await driver.answer("request"))["ok"] is False


@pytest.mark.parametrize(("optional", "method"), [(True, SIGN), (False, "wallet_sendCalls")])
async def test_calls_that_insist_on_what_no_operation_has_are_the_frames_to_refuse(
    driver: Driver, preparing: Preparing, *, optional: bool, method: str
) -> None:
    await connected(driver)
    await pay(driver, capabilities={"permissions": {"context": "0x", "optional": optional}})
    assert ((await question(driver))["method"], len(preparing.asked)) == (method, int(optional))


async def test_nothing_is_signed_on_a_network_that_came_in_between(
    driver: Driver, preparing: Preparing, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = preparing.prepare

    async def slowly(request: OperationRequest) -> PreparedOperation:
        found = await prepare(request)
        await driver.tell(sessions={"eip155": logged_in(chain="137")})
        return found

    monkeypatch.setattr(preparing, "prepare", slowly)
    await connected(driver)
    await pay(driver)
    assert (await driver.commands("wallet.request"), (await driver.answer("request"))["error"]["code"]) == (
        [],
        CHAIN_DISCONNECTED,
    )


async def test_a_request_that_is_said_twice_is_worked_out_once(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await pay(driver)
    await pay(driver)
    assert (len(preparing.asked), len(await driver.commands("wallet.request"))) == (1, 1)


async def test_a_transaction_of_an_ordinary_account_is_its_own(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    async with frame(driver, kind="eoa"):
        await send(driver)
    assert ((await question(driver))["method"], preparing.asked) == ("eth_sendTransaction", [])


async def test_calls_of_an_ordinary_account_are_paid_by_nobody_else(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await pay(driver, kind="eoa")
    assert ((await question(driver))["method"], preparing.asked) == ("wallet_sendCalls", [])


async def test_nobody_works_out_what_no_host_has_asked(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    await driver.fire(OperationsState.prepare("request"))
    await driver.fire(OperationsState.tell("request"))
    assert (preparing.asked, await driver.commands("wallet.request")) == ([], [])


TRANSACTION = {"from": ADDRESS, "to": OTHER, "value": "0x1"}


async def send(driver: Driver, **fields: Any) -> None:
    """The host sends one transaction."""
    await driver.request("eth_sendTransaction", [{**TRANSACTION, **fields}])


async def signed(driver: Driver, deployed: Deployment) -> TransactionRequest:
    """The owner of a smart account has signed what the host sends, and it is on record."""
    await connected(driver)
    async with frame(driver):
        await send(driver)
        command = await asked_to_sign(driver)
    await driver.reply(command, value=signature(command["params"]))
    (known,) = await deployed.requests.changed_since(datetime.fromtimestamp(0, UTC))
    return known


async def ends(driver: Driver, deployed: Deployment, known: TransactionRequest, **changes: Any) -> dict[str, Any]:
    """The chain tells what became of an operation; returns what the host is told."""
    # A look of the page's own may write meanwhile.
    while (found := await deployed.requests.get(known.id)) and await deployed.requests.change(found, **changes) is None:
        pass
    await driver.fire(PendingState.poll)
    return await driver.answer("request")


async def returns(heir: Driver, driver: Driver) -> None:
    """The tab is back after its session was lost."""
    heir.follow(driver)
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.store(PendingState, "browser_id", (await driver.state(PendingState)).browser_id)
    await heir.load(sessions=sessions())


async def test_a_transaction_of_a_smart_account_is_an_operation(driver: Driver, preparing: Preparing) -> None:
    await connected(driver)
    async with frame(driver):
        await send(driver, data="0x1234", gas="0x5208")
        asked = (await asked_to_sign(driver))["params"]
    assert asked["hint"]["lines"][0] == "Paid by Acme"
    assert "Paid by Acme" not in (await driver.state(EmbeddedState)).hints
    assert [(call.to, call.value, call.data) for call in preparing.asked[0].calls] == [(OTHER, 1, b"\x12\x34")]


@pytest.mark.parametrize("fields", [{"nonce": "0x3"}, {"to": None, "data": "0x6000"}])
async def test_what_no_operation_can_do_is_a_transaction(
    driver: Driver, preparing: Preparing, fields: dict[str, Any]
) -> None:
    await connected(driver)
    await send(driver, **fields)
    assert ((await question(driver))["method"], preparing.asked) == ("eth_sendTransaction", [])


async def test_the_host_hears_of_a_transaction_once_the_chain_has_it(
    driver: Driver, preparing: Preparing, deployed: Deployment
) -> None:
    known = await signed(driver, deployed)
    assert (await driver.settled("request"), (await driver.state(PendingState)).awaits) == (None, True)
    told = await ends(driver, deployed, known, status="confirmed", hash=HASH, settled=True)
    assert (told["value"], (await driver.state(PendingState)).awaits) == (HASH, False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": "dropped", "reason": "the fee was too low"}, "The network has not taken it: the fee was too low"),
        ({"status": "reverted", "hash": HASH}, "It has failed on the network"),
    ],
)
async def test_the_host_hears_that_nothing_came_of_it(
    driver: Driver, preparing: Preparing, deployed: Deployment, changes: dict[str, Any], message: str
) -> None:
    known = await signed(driver, deployed)
    told = await ends(driver, deployed, known, settled=True, **changes)
    assert (told["error"]["code"], told["error"]["message"]) == (TRANSACTION_REJECTED, message)


async def test_a_transaction_that_is_awaited_is_not_signed_twice(
    driver: Driver, preparing: Preparing, deployed: Deployment, heir: Driver
) -> None:
    await signed(driver, deployed)
    await returns(heir, driver)
    await send(heir)
    assert (len(preparing.asked), await heir.commands("wallet.request")) == (1, [])


async def test_a_lost_session_still_answers_the_host(
    driver: Driver, preparing: Preparing, deployed: Deployment, heir: Driver
) -> None:
    known = await signed(driver, deployed)
    await returns(heir, driver)
    assert (await ends(heir, deployed, known, status="confirmed", hash=HASH, settled=True))["value"] == HASH


async def test_a_new_page_waits_for_nothing(driver: Driver, preparing: Preparing, deployed: Deployment) -> None:
    await signed(driver, deployed)
    await driver.reload(sessions=sessions())
    assert (await driver.state(PendingState)).awaits is False
