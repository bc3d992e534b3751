"""`audit export` and `webhooks`: what has happened, for machines; and what a receiver has not heard."""

from __future__ import annotations

import argparse
import asyncio
import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from tests.core.webhooks.test_signature import SECRET
from tests.operator.conftest import Deployed
from tests.patience import eventually
from walletmodal.config import Settings
from walletmodal.core.clock import MovableClock
from walletmodal.core.webhooks.event import Event
from walletmodal.db.deliveries import DeliveryStore
from walletmodal.db.engine import unit_of_work
from walletmodal.db.events import write_events
from walletmodal.db.tables import LoggedEvent
from walletmodal.operator.audit import export
from walletmodal.operator.printing import Printer

NOW = datetime.now(UTC).replace(microsecond=0)
EVENTS = [
    Event(
        NOW - timedelta(hours=hours), "sign_in.created", "0xA", {"account": f"eip155:1:{hours}", "origin": "\u202e\n"}
    )
    for hours in (3, 2, 1)
]
WEBHOOK = {"WEBHOOK_URL": "https://app.example/webhooks", "WEBHOOK_SECRET": SECRET}


async def _write(engine: AsyncEngine, events: list[Event] = EVENTS) -> None:
    async with unit_of_work(engine) as connection:
        await write_events(connection, events, NOW)


@pytest.fixture
def logged(deployed: Deployed) -> Deployed:
    deployed.write(_write)
    return deployed


def test_each_event_is_one_line(logged: Deployed) -> None:
    answer = logged.run("audit", "export")
    assert answer.status == 0
    told = [json.loads(line) for line in answer.out.split("\n")[:-1]]
    assert [one.pop("number") for one in told] == [1, 2, 3]
    assert told[0] == {
        "id": EVENTS[0].id,
        "at": EVENTS[0].at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "type": "sign_in.created",
        **EVENTS[0].data,
    }
    assert answer.out.isascii()


@pytest.mark.parametrize(
    ("arguments", "accounts"),
    [
        (["--after", "1"], ["2", "1"]),
        (["--after", "3"], []),
        (["--since", (NOW - timedelta(hours=2)).isoformat()], ["2", "1"]),
        (["--since", "2026-01-01"], ["3", "2", "1"]),
    ],
)
def test_a_second_run_goes_on_where_the_first_has_ended(
    logged: Deployed, arguments: list[str], accounts: list[str]
) -> None:
    told = [json.loads(line)["account"] for line in logged.run("audit", "export", *arguments).lines]
    assert told == [f"eip155:1:{account}" for account in accounts]


def test_who_goes_on_after_an_event_that_was_erased_misses_nothing(logged: Deployed) -> None:
    async def erase_the_last(engine: AsyncEngine) -> None:
        async with unit_of_work(engine) as connection:
            await connection.execute(delete(LoggedEvent).where(col(LoggedEvent.number) == 3))

    logged.write(erase_the_last)
    answer = logged.run("audit", "export", "--after", "3")
    assert (answer.status, answer.out, answer.err) == (0, "", "")


def test_who_goes_on_after_what_the_log_does_not_have_is_told_so(logged: Deployed) -> None:
    answer = logged.run("audit", "export", "--after", "4")
    assert (answer.status, answer.out) == (1, "")
    assert "no event 4" in answer.err


@pytest.mark.parametrize("arguments", [["--after", "-1"], ["--after", "x"], ["--since", "yesterday"]])
def test_what_is_no_place_in_the_log_is_not_understood(logged: Deployed, arguments: list[str]) -> None:
    assert logged.run("audit", "export", *arguments).status == 2


async def test_who_follows_is_told_what_comes(tmp_path: Any, empty_database: bytes) -> None:
    path, out, clock = tmp_path / "test.db", io.StringIO(), MovableClock()
    path.write_bytes(empty_database)
    deployed = Deployed(f"sqlite:///{path}", lambda *_: None)  # type: ignore[arg-type]  # nothing is run
    asked = argparse.Namespace(after=0, since=None, follow=True)
    settings = Settings(_env_file=None, database_url=deployed.url)
    following = asyncio.create_task(export(settings, asked, Printer(), clock=clock, out=out))
    await clock.asleep()
    await asyncio.to_thread(deployed.write, _write)
    clock.advance(1)
    await eventually(lambda: len(out.getvalue().splitlines()) == 3)
    following.cancel()
    with pytest.raises(asyncio.CancelledError):
        await following


def test_what_was_given_up_is_listed_and_delivered_again(logged: Deployed) -> None:
    async def give_up(engine: AsyncEngine) -> None:
        store = DeliveryStore(engine)
        for one in await store.take(2):
            await store.failed(one.event, "the receiver answered with status 500", None)

    assert logged.run("webhooks", "list").out == "nothing was given up\n"
    logged.write(give_up)
    listed = logged.run("webhooks", "list", "--json").json
    assert [(one["id"], one["tries"]) for one in listed] == [(EVENTS[1].id, 1), (EVENTS[0].id, 1)]
    (finding,) = [one for one in logged.run("doctor", "--json", **WEBHOOK).json if one["part"] == "webhooks"]
    assert (finding["state"], finding["finding"].split(" ")[0]) == ("warning", "2")
    assert logged.run("webhooks", "retry", "--json").json == {"retried": 2}
    assert logged.run("webhooks", "list", "--json").json == []


def test_what_cannot_be_read_is_listed_too(logged: Deployed) -> None:
    async def spoil(engine: AsyncEngine) -> None:
        async with unit_of_work(engine) as connection:
            await connection.execute(update(LoggedEvent).where(col(LoggedEvent.number) == 1).values(data="{"))
        await DeliveryStore(engine).take(3)

    logged.write(spoil)
    (listed,) = logged.run("webhooks", "list", "--json").json
    assert (listed["id"], listed["account"], listed["error"]) == (EVENTS[0].id, "", "the event cannot be read")


def test_events_that_nobody_delivers_are_not_tried_again(logged: Deployed) -> None:
    answer = logged.run("webhooks", "retry")
    assert (answer.status, "WEBHOOK_URL is not set" in answer.err) == (1, True)


def test_an_event_that_is_unknown_is_not_tried_again(logged: Deployed) -> None:
    assert logged.run("webhooks", "retry", "msg_unknown", EVENTS[0].id, **WEBHOOK).status == 1
