"""From a wallet's row to its account: every answer that a wallet can give."""

from __future__ import annotations

import pytest

from tests.driver import ADDRESS, Driver, session
from walletmodal.core.text.texts import (
    WALLET_DECLINED,
    WALLET_FAILED,
    WALLET_GONE,
    WALLET_INTERRUPTED,
    WALLET_NONSENSE,
    WALLET_SILENT,
)
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletsState


async def start(driver: Driver) -> dict[str, object]:
    """A visitor has opened the modal and clicked the wallet's row."""
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    return (await driver.commands("wallet.connect"))[0]


async def test_a_row_leads_to_the_connecting_view_under_the_wallets_name(driver: Driver) -> None:
    await start(driver)
    shell = await driver.state(ShellState)
    assert (shell.view, shell.title) == ("ConnectingExternal", "MetaMask")


async def test_a_row_asks_exactly_that_wallet(driver: Driver) -> None:
    command = await start(driver)
    assert command["params"] == {"namespace": "eip155", "connector": "io.metamask.test", "timeout": 120_000}


async def test_a_session_makes_the_account(driver: Driver) -> None:
    await start(driver)
    await driver.tell(sessions={"eip155": session()})
    account = await driver.account()
    assert (account.status, account.caip_address) == ("connected", f"eip155:1:{ADDRESS}")


async def test_a_reply_alone_makes_no_account(driver: Driver) -> None:
    command = await start(driver)
    await driver.reply(command, value={"accounts": [ADDRESS], "chain": "1"})
    assert (await driver.account()).status != "connected"


async def test_the_modal_closes_when_connected(driver: Driver) -> None:
    await start(driver)
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.state(ShellState)).open is False


async def test_a_view_that_needed_an_account_follows_the_connecting(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="Account")
    assert (await driver.state(ShellState)).view == "Connect"
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.tell(sessions={"eip155": session()})
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view) == (True, "Account")


@pytest.mark.parametrize(
    ("code", "message", "text"),
    [
        (4001, "User rejected the request.", WALLET_DECLINED),
        (-32603, "Unexpected answer of the wallet", WALLET_NONSENSE),
        (-32002, "No answer in time", WALLET_SILENT),
        (4900, "No such wallet", WALLET_GONE),
        (-1, "orphaned", WALLET_INTERRUPTED),
        (12345, "<script>alert(1)</script>", WALLET_FAILED),
    ],
)
async def test_a_wallet_that_does_not_connect_is_explained(driver: Driver, code: int, message: str, text: str) -> None:
    command = await start(driver)
    await driver.reply(command, code=code, message=message)
    connect = await driver.state(ConnectState)
    assert (connect.phase, connect.error) == ("error", text)


async def test_try_again_asks_the_same_wallet_again(driver: Driver) -> None:
    command = await start(driver)
    await driver.reply(command, code=4001, message="no")
    await driver.fire(ConnectState.retry)
    again = (await driver.commands("wallet.connect"))[0]
    assert (await driver.state(ConnectState)).phase == "connecting"
    assert again["id"] != command["id"]


async def test_try_again_with_a_wallet_that_is_gone_says_so(driver: Driver) -> None:
    command = await start(driver)
    await driver.reply(command, code=4001, message="no")
    await driver.tell(wallets=[])
    await driver.fire(ConnectState.retry)
    assert (await driver.state(ConnectState)).error == WALLET_GONE


async def test_a_late_approval_after_the_timeout_still_connects(driver: Driver) -> None:
    command = await start(driver)
    await driver.reply(command, code=-32002, message="late")
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.account()).status == "connected"


async def test_an_unknown_row_asks_nobody(driver: Driver) -> None:
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "evil.wallet"))
    assert await driver.commands("wallet.connect") == []


INTERRUPTED = {"namespace": "eip155", "connector": "io.metamask.test", "wallet": None}


async def test_an_interrupted_connect_is_offered_again_after_a_reload(driver: Driver) -> None:
    await driver.load(
        storage={"activeNetworkId": None, "activeNamespace": None, "recent": [], "interrupted": INTERRUPTED}
    )
    shell, connect = await driver.state(ShellState), await driver.state(ConnectState)
    assert (shell.open, shell.view, connect.error) == (True, "ConnectingExternal", WALLET_INTERRUPTED)


async def test_an_interrupted_connect_does_not_prompt_by_itself(driver: Driver) -> None:
    await driver.load(
        storage={"activeNetworkId": None, "activeNamespace": None, "recent": [], "interrupted": INTERRUPTED}
    )
    assert await driver.commands("wallet.connect") == []


async def test_a_host_can_hide_all_wallets(driver: Driver) -> None:
    await driver.load(options={"enableWallets": False})
    assert (await driver.state(WalletsState)).injected == []


async def test_closing_while_the_wallet_is_asked_does_not_lose_the_approval(driver: Driver) -> None:
    await start(driver)
    await driver.fire(ShellState.close)
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.account()).status == "connected"
