"""What a permission may cost altogether, and the sentence that says what it is."""

from dataclasses import replace

import pytest

from tests.core.permissions.samples import DAY, FIVE_MINTS, NOW, TEN, TEN_A_DAY, USDC
from walletmodal.core.permissions.cost import call_sentence, day_of, grant_sentence, most_at_once, most_spent
from walletmodal.core.permissions.permission import Permission

ALLOWANCE = Permission("erc20-token-allowance", TEN, NOW, USDC, until=NOW + DAY)
STREAM = Permission("native-token-stream", 3, NOW, initial=10, maximum=100, until=NOW + 11)


@pytest.mark.parametrize(
    ("permission", "now", "most"),
    [
        (TEN_A_DAY, NOW, 30 * TEN),
        (TEN_A_DAY, NOW - DAY, 30 * TEN),
        # The day that has begun still counts as a whole.
        (TEN_A_DAY, NOW + DAY - 1, 30 * TEN),
        (TEN_A_DAY, NOW + DAY, 29 * TEN),
        (replace(TEN_A_DAY, until=NOW + 30 * DAY + 1), NOW, 31 * TEN),
        (replace(TEN_A_DAY, until=NOW + 1), NOW, TEN),
        (TEN_A_DAY, NOW + 30 * DAY, 0),
        (replace(TEN_A_DAY, until=None), NOW, None),
        (ALLOWANCE, NOW, TEN),
        (replace(ALLOWANCE, until=None), NOW, TEN),
        (ALLOWANCE, NOW + DAY, 0),
        (STREAM, NOW, 40),
        (replace(STREAM, until=NOW + 1000), NOW, 100),
        (replace(STREAM, until=None), NOW, 100),
        (FIVE_MINTS, NOW, 5 * 10**17),
        (FIVE_MINTS, NOW + 30 * DAY, 0),
        (replace(FIVE_MINTS, calls=None), NOW, None),
        (replace(FIVE_MINTS, calls=None, amount=0), NOW, 0),
    ],
)
def test_the_most_that_it_can_cost(permission: Permission, now: int, most: int | None) -> None:
    assert most_spent(permission, now) == most


@pytest.mark.parametrize(
    ("permission", "now", "most"),
    [
        # The last second of a period, and the first one of the next.
        (TEN_A_DAY, NOW, 2 * TEN),
        (TEN_A_DAY, NOW + 29 * DAY, TEN),
        (TEN_A_DAY, NOW + 30 * DAY, 0),
        (replace(TEN_A_DAY, until=None), NOW, 2 * TEN),
        (ALLOWANCE, NOW, TEN),
        (STREAM, NOW, 10),
        (STREAM, NOW - DAY, 10),
        # Nobody has spent what became free.
        (STREAM, NOW + 4, 22),
        (replace(STREAM, until=None), NOW + 1000, 100),
    ],
)
def test_the_most_that_it_can_cost_at_once(permission: Permission, now: int, most: int) -> None:
    assert most_at_once(permission, now) == most


@pytest.mark.parametrize(
    ("permission", "sentence"),
    [
        (TEN_A_DAY, "10 USDC a day to shop.example until 18 December"),
        (replace(TEN_A_DAY, until=NOW + 100 * DAY), "10 USDC a day to shop.example until 26 February 2027"),
        (replace(TEN_A_DAY, period=3 * DAY), "10 USDC every 3 days to shop.example until 18 December"),
        (replace(TEN_A_DAY, until=None), "10 USDC a day to shop.example for ever"),
        (
            replace(TEN_A_DAY, start=NOW + 5 * DAY),
            "10 USDC a day to shop.example from 23 November until 18 December",
        ),
        (ALLOWANCE, "10 USDC altogether to shop.example until 19 November"),
    ],
)
def test_a_permission_is_told_in_a_sentence(permission: Permission, sentence: str) -> None:
    assert grant_sentence(permission, "10 USDC", "shop.example", NOW) == sentence


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1, "a second"),
        (60, "a minute"),
        (3600, "an hour"),
        (604_800, "a week"),
        (31_536_000, "a year"),
        (90, "every 90 seconds"),
        (120, "every 2 minutes"),
        (7200, "every 2 hours"),
    ],
)
def test_periods_are_told_in_the_largest_unit_that_is_exact(seconds: int, text: str) -> None:
    told = grant_sentence(replace(TEN_A_DAY, period=seconds, until=None), "10 USDC", "shop.example", NOW)
    assert told == f"10 USDC {text} to shop.example for ever"


def test_what_ends_after_all_calendars_ends_never() -> None:
    told = grant_sentence(replace(TEN_A_DAY, until=2**255), "10 USDC", "shop.example", NOW)
    assert told == "10 USDC a day to shop.example for ever"


def test_what_begins_after_all_calendars_begins_on_their_last_day() -> None:
    assert day_of(2**255, NOW) == "31 December 9999"


@pytest.mark.parametrize(
    ("permission", "coins", "sentence"),
    [
        (FIVE_MINTS, "0.1 ETH", "5 calls of mint or claim of 0x70...dc79C8 with up to 0.1 ETH each, by shop.example until 18 December"),
        (replace(FIVE_MINTS, calls=1, until=None), "0.1 ETH", "1 call of mint or claim of 0x70...dc79C8 with up to 0.1 ETH, by shop.example for ever"),
        (replace(FIVE_MINTS, calls=None), "", "Any number of calls of mint or claim of 0x70...dc79C8, by shop.example until 18 December"),
    ],
)  # fmt: skip
def test_what_may_be_called_is_a_sentence(permission: Permission, coins: str, sentence: str) -> None:
    assert call_sentence(permission, ("mint(address)", "claim()"), coins, "shop.example", NOW) == sentence
