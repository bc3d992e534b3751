"""How the history is told."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from tests.core.accounts.test_transactions import FUNGIBLE, NFT, transaction
from tests.core.json_values import replaced
from walletmodal.core.accounts.activity import (
    by_month,
    descriptions,
    is_exchange,
    local_day,
    month_title,
    operation_sign,
    operation_title,
    transfer_image,
    with_other_side,
)
from walletmodal.core.accounts.transactions import Transaction, parse_transaction

TODAY = date(2026, 6, 15)


@every_case(
    ("operation", "title"),
    [pair.split() for pair in (
        "approve approved", "bought bought", "borrow borrowed", "burn burnt", "cancel canceled", "claim claimed", "deploy deployed",
        "deposit deposited", "execute executed", "mint minted", "receive received", "repay repaid", "send sent", "sell sold",
        "stake staked", "trade swapped", "unstake unstaked", "withdraw withdrawn", "teleport teleport",
    )],
)  # fmt: skip
def test_an_operation_is_told_in_the_past_tense(operation: str, title: str) -> None:
    assert operation_title(operation) == title


@pytest.mark.parametrize(
    ("operations", "sign"),
    [("receive deposit borrow claim", "+"), ("withdraw repay burn", "-"), ("send trade approve mint stake", "")],
)
def test_an_operation_has_its_sign(operations: str, sign: str) -> None:
    assert {operation_sign(operation) for operation in operations.split()} == {sign}


@pytest.mark.parametrize(
    ("transfers", "metadata", "told"),
    [
        ((FUNGIBLE,), {"operationType": "receive"}, ("+12.500 USDC",)),
        ((FUNGIBLE,), {"operationType": "burn"}, ("-12.500 USDC",)),
        ((FUNGIBLE,), {}, ("12.500 USDC",)),
        ((NFT,), {}, ("Kite 7",)),
        ((replaced(NFT, None, "nft_info", "name"),), {}, ("-",)),
        ((FUNGIBLE, NFT), {"operationType": "receive"}, ("12.500 USDC", "Kite 7")),
        ((replaced(FUNGIBLE, None, "fungible_info"),), {"operationType": "receive"}, ("",)),
        ((), {"operationType": "approve"}, ("",)),
        ((), {"sentTo": "0x" + "b" * 40}, ("0xbB...bbBBbB",)),
        ((), {"operationType": "receive", "sentFrom": "0x" + "a" * 40}, ("0xaA...aAaaAa",)),
        ((), {"sentTo": None}, ("",)),
    ],
)
def test_a_transaction_is_told(
    transfers: tuple[object, ...], metadata: dict[str, object], told: tuple[str, ...]
) -> None:
    assert descriptions(transaction(transfers, **metadata)) == told


@pytest.mark.parametrize(
    ("transfers", "exchange"),
    [
        ((FUNGIBLE, FUNGIBLE), True),
        ((FUNGIBLE, NFT), True),
        ((NFT, NFT), False),
        ((FUNGIBLE,), False),
        ((FUNGIBLE,) * 3, False),
    ],
)
def test_two_sides_are_shown_as_one_row(transfers: tuple[object, ...], *, exchange: bool) -> None:
    assert is_exchange(transaction(transfers)) is exchange


@pytest.mark.parametrize(
    ("move", "url"),
    [
        (FUNGIBLE, "https://icons.example/usdc.png"),
        (NFT, "https://icons.example/7.png"),
        (replaced(NFT, None, "nft_info", "content"), ""),
        (replaced(FUNGIBLE, None, "fungible_info", "icon"), ""),
        (replaced(FUNGIBLE, None, "fungible_info"), ""),
    ],
)
def test_a_transfer_has_its_picture(move: object, url: str) -> None:
    assert transfer_image(transaction((move,)).transfers[0]) == url


@pytest.mark.parametrize(
    ("year", "month", "title"), [(2026, 3, "March"), (2024, 3, "March 2024"), (2027, 12, "December 2027")]
)
def test_a_month_of_another_year_has_its_year(year: int, month: int, title: str) -> None:
    assert month_title(year, month, TODAY) == title


def at(moment: datetime, transaction_id: str = "t") -> Transaction:
    return parse_transaction(
        {
            "id": transaction_id,
            "metadata": {"operationType": "send", "status": "confirmed", "minedAt": moment.isoformat()},
        }
    )


def test_months_and_their_transactions_are_told_newest_first() -> None:
    old, early, late = (
        at(datetime(2025, 12, 31, 23, tzinfo=UTC), "a"),
        at(datetime(2026, 6, 1, tzinfo=UTC), "b"),
        at(datetime(2026, 6, 2, tzinfo=UTC), "c"),
    )
    assert [(month.title, month.transactions) for month in by_month([early, old, late], TODAY)] == [
        ("June", (late, early)),
        ("December 2025", (old,)),
    ]


def test_the_visitors_clock_decides_the_month() -> None:
    edge = at(datetime(2025, 12, 31, 23, 30, tzinfo=UTC))
    zones = (UTC, timezone(timedelta(hours=1)), timezone(timedelta(hours=-1)))
    assert [by_month([edge], TODAY, zone=zone)[0].title for zone in zones] == [
        "December 2025",
        "January",
        "December 2025",
    ]


def test_summer_time_counts_for_summers_entries() -> None:
    winter, summer = at(datetime(2026, 1, 31, 22, 30, tzinfo=UTC)), at(datetime(2026, 6, 30, 22, 30, tzinfo=UTC))
    days = [local_day(entry, ZoneInfo("Europe/Berlin")) for entry in (winter, summer)]
    assert days == [date(2026, 1, 31), date(2026, 7, 1)]


@pytest.mark.parametrize("moment", [datetime(1970, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, 23, tzinfo=UTC)])
def test_the_ends_of_the_calendar_have_a_day(moment: datetime) -> None:
    assert local_day(at(moment), timezone(timedelta(hours=14))).year in (1970, 9999)


def test_of_equal_ids_the_last_one_counts() -> None:
    first, second = at(datetime(2026, 6, 1, tzinfo=UTC)), at(datetime(2026, 6, 2, tzinfo=UTC))
    assert by_month([first, second], TODAY)[0].transactions == (second,)


@given(st.lists(st.integers(0, 2**31), max_size=12))
def test_no_transaction_is_lost(seconds: list[int]) -> None:
    moments = [datetime.fromtimestamp(second, UTC) for second in seconds]
    entries = [at(moment, f"t-{index}") for index, moment in enumerate(moments)]
    months = by_month(entries, TODAY)
    told = [entry for month in months for entry in month.transactions]
    assert sorted(entry.id for entry in told) == sorted(entry.id for entry in entries)
    assert [entry.metadata.mined_at for entry in told] == sorted(moments, reverse=True)


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        ({"sentTo": "0x" + "b" * 40}, "1 ETH to 0xbB...bbBBbB"),
        ({"operationType": "receive", "sentFrom": "0x" + "a" * 40}, "1 ETH from 0xaA...aAaaAa"),
        ({"sentTo": "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"}, "1 ETH to 7EcD...wCFLtV"),
        ({"operationType": "approve", "sentTo": "0x" + "b" * 40}, "1 ETH"),
        ({"sentTo": None}, "1 ETH"),
    ],
)
def test_the_other_side_of_a_transfer_is_named(metadata: dict[str, object], told: str) -> None:
    assert with_other_side(transaction((FUNGIBLE,), **metadata), "1 ETH") == told


def test_the_other_side_of_a_nameless_transfer_is_named_alone() -> None:
    assert with_other_side(transaction((FUNGIBLE,), sentTo="0x" + "b" * 40), "") == "to 0xbB...bbBBbB"
