"""Choosing a name: the form by the states alone, with the sandbox's service."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.conftest import Configure
from tests.features.names_stage import (
    NameService,
    at_form,
    form,
    lets_another_register,
    sign,
    types,
    view,
)
from tests.features.names_stage import clock as clock
from tests.features.names_stage import service as service
from walletmodal.core.accounts.names import NAME_ALREADY_OWNED, NAME_TOO_SHORT, NAME_WRONG_CHARACTERS
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import NAME_TEXTS
from walletmodal.deployment import Deployment
from walletmodal.features.names.registration import NOT_HERE
from walletmodal.features.names.state import NamesState
from walletmodal.features.shell.state import ShellState

pytestmark = [pytest.mark.parametrize("manager", ["memory"], indirect=True), pytest.mark.usefixtures("clock")]
PAIRED = {"connector": "walletConnect", "accounts": [ADDRESS], "chain": "1"}


async def test_a_name_that_nobody_has_is_available_and_its_case_does_not_matter(
    driver: Driver, service: NameService
) -> None:
    await at_form(driver)
    state = await types(driver, "Maple")
    assert (state.zone, state.label, state.check, state.note) == ("reown.id", "maple", "available", "")
    (asked,) = service.asked("/profile/suggestions")
    assert (asked["path"], asked["query"]["zone"]) == ("/v1/profile/suggestions/maple", "reown.id")


async def test_a_name_is_looked_up_half_a_second_after_the_last_letter(
    driver: Driver, service: NameService, clock: MovableClock
) -> None:
    await at_form(driver)
    await types(driver, "mapl")
    clock.advance(10)
    await types(driver, "maple")
    asked = [one["path"].rpartition("/")[2] for one in service.asked("/profile/suggestions")]
    assert asked == ["mapl", "maple"]


async def test_a_name_that_is_taken_says_so_and_free_ones_are_suggested_without_their_zone(driver: Driver) -> None:
    await at_form(driver)
    await lets_another_register("maple.reown.id")
    state = await types(driver, "maple")
    assert state.check == "registered"
    found = list(state.get_value("suggestions"))
    assert 0 < len(found) <= 4
    assert not [label for label in found if "." in label or label == "maple"]


async def test_a_suggestion_is_filled_in_and_can_be_registered(driver: Driver) -> None:
    await at_form(driver)
    await lets_another_register("maple.reown.id")
    before = await types(driver, "maple")
    filled, label = before.filled, before.get_value("suggestions")[0]
    await driver.fire(NamesState.choose(label))
    state = await form(driver)
    assert (state.typed, state.label, state.check, state.filled) == (label, label, "available", filled + 1)
    await sign(driver)
    assert (await driver.account()).profile_name == f"{label}.reown.id"


async def test_what_the_service_did_not_suggest_is_not_filled_in(driver: Driver) -> None:
    await at_form(driver)
    await driver.fire(NamesState.choose("anything"))
    assert (await form(driver)).typed == ""


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("map", NAME_TOO_SHORT),
        ("maple_1", NAME_WRONG_CHARACTERS),
        ("m\u00e4ple", NAME_WRONG_CHARACTERS),
        ("maple.eth", NAME_WRONG_CHARACTERS),
    ],
)
async def test_what_cannot_be_a_name_says_why_and_the_service_is_not_asked(
    driver: Driver, service: NameService, typed: str, note: str
) -> None:
    await at_form(driver)
    state = await types(driver, typed)
    assert (state.note, state.check) == (note, "")
    assert service.asked("/profile/suggestions") == []


async def test_a_name_that_is_pasted_with_its_zone_loses_it(driver: Driver) -> None:
    await at_form(driver)
    assert (await types(driver, " maple.reown.id ")).label == "maple"


async def test_a_cleared_field_says_nothing(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "map")
    await driver.fire(NamesState.type_name(""))
    state = await form(driver)
    assert (state.note, state.check, state.label) == ("", "", "")


async def test_what_was_found_of_an_earlier_text_does_not_come_over_a_later_one(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_form(driver)
    names, real = deployed.services.blockchain.names, deployed.services.blockchain.names.suggestions

    async def late(*args: Any) -> Any:
        answer = await real(*args)
        async with driver.changing(NamesState) as state:
            # As if another letter came while the service answered.
            state._set_typed("maple")
        return answer

    monkeypatch.setattr(names, "suggestions", late)
    state = await types(driver, "mapl")
    assert (state.typed, state.label, state.check) == ("maple", "", "")


async def test_a_service_that_does_not_tell_whether_a_name_is_taken_is_asked_for_its_record(
    driver: Driver, service: NameService
) -> None:
    await at_form(driver)
    await lets_another_register("maple.reown.id")
    service.fail("/profile/suggestions", body={"suggestions": [{"name": "mapletree.reown.id"}]})
    state = await types(driver, "maple")
    assert (state.check, state.get_value("suggestions")) == ("registered", ["mapletree"])
    assert (await types(driver, "aspen")).check == "available"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/supported-chains", NAME_TEXTS["suggestions"]),
        ("/profile/suggestions", NAME_TEXTS["suggestions"]),
        ("/profile/reverse", NAME_TEXTS["reverse"]),
    ],
)
async def test_a_service_that_is_down_says_so_and_can_be_asked_again(
    driver: Driver, service: NameService, path: str, text: str
) -> None:
    service.fail(path, status=503, body="no JSON")
    await at_form(driver)
    state = await types(driver, "maple")
    assert (state.check, state.note) == ("failed", text)
    service.faults.clear()
    await driver.fire(NamesState.retry)
    state = await form(driver)
    assert (state.check, state.note) == ("available", "")


async def test_the_services_reason_is_shown(driver: Driver, service: NameService) -> None:
    await at_form(driver)
    service.fail(
        "/profile/suggestions",
        status=400,
        body={"reasons": [{"field": "name", "description": "Names are closed today"}]},
    )
    assert (await types(driver, "maple")).note == "Names are closed today"


async def test_another_account_is_looked_up_for_itself(driver: Driver) -> None:
    await lets_another_register("aspen.reown.id")
    await at_form(driver)
    assert (await types(driver, "maple")).check == "available"
    await driver.tell(sessions={"eip155": session(OTHER)})
    state = await form(driver)
    assert (state.check, state.note) == ("", NAME_ALREADY_OWNED)


async def test_on_a_network_that_the_service_does_not_know_nothing_can_be_registered(driver: Driver) -> None:
    await at_form(driver, sessions={"eip155": session(chain="10")})
    assert (await types(driver, "maple")).note == NOT_HERE


async def test_a_host_leads_to_the_form_itself(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open", view="RegisterAccountName")
    await driver.fire(NamesState.on_shown)
    assert (await view(driver), (await form(driver)).zone) == ("RegisterAccountName", "reown.id")
    assert (await types(driver, "maple")).check == "available"


async def test_without_an_account_connecting_comes_first(driver: Driver) -> None:
    await driver.load()
    await driver.call("open", view="ChooseAccountName")
    assert await view(driver) == "Connect"
    await driver.tell(sessions={"eip155": session()})
    assert await view(driver) == "ChooseAccountName"


async def test_who_closes_and_comes_again_finds_an_empty_form(driver: Driver) -> None:
    await at_form(driver)
    await types(driver, "maple")
    await driver.fire(ShellState.close)
    state = await form(driver)
    assert (state.typed, state.label, state.check) == ("", "", "")


async def test_a_visitor_at_rest_sends_nothing_for_it(driver: Driver) -> None:
    await driver.connect()
    driver.deltas.clear()
    await driver.tell(sessions={"eip155": session()}, marks=["isMetaMask"])
    assert [delta for delta in driver.deltas if NamesState.get_full_name() in delta] == []


async def test_where_no_service_is_set_the_host_is_told_what_to_set(driver: Driver, configure: Configure) -> None:
    configure(BLOCKCHAIN_URL=None)
    await driver.connect()
    await driver.call("open", view="RegisterAccountName")
    answered = await driver.answer("call-open")
    assert (answered["ok"], answered["error"]["message"]) == (False, "view not available")
    (warned,) = await driver.commands("host.warn")
    assert "BLOCKCHAIN_URL is not set" in warned["params"]["message"]
    assert await view(driver) == ""
