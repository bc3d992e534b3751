"""How a wallet is opened on another device, as its frame tells, and what is said of what waits."""

from typing import Any

import pytest

from walletmodal.core.wallets.recovery_ways import deletion_words, hold_words, read_recovery_ways

AT = 1_900_000_000_000


def told(**fields: Any) -> list[str]:
    ways = read_recovery_ways({"ways": ["code"], **fields})
    assert ways is not None
    return [one for one in (hold_words(ways), deletion_words(ways)) if one]


def test_nothing_is_said_where_nothing_waits() -> None:
    assert told() == []


@pytest.mark.parametrize(("hours", "words"), [(24, "24 hours"), (1, "1 hour")])
def test_transfers_that_a_code_would_make_wait_are_told_before_it_is_sent(hours: int, words: str) -> None:
    (sentence,) = told(holdHours=hours)
    assert sentence.startswith(f"After a code, transfers from this browser wait for {words}.")


def test_who_cannot_use_a_code_reads_nothing_of_its_wait() -> None:
    assert told(ways=["passkey"], holdHours=24) == []


@pytest.mark.parametrize("hours", [0, -1, 721, True, "24", None, 1.5])
def test_hours_that_make_no_sense_are_none(hours: object) -> None:
    assert told(holdHours=hours) == []


def test_a_deletion_that_waits_is_told_with_what_stops_it() -> None:
    (sentence,) = told(deletesAt=AT)
    assert "is deleted on 17 Mar 2030, 17:46 UTC" in sentence


@pytest.mark.parametrize("at", [-1, "x", True, 10**18])
def test_a_moment_that_makes_no_sense_is_none(at: object) -> None:
    assert told(deletesAt=at) == []
