"""What a host's server is told of accounts, and what it does with answers that are none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from tests.host.modal_server import API_KEY, ModalServer
from tests.host.test_tokens import ADDRESS, PAGE
from walletmodal.core.errors import SettingsError
from walletmodal.host import (
    AccountUnknownError,
    Activity,
    Balance,
    Modal,
    ModalUnreachableError,
    Token,
    Transaction,
    Transfer,
)

ACCOUNT = f"eip155:1:{ADDRESS}"
AMOUNT = {"symbol": "ETH", "decimals": 18, "value": "1000000000000000001", "formatted": "1", "usd": "3000.5"}
BALANCE = {"account": ACCOUNT, **AMOUNT}
HELD = [{"token": None, "name": "Ether", "price": None, **AMOUNT}]
TOKENS = {"account": ACCOUNT, "tokens": HELD, "more": 0}
TRANSFER = {"direction": "out", "kind": "token", "name": "Ether", "symbol": "ETH", "amount": "0.1", "usd": None}
TRANSACTION = {
    "id": "1",
    "hash": "0x01",
    "type": "send",
    "status": "confirmed",
    "at": "2026-01-01T00:00:00.000Z",
    "from": ADDRESS,
    "to": "",
    "transfers": [TRANSFER],
}
ACTIVITY = {"account": ACCOUNT, "transactions": [TRANSACTION], "next": "after"}

CALLS: dict[str, Callable[[Modal], object]] = {
    "balance": lambda modal: modal.balance(ACCOUNT),
    "tokens": lambda modal: modal.tokens(ACCOUNT),
    "activity": lambda modal: modal.activity(ACCOUNT),
}
TOLD: dict[str, dict[str, Any]] = {"balance": BALANCE, "tokens": TOKENS, "activity": ACTIVITY}


@pytest.fixture
def known(server: ModalServer) -> Modal:
    for name, told in TOLD.items():
        server.answers[f"/v1/accounts/{ACCOUNT}/{name}"] = 200, told
    return Modal(server.url, PAGE, api_key=API_KEY)


def test_a_balance_is_exact(known: Modal, server: ModalServer) -> None:
    assert known.balance(ACCOUNT) == Balance(ACCOUNT, "ETH", 18, 10**18 + 1, "1", Decimal("3000.5"))
    assert server.asked == [(f"/v1/accounts/{ACCOUNT}/balance", f"Bearer {API_KEY}")]


def test_tokens_are_exact(known: Modal) -> None:
    assert known.tokens(ACCOUNT) == (Token(None, "Ether", "ETH", 18, 10**18 + 1, "1", Decimal("3000.5"), None),)


def test_activity_is_read_page_by_page(known: Modal, server: ModalServer) -> None:
    server.answers[f"/v1/accounts/{ACCOUNT}/activity?cursor=a%26b"] = 200, {**ACTIVITY, "next": None}
    moved = Transfer("out", "token", "Ether", "ETH", Decimal("0.1"), None)
    made = Transaction("1", "0x01", "send", "confirmed", datetime(2026, 1, 1, tzinfo=UTC), ADDRESS, "", (moved,))
    assert known.activity(ACCOUNT) == Activity((made,), "after")
    assert known.activity(ACCOUNT, cursor="a&b") == Activity((made,), None)


async def test_async_code_is_told_the_same(known: Modal) -> None:
    assert await known.abalance(ACCOUNT) == known.balance(ACCOUNT)
    assert await known.atokens(ACCOUNT) == known.tokens(ACCOUNT)
    assert await known.aactivity(ACCOUNT) == known.activity(ACCOUNT)


@pytest.mark.parametrize("status", [400, 404])
@pytest.mark.parametrize("name", CALLS)
def test_an_account_of_which_nothing_is_known(known: Modal, server: ModalServer, name: str, status: int) -> None:
    server.answers[f"/v1/accounts/{ACCOUNT}/{name}"] = status, {"error": {"code": "x", "message": "x"}}
    with pytest.raises(AccountUnknownError):
        CALLS[name](known)


@pytest.mark.parametrize(
    "account", ["", ADDRESS, "eip155:1:../../sessions", f"{ACCOUNT}/../x", f"{ACCOUNT}?x", "eip155:1:a b"]
)
def test_what_is_no_account_is_not_asked_for(known: Modal, server: ModalServer, account: str) -> None:
    with pytest.raises(AccountUnknownError):
        known.balance(account)
    assert server.asked == []


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "answer", [(429, {}), (503, {}), (401, {}), (200, []), (200, {}), (200, b"{"), (200, b"[" * 60_000)]
)
def test_an_answer_of_which_nothing_can_be_made(
    known: Modal, server: ModalServer, name: str, answer: tuple[int, Any]
) -> None:
    server.answers[f"/v1/accounts/{ACCOUNT}/{name}"] = answer
    with pytest.raises(ModalUnreachableError):
        CALLS[name](known)


@pytest.mark.parametrize(
    "change",
    [{"value": 1}, {"value": "1e9"}, {"value": "-1"}, {"decimals": "x"}, {"usd": 1.5}, {"usd": "x"}, {"symbol": None}],
)
def test_an_amount_of_another_form_is_none(known: Modal, server: ModalServer, change: dict[str, Any]) -> None:
    server.answers[f"/v1/accounts/{ACCOUNT}/balance"] = 200, {**BALANCE, **change}
    with pytest.raises(ModalUnreachableError):
        known.balance(ACCOUNT)


def test_a_long_list_of_tokens_is_read(known: Modal, server: ModalServer) -> None:
    server.answers[f"/v1/accounts/{ACCOUNT}/tokens"] = 200, {**TOKENS, "tokens": HELD * 1000}
    assert len(known.tokens(ACCOUNT)) == 1000


def test_names_with_brackets_are_no_levels(known: Modal, server: ModalServer) -> None:
    server.answers[f"/v1/accounts/{ACCOUNT}/balance"] = 200, {**BALANCE, "symbol": '["' * 100}
    assert known.balance(ACCOUNT).symbol == '["' * 100


def test_without_the_key_nobody_is_asked(server: ModalServer) -> None:
    with pytest.raises(SettingsError, match="WALLETMODAL_API_KEY"):
        Modal(server.url, PAGE).balance(ACCOUNT)
    assert server.asked == []
