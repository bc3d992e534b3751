"""What a lost session gets back."""

from __future__ import annotations

from typing import Any

from tests.driver import ADDRESS, Driver, session
from tests.features.returning import returns
from walletmodal.core.text.texts import WALLET_DECLINED
from walletmodal.deployment import Deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.requests.state import RequestsState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState


async def test_the_place_in_the_modal_returns(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await returns(heir, driver)
    shell = await heir.state(ShellState)
    assert (shell.open, shell.view, shell.depth) == (True, "WhatIsAWallet", 2)


async def test_what_waited_behind_connect_returns(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open", view="Account")
    await returns(heir, driver, sessions={"eip155": session()})
    assert (await heir.state(ShellState)).view == "Account"


async def test_a_pending_command_returns_under_its_id(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    before = await driver.commands("wallet.connect")
    await returns(heir, driver)
    assert await heir.commands("wallet.connect") == before


async def test_a_connect_goes_on_where_it_was(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await returns(heir, driver)
    shell, connect, account = await heir.state(ShellState), await heir.state(ConnectState), await heir.account()
    assert (shell.view, connect.phase, account.status) == ("ConnectingExternal", "connecting", "connecting")


async def test_a_wallet_that_declines_after_the_loss_is_explained(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await returns(heir, driver)
    await heir.reply((await heir.commands("wallet.connect"))[0], code=4001, message="no")
    assert (await heir.state(ConnectState)).error == WALLET_DECLINED


async def test_a_wallet_that_approved_during_the_loss_is_connected(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await returns(heir, driver, sessions={"eip155": session()})
    assert ((await heir.account()).status, (await heir.state(ShellState)).open) == ("connected", False)


async def test_a_switch_goes_on_where_it_was(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await driver.call("switchNetwork", caipNetworkId="eip155:137")
    await returns(heir, driver, sessions={"eip155": session()})
    await heir.tell(sessions={"eip155": session(chain="137")})
    await heir.reply((await heir.commands("wallet.request"))[0])
    answer = await heir.answer("call-switchNetwork")
    assert answer["ok"] is True


async def test_a_switch_that_is_declined_after_the_loss_is_explained(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.fire(NetworksState.choose("eip155:137"))
    await returns(heir, driver, sessions={"eip155": session()})
    await heir.reply((await heir.commands("wallet.request"))[0], code=4001, message="no")
    assert (await heir.state(NetworksState)).phase == "error"


async def test_a_disconnect_goes_on_where_it_was(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await driver.call("disconnect")
    await returns(heir, driver, sessions={"eip155": session()})
    await heir.reply((await heir.commands("wallet.disconnect"))[0])
    assert (await heir.answer("call-disconnect"))["ok"] is True


async def test_who_waited_for_an_account_still_gets_it(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    await returns(heir, driver)
    await heir.fire(ChoiceState.select("connector", "io.metamask.test"))
    await heir.tell(sessions={"eip155": session()})
    assert (await heir.answer("request"))["value"] == [ADDRESS]


async def test_a_request_returns_under_its_id(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x00", ADDRESS])
    before = await driver.commands("wallet.request")
    await returns(heir, driver, sessions={"eip155": session()})
    assert await heir.commands("wallet.request") == before


async def test_a_command_that_was_answered_never_returns(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x00", ADDRESS])
    await driver.reply((await driver.commands("wallet.request"))[0], value="0x12")
    await returns(heir, driver, sessions={"eip155": session()})
    assert await heir.commands("wallet.request") == []


async def test_an_answered_command_leaves_the_database_before_it_leaves_the_browser(
    driver: Driver, deployed: Deployment
) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x00", ADDRESS])
    await driver.reply((await driver.commands("wallet.request"))[0], value="0x12")
    assert deployed.resume.pending == 0


async def test_a_command_is_in_the_database_before_it_reaches_the_browser(driver: Driver, deployed: Deployment) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    assert deployed.resume.pending == 0


async def test_a_connect_that_a_snapshot_has_ended_never_returns(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.tell(sessions={"eip155": session()})
    await returns(heir, driver, sessions={"eip155": session()})
    left = (
        (await heir.state(ShellState)).open,
        (await heir.state(ConnectState)).phase,
        await heir.commands("wallet.connect"),
    )
    assert left == (False, "idle", [])


async def test_an_offer_that_was_closed_is_not_made_again(driver: Driver, heir: Driver) -> None:
    storage: dict[str, Any] = {
        "activeNetworkId": None,
        "activeNamespace": None,
        "recent": [],
        "interrupted": "io.metamask.test",
    }
    await driver.load(storage=storage)
    await driver.fire(ShellState.close)
    await returns(heir, driver, storage=storage)
    assert (await heir.state(ShellState)).open is False


async def test_an_account_that_no_wallet_holds_any_more_is_not_shown(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await returns(heir, driver, sessions={})
    assert (await heir.state(ShellState)).open is False


async def test_a_new_page_starts_anew_although_there_is_a_record(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    heir.epoch = "page-2"
    await returns(heir, driver)
    assert ((await heir.state(ShellState)).open, await heir.commands("wallet.connect")) == (False, [])


async def test_calls_made_while_the_session_was_lost_are_carried_out(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.call("open")
    await heir.load()
    assert (await heir.state(ShellState)).open is True


async def test_a_lost_session_asks_the_page_for_everything(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    await heir.fire(BridgeState.on_connect)
    assert (await heir.state(BridgeState)).sync != ""


async def test_requests_that_wait_are_no_more_than_before(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.request("eth_requestAccounts")
    await returns(heir, driver)
    assert len((await heir.state(RequestsState))._waiting) == 1


async def test_what_one_host_has_asked_for_does_not_return_on_another(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await driver.call("disconnect")
    await heir.hydrate((await driver.state(ResumeState)).resume_id)
    heir.epoch = "page-of-another-host"
    await heir.arrive(heir.init(origin="http://127.0.0.1:8700", sessions={"eip155": session()}))
    assert await heir.commands("wallet.disconnect") == []
