"""What the wallet cannot do, the visitor is not asked about: the wallet says so first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.approving import all_confirmed, asked, refusal, view
from tests.features.conftest import Configure
from tests.features.pairing_stage import paired
from walletmodal.deployment import Deployment

__all__ = ["all_confirmed"]

pytestmark = [
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
    pytest.mark.usefixtures("all_confirmed"),
]

BATCH: tuple[str, Any] = (
    "wallet_sendCalls",
    [{"from": ADDRESS, "chainId": "0x1", "calls": [{"to": OTHER, "value": "0x1"}]}],
)
GRANT: tuple[str, Any] = ("wallet_grantPermissions", [{"expiry": 1, "permissions": []}])
REVOKE: tuple[str, Any] = ("wallet_revokePermissions", [{"permissionsContext": "0x00"}])
ATOMIC: tuple[str, Any] = ("wallet_sendCalls", [{**BATCH[1][0], "atomicRequired": True}])
VIEW = "ApproveTransaction"


async def told(driver: Driver, **answer: Any) -> None:
    """The wallet answers what it was asked of itself."""
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, **answer)


async def question(driver: Driver) -> tuple[str, Any]:
    """What the wallet is asked."""
    (command,) = await driver.commands("wallet.request")
    return command["params"]["method"], command["params"]["params"]


@pytest.mark.parametrize(("method", "params"), [BATCH, GRANT, REVOKE])
async def test_the_wallet_is_asked_before_the_visitor(driver: Driver, method: str, params: Any) -> None:
    await driver.connect()
    await driver.request(method, params)
    assert await question(driver) == ("wallet_getCapabilities", [ADDRESS])
    assert (await view(driver))[0] is False


@pytest.mark.parametrize(("method", "params"), [BATCH, GRANT, REVOKE])
@pytest.mark.parametrize("code", [4200, -32601, -32004])
async def test_what_the_wallet_does_not_have_is_refused_at_once(
    driver: Driver, deployed: Deployment, method: str, params: Any, code: int
) -> None:
    await driver.connect()
    await driver.request(method, params)
    await told(driver, code=code, message="no such method")
    assert (await refusal(driver))[0] == 4200
    assert (await view(driver), await asked(driver)) == ((False, "Connect"), [])
    await deployed.audit.flush()
    assert [(entry.outcome, entry.method) for entry in await deployed.audit.after(0)] == [("refused", method)]


@pytest.mark.parametrize(
    ("batch", "capabilities", "code"),
    [
        (ATOMIC, {"0x1": {"atomic": {"status": "unsupported"}}}, 5760),
        (
            ("wallet_sendCalls", [{**BATCH[1][0], "capabilities": {"paymasterService": {}}}]),
            {"0x1": {"atomic": {}}},
            5700,
        ),
    ],
)
async def test_what_a_batch_insists_on_is_refused_with_its_code(
    driver: Driver, batch: tuple[str, Any], capabilities: Any, code: int
) -> None:
    await driver.connect()
    await driver.request(*batch)
    await told(driver, value=capabilities)
    assert (await refusal(driver))[0] == code
    assert (await view(driver))[0] is False


@pytest.mark.parametrize(
    "answer",
    [
        {"value": {"0x1": {"atomic": {"status": "supported"}}}},
        {"value": None},
        {"code": -32002, "message": "no answer in time"},
        {"code": -32603, "message": "something went wrong"},
        {"code": -1, "message": "orphaned"},
    ],
)
async def test_the_visitor_is_asked_for_what_may_be_possible(driver: Driver, answer: dict[str, Any]) -> None:
    await driver.connect()
    await driver.request(*ATOMIC)
    await told(driver, **answer)
    assert (await view(driver), await driver.settled("request")) == ((True, VIEW), None)


async def test_of_a_pairing_the_frame_knows_what_was_approved(driver: Driver) -> None:
    await driver.load(sessions={"eip155": paired()})
    await driver.request("wallet_sendCalls", [{"calls": [{"to": OTHER}]}])
    assert await question(driver) == ("walletmodal_hasMethod", ["wallet_sendCalls"])


@pytest.mark.parametrize(
    ("answer", "opened"),
    [({"value": False}, False), ({"value": True}, True), ({"code": 4200, "message": "an older frame"}, True)],
)
async def test_a_method_that_a_pairing_has_not_approved_is_refused_at_once(
    driver: Driver, answer: dict[str, Any], opened: bool
) -> None:
    await driver.load(sessions={"eip155": paired()})
    await driver.request("wallet_sendCalls", [{"calls": [{"to": OTHER}]}])
    await told(driver, **answer)
    settled = await driver.settled("request")
    assert ((await view(driver))[0], settled and settled["error"]["code"]) == (opened, None if opened else 4200)


async def test_an_answer_of_the_wallet_before_says_nothing_of_this_one(driver: Driver) -> None:
    await driver.connect()
    await driver.request("wallet_sendCalls", [{"calls": [{"to": OTHER}]}])
    (command,) = await driver.commands("wallet.request")
    await driver.tell(sessions={"eip155": session(connector="io.other.test")})
    await driver.reply(command, code=4200, message="no such method")
    assert (await view(driver))[0] is True


async def test_an_account_that_has_gone_meanwhile_is_not_asked_for(driver: Driver) -> None:
    await driver.connect()
    await driver.request(*BATCH)
    (command,) = await driver.commands("wallet.request")
    await driver.tell(sessions={})
    await driver.reply(command, value={})
    assert ((await refusal(driver))[0], (await view(driver))[0]) == (4100, False)


async def test_asking_again_asks_the_wallet_once(driver: Driver) -> None:
    await driver.connect()
    await driver.request(*BATCH)
    await driver.request(*BATCH)
    assert len(await driver.commands("wallet.request")) == 1


async def test_what_waits_for_the_wallets_word_is_limited(driver: Driver) -> None:
    await driver.connect()
    large = [{"calls": [{"to": OTHER, "data": "0x" + "00" * 90_000}]}]
    await driver.request("wallet_sendCalls", large, call_id="first")
    await driver.request("wallet_sendCalls", large, call_id="second")
    assert (await driver.settled("first"), (await refusal(driver, "second"))[0]) == (None, -32005)


async def test_without_confirmation_the_request_itself_is_the_question(driver: Driver, configure: Configure) -> None:
    configure(CONFIRM_REQUESTS="off")
    await driver.connect()
    await driver.request(*BATCH)
    assert (await question(driver))[0] == "wallet_sendCalls"
