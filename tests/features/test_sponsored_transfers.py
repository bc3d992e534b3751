"""Transfers of the modal's own whose network fee the deployment pays: what the visitor sees, and what the frame is asked to sign."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.driver import ADDRESS, Driver
from tests.features.embedded_stage import logged_in
from tests.features.send_stage import (
    RECEIVER,
    Stage,
    asked,
    at_form,
    confirm,
    fill,
    review,
    send_click,
    settles,
    view,
    world,
)
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
from walletmodal.core.errors import TransportError
from walletmodal.core.errors.operations import PaymasterRefusedError, SponsorshipError
from walletmodal.deployment import Deployment
from walletmodal.features.embedded.operations import PAYER_CHANGED
from walletmodal.features.send.handlers import DECLINED, RESULT, WALLET_FAILED
from walletmodal.features.send.preparing import NO_COIN
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import SendState

__all__ = ["paid", "preparing", "secure_site"]

pytestmark = [pytest.mark.usefixtures("paid"), pytest.mark.parametrize("manager", ["memory"], indirect=True)]


@pytest.fixture
def stage(preparing: Preparing, deployed: Deployment) -> Stage:
    return world().on(deployed)


async def at_review(driver: Driver, **frame_says: str) -> ReviewState:
    """The owner of the embedded wallet sees the preview of a transfer."""
    async with frame(driver, **frame_says):
        await at_form(driver, eip155=logged_in())
        await fill(driver)
        await driver.fire(ReviewState.open)
        await driver.fire(ReviewState.on_shown)
        await settles(driver)
    return await review(driver)


async def confirmed(driver: Driver) -> dict[str, Any]:
    """What the frame is asked after the Send button."""
    await driver.fire(await send_click(driver))
    return await asked_to_sign(driver)


async def again(driver: Driver) -> ReviewState:
    """The Send button, after which the visitor sees another preview."""
    async with frame(driver):
        await confirm(driver)
    return await review(driver)


def shown(found: ReviewState) -> tuple[str, str, str]:
    """Who pays, why not, and what it costs."""
    return found.plan["payer"], found.plan["unpaid"], found.plan["fee"]


async def test_the_preview_says_who_pays(driver: Driver, stage: Stage, preparing: Preparing) -> None:
    found = await at_review(driver)
    assert (found.phase, *shown(found), found.plan["speeds"]) == ("ready", "Paid by Acme", "", "", [])
    (request,) = preparing.asked
    assert [(call.to, call.value) for call in request.calls] == [(RECEIVER, 10**18)]


@pytest.mark.parametrize(
    ("icon", "shown_as"),
    [
        ("data:image/png;base64,AAAA", "data:image/png;base64,AAAA"),
        ("https://acme.example/icon.png", "/images/remote/"),
    ],
)
async def test_the_picture_of_who_pays_comes_from_our_server(
    driver: Driver, stage: Stage, preparing: Preparing, icon: str, shown_as: str
) -> None:
    preparing.icon = icon
    found = (await at_review(driver)).plan["payer_icon"]
    assert (found.startswith(shown_as), "acme.example" in found) == (True, False)


@pytest.mark.parametrize(("kind", "amount"), [("smartAccount", "10"), ("eoa", "9.999979")])
async def test_max_keeps_no_coin_for_a_fee_that_is_paid(
    driver: Driver, stage: Stage, preparing: Preparing, kind: str, amount: str
) -> None:
    async with frame(driver, kind=kind):
        await at_form(driver, eip155=logged_in())
        await fill(driver, amount="")
    await driver.fire(SendState.use_max)
    form = await driver.state(SendState)
    assert (form.amount, form.label) == (amount, "Preview Send")


async def test_who_has_no_coin_for_the_fee_sends_all_the_same(
    driver: Driver, stage: Stage, preparing: Preparing
) -> None:
    stage.penniless = True
    assert shown(await at_review(driver)) == ("Paid by Acme", "", "")
    assert (await confirmed(driver))["params"]["method"] == SIGN


async def test_what_the_visitor_saw_is_what_the_frame_is_asked_to_sign(
    driver: Driver, stage: Stage, preparing: Preparing
) -> None:
    await at_review(driver)
    command = await confirmed(driver)
    first, second = preparing.asked
    assert (first.calls, command["params"]["hint"]["lines"]) == (second.calls, ["Paid by Acme"])


async def test_a_signed_transfer_is_on_record_and_shown(
    driver: Driver, stage: Stage, preparing: Preparing, deployed: Deployment
) -> None:
    await at_review(driver)
    command = await confirmed(driver)
    await driver.reply(command, value=signature(command["params"]))
    assert await view(driver) == RESULT
    (known,) = await deployed.requests.changed_since(datetime.fromtimestamp(0, UTC))
    assert (known.kind, known.status, known.proposal.receiver, known.proposal.sender) == (
        "send",
        "sent",
        RECEIVER,
        ADDRESS,
    )


async def test_an_ordinary_account_pays_its_own_fee(driver: Driver, stage: Stage, preparing: Preparing) -> None:
    found = await at_review(driver, kind="eoa")
    assert (found.plan["payer"], found.plan["fee"] != "", preparing.asked) == ("", True, [])


async def test_a_network_without_smart_accounts_is_paid_by_the_account(
    driver: Driver, stage: Stage, preparing: Preparing
) -> None:
    assert (await at_review(driver, status="unsupported")).plan["payer"] == ""


@pytest.mark.parametrize("refusal", [SponsorshipError("the limit of the day is reached"), TransportError("away")])
async def test_where_nobody_pays_the_visitor_sees_why_and_pays(
    driver: Driver, stage: Stage, preparing: Preparing, refusal: Any
) -> None:
    preparing.refusal = refusal
    found = await at_review(driver)
    assert (found.phase, found.plan["payer"], found.plan["unpaid"]) == ("ready", "", refusal.short_message)
    await confirm(driver)
    (request,) = await asked(driver)
    assert request["method"] == "eth_sendTransaction"


async def test_where_nobody_pays_and_there_is_no_coin_both_is_said(
    driver: Driver, stage: Stage, preparing: Preparing
) -> None:
    stage.penniless, preparing.refusal = True, SponsorshipError()
    found = await at_review(driver)
    assert (found.phase, found.error) == ("failed", f"{SponsorshipError.text} {NO_COIN}")


async def test_a_promise_that_is_not_kept_leads_to_a_preview_that_says_so(
    driver: Driver, stage: Stage, preparing: Preparing
) -> None:
    await at_review(driver)
    preparing.refusal = PaymasterRefusedError("expired")
    found = await again(driver)
    assert (found.phase, found.notice, found.plan["payer"]) == ("ready", PaymasterRefusedError.text, "")
    assert (found.plan["unpaid"], await asked(driver)) == (PaymasterRefusedError.text, [])


async def test_another_payer_is_shown_before_anything_is_signed(
    driver: Driver, stage: Stage, preparing: Preparing
) -> None:
    await at_review(driver)
    preparing.sponsor = "Somebody else"
    found = await again(driver)
    assert (found.notice, found.plan["payer"], await asked(driver)) == (PAYER_CHANGED, "Paid by Somebody else", [])


async def test_who_declines_may_confirm_again(driver: Driver, stage: Stage, preparing: Preparing) -> None:
    await at_review(driver)
    await driver.reply(await confirmed(driver), code=4001, message="User rejected the request")
    found = await review(driver)
    assert (found.phase, found.error, found.plan["payer"]) == ("ready", DECLINED, "Paid by Acme")


@pytest.mark.parametrize("answer", [{"code": -32603, "message": "cannot"}, {"value": None}])
async def test_a_frame_that_does_not_sign_leaves_an_ordinary_transaction(
    driver: Driver, stage: Stage, preparing: Preparing, answer: dict[str, Any]
) -> None:
    await at_review(driver)
    command = await confirmed(driver)
    async with frame(driver):
        await driver.reply(command, **answer)
        await settles(driver)
    found = await review(driver)
    assert (found.phase, found.error, found.plan["payer"]) == ("ready", WALLET_FAILED, "")


async def test_another_keys_signature_sends_nothing(
    driver: Driver, stage: Stage, preparing: Preparing, deployed: Deployment
) -> None:
    await at_review(driver)
    command = await confirmed(driver)
    async with frame(driver):
        await driver.reply(command, value=signature(command["params"], STRANGER))
        await settles(driver)
    (known,) = await deployed.requests.changed_since(datetime.fromtimestamp(0, UTC))
    assert (known.status, known.signed) == ("declined", "")


async def test_who_wants_to_pays_the_fee(driver: Driver, stage: Stage, preparing: Preparing) -> None:
    await at_review(driver)
    await driver.fire(ReviewState.pay_fee)
    await settles(driver)
    found = await review(driver)
    assert (found.phase, found.plan["payer"], found.plan["fee"] != "") == ("ready", "", True)
    await confirm(driver)
    (request,) = await asked(driver)
    assert request["method"] == "eth_sendTransaction"
