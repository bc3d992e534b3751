"""Opening, closing, going back: the rules of the view stack."""

from __future__ import annotations

import pytest

from tests.driver import Driver, session
from walletmodal.core.clock import MovableClock
from walletmodal.core.language import Text
from walletmodal.core.text.texts import CLOSING_REFUSED
from walletmodal.deployment import deployment
from walletmodal.features.shell.routing import (
    back_closes,
    close_refused,
    leave_after_network_change,
    opening_view,
)
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState


@pytest.mark.parametrize(
    ("explicit", "adapters", "connected", "mobile", "view"),
    [
        ("", True, False, False, "Connect"),
        ("", True, True, False, "Account"),
        ("", False, False, False, "ConnectingWalletConnectBasic"),
        ("", False, False, True, "AllWallets"),
        ("", False, True, True, "Account"),
        ("Networks", True, False, False, "Networks"),
        ("Networks", True, True, False, "Networks"),
        ("WhatIsAWallet", False, False, True, "WhatIsAWallet"),
    ],
)
def test_opening_rules(explicit: str, adapters: bool, connected: bool, mobile: bool, view: str) -> None:
    assert opening_view(explicit=explicit, adapters=adapters, connected=connected, mobile=mobile) == view


@pytest.mark.parametrize(
    ("view", "required", "signed_in", "refused"),
    [
        ("UnsupportedChain", False, False, True),
        ("SIWXSignMessage", True, False, True),
        ("ApproveTransaction", True, False, True),
        ("SIWXSignMessage", True, True, False),
        ("SIWXSignMessage", False, False, False),
        ("Connect", True, False, False),
    ],
)
def test_closing_rules(view: str, required: bool, signed_in: bool, refused: bool) -> None:
    assert close_refused(view, sign_in_required=required, signed_in=signed_in) is refused


@pytest.mark.parametrize(
    ("views", "closes"),
    [
        (["Connect"], True),
        (["Connect", "Networks"], False),
        (["UnsupportedChain", "SwitchNetwork"], True),
        (["Account", "UnsupportedChain", "Networks"], True),
    ],
)
def test_back_with_one_entry_or_an_unsupported_chain_closes(views: list[str], closes: bool) -> None:
    assert back_closes([(view, "") for view in views]) is closes


@pytest.mark.parametrize(
    ("view", "connected", "same_namespace", "old_supported", "leaves"),
    [
        ("ConnectingExternal", False, True, True, False),
        ("ConnectingExternal", True, True, True, False),
        ("Networks", False, True, True, True),
        ("UnsupportedChain", True, True, False, True),
        ("SwitchNetwork", True, True, False, True),
        ("Account", True, True, True, True),
        ("Account", True, True, False, False),
        ("Account", True, False, True, True),
        ("Networks", True, False, False, True),
    ],
)
def test_network_change_rules(
    view: str, connected: bool, same_namespace: bool, old_supported: bool, leaves: bool
) -> None:
    found = leave_after_network_change(
        view, connected=connected, same_namespace=same_namespace, old_supported=old_supported
    )
    assert found is leaves


async def test_back_returns_to_the_view_before(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await driver.fire(ShellState.back)
    shell = await driver.state(ShellState)
    assert (shell.view, shell.direction, shell.depth) == ("Connect", -1, 1)


async def test_pushing_the_view_on_top_changes_nothing(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("Connect"))
    assert (await driver.state(ShellState)).depth == 1


@pytest.mark.parametrize("view", ["", "connect", "__class__", "Account", "Swap", "x" * 10_000])
async def test_a_forged_push_changes_nothing(driver: Driver, view: str) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push(view))
    assert (await driver.state(ShellState)).view == "Connect"


@pytest.mark.parametrize("view", ["NoSuchView", "constructor", "account"])
async def test_a_view_that_is_not_there_is_refused(driver: Driver, view: str) -> None:
    await driver.load()
    await driver.call("open", view=view)
    answer = await driver.answer("call-open")
    assert answer["error"]["message"] == "view not available"
    assert (await driver.state(ShellState)).open is False


async def test_escape_on_an_unsupported_chain_shakes_and_says_why(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="UnsupportedChain")
    await driver.fire(ShellState.close)
    shell = await driver.state(ShellState)
    said = (await driver.state(ToastState)).message
    assert (shell.open, shell.shakes, said) == (True, 1, CLOSING_REFUSED["UnsupportedChain"])


async def test_back_on_an_unsupported_chain_closes(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="UnsupportedChain")
    await driver.fire(ShellState.back)
    assert (await driver.state(ShellState)).open is False


async def test_the_host_may_close_what_the_visitor_may_not(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="UnsupportedChain")
    await driver.call("close")
    assert (await driver.state(ShellState)).open is False


@pytest.mark.parametrize(("sessions", "view"), [({}, "Connect"), ({"eip155": session()}, "Account")])
async def test_closing_an_embedded_modal_goes_home(driver: Driver, sessions: dict[str, object], view: str) -> None:
    await driver.load(options={"enableEmbedded": True}, sessions=sessions)
    await driver.fire(ShellState.push("WhatIsANetwork"))
    await driver.fire(ShellState.close)
    assert (await driver.state(ShellState)).view == view


async def test_opening_and_closing_are_told_to_the_host(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.call("close")
    told = [(item["event"], item["properties"]) for item in driver.told() if item["event"].startswith("MODAL")]
    assert told == [("MODAL_OPEN", {"connected": False}), ("MODAL_CLOSE", {"connected": False})]


async def test_a_push_sends_less_than_a_kilobyte(driver: Driver) -> None:
    clock = deployment().clock = MovableClock()
    await driver.load()
    await driver.call("open")
    for command in await driver.commands():
        await driver.reply(command)
    driver.deltas.clear()
    clock.advance(2)
    await driver.fire(ShellState.push("WhatIsAWallet"))
    assert len(str(driver.deltas)) < 1024


async def test_a_replaced_view_is_not_gone_back_to(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    async with driver.changing(ShellState) as shell:
        shell._replace("WhatIsANetwork")
    await driver.fire(ShellState.back)
    assert (await driver.state(ShellState)).view == "Connect"


async def test_a_frame_that_loads_anew_shows_the_titles_of_the_code_that_runs_now(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    async with driver.changing(ShellState) as shell:
        shell._set_stack(
            [("Connect", "An old title"), ("ConnectingExternal", "Some Wallet"), ("GetWallet", "Another")], 1
        )
    await driver.reload_frame()
    shell = await driver.state(ShellState)
    assert shell._stack == (
        ("Connect", "Connect Wallet"),
        ("ConnectingExternal", "Some Wallet"),
        ("GetWallet", "Get a wallet"),
    )
    assert shell.title == "Get a wallet"


async def test_a_view_without_a_heading_has_a_name_that_can_be_said_in_any_language(driver: Driver) -> None:
    await driver.load()
    async with driver.changing(ShellState) as shell:
        shell._reset("Profile")
    shell = await driver.state(ShellState)
    assert (shell.title, shell.label, isinstance(shell.label, Text)) == ("", "Your accounts", True)


async def test_a_view_replaced_by_itself_keeps_its_direction(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await driver.fire(ShellState.back)
    async with driver.changing(ShellState) as shell:
        shell._replace("Connect")
    shell = await driver.state(ShellState)
    assert (shell.view, shell.depth, shell.direction) == ("Connect", 1, -1)


@pytest.mark.parametrize(
    ("namespace", "view", "shown"),
    [
        (None, "", "Account"),
        ("eip155", "", "Account"),
        ("solana", "", "Connect"),
        ("eip155", "Account", "Account"),
        ("solana", "Account", "Connect"),
        ("solana", "Networks", "Networks"),
    ],
)
async def test_the_opening_rules_look_at_the_account_of_the_given_namespace(
    driver: Driver, namespace: str | None, view: str, shown: str
) -> None:
    await driver.connect()
    await driver.call("open", view=view, namespace=namespace)
    assert (await driver.state(ShellState)).view == shown


async def test_a_namespace_whose_wallet_is_gone_has_no_account(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={})
    await driver.call("open", namespace="eip155")
    assert (await driver.state(ShellState)).view == "Connect"
