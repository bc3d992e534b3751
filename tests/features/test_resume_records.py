"""The record of a session and its id: who gets it, what is not believed of it, and what happens without it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy.exc import OperationalError

from tests.driver import ADDRESS, Driver, session
from tests.features.returning import returns
from walletmodal.core.language import Text
from walletmodal.deployment import Deployment
from walletmodal.features.account.active import ActiveState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.resume import limits
from walletmodal.features.resume.record import ResumeRecord
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.routing import READING_VIEWS
from walletmodal.features.shell.state import ShellState
from walletmodal.services.rate_limit import Rate


async def test_a_tab_gets_an_id_that_cannot_be_guessed(driver: Driver) -> None:
    await driver.load()
    assert len((await driver.state(ResumeState)).resume_id) == 43


async def test_a_tab_keeps_its_id(driver: Driver) -> None:
    await driver.load()
    before = (await driver.state(ResumeState)).resume_id
    await driver.reload()
    assert (await driver.state(ResumeState)).resume_id == before


async def test_an_id_that_leads_nowhere_is_replaced(driver: Driver, deployed: Deployment) -> None:
    named = "a" * 43
    await driver.hydrate(named)
    await driver.load()
    await driver.call("open")
    assert (await driver.state(ResumeState)).resume_id != named
    assert await deployed.resume.load(named) is None


async def test_a_session_writes_one_record_whatever_ids_are_named_to_it(driver: Driver, deployed: Deployment) -> None:
    await driver.load()
    await driver.call("open")
    issued = (await driver.state(ResumeState)).resume_id
    for letter in "abc":
        await driver.hydrate(letter * 43)
        await driver.fire(ShellState.push("WhatIsAWallet"))
        await driver.fire(ResumeState.restore)
    assert [await deployed.resume.load(letter * 43) for letter in "abc"] == [None] * 3
    assert (await driver.state(ResumeState)).resume_id == issued


async def test_new_records_of_one_address_have_a_limit(
    driver: Driver, heir: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PER_ADDRESS", Rate(per_second=0.001, burst=1))
    for visitor in (driver, heir):
        await visitor.load()
        await visitor.call("open")
    found = [await deployed.resume.load((await one.state(ResumeState)).resume_id) for one in (driver, heir)]
    assert [record is None for record in found] == [False, True]


async def test_a_visitor_who_never_clicks_leaves_no_record(driver: Driver, deployed: Deployment) -> None:
    await driver.connect()
    resume_id = (await driver.state(ResumeState)).resume_id
    assert await deployed.resume.load(resume_id) is None


async def test_a_living_session_is_not_overwritten_by_its_record(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.close)
    await driver.reload_frame()
    assert (await driver.state(ShellState)).open is False


async def test_another_tab_gets_nothing(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await heir.load()
    assert (await heir.state(ShellState)).open is False


async def answered(driver: Driver, method: str, **params: Any) -> None:
    """The host calls, and the browser has taken the answer."""
    await driver.call(method, call_id=method, **params)
    for command in await driver.commands():
        await driver.reply(command)


async def test_who_only_moves_on_gets_back_all_the_rest_too(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await answered(driver, "open")
    await driver.fire(ShellState.push("WhatIsANetwork"))
    await answered(driver, "switchNetwork", caipNetworkId="eip155:137")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await returns(heir, driver)
    assert (await heir.state(NetworksState)).active == "eip155:137"
    stack = (await heir.state(ShellState))._stack
    assert [view for view, _ in stack] == ["Connect", "WhatIsAWallet"]


async def test_a_title_with_a_value_is_said_in_any_language_again(driver: Driver, heir: Driver) -> None:
    await driver.load()
    await answered(driver, "open")
    async with driver.changing(ShellState) as shell:
        shell._push("Downloads", name="Ann's")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await returns(heir, driver)
    _first, (view, title), _last = (await heir.state(ShellState))._stack
    assert (view, title, isinstance(title, Text) and title.message) == ("Downloads", "Get Ann's", "Get {wallet}")


@pytest.mark.parametrize("view", ["ConnectWallets", *sorted(READING_VIEWS)])
async def test_who_has_gone_back_is_there_again(driver: Driver, heir: Driver, view: str) -> None:
    await driver.load(sessions={"eip155": session()})
    await answered(driver, "open")
    for _ in range(2):
        await driver.fire(ShellState.push(view))
        await driver.fire(ShellState.back)
    resume = await driver.state(ResumeState)
    assert await resume._record_text("place") == await resume._record_text("all")
    await returns(heir, driver)
    assert [entry for entry, _ in (await heir.state(ShellState))._stack] == ["Account"]


async def test_who_only_looks_around_changes_no_state_for_the_record(driver: Driver) -> None:
    await driver.load()
    await answered(driver, "open")
    await driver.fire(ShellState.push("WhatIsAWallet"))
    async with driver.changing(ResumeState) as resume:
        resume._was_touched = False
    await driver.fire(ShellState.push("WhatIsANetwork"))
    await driver.fire(ShellState.back)
    assert not (await driver.state(ResumeState))._was_touched


@pytest.mark.parametrize("forged", ["", "x", "x" * 43, "../" * 20, "x" * 100_000, None, 7, {}, [], True, "\u202e" * 43])
async def test_a_forged_id_gets_nothing_and_breaks_nothing(driver: Driver, heir: Driver, forged: Any) -> None:
    await driver.load()
    await driver.call("open")
    await heir.hydrate(forged)
    await heir.load()
    assert (await heir.state(ShellState)).open is False


@pytest.mark.parametrize("forged", ["", "x", None, 7, {}, []])
async def test_an_id_forged_in_mid_session_breaks_nothing(driver: Driver, forged: Any) -> None:
    await driver.load()
    await driver.hydrate(forged)
    await driver.call("open")
    assert (await driver.state(ShellState)).open is True


GOOD: dict[str, Any] = {
    "shell": {"stack": [["Connect", "Connect Wallet"]], "open": True, "after_connect": ""},
    "epoch": "page-1",
    "commands": [],
    "records": {},
    "waiting": [],
    "connect": {
        "connector": "",
        "namespace": "eip155",
        "wallet_name": "",
        "phase": "idle",
        "error": "",
        "choices": [],
        "command": "",
        "offered": "",
    },
    "networks": {
        "active": "",
        "target": "",
        "target_name": "",
        "phase": "idle",
        "error": "",
        "command": "",
        "last": {"eip155": "eip155:1"},
    },
    "accounts": {"eip155": {"connector": "io.metamask.test", "first": ADDRESS, "address": ADDRESS}},
}


async def stored(deployed: Deployment, heir: Driver, record: dict[str, Any]) -> None:
    """A tab returns to a record that someone else has written."""
    resume_id = "r" * 43
    deployed.resume.put(resume_id, record)
    await heir.hydrate(resume_id)
    await heir.load()


async def test_a_record_of_the_right_shape_is_taken(deployed: Deployment, heir: Driver) -> None:
    await stored(deployed, heir, GOOD)
    assert (await heir.state(ShellState)).open is True


@pytest.mark.parametrize(
    "change",
    [
        {"shell": None},
        {"shell": {}},
        {"shell": {**GOOD["shell"], "stack": []}},
        {"shell": {**GOOD["shell"], "stack": [["Nowhere", "Farcaster"]]}},
        {"shell": {**GOOD["shell"], "stack": [["Connect"]]}},
        {"shell": {**GOOD["shell"], "stack": "Connect"}},
        {"shell": {**GOOD["shell"], "open": "yes"}},
        {"shell": {**GOOD["shell"], "after_connect": "Nowhere"}},
        {"commands": None},
        {"commands": [{}]},
        {"commands": [5]},
        {"records": {"x": {}}},
        {"waiting": [{"x": "y"}]},
        {"connect": {}},
        {"connect": {**GOOD["connect"], "phase": "married"}},
        {"connect": {**GOOD["connect"], "namespace": "near"}},
        {"connect": {**GOOD["connect"], "choices": ["near"]}},
        {"networks": {**GOOD["networks"], "active": None}},
        {"networks": {**GOOD["networks"], "active": "nonsense"}},
        {"networks": {**GOOD["networks"], "last": {"eip155": "nonsense"}}},
        {"accounts": {"eip155": {}}},
        {"epoch": 5},
    ],
    ids=json.dumps,
)
async def test_a_record_of_another_shape_is_left_alone(
    deployed: Deployment, heir: Driver, change: dict[str, Any]
) -> None:
    await stored(deployed, heir, {**GOOD, **change})
    assert (await heir.state(ShellState)).open is False


async def test_what_only_the_next_release_has_is_left_out(deployed: Deployment, heir: Driver) -> None:
    shell = {**GOOD["shell"], "stack": [*GOOD["shell"]["stack"], ["OfTheNextRelease", "Title"]], "more": 1}
    await stored(deployed, heir, {**GOOD, "shell": shell, "more": 1})
    found = await heir.state(ShellState)
    assert (found.open, found.view) == (True, GOOD["shell"]["stack"][-1][0])


def test_servers_of_the_release_before_can_still_read_and_write_records() -> None:
    """Gives a field that is added a default, and has one that nothing uses any more written for a release."""
    of_last: dict[str, list[str]] = json.loads((Path(__file__).parent / "record_fields.json").read_text())
    schema = ResumeRecord.model_json_schema()
    now = {"ResumeRecord": schema, **schema["$defs"]}
    required = {(part, field) for part, found in now.items() for field in found.get("required", ()) if part in of_last}
    known = {(part, field) for part, found in now.items() for field in found.get("properties", ())}
    last = {(part, field) for part, fields in of_last.items() for field in fields}
    assert (required - last, last - known) == (set(), set())


async def test_a_record_that_names_an_unknown_step_ends_there(deployed: Deployment, heir: Driver) -> None:
    command = {"id": "c1", "epoch": "page-1", "replay": False, "method": "wallet.request", "params": {"request": ""}}
    await stored(
        deployed, heir, {**GOOD, "commands": [command], "records": {"c1": {"then": "gone", "context": {}, "calls": []}}}
    )
    await heir.reply(command)
    assert await heir.commands("wallet.request") == []


class Broken:
    """A resume store whose database is down."""

    async def load(self, _resume_id: str) -> None:
        raise OperationalError("SELECT", {}, Exception("down"))

    def put(self, _resume_id: str, _record: object) -> None:
        return None

    async def flush(self, _resume_id: str) -> None:
        raise OperationalError("INSERT", {}, Exception("down"))

    async def close(self) -> None:
        return None


@pytest_asyncio.fixture
async def broken(deployed: Deployment, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """The database does not answer."""
    monkeypatch.setattr(deployed, "resume", Broken())
    yield
    monkeypatch.undo()


@pytest.mark.usefixtures("broken")
async def test_without_the_database_a_visitor_connects(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.account()).status == "connected"


@pytest.mark.usefixtures("broken")
async def test_without_the_database_a_lost_session_starts_anew(heir: Driver) -> None:
    await heir.hydrate("r" * 43)
    await heir.load()
    assert (await heir.state(ShellState)).initialized is True


async def test_a_request_too_large_for_a_record_still_reaches_the_wallet(driver: Driver) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x" + "00" * 60_000, ADDRESS])
    assert len(await driver.commands("wallet.request")) == 1


async def test_a_request_too_large_for_a_record_does_not_take_the_rest_with_it(driver: Driver, heir: Driver) -> None:
    await driver.connect()
    await driver.request("personal_sign", ["0x" + "00" * 60_000, ADDRESS])
    await driver.fire(ActiveState.disconnect)
    await returns(heir, driver, sessions={"eip155": session()})
    assert len(await heir.commands("wallet.disconnect")) == 1
