"""Registering a name: by the states alone, with a real signer and the sandbox's service."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.names_stage import (
    KEY,
    OTHERS_KEY,
    NameService,
    at_form,
    form,
    lets_another_register,
    message,
    press,
    sign,
    signature,
    told,
    types,
    view,
)
from tests.features.names_stage import clock as clock
from tests.features.names_stage import service as service
from walletmodal.core.accounts.names import NAME_ALREADY_OWNED
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import NAME_TEXTS
from walletmodal.deployment import Deployment
from walletmodal.features.account.state import Eip155State
from walletmodal.features.names.handlers import DECLINED
from walletmodal.features.names.state import MOVED_ON, NOT_SIGNED, NamesState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.http import Caller

pytestmark = [pytest.mark.parametrize("manager", ["memory"], indirect=True), pytest.mark.usefixtures("clock")]
PAIRED = {"connector": "walletConnect", "accounts": [ADDRESS], "chain": "1"}


async def test_a_signed_name_is_registered_and_stands_on_the_account_at_once(
    driver: Driver, service: NameService
) -> None:
    await at_form(driver)
    assert (await driver.account()).nameless
    await types(driver, "maple")
    command = await press(driver)
    assert (command["params"]["method"], command["params"]["params"][1]) == ("personal_sign", ADDRESS)
    assert command["params"]["chain"] == "eip155:1"
    assert message(command) == {
        "name": "maple.reown.id",
        "attributes": {},
        "timestamp": int(service.clock.now().timestamp()),
    }
    await driver.reply(command, value=signature(command))
    state, account = await form(driver), await driver.account()
    assert (state.done, state.phase, await view(driver)) == ("maple.reown.id", "idle", "RegisterAccountNameSuccess")
    assert (account.profile_name, account.public["profileName"], account.nameless) == ("maple.reown.id",) * 2 + (False,)
    (body,) = [one["body"] for one in service.asked("/profile/account", "POST")]
    assert (body["coin_type"], body["address"]) == (0x8000_0001, ADDRESS)
    assert told(driver) == ["OPEN_ENS_FLOW", "REGISTER_NAME_INITIATED", "REGISTER_NAME_SUCCESS"]


async def test_on_another_network_the_name_gets_that_networks_coin_type(driver: Driver, service: NameService) -> None:
    await at_form(driver, sessions={"eip155": session(chain="137")})
    await types(driver, "maple")
    await sign(driver)
    (body,) = [one["body"] for one in service.asked("/profile/account", "POST")]
    assert body["coin_type"] == 0x8000_0000 | 137


async def test_the_new_name_is_what_the_identity_is_afterwards(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await sign(driver)
    async with driver.changing(Eip155State) as account:
        account.profile_name = ""
    await driver.fire(Eip155State.load_identity)
    assert (await driver.account()).profile_name == "maple.reown.id"


async def test_something_can_be_sent_to_the_new_name_at_once(driver: Driver, deployed: Deployment) -> None:
    caller, chain = Caller("http://localhost:8700", ""), ChainId("eip155", "1")
    await at_form(driver)
    await types(driver, "maple")
    assert await deployed.account_names.resolve(caller, chain, "maple.reown.id") is None
    await sign(driver)
    found = await deployed.receivers.examine(caller, chain, OTHER, "Maple.reown.id")
    assert (found.address, found.name) == (ADDRESS, "maple.reown.id")


async def test_lets_go_shows_the_account_and_nothing_lies_behind_it(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await sign(driver)
    await driver.fire(NamesState.finish)
    shell = await driver.state(ShellState)
    assert (shell.view, shell.depth) == ("Account", 1)


async def test_an_account_with_a_name_gets_no_second_one(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await sign(driver)
    await driver.call("open", view="RegisterAccountName")
    await driver.fire(NamesState.on_shown)
    state = await types(driver, "aspen")
    assert (state.note, state.check) == (NAME_ALREADY_OWNED, "")
    await driver.fire(NamesState.register("aspen"))
    assert await driver.commands("wallet.request") == []


async def test_an_account_whose_name_is_not_known_yet_gets_no_second_one_either(
    driver: Driver, service: NameService
) -> None:
    await lets_another_register("maple.reown.id", key=KEY)
    await at_form(driver)
    async with driver.changing(Eip155State) as account:
        account.profile_name = ""
    assert (await types(driver, "aspen")).note == NAME_ALREADY_OWNED


async def test_who_declines_is_told_and_can_go_on(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await driver.reply(await press(driver), code=4001, message="User rejected the request")
    state = await form(driver)
    assert (state.phase, state.check, state.note) == ("idle", "available", DECLINED)
    assert (await driver.state(ToastState)).message == "Signature declined"
    assert told(driver)[-1] == "REGISTER_NAME_ERROR"
    assert (await sign(driver)).done == "maple.reown.id"


WORTHLESS: dict[str, Any] = {
    "null": None,
    "a number": 7,
    "an object": {"signature": "0x"},
    "empty": "",
    "endless": "0" * 40_000,
}


@pytest.mark.parametrize("name", WORTHLESS)
async def test_an_answer_that_is_no_signature_is_not_sent_on(driver: Driver, service: NameService, name: str) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await driver.reply(await press(driver), value=WORTHLESS[name])
    assert ((await form(driver)).note, service.asked("/profile/account", "POST")) == (NOT_SIGNED, [])


async def test_a_wallet_that_is_gone_leaves_a_way_to_try_again(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await driver.reply(await press(driver), code=4900, message="Disconnected")
    assert (await form(driver)).note == NOT_SIGNED
    assert (await sign(driver)).done == "maple.reown.id"


async def test_a_signature_of_somebody_else_registers_nothing_and_the_reason_is_shown(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    state = await sign(driver, OTHERS_KEY)
    assert (state.note, state.phase, state.check) == ("The signature validation failed", "idle", "available")
    assert (await driver.account()).profile_name == ""


async def test_a_clock_that_is_off_shows_the_reason_and_another_signature_helps(
    driver: Driver, service: NameService, clock: MovableClock
) -> None:
    await at_form(driver)
    await types(driver, "maple")
    service.clock.advance(11)
    state = await sign(driver)
    assert "timestamp" in state.note
    assert (state.phase, state.check, await view(driver)) == ("idle", "available", "RegisterAccountName")
    clock.advance(11)
    assert (await sign(driver)).done == "maple.reown.id"


async def test_a_wallet_that_took_too_long_is_told_from_other_failures_and_its_next_message_is_dated_ahead(
    driver: Driver, service: NameService, clock: MovableClock
) -> None:
    await at_form(driver)
    await types(driver, "maple")
    for took, registered in ((14, False), (14, True)):
        command = await press(driver)
        service.clock.advance((clock.now() - service.clock.now()).total_seconds() + took)
        clock.advance(took)
        await driver.reply(command, value=signature(command))
        state = await form(driver)
        assert bool(state.done) is registered
        assert registered or "took 14 seconds" in state.note


async def test_what_a_phone_signs_is_dated_ahead_from_the_first(driver: Driver, clock: MovableClock) -> None:
    await at_form(driver, sessions={"eip155": PAIRED})
    await types(driver, "maple")
    now = clock.now().timestamp()
    assert message(await press(driver))["timestamp"] == int(now) + 7


async def test_a_name_that_was_taken_meanwhile_shows_the_reason_and_what_is_free(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    command = await press(driver)
    await lets_another_register("maple.reown.id")
    await driver.reply(command, value=signature(command))
    state = await form(driver)
    assert (state.note, state.check) == ("The name is already registered", "registered")
    assert state.get_value("suggestions")


async def test_a_registration_whose_answer_was_lost_is_no_failure(driver: Driver, service: NameService) -> None:
    await at_form(driver)
    await types(driver, "maple")
    command = await press(driver)
    service.fail("/profile/reverse", body=[])
    await lets_another_register("maple.reown.id", key=KEY)
    await driver.reply(command, value=signature(command))
    assert (await form(driver)).done == "maple.reown.id"


@pytest.mark.parametrize("status", [500, 503])
async def test_a_service_that_is_down_at_the_end_says_so(driver: Driver, service: NameService, status: int) -> None:
    await at_form(driver)
    await types(driver, "maple")
    service.fail("/profile/account", status=status, body="no JSON", times=1)
    state = await sign(driver)
    assert (state.note, state.phase) == (NAME_TEXTS["register"], "idle")
    assert (await sign(driver)).done == "maple.reown.id"


@pytest.mark.parametrize(
    "other",
    [session(OTHER), session(ADDRESS, "137"), session(ADDRESS, "31337")],
    ids=["another account", "another network", "a network that is not supported"],
)
async def test_who_moves_on_while_the_wallet_signs_gets_nothing_registered(
    driver: Driver, service: NameService, other: dict[str, Any]
) -> None:
    await at_form(driver)
    await types(driver, "maple")
    command = await press(driver)
    await driver.tell(sessions={"eip155": other})
    state = await form(driver)
    assert (state.phase, state.note) == ("idle", MOVED_ON)
    await driver.reply(command, value=signature(command))
    assert service.asked("/profile/account", "POST") == []
    assert (await driver.account()).profile_name == ""
    assert told(driver)[-1] == "REGISTER_NAME_ERROR"


async def test_who_disconnects_while_the_wallet_signs_gets_nothing_registered(
    driver: Driver, service: NameService
) -> None:
    await at_form(driver)
    await types(driver, "maple")
    command = await press(driver)
    await driver.tell()
    await driver.reply(command, value=signature(command))
    assert service.asked("/profile/account", "POST") == []
    assert await view(driver) == ""


async def test_a_name_registered_for_the_account_before_is_not_the_new_ones(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_form(driver)
    await types(driver, "maple")
    names, real = deployed.services.blockchain.names, deployed.services.blockchain.names.register

    async def moves_on(*args: Any, **named: Any) -> bool:
        answer = await real(*args, **named)
        await driver.tell(sessions={"eip155": session(OTHER)})
        return answer

    command = await press(driver)
    monkeypatch.setattr(names, "register", moves_on)
    await driver.reply(command, value=signature(command))
    state = await form(driver)
    assert (state.done, (await driver.account()).profile_name) == ("", "")


async def test_waiting_for_the_wallet_can_be_given_up(driver: Driver, service: NameService) -> None:
    await at_form(driver)
    await types(driver, "maple")
    command = await press(driver)
    await driver.fire(NamesState.cancel)
    assert (await form(driver)).phase == "idle"
    assert await driver.commands("wallet.request") == []
    await driver.reply(command, value=signature(command))
    assert service.asked("/profile/account", "POST") == []


async def test_pressing_twice_asks_the_wallet_once(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await press(driver)
    await press(driver)


async def test_a_name_other_than_the_one_that_is_shown_is_not_registered(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await driver.fire(NamesState.register("aspen"))
    assert await driver.commands("wallet.request") == []


async def test_while_the_wallet_signs_another_name_cannot_be_typed(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await press(driver)
    await driver.fire(NamesState.type_name("aspen"))
    assert (await form(driver)).typed == "maple"


async def test_a_modal_that_is_closed_meanwhile_still_registers(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    command = await press(driver)
    await driver.fire(ShellState.close)
    await driver.reply(command, value=signature(command))
    await form(driver)
    assert ((await driver.account()).profile_name, await view(driver)) == ("maple.reown.id", "")


async def test_two_tabs_register_one_name(driver: Driver, service: NameService) -> None:
    second = Driver(driver.manager, token="another-tab")
    async with second.processor:
        for tab in (driver, second):
            await at_form(tab)
            await types(tab, "maple")
        commands = [await press(tab) for tab in (driver, second)]
        for tab, command in zip((driver, second), commands, strict=True):
            await tab.reply(command, value=signature(command))
        assert [(await form(tab)).done for tab in (driver, second)] == ["maple.reown.id"] * 2
    assert len(service.asked("/profile/account", "POST")) == 1


async def test_two_tabs_do_not_register_two_names(driver: Driver, service: NameService) -> None:
    second = Driver(driver.manager, token="another-tab")
    async with second.processor:
        for tab, label in ((driver, "maple"), (second, "aspen")):
            await at_form(tab)
            await types(tab, label)
        command = await press(second)
        await sign(driver)
        await second.reply(command, value=signature(command))
        assert (await form(second)).note == NAME_ALREADY_OWNED
    assert len(service.asked("/profile/account", "POST")) == 1


@pytest.mark.parametrize("service", ["names.example"], indirect=True)
async def test_a_deployment_has_names_registered_in_its_own_zone(driver: Driver, service: NameService) -> None:
    await at_form(driver)
    state = await types(driver, "maple.names.example")
    assert (state.zone, state.label) == ("names.example", "maple")
    await sign(driver)
    assert (await driver.account()).profile_name == "maple.names.example"
    async with driver.changing(Eip155State) as account:
        account.profile_name = ""
    await driver.fire(Eip155State.load_identity)
    assert (await driver.account()).profile_name == "maple.names.example"
    assert [one["query"]["zone"] for one in service.asked("/profile/suggestions")] == ["names.example"]


async def test_an_account_that_ens_names_can_have_one_registered_too(driver: Driver) -> None:
    await at_form(driver)
    async with driver.changing(Eip155State) as account:
        account.profile_name = "alice.eth"
    await types(driver, "maple")
    await sign(driver)
    assert (await driver.account()).profile_name == "maple.reown.id"
