"""The model of docs/capacity.md: machines follow from what one of each costs, and its tables say what was given (`bench/scale/capacity.py`)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis import Redis

from bench.scale.capacity import FLEETS, MIX, NOTHING, Costs, cost_table, fleet_table, term_table, terms
from bench.scale.deployment import Usage, round_trips
from bench.scale.speed import speed_figure, watched_speed
from walletmodal.reflex_internals.redis_scripts import TAKE

IDLE = replace(
    NOTHING,
    worker_seconds=0.0546,
    redis_seconds=0.006,
    postgres_seconds=0.0015,
    asked=0.6,
    rows=0.06,
    logged=60_000,
    services=0.006,
)
FREE = dict.fromkeys(MIX, NOTHING)


def fleets(flows: dict[str, Usage], *, each: float = 0, empty: float = 0, kept: float = 0) -> list[dict[str, str]]:
    """The rows of the table, by its titles. Bytes of memory: `each` visitor's in the workers, an `empty` worker's, what is `kept` in Redis."""
    costs = Costs(flows, worker_bytes=each, redis_bytes=kept, empty_bytes=empty)
    titles, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in fleet_table(costs).split("\n")
    ]
    return [dict(zip(titles, row, strict=True)) for row in rows]


def test_machines_follow_from_what_a_visitors_minute_costs() -> None:
    found = fleets({**FREE, "idle": IDLE}, each=100_000, empty=125_000_000)
    assert [[*row.values()] for row in found] == [
        ["10,000", "9.1", "3", "4", "1.00", "2", "0.0", "100", "0.25", "10", "1", "10.0", "1"],
        ["100,000", "91.0", "23", "33", "10.00", "17", "0.0", "1,000", "2.50", "100", "9", "100.0", "10"],
        [
            "1,000,000",
            "910.0",
            "228",
            "328",
            "100.00",
            "167",
            "0.0",
            "10,000",
            "25.00",
            "1,000",
            "86",
            "1,000.0",
            "100",
        ],
    ]


@pytest.mark.parametrize("flow", MIX)
def test_each_act_counts_as_often_as_it_is_in_the_mix(flow: str) -> None:
    found = fleets({**FREE, flow: replace(NOTHING, rows=60)})
    assert [row["PostgreSQL rows a second"] for row in found] == [f"{size * MIX[flow]:,.0f}" for size in FLEETS]


def test_redis_keeps_what_the_sessions_of_seventy_minutes_leave() -> None:
    found = fleets(FREE, kept=25_000)
    pages = 1 + 70 * MIX["arrive"]
    assert [row["Redis memory, GB"] for row in found] == [f"{size * pages * 25_000 / 10**9:,.1f}" for size in FLEETS]


def test_there_are_two_servers_and_one_redis_at_least() -> None:
    assert {(row["Servers of 8"], row["Redis servers"]) for row in fleets(FREE)} == {("2", "1")}


def test_what_is_done_costs_as_much_as_all_of_it_together() -> None:
    send = Usage(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    costs = Costs({"idle": IDLE, "send": send}, worker_bytes=0, redis_bytes=0, empty_bytes=0)
    assert costs.of({"send": 3, "idle": 0}) == Usage(3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33)
    assert costs.of({"send": 1, "idle": 100}).asked == pytest.approx(66)


def test_a_simulation_is_held_against_the_model_a_minute() -> None:
    model = replace(NOTHING, worker_seconds=60, asked=3_000, read=8_000, services=2)
    found = term_table(terms(model, replace(model, worker_seconds=66, read=4_000, rows=4, logged=6_000), 2)).split(
        "\n"
    )[2:]
    assert found == [
        "| processor time of the workers (s) | 30.0 | 33.0 | 1.10 |",
        "| processor time of Redis (s) | 0.0 | 0.0 | – |",
        "| processor time of PostgreSQL (s) | 0.0 | 0.0 | – |",
        "| round trips to Redis | 1,500.0 | 1,500.0 | 1.00 |",
        "| bytes that Redis sends (kB) | 4.0 | 2.0 | 0.50 |",
        "| bytes that Redis gets (kB) | 0.0 | 0.0 | – |",
        "| rows written to PostgreSQL | 0.0 | 2.0 | – |",
        "| bytes in PostgreSQL's log (kB) | 0.0 | 3.0 | – |",
        "| requests to the blockchain service | 1.0 | 1.0 | 1.00 |",
    ]


def test_a_lock_that_is_taken_with_what_it_reads_is_one_round_trip(redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        before = round_trips(client.info("all"))
        for _ in range(3):
            client.eval(TAKE, 3, "lock", "one", "two", "holder", "1000")
        # The second look is one as well.
        assert round_trips(client.info("all")) - before == 3 + 1


def test_costs_are_shown_as_they_were_measured() -> None:
    push = Usage(0.0123, 0.0004, 0.0011, 9, 9, 3, 4_500, 1_250, 2, 1_600, 0.1)
    costs = Costs({"push": push, "idle": NOTHING}, worker_bytes=0, redis_bytes=0, empty_bytes=0)
    assert cost_table(costs).split("\n")[2:] == [
        "| push | 12.3 | 0.4 | 1.1 | 3.0 | 4.5 | 1.2 | 2.0 | 1.6 | 0.1 |",
        "| idle | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 |",
    ]


def test_the_machines_own_speed_is_watched_meanwhile() -> None:
    with watched_speed() as samples:
        pass
    assert speed_figure(samples).measured.min > 0
