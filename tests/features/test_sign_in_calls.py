"""What a host page asks about signing in: who is signed in, and to sign in now."""

from __future__ import annotations

import pytest

from tests.driver import ADDRESS, ORIGIN, Driver, session
from tests.features.approving import all_confirmed as all_confirmed
from tests.features.approving import approve, asked, refusal, reject, wallet_answers
from tests.features.approving import sign as ask_to_sign
from tests.features.test_sign_in import (
    OPTIONAL,
    REQUIRED,
    arrive,
    held,
    identify,
    in_memory,
    sign,
    view,
)
from walletmodal.deployment import Deployment
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.shell.state import ShellState
from walletmodal.host import PublishedKeys, read_token

pytestmark = in_memory


async def test_get_session_gives_a_token_that_a_host_can_verify(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.call("getSession")
    value = (await driver.answer("call-getSession"))["value"]
    keys = PublishedKeys(await deployed.signing_keys.document())
    signed_in = read_token(value["token"], keys=keys, issuer=deployed.settings.own_origin, audience=ORIGIN)
    assert (signed_in.account, value["address"], value["chainId"]) == (
        value["address"],
        f"eip155:1:{ADDRESS}",
        "eip155:1",
    )


async def test_get_session_gives_null_to_who_is_not_signed_in(driver: Driver) -> None:
    await arrive(driver)
    await driver.call("getSession")
    assert (await driver.answer("call-getSession")) == {
        "request": "call-getSession",
        "ok": True,
        "value": None,
        "error": None,
    }


async def test_a_token_waits_until_the_browser_and_its_wallet_are_known(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.reload(options=REQUIRED, settled=False)
    await driver.call("getSession")
    assert await driver.settled("call-getSession") is None
    await driver.tell(sessions={"eip155": session()})
    await identify(driver)
    assert (await driver.answer("call-getSession"))["value"]["address"] == f"eip155:1:{ADDRESS}"


async def test_get_session_of_a_host_without_sign_ins_says_once_on_its_console_what_to_set(driver: Driver) -> None:
    await driver.connect()
    for _ in range(2):
        await driver.call("getSession")
    assert (await driver.answer("call-getSession"))["value"] is None
    (told,) = await driver.commands("host.warn")
    assert "`siwx: { required: false }`" in told["params"]["message"]


async def test_sign_in_of_a_host_without_sign_ins_says_so(driver: Driver) -> None:
    await driver.connect()
    await driver.call("signIn")
    assert (await driver.answer("call-signIn"))["error"]["message"] == "SIWX is not enabled"


async def test_sign_in_of_the_host_leads_over_connect_to_a_token(driver: Driver) -> None:
    await driver.load(options=OPTIONAL)
    await driver.call("signIn")
    assert await view(driver) == "Connect"
    await driver.tell(sessions={"eip155": session()})
    await identify(driver)
    await sign(driver)
    assert (await driver.answer("call-signIn"))["value"]["address"] == f"eip155:1:{ADDRESS}"


async def test_sign_in_of_the_host_is_rejected_when_the_visitor_closes(driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await driver.call("signIn")
    await driver.fire(ShellState.close)
    assert (await driver.answer("call-signIn"))["error"]["code"] == 4001


async def test_sign_in_of_the_host_is_answered_at_once_where_one_is_signed_in(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.call("signIn")
    assert (await driver.answer("call-signIn"))["ok"] is True


async def test_a_host_with_a_nonce_of_its_own_gets_it_back_in_the_token(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver, {"siwx": {"required": True, "nonce": "abcdefgh12345678"}})
    await sign(driver)
    assert [one.request_id for one in await held(deployed)] == ["abcdefgh12345678"]
    await driver.reload(
        options={"siwx": {"required": True, "nonce": "another1another1"}}, sessions={"eip155": session()}
    )
    await identify(driver)
    assert await view(driver) == "SIWXSignMessage"


@pytest.fixture
async def unsigned(all_confirmed: None, driver: Driver) -> Driver:
    """A visitor whose required sign-in is missing, and who is asked to confirm what the host page wants signed."""
    await arrive(driver)
    await ask_to_sign(driver)
    return driver


async def test_a_request_before_a_required_sign_in_waits_for_the_visitors_word(unsigned: Driver) -> None:
    assert (await view(unsigned), await asked(unsigned)) == ("ApproveTransaction", [])


async def test_while_a_required_sign_in_is_missing_a_request_cannot_be_closed(unsigned: Driver) -> None:
    await unsigned.fire(ShellState.close)
    shell = await unsigned.state(ShellState)
    assert (shell.open, shell.view, shell.shakes) == (True, "ApproveTransaction", 1)
    assert await unsigned.settled("request") is None


async def test_who_goes_back_from_a_request_is_asked_for_the_required_sign_in_again(unsigned: Driver) -> None:
    await unsigned.fire(ShellState.back)
    assert (await refusal(unsigned), await view(unsigned)) == ((4001, "Request was aborted"), "SIWXSignMessage")


async def test_who_rejects_a_request_before_a_required_sign_in_is_asked_for_the_sign_in_again(unsigned: Driver) -> None:
    await reject(unsigned)
    assert (await refusal(unsigned), await view(unsigned)) == ((4001, "User rejected the request."), "SIWXSignMessage")


async def test_who_rejects_a_request_before_a_required_sign_in_can_still_sign_in(
    unsigned: Driver, deployed: Deployment
) -> None:
    await reject(unsigned)
    await sign(unsigned)
    assert (len(await held(deployed)), await view(unsigned)) == (1, "")


async def ask_before_browser_is_known(driver: Driver) -> None:
    """A visitor connects in the modal, and the host asks for a signature before the page has said which browser it is in."""
    await driver.load(options=OPTIONAL)
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    (command,) = await driver.commands("wallet.connect")
    await driver.tell(sessions={"eip155": session()})
    await driver.reply(command, value={"accounts": [ADDRESS], "chain": "1"})
    await ask_to_sign(driver)
    assert await view(driver) == "ApproveTransaction"


async def test_a_request_that_came_before_the_question_for_a_sign_in_is_answered_before_it(
    all_confirmed: None, driver: Driver
) -> None:
    await ask_before_browser_is_known(driver)
    await identify(driver)
    assert (await view(driver), await driver.settled("request")) == ("ApproveTransaction", None)
    await approve(driver)
    await wallet_answers(driver)
    assert await view(driver) == "SIWXSignMessage"


async def test_a_request_stays_when_the_visitor_turns_out_to_be_signed_in(all_confirmed: None, driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await sign(driver)
    await driver.fire(ShellState.close)
    await driver.reload(options=OPTIONAL)
    await ask_before_browser_is_known(driver)
    await identify(driver)
    assert (await view(driver), await driver.settled("request")) == ("ApproveTransaction", None)
    await reject(driver)
    assert await view(driver) == ""
