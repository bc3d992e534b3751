"""From a wallet of the directory to its code or link, and to every answer that a phone, a relay or a browser can give."""

from __future__ import annotations

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from tests.features.pairing_stage import OTHER, PHONE, Row, approve, asked, choose, paired, place, told
from walletmodal.core.text.texts import (
    ALERTS,
    FAILED_TO_COPY,
    LINK_COPIED,
    PAIRING_FAILED,
    PAIRING_INTERRUPTED,
    RELAY_REFUSED,
    WALLET_DECLINED,
    WALLET_NONSENSE,
)
from walletmodal.core.wallets.pairing import PAIRING_TIMEOUT_MS
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState, ToastState


@pytest.fixture(autouse=True)
def relay(configure: Configure) -> None:
    """A deployment with a relay."""
    configure(RELAY_URL="ws://localhost:8700/relay")


async def test_a_wallet_leads_to_its_panes_under_its_name(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    shell, pairing = await driver.state(ShellState), await driver.state(PairingState)
    assert (shell.view, shell.title) == ("ConnectingWalletConnect", "Tidewater Wallet")
    assert [tab["label"] for tab in pairing.tabs] == ["Mobile", "Webapp", "Desktop"]
    assert pairing.pane == "qrcode"


async def test_any_wallet_means_a_code_under_the_name_of_walletconnect(driver: Driver) -> None:
    await choose(driver)
    shell, pairing = await driver.state(ShellState), await driver.state(PairingState)
    assert (shell.title, pairing.pane, pairing.tabs) == ("WalletConnect", "qrcode", [])


async def test_the_browser_is_asked_to_propose_what_is_offered(driver: Driver) -> None:
    await choose(driver, PHONE.id, options={"metadata": {"name": "Shop", "icons": ["https://shop.example/icon.png"]}})
    (command,) = await asked(driver)
    params = command["params"]
    assert (params["namespace"], params["timeout"], params["again"]) == ("", PAIRING_TIMEOUT_MS, False)
    assert params["wallet"] == {"id": "aa11", "name": "Tidewater Wallet", "rdns": "example.tidewater"}
    assert params["proposal"]["namespaces"]["eip155"]["chains"] == ["eip155:1", "eip155:137", "eip155:10"]
    assert params["proposal"]["metadata"] == {
        "name": "Shop",
        "description": "",
        "url": "http://localhost:8700",
        "icons": ["https://shop.example/icon.png"],
    }


async def test_a_code_for_any_wallet_makes_none_a_recent_one(driver: Driver) -> None:
    await choose(driver)
    assert (await asked(driver))[0]["params"]["wallet"] is None


async def test_the_host_changes_what_is_proposed(driver: Driver) -> None:
    await choose(driver, options={"universalProviderConfigOverride": {"methods": {"eip155": ["personal_sign"]}}})
    assert (await asked(driver))[0]["params"]["proposal"]["namespaces"]["eip155"]["methods"] == ["personal_sign"]


async def test_entering_tells_of_the_wallet_and_the_pane(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    assert await told(driver, "SELECT_WALLET") == [{"name": "Tidewater Wallet", "platform": "qrcode"}]


async def test_any_wallet_is_told_of_as_walletconnect(driver: Driver) -> None:
    await choose(driver)
    assert await told(driver, "SELECT_WALLET") == [{"name": "WalletConnect", "platform": "qrcode"}]


async def test_an_approval_connects_and_closes(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await approve(driver, (await asked(driver))[0])
    assert (await driver.account()).status == "connected"
    assert (await place(driver))[0] is False
    assert await told(driver, "CONNECT_SUCCESS") == [{"method": "qrcode", "name": "Tidewater Wallet"}]


async def test_a_code_that_any_wallet_scanned_is_told_of_under_the_wallets_own_name(driver: Driver) -> None:
    await choose(driver)
    await approve(driver, (await asked(driver))[0], name="Pocket")
    assert await told(driver, "CONNECT_SUCCESS") == [{"method": "qrcode", "name": "Pocket"}]


async def test_a_link_that_was_opened_is_told_of_as_mobile(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(PairingState.on_link_opened)
    await approve(driver, (await asked(driver))[0])
    assert await told(driver, "CONNECT_SUCCESS") == [{"method": "mobile", "name": "Tidewater Wallet"}]


async def test_a_wallet_on_another_network_connects_on_that_one(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    (command,) = await asked(driver)
    granted = paired(chain="137", approved=["eip155:137"])
    await driver.tell(sessions={"eip155": granted})
    await driver.reply(command, value={"sessions": {"eip155": granted}})
    assert (await driver.state(NetworksState)).active == "eip155:137"
    assert len(await told(driver, "CONNECT_SUCCESS")) == 1


async def test_a_wallet_on_an_unsupported_network_leads_off_it(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    (command,) = await asked(driver)
    granted = paired(chain="5", approved=["eip155:5"])
    await driver.tell(sessions={"eip155": granted})
    await driver.reply(command, value={"sessions": {"eip155": granted}})
    assert await place(driver) == (True, "UnsupportedChain")
    assert len(await told(driver, "CONNECT_SUCCESS")) == 1


async def test_an_approval_leads_on_to_the_view_that_needed_an_account(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="Account")
    await driver.fire(Row.choose(PHONE.id))
    await approve(driver, (await asked(driver))[0])
    assert await place(driver) == (True, "Account")


async def test_an_approval_without_a_session_is_nonsense(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.reply((await asked(driver))[0], value={"sessions": {}})
    assert (await driver.state(PairingState)).error == WALLET_NONSENSE


@pytest.mark.parametrize(
    ("code", "message", "text"),
    [
        (4001, "User rejected.", WALLET_DECLINED),
        (12345, "<script>alert(1)</script>", PAIRING_FAILED),
        (3000, "Unauthorized: origin not allowed", RELAY_REFUSED),
    ],
)
async def test_what_does_not_connect_is_explained_in_the_pane(
    driver: Driver, code: int, message: str, text: str
) -> None:
    await choose(driver, PHONE.id)
    await driver.reply((await asked(driver))[0], code=code, message=message)
    pairing = await driver.state(PairingState)
    assert (pairing.phase, pairing.error) == ("error", text)
    assert await place(driver) == (True, "ConnectingWalletConnect")
    assert len(await told(driver, "CONNECT_ERROR")) == 1


async def test_a_refusal_of_the_relay_is_an_alert_for_the_hosts_developer(driver: Driver) -> None:
    await choose(driver)
    await driver.reply((await asked(driver))[0], code=3000, message="JWT validation error: JWT Token is not yet valid")
    assert (await driver.state(AlertState)).message == ALERTS["JWT_TOKEN_NOT_VALID"].short
    assert [c["params"]["level"] for c in await driver.commands("host.warn")] == ["error"]


async def test_the_same_refusal_is_an_alert_once(driver: Driver) -> None:
    await choose(driver)
    for _ in range(2):
        await driver.reply((await asked(driver))[0], code=3000, message="Unauthorized: invalid key")
        await driver.fire(PairingState.retry)
    assert len(await driver.commands("host.warn")) == 1


async def test_try_again_asks_for_a_fresh_code(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    (command,) = await asked(driver)
    await driver.reply(command, code=4001, message="no")
    await driver.fire(PairingState.retry)
    (again,) = await asked(driver)
    assert (again["params"]["again"], again["id"] != command["id"]) == (True, True)
    assert (await driver.state(PairingState)).phase == "waiting"


async def test_try_again_while_a_code_is_shown_takes_its_place(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    (command,) = await asked(driver)
    await driver.fire(PairingState.retry)
    assert [again["id"] != command["id"] for again in await asked(driver)] == [True]


async def test_a_frame_that_loads_anew_finds_a_code_again_without_a_click(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    (command,) = await asked(driver)
    await driver.reply(command, code=-1, message="orphaned")
    assert len(await asked(driver)) == 1
    assert (await driver.state(PairingState)).phase == "waiting"


async def test_a_frame_that_is_lost_again_and_again_ends_in_a_way_on(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    for _ in range(2):
        await driver.reply((await asked(driver))[0], code=-1, message="orphaned")
    assert (await driver.state(PairingState)).error == PAIRING_INTERRUPTED


async def test_leaving_withdraws_the_question(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(ShellState.back)
    assert await asked(driver) == []


async def test_a_host_that_opens_again_leaves_the_code_where_it_is(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    before = await asked(driver)
    await driver.call("open", call_id="again")
    assert (await place(driver), await asked(driver)) == ((True, "ConnectingWalletConnect"), before)


async def test_closing_withdraws_the_question(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(ShellState.close)
    assert await asked(driver) == []


async def test_a_late_answer_is_ignored(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    (command,) = await asked(driver)
    await driver.fire(ShellState.back)
    await driver.reply(command, code=4001, message="no")
    assert (await driver.state(PairingState)).phase == "idle"


async def test_the_way_back_from_the_stores_asks_for_the_code_again(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(PairingState.get_wallet)
    assert (await place(driver), await asked(driver)) == ((True, "Downloads"), [])
    await driver.fire(ShellState.back)
    (command,) = await asked(driver)
    assert command["params"]["again"] is False


async def test_an_approval_after_closing_counts(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(ShellState.close)
    await driver.tell(sessions={"eip155": paired()})
    assert (await driver.account()).status == "connected"
    assert len(await told(driver, "CONNECT_SUCCESS")) == 1


async def test_an_approval_after_an_error_leads_on(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.reply((await asked(driver))[0], code=-32002, message="late")
    await driver.tell(sessions={"eip155": paired()})
    assert (await place(driver))[0] is False


async def test_a_pairing_that_is_restored_is_no_new_one(driver: Driver) -> None:
    await driver.load(sessions={"eip155": paired()})
    assert await told(driver, "CONNECT_SUCCESS") == []


async def test_another_wallet_takes_the_place_of_the_one_before(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(ShellState.back)
    await driver.fire(Row.choose(OTHER.id))
    (command,) = await asked(driver)
    assert command["params"]["wallet"]["name"] == "Marble"


async def test_a_new_page_forgets_what_the_one_before_asked(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.reload()
    assert (await driver.state(PairingState)).phase == "idle"
    assert await asked(driver) == []


async def test_a_tab_leads_to_its_pane_and_keeps_the_code(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    before = await asked(driver)
    await driver.fire(PairingState.select_pane("web"))
    assert (await driver.state(PairingState)).pane == "web"
    assert await asked(driver) == before
    assert (await told(driver, "SELECT_WALLET"))[-1]["platform"] == "web"


async def test_a_tab_that_is_not_there_leads_nowhere(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(PairingState.select_pane("browser"))
    assert (await driver.state(PairingState)).pane == "qrcode"


async def test_a_host_that_says_when_is_waited_for(driver: Driver) -> None:
    await choose(driver, PHONE.id, options={"manualWCControl": True})
    assert await asked(driver) == []
    await driver.fire(PairingState.retry)
    assert len(await asked(driver)) == 1


async def test_copying_is_told(driver: Driver) -> None:
    await choose(driver)
    await driver.fire(PairingState.on_copied(True))
    assert (await driver.state(ToastState)).message == LINK_COPIED
    await driver.fire(PairingState.on_copied(False))
    assert (await driver.state(ToastState)).message == FAILED_TO_COPY


async def test_a_link_that_fails_is_told_without_the_key_of_the_code(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    failure = {"message": "No app", "uri": "wc:topic@2?symKey=secret", "mobile_link": "tidewater://", "name": "Evil"}
    await driver.fire(PairingState.on_link_failed(failure))
    assert await told(driver, "CONNECT_PROXY_ERROR") == [
        {"message": "No app", "uri": "wc:topic@2", "mobile_link": "tidewater://", "name": "Tidewater Wallet"}
    ]


async def test_a_script_for_a_link_is_not_told(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(PairingState.on_link_failed({"message": "x", "uri": "", "mobile_link": "javascript:alert(1)"}))
    assert (await told(driver, "CONNECT_PROXY_ERROR"))[0]["mobile_link"] == ""


async def test_a_push_elsewhere_sends_nothing_of_a_pairing(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    driver.deltas.clear()
    await driver.fire(ShellState.push("WhatIsAWallet"))
    assert PairingState.get_full_name() not in {name for delta in driver.deltas for name in delta}
