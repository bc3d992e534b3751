"""The operator's policy between the host page and the wallet: what it lets pass, what the visitor confirms, what the audit keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.db.sign_in_samples import proven
from tests.driver import ADDRESS, ORIGIN, OTHER, Driver
from tests.features.approving import approve, shown
from tests.features.conftest import Configure
from walletmodal.core.requests.audit import AuditEntry
from walletmodal.deployment import Deployment
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)

HOLDER = "h" * 64
SIGN: tuple[str, Any] = ("personal_sign", ["0x6869", ADDRESS])
SEND: tuple[str, Any] = ("eth_sendTransaction", [{"from": ADDRESS, "to": OTHER, "value": "0x1"}])
DECIDE = Callable[[str], None]


async def audit(deployed: Deployment) -> list[AuditEntry]:
    """All that was put down, the oldest first."""
    await deployed.audit.flush()
    return await deployed.audit.after(0)


async def error(driver: Driver, call: str = "request") -> tuple[int, str]:
    """With what a request was refused."""
    found = (await driver.answer(call))["error"]
    return found["code"], found["message"]


async def asked(driver: Driver) -> list[str]:
    """The methods that the wallet was asked."""
    return [command["params"]["method"] for command in await driver.commands("wallet.request")]


@pytest.mark.parametrize(("method", "params"), [SIGN, SEND])
async def test_by_default_what_the_lists_allow_goes_to_the_wallet(driver: Driver, method: str, params: Any) -> None:
    await driver.connect()
    await driver.request(method, params)
    assert await asked(driver) == [method]


@pytest.mark.parametrize(("method", "params"), [SIGN, SEND])
async def test_what_the_policy_denies_does_not_reach_the_wallet(
    driver: Driver, decides: DECIDE, method: str, params: Any
) -> None:
    decides("return Deny('not on Sundays')")
    await driver.connect()
    await driver.request(method, params)
    assert (await error(driver), await asked(driver)) == ((4100, "Not allowed by policy: not on Sundays"), [])


async def test_a_policy_that_fails_denies(driver: Driver, decides: DECIDE) -> None:
    decides("return 1 / 0")
    await driver.connect()
    await driver.request(*SIGN)
    assert (await error(driver), await asked(driver)) == ((4100, "Not allowed by policy"), [])


async def test_the_policy_sees_who_asks_for_what(driver: Driver, decides: DECIDE) -> None:
    decides(
        "return Deny(f'{request.method} {request.chain} {request.account} {request.origin} {request.value} {request.signed_in}')"
    )
    await driver.connect()
    await driver.request(*SEND)
    assert (await error(driver))[1].endswith(f": eth_sendTransaction eip155:1 {ADDRESS} http://localhost:8700 1 False")


@pytest.mark.parametrize("decision", ["Allow()", "Confirm('sure?')"])
async def test_what_a_policy_changes_of_its_request_reaches_neither_visitor_nor_wallet(
    driver: Driver, decides: DECIDE, configure: Configure, decision: str
) -> None:
    configure(CONFIRM_REQUESTS="policy")
    decides(f"request.params[0]['to'] = '{ADDRESS}'; return {decision}")
    await driver.connect()
    await driver.request(*SEND)
    if decision != "Allow()":
        assert OTHER in str((await shown(driver))["parts"])
        await approve(driver)
    (command,) = await driver.commands("wallet.request")
    assert command["params"]["params"] == SEND[1]


async def test_the_policy_sees_what_there_is_of_a_token_that_others_could_take(
    driver: Driver, decides: DECIDE, deployed: Deployment
) -> None:
    class Node:
        def adapter(self, _namespace: str) -> Node:
            return self

        async def token_supply(self, _chain: object, _address: str) -> int:
            return 1_000

        async def token_balances(self, *_: object) -> dict[str, int]:
            return {OTHER: 7}

    node: Any = Node()
    deployed.chains = node
    decides("return Deny(f'{request.approvals[0].balance} {request.has_unlimited_approval}')")
    await driver.connect()
    approve = "0x095ea7b3" + OTHER[2:].lower().rjust(64, "0") + f"{1_000:064x}"
    await driver.request("eth_sendTransaction", [{"from": ADDRESS, "to": OTHER, "data": approve}])
    assert (await error(driver))[1].endswith(": 7 True")


async def test_what_nobody_has_read_does_not_reach_the_wallet(driver: Driver) -> None:
    await driver.connect()
    await driver.request("eth_sendTransaction", [*SEND[1], {"from": ADDRESS, "to": OTHER, "value": "0xffff"}])
    assert ((await error(driver))[0], await asked(driver)) == (-32602, [])


async def test_the_policy_knows_who_is_signed_in(driver: Driver, decides: DECIDE, deployed: Deployment) -> None:
    decides("return Allow() if request.signed_in else Deny('sign in first')")
    await driver.connect(options={"siwx": {}})
    await driver.request(*SIGN, call_id="before")
    await deployed.sign_ins.add(proven("nonce00001", origin=ORIGIN, at=deployed.clock.now()), HOLDER)
    async with driver.changing(SignInState) as signin:
        signin._holder = HOLDER
    await driver.request(*SIGN, call_id="after")
    assert ((await error(driver, "before"))[0], await driver.settled("after"), await asked(driver)) == (
        4100,
        None,
        ["personal_sign"],
    )


async def test_the_policy_is_not_asked_about_what_is_refused_anyway(driver: Driver, decides: DECIDE) -> None:
    decides("return Deny('asked')")
    await driver.connect()
    await driver.request("personal_sign", ["0x00", OTHER])
    await driver.request("eth_sign", [ADDRESS, "0x"], call_id="other")
    assert [(await error(driver))[0], (await error(driver, "other"))[0]] == [4100, 4200]
    assert "asked" not in (await error(driver))[1]


async def test_what_the_policy_wants_confirmed_is_shown_first(driver: Driver, decides: DECIDE) -> None:
    decides("return Confirm('large')")
    await driver.connect()
    await driver.request(*SIGN)
    shell, approve = await driver.state(ShellState), await driver.state(ApproveState)
    assert (shell.open, shell.view, [entry["reason"] for entry in approve._entries()]) == (
        True,
        "ApproveTransaction",
        ["large"],
    )
    assert (await asked(driver), await driver.settled("request")) == ([], None)


@pytest.mark.parametrize(("method", "params"), [SIGN, SEND])
async def test_what_the_visitor_approves_goes_to_the_wallet(
    driver: Driver, decides: DECIDE, deployed: Deployment, method: str, params: Any
) -> None:
    decides("return Confirm()")
    await driver.connect()
    await driver.request(method, params)
    await driver.fire(ApproveState.approve((await driver.state(ApproveState)).seen))
    assert (await asked(driver), [one.outcome for one in await audit(deployed)]) == ([method], ["confirmed"])


async def test_what_the_policy_denies_by_now_is_not_carried_out_though_approved(
    driver: Driver, decides: DECIDE
) -> None:
    decides("return Confirm()")
    await driver.connect()
    await driver.request(*SIGN)
    decides("return Deny('too late')")
    await driver.fire(ApproveState.approve((await driver.state(ApproveState)).seen))
    assert (await error(driver), await asked(driver)) == ((4100, "Not allowed by policy: too late"), [])


async def test_what_the_visitor_rejects_is_put_down(driver: Driver, decides: DECIDE, deployed: Deployment) -> None:
    decides("return Confirm()")
    await driver.connect()
    await driver.request(*SIGN)
    await driver.fire(ApproveState.reject((await driver.state(ApproveState)).seen))
    (entry,) = await audit(deployed)
    assert ((await error(driver))[0], entry.outcome, entry.summary) == (4001, "rejected", "message of 2 bytes")


async def test_closing_the_modal_rejects_what_waits_in_it(
    driver: Driver, decides: DECIDE, deployed: Deployment
) -> None:
    decides("return Confirm()")
    await driver.connect()
    await driver.request(*SIGN)
    await driver.fire(ShellState.close)
    assert ((await error(driver))[0], [one.outcome for one in await audit(deployed)]) == (4001, ["aborted"])


async def test_closing_the_modal_leaves_the_wallet_what_it_has(driver: Driver) -> None:
    await driver.connect()
    await driver.request(*SIGN)
    await driver.call("open")
    await driver.fire(ShellState.close)
    assert (await asked(driver), await driver.settled("request")) == (["personal_sign"], None)


async def test_a_question_that_is_repeated_is_decided_once(
    driver: Driver, decides: DECIDE, deployed: Deployment
) -> None:
    decides("return Confirm()")
    await driver.connect()
    for _ in range(2):
        await driver.request(*SIGN)
    assert len((await driver.state(ApproveState))._entries()) == 1


@pytest.mark.parametrize(
    ("deployment", "page", "shown"),
    [
        ("all", None, True),
        ("all", "off", True),
        ("policy", "all", True),
        ("off", "all", True),
        ("policy", "off", False),
    ],
)
async def test_the_visitor_confirms_what_the_deployment_or_the_page_wants(
    driver: Driver, configure: Configure, deployment: str, page: str | None, shown: bool
) -> None:
    configure(CONFIRM_REQUESTS=deployment)
    await driver.connect(options={} if page is None else {"confirmRequests": page})
    await driver.request(*SIGN)
    assert (await driver.state(ShellState)).open is shown
    assert await asked(driver) == ([] if shown else ["personal_sign"])


async def test_where_nobody_confirms_what_the_policy_wants_confirmed_is_denied(
    driver: Driver, decides: DECIDE, configure: Configure
) -> None:
    configure(CONFIRM_REQUESTS="off")
    decides("return Confirm()")
    await driver.connect()
    await driver.request(*SIGN)
    assert ((await error(driver))[0], await asked(driver)) == (4100, [])
