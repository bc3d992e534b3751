"""What the audit keeps of the requests of host pages, and what a flood of them costs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver
from tests.features.test_request_policy import DECIDE, SEND, SIGN, audit, error
from walletmodal.core.clock import MovableClock
from walletmodal.core.requests.audit import params_digest
from walletmodal.core.text.texts import ACTION_NOT_ALLOWED
from walletmodal.deployment import Deployment
from walletmodal.features.requests.state import PACE
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def clock(deployed: Deployment) -> MovableClock:
    """The deployment's clock stands still."""
    found = MovableClock()
    deployed.clock = found
    return found


@pytest.mark.parametrize(
    ("method", "params", "outcome", "reason"),
    [
        (*SIGN, "denied", "no"),
        ("personal_sign", ["0x00", OTHER], "refused", "The account is not the connected one"),
        ("eth_sign", [ADDRESS, "0x"], "not_allowed", "RPC method not allowed"),
        (
            "wallet_sendCalls",
            [{"calls": [{"to": OTHER}] * 200}],
            "limited",
            "The call bundle is too large for the Wallet to process.",
        ),
    ],
)
async def test_every_decision_is_put_down(
    driver: Driver, decides: DECIDE, deployed: Deployment, method: str, params: Any, outcome: str, reason: str
) -> None:
    decides("return Deny('no')")
    await driver.connect()
    await driver.request(method, params)
    (entry,) = await audit(deployed)
    assert (entry.outcome, entry.reason, entry.method, entry.origin) == (
        outcome,
        reason,
        method,
        "http://localhost:8700",
    )
    assert (entry.chain, entry.account) == ("eip155:1", ADDRESS)


async def test_a_decision_leads_to_what_became_of_the_transaction(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await driver.request(*SEND)
    (entry,) = await audit(deployed)
    request = await deployed.requests.get(entry.request_id)
    assert (entry.outcome, entry.summary, entry.digest) == ("allowed", f"to {OTHER} value 1", params_digest(SEND[1]))
    assert request is not None
    assert request.proposal.to == OTHER


@pytest.mark.parametrize(
    ("answer", "outcome", "reason"),
    [({"value": "0x12"}, "signed", ""), ({"code": 4001, "message": "Not today"}, "declined", "Not today")],
)
async def test_what_the_wallet_answers_is_put_down(
    driver: Driver, deployed: Deployment, answer: Any, outcome: str, reason: str
) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x12", ADDRESS])
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, **answer)
    first, last = await audit(deployed)
    assert (last.outcome, last.reason, first.outcome) == (outcome, reason, "allowed")
    assert (last.method, last.digest, last.account, last.origin) == (
        first.method,
        first.digest,
        first.account,
        first.origin,
    )


async def test_the_audit_keeps_no_message(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["my secret", ADDRESS])
    assert "my secret" not in str(await audit(deployed))


async def test_a_method_of_no_list_is_told_to_the_developer_alone(driver: Driver) -> None:
    await driver.connect()
    await driver.request("eth_sign", [ADDRESS, "0x"])
    (warning,) = await driver.commands("host.warn")
    assert warning["params"] == {"message": "Requested RPC call is not allowed: eth_sign", "level": "error"}
    assert ((await driver.state(ShellState)).open, (await driver.state(ToastState)).message) == (False, "")
    assert await error(driver) == (4200, "RPC method not allowed")


async def test_the_name_of_a_method_is_one_line_wherever_it_is_told(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    await driver.request("eth_\u202esign\nforged line", [])
    (warning,) = await driver.commands("host.warn")
    (entry,) = await audit(deployed)
    assert (entry.method, warning["params"]["message"].partition(": ")[2]) == ("eth_sign forged line",) * 2


async def test_a_visitor_who_looks_at_the_modal_is_told_too(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.request("eth_sign", [ADDRESS, "0x"])
    toast = await driver.state(ToastState)
    assert (toast.message, toast.variant) == (ACTION_NOT_ALLOWED, "error")


@pytest.mark.parametrize("method", ["eth_sign", "personal_sign"])
async def test_a_flood_is_limited_and_costs_two_rows(
    driver: Driver, clock: MovableClock, deployed: Deployment, method: str
) -> None:
    await driver.load()
    for number in range(PACE.burst + 40):
        await driver.request(method, ["0x00", ADDRESS], call_id=f"r{number}")
    assert await error(driver, f"r{PACE.burst + 39}") == (-32005, "Too many requests in a short time")
    assert [(one.outcome, one.count) for one in await audit(deployed) if one.outcome == "limited"] == [
        ("limited", 1),
        ("limited", 39),
    ]


async def test_a_reload_gives_no_new_allowance_and_a_new_tab_does(driver: Driver, clock: MovableClock) -> None:
    await driver.load()
    for number in range(PACE.burst):
        await driver.request("eth_sign", call_id=f"r{number}")
    await driver.reload()
    await driver.request("eth_sign", call_id="reloaded")
    assert (await error(driver, "reloaded"))[0] == -32005
    tab = Driver(driver.manager, token="another tab")
    async with tab.processor:
        await tab.load()
        await tab.request("eth_sign", call_id="first")
        assert (await error(tab, "first"))[0] == 4200


async def test_who_waits_may_ask_again(driver: Driver, clock: MovableClock) -> None:
    await driver.load()
    for number in range(PACE.burst + 1):
        await driver.request("eth_sign", call_id=f"r{number}")
    clock.advance(1.0)
    await driver.request("eth_sign", call_id="after")
    assert (await error(driver, "after"))[0] == 4200
