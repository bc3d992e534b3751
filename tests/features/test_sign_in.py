"""Signing in, from the question to the token: by the states alone, with a real signer and the real database."""

from __future__ import annotations

from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.core.language.test_text import Shouted
from tests.driver import ADDRESS, ORIGIN, OTHER, Driver, session
from tests.features.namespaces import SOL, SOLANA, WALLETS, told
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import TooManyChecksError
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.text.texts import SIGN_IN_FIRST
from walletmodal.db.sign_ins import holder_key
from walletmodal.deployment import Deployment, deployment
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals import spoken
from walletmodal.services.sign_in.checks import CHECKS, SignatureChecks

KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
OTHERS_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
REQUIRED: dict[str, Any] = {"siwx": {"required": True}}
OPTIONAL: dict[str, Any] = {"siwx": {"required": False, "statement": "Welcome."}}
HOLDER = holder_key("browser")

in_memory = pytest.mark.parametrize("manager", ["memory"], indirect=True)
pytestmark = in_memory


async def identify(driver: Driver, holder: str = HOLDER) -> None:
    """The page answers which browser it is in."""
    asked = (await driver.state(SignInState)).identify
    if asked:
        ticket = await deployment().tickets.issue(holder)
        await driver.fire(SignInState.redeem({"asked": asked, "ticket": ticket}))


async def arrive(driver: Driver, options: dict[str, Any] = REQUIRED, **parts: Any) -> None:
    """A page that wants sign-ins, with a connected account."""
    await driver.connect(options=options, **parts)
    await identify(driver)


def signature(command: dict[str, Any], key: str = KEY) -> str:
    """What the wallet answers to `personal_sign`."""
    text = bytes.fromhex(command["params"]["params"][0][2:])
    return f"0x{Account.sign_message(encode_defunct(text), key).signature.hex()}"


async def question(driver: Driver) -> dict[str, Any]:
    """What the wallet is asked; exactly one thing."""
    (command,) = await driver.commands("wallet.request")
    return command


async def sign(driver: Driver, key: str = KEY) -> None:
    """The visitor signs."""
    await driver.fire(SignInState.sign)
    asked = await question(driver)
    await driver.reply(asked, value=signature(asked, key))


async def view(driver: Driver) -> str:
    """What the visitor sees; "" for nothing."""
    shell = await driver.state(ShellState)
    return shell.view if shell.open else ""


async def held(deployed: Deployment, holder: str = HOLDER) -> list[SignInSession]:
    """Who is signed in."""
    return await deployed.sign_ins.held(holder, ORIGIN)


async def test_what_is_signed_is_the_hosts_own_text_in_every_language(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def shouting(_locales: str) -> Shouted:
        return Shouted()

    # Its catalogue would have these words, and ours.
    monkeypatch.setattr(spoken, "_languages", [shouting])
    driver.locales = "xx"
    await arrive(driver, {"siwx": {"required": True, "statement": "2 coins"}})
    await driver.fire(SignInState.sign)
    message = bytes.fromhex((await question(driver))["params"]["params"][0][2:]).decode()
    assert "wants you to sign in with your Ethereum account" in message
    assert "\n2 coins\n" in message


async def test_a_connected_account_without_a_sign_in_is_asked_for_one_in_a_modal_that_was_closed(
    driver: Driver,
) -> None:
    await arrive(driver)
    assert await view(driver) == "SIWXSignMessage"


async def test_a_page_that_wants_no_sign_ins_asks_nobody(driver: Driver) -> None:
    await driver.connect()
    assert (await driver.state(SignInState)).identify == ""
    assert await view(driver) == ""


async def test_the_message_is_the_host_pages_and_the_wallet_is_asked_to_sign_it(driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await driver.fire(SignInState.sign)
    asked = (await question(driver))["params"]
    text = bytes.fromhex(asked["params"][0][2:]).decode()
    assert (asked["method"], asked["params"][1]) == ("personal_sign", ADDRESS)
    assert text.startswith(f"localhost:8700 wants you to sign in with your Ethereum account:\n{ADDRESS}\n\nWelcome.\n")


async def test_a_verified_signature_signs_in_and_closes_the_modal(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await sign(driver)
    assert [str(one.account) for one in await held(deployed)] == [f"eip155:1:{ADDRESS}"]
    assert await view(driver) == ""


async def test_who_has_too_many_signatures_verified_can_sign_again_later(driver: Driver, deployed: Deployment) -> None:
    deployed.clock = clock = MovableClock(deployed.clock.now())
    deployed.signature_checks = SignatureChecks(clock)
    await arrive(driver)
    await deployed.signature_checks.take(HOLDER, CHECKS.burst)
    await sign(driver)
    assert (await held(deployed), await view(driver), (await driver.state(SignInState)).phase) == (
        [],
        "SIWXSignMessage",
        "idle",
    )
    assert (await driver.state(ToastState)).message == TooManyChecksError.text
    clock.advance(60)
    await sign(driver)
    assert (len(await held(deployed)), await view(driver)) == (1, "")


async def test_a_declined_signature_says_so_and_the_question_stays(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    await driver.reply(await question(driver), code=4001, message="User rejected")
    state = await driver.state(SignInState)
    assert (await view(driver), state.phase) == ("SIWXSignMessage", "idle")
    assert (await driver.state(ToastState)).message == "Signature declined"
    assert await held(deployed) == []


async def test_a_declined_signature_opens_a_modal_that_was_closed_meanwhile(driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await driver.fire(SignInState.sign)
    await driver.fire(ShellState.close)
    await driver.reply(await question(driver), code=4001, message="User rejected")
    assert await view(driver) == "SIWXSignMessage"


WORTHLESS = {
    "null": None,
    "a number": 7,
    "an object": {"signature": {"signature": "0x"}},
    "empty": "",
    "nonsense": "0x00",
    "endless": "0x" + "00" * 40_000,
    "somebody else's": "other",
}


@pytest.mark.parametrize("name", WORTHLESS)
async def test_an_answer_that_proves_nothing_signs_nobody_in(driver: Driver, deployed: Deployment, name: str) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    asked = await question(driver)
    value = signature(asked, OTHERS_KEY) if WORTHLESS[name] == "other" else WORTHLESS[name]
    await driver.reply(asked, value=value)
    state = await driver.state(SignInState)
    assert (await held(deployed), state._session, state.phase) == ([], "", "idle")


async def test_a_signature_given_twice_counts_once(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    first = await question(driver)
    await driver.reply(first, value=signature(first))
    await driver.call("signOut")
    await driver.reply(first, value=signature(first))
    assert await held(deployed) == []


async def test_closing_is_refused_while_a_required_sign_in_is_missing(driver: Driver) -> None:
    await arrive(driver)
    await driver.fire(ShellState.close)
    await driver.fire(ShellState.back)
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view, shell.shakes, shell.refuse_close) == (True, "SIWXSignMessage", 2, True)
    assert (await driver.state(ToastState)).message == SIGN_IN_FIRST


async def test_one_that_is_not_required_can_be_closed(driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await driver.fire(ShellState.close)
    assert await view(driver) == ""


async def test_a_page_that_needs_a_sign_in_asks_again_when_its_modal_is_opened(driver: Driver) -> None:
    await arrive(driver)
    await driver.call("close")
    await driver.call("open")
    assert await view(driver) == "SIWXSignMessage"


async def test_cancelling_a_required_sign_in_disconnects(driver: Driver) -> None:
    await arrive(driver)
    await driver.fire(SignInState.cancel)
    assert [c["params"]["namespace"] for c in await driver.commands("wallet.disconnect")] == ["eip155"]


async def test_cancelling_one_that_is_not_required_closes(driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await driver.fire(SignInState.cancel)
    assert (await view(driver), await driver.commands("wallet.disconnect")) == ("", [])


async def test_an_answer_after_cancelling_counts_for_nothing(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver, OPTIONAL)
    await driver.fire(SignInState.sign)
    asked = await question(driver)
    await driver.fire(SignInState.cancel)
    await driver.reply(asked, value=signature(asked))
    assert await held(deployed) == []


async def test_pressing_sign_twice_asks_the_wallet_once(driver: Driver) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    await driver.fire(SignInState.sign)
    await question(driver)


async def test_nobody_is_asked_on_a_network_that_is_not_supported(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.tell(sessions={"eip155": session(ADDRESS, "31337")})
    assert await view(driver) == "UnsupportedChain"


@pytest.mark.parametrize(
    "other", [session(OTHER, "1"), session(ADDRESS, "137")], ids=["another account", "another network"]
)
async def test_it_needs_a_sign_in_of_its_own(driver: Driver, other: dict[str, Any]) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.tell(sessions={"eip155": other})
    assert await view(driver) == "SIWXSignMessage"
    await driver.call("getSession")
    assert (await driver.answer("call-getSession"))["value"] is None


async def test_going_back_to_where_one_is_signed_in_closes_the_question(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.tell(sessions={"eip155": session(ADDRESS, "137")})
    await driver.tell(sessions={"eip155": session(ADDRESS, "1")})
    assert await view(driver) == ""


async def test_a_question_about_another_account_is_withdrawn(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    asked = await question(driver)
    await driver.tell(sessions={"eip155": session(OTHER, "1")})
    await driver.reply(asked, value=signature(asked))
    assert (await held(deployed), (await driver.state(SignInState)).phase) == ([], "idle")


async def test_another_browser_is_not_signed_in(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.reload(options=REQUIRED, sessions={"eip155": session()})
    await identify(driver, holder_key("another browser"))
    await driver.call("getSession")
    assert (await driver.answer("call-getSession"))["value"] is None


async def test_another_host_page_of_the_same_browser_is_not_signed_in(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    driver.epoch = "another-host"
    await driver.arrive(driver.init(origin="http://127.0.0.1:8700", options=REQUIRED, sessions={"eip155": session()}))
    await identify(driver)
    await driver.call("getSession")
    assert (await driver.answer("call-getSession"))["value"] is None


async def test_a_session_that_is_revoked_elsewhere_counts_no_more_and_is_asked_for_again(
    driver: Driver, deployed: Deployment
) -> None:
    await arrive(driver)
    await sign(driver)
    await deployed.sign_ins.revoke((await held(deployed))[0].id)
    await driver.call("getSession")
    assert ((await driver.answer("call-getSession"))["value"], await view(driver)) == (None, "SIWXSignMessage")


async def test_disconnecting_signs_the_account_out_on_all_networks(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.tell(sessions={"eip155": session(ADDRESS, "137")})
    await sign(driver)
    await driver.call("disconnect")
    (command,) = await driver.commands("wallet.disconnect")
    await driver.tell()
    await driver.reply(command)
    assert await held(deployed) == []


async def test_a_wallet_that_ends_the_connection_itself_signs_nobody_out(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await sign(driver)
    before = await held(deployed)
    await driver.tell()
    assert await held(deployed) == before != []


async def test_a_database_that_cannot_be_asked_disconnects_and_says_why(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, deployed: Deployment
) -> None:
    async def broken(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(deployed.sign_ins, "of_account", broken)
    await arrive(driver)
    (command,) = await driver.commands("wallet.disconnect")
    await driver.tell()
    await driver.reply(command)
    assert await view(driver) == "Connect"
    assert (await driver.state(ToastState)).message == "A problem occurred while trying initialize authentication"


async def test_a_ticket_that_was_not_asked_for_changes_nothing(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    ticket = await deployed.tickets.issue(holder_key("another browser"))
    await driver.fire(SignInState.redeem({"asked": "", "ticket": ticket}))
    assert (await driver.state(SignInState))._holder == HOLDER


async def test_the_events_tell_how_it_went(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    events = [item["event"] for item in driver.told()]
    assert events[-2:] == ["SIWX_AUTH_SUCCESS", "MODAL_CLOSE"]


async def test_after_connecting_the_modal_stays_for_the_question(driver: Driver) -> None:
    await driver.load(options=REQUIRED)
    await driver.call("open")
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.state(ShellState)).open
    await identify(driver)
    assert await view(driver) == "SIWXSignMessage"


async def test_after_connecting_an_account_that_is_signed_in_the_modal_closes(driver: Driver) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.reload(options=REQUIRED)
    await driver.call("open", view="Connect")
    await driver.tell(sessions={"eip155": session()})
    await identify(driver)
    assert await view(driver) == ""


async def test_a_switch_that_brings_no_snapshot_is_followed_too(driver: Driver, every_chain: None) -> None:
    sessions = {"eip155": session(), "solana": told(SOLANA, SOL)}
    await driver.load(options=REQUIRED, wallets=WALLETS, sessions=sessions)
    await identify(driver)
    await sign(driver)
    await driver.fire(NetworksState.choose(SOLANA))
    assert await view(driver) == "SIWXSignMessage"


async def test_a_visitor_at_rest_writes_and_sends_nothing_for_it(driver: Driver) -> None:
    await driver.connect()
    driver.deltas.clear()
    await driver.tell(sessions={"eip155": session()}, marks=["isMetaMask"])
    assert not [delta for delta in driver.deltas if any("sign_in" in name for name in delta)]
