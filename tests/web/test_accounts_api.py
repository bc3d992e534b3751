"""What hosts' servers are told of accounts: exact amounts, for holders of the API key, of networks that the deployment offers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest

from tests.web import served
from walletmodal.core.accounts.tokens import TokenBalance, parse_token_balance
from walletmodal.core.accounts.transactions import HistoryPage, parse_history
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import AddressError, NetworkError, TransportError
from walletmodal.core.errors.services import NotConfiguredError, TokenBalanceUnavailableError
from walletmodal.services.rate_limit import Rate
from walletmodal.web.accounts_api import MAX_CURSOR, MAX_TOKENS

AUTHORIZED = {"Authorization": f"Bearer {served.KEY}"}
ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
ACCOUNT = f"eip155:1:{ADDRESS}"
WEI = 10**18 + 1
COIN = {"name": "Ether", "symbol": "ETH", "chainId": "eip155:1", "value": 3000.5, "price": 3000.5}
TOKEN = {"name": "Dollar", "symbol": "USD", "chainId": "eip155:1", "address": f"eip155:1:0x{'a' * 40}"}
UNREACHED = TransportError("Request failed")


def token(numeric: str, *, decimals: str = "6", **more: Any) -> TokenBalance:
    return parse_token_balance({**TOKEN, "quantity": {"decimals": decimals, "numeric": numeric}, **more})


class Accounts:
    """Answers with what a test gives it; an exception is raised."""

    def __init__(self, *, native: int | Exception = WEI, owned: Any = (), history: Any = ()) -> None:
        self.native, self.owned, self.pages = native, owned, history
        self.asked: list[tuple[str, ...]] = []

    async def native_balance(self, chain: ChainId, address: str, /) -> int:
        self.asked.append((str(chain), address))
        if isinstance(self.native, Exception):
            raise self.native
        return self.native

    async def tokens(self, _chain: ChainId, _address: str, /) -> Sequence[TokenBalance]:
        if isinstance(self.owned, Exception):
            raise self.owned
        found: Sequence[TokenBalance] = self.owned
        return found

    async def history(self, chain: ChainId, address: str, cursor: str | None, /) -> HistoryPage:
        self.asked.append((str(chain), address, cursor or ""))
        if isinstance(self.pages, Exception):
            raise self.pages
        found: HistoryPage = self.pages
        return found


def transaction(number: int, **more: Any) -> dict[str, Any]:
    metadata = {
        "operationType": "send",
        "hash": f"0x{number:064x}",
        "minedAt": "2026-01-01T00:00:00Z",
        "sentFrom": ADDRESS,
        "sentTo": f"0x{'b' * 40}",
        "status": "confirmed",
        "chain": "eip155:1",
    }
    return {"id": str(number), "metadata": {**metadata, **more.pop("metadata", {})}, "transfers": [], **more}


async def ask(
    folder: Path, path: str, accounts: Accounts, headers: dict[str, str] = AUTHORIZED, **settings: Any
) -> httpx.Response:
    async with served.client(served.app(folder, accounts=accounts, **settings)) as client:
        return await client.get(f"/v1/accounts/{path}", headers=headers)


async def test_the_native_coin_is_told_exactly_and_as_it_is_shown(tmp_path: Path) -> None:
    accounts = Accounts(owned=[parse_token_balance({**COIN, "quantity": {"decimals": "18", "numeric": "1"}})])
    answer = await ask(tmp_path, f"{ACCOUNT}/balance", accounts)
    assert answer.json() == {
        "account": ACCOUNT,
        "symbol": "ETH",
        "decimals": 18,
        "value": "1000000000000000001",
        "formatted": "1",
        "usd": "3000.5",
    }


async def test_a_balance_whose_worth_nobody_knows_is_told_all_the_same(tmp_path: Path) -> None:
    answer = await ask(tmp_path, f"{ACCOUNT}/balance", Accounts(owned=TokenBalanceUnavailableError("no")))
    assert (answer.status_code, answer.json()["value"], answer.json()["usd"]) == (200, str(WEI), None)


async def test_an_amount_that_a_double_cannot_hold_is_told_exactly(tmp_path: Path) -> None:
    answer = await ask(tmp_path, f"{ACCOUNT}/tokens", Accounts(owned=[token("9007199254740993.000001")]))
    assert [(one["value"], one["formatted"]) for one in answer.json()["tokens"]] == [
        ("9007199254740993000001", "9007199254740993")
    ]


async def test_tokens_are_told_with_contract_price_and_worth(tmp_path: Path) -> None:
    answer = await ask(tmp_path, f"{ACCOUNT}/tokens", Accounts(owned=[token("2.5", value=2.5, price=1)]))
    assert answer.json() == {
        "account": ACCOUNT,
        "tokens": [
            {
                "token": TOKEN["address"],
                "name": "Dollar",
                "symbol": "USD",
                "decimals": 6,
                "value": "2500000",
                "formatted": "2.5",
                "usd": "2.5",
                "price": "1",
            }
        ],
        "more": 0,
    }


async def test_tokens_beyond_a_number_are_counted(tmp_path: Path) -> None:
    found = (await ask(tmp_path, f"{ACCOUNT}/tokens", Accounts(owned=[token("1")] * (MAX_TOKENS + 2)))).json()
    assert (len(found["tokens"]), found["more"]) == (MAX_TOKENS, 2)


async def test_tokens_of_which_nothing_is_left_are_not_told(tmp_path: Path) -> None:
    assert (await ask(tmp_path, f"{ACCOUNT}/tokens", Accounts(owned=[token("0")]))).json()["tokens"] == []


async def test_what_an_account_did_is_told_page_by_page(tmp_path: Path) -> None:
    moved = [{"fungible_info": {"name": "Dollar", "symbol": "USD"}, "direction": "out", "quantity": {"numeric": "1.5"}}]
    accounts = Accounts(history=parse_history({"data": [transaction(1, transfers=moved)], "next": "after"}))
    answer = await ask(tmp_path, f"{ACCOUNT}/activity?cursor=before", accounts)
    assert answer.json() == {
        "account": ACCOUNT,
        "transactions": [
            {
                "id": "1",
                "hash": f"0x{1:064x}",
                "type": "send",
                "status": "confirmed",
                "at": "2026-01-01T00:00:00.000Z",
                "from": ADDRESS,
                "to": f"0x{'b' * 40}",
                "transfers": [
                    {
                        "direction": "out",
                        "kind": "token",
                        "name": "Dollar",
                        "symbol": "USD",
                        "amount": "1.5",
                        "usd": None,
                    }
                ],
            }
        ],
        "next": "after",
    }
    assert accounts.asked == [("eip155:1", ADDRESS, "before")]


async def test_spam_and_other_networks_are_left_out_as_in_the_modal(tmp_path: Path) -> None:
    spam = [{"nft_info": {"name": "Win", "flags": {"is_spam": True}}, "direction": "in"}]
    rows = [transaction(1, transfers=spam), transaction(2, metadata={"chain": "eip155:137"}), transaction(3)]
    answer = await ask(tmp_path, f"{ACCOUNT}/activity", Accounts(history=parse_history({"data": rows, "next": None})))
    assert [one["id"] for one in answer.json()["transactions"]] == ["3"]


async def test_answers_have_the_shapes_that_the_document_gives_them(tmp_path: Path) -> None:
    moved = [{"nft_info": {"name": "Badge"}, "direction": "in"}, {"direction": None}]
    accounts = Accounts(
        owned=[token("2")], history=parse_history({"data": [transaction(1, transfers=moved)], "next": None})
    )
    async with served.client(served.app(tmp_path, accounts=accounts)) as client:
        described = (await client.get("/openapi.json")).json()
        for name, schema in (("balance", "Balance"), ("tokens", "Tokens"), ("activity", "Activity")):
            answer = await client.get(f"/v1/accounts/{ACCOUNT}/{name}", headers=AUTHORIZED)
            assert answer.headers["cache-control"] == "no-store"
            jsonschema_rs.validate({"$ref": f"#/components/schemas/{schema}", **described}, answer.json())


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer another-key-of-the-same-length"}, {"Authorization": served.KEY}]
)
async def test_only_holders_of_the_key_are_told(tmp_path: Path, headers: dict[str, str]) -> None:
    accounts = Accounts()
    answer = await ask(tmp_path, f"{ACCOUNT}/balance", accounts, headers)
    assert (answer.status_code, answer.json()["error"]["code"], accounts.asked) == (401, "unauthorized", [])


@pytest.mark.parametrize(
    "account", ["eip155:1", "eip155:1:", "btc:1:x", f"eip155:1:{ADDRESS}:x", "eip155:01:0xa", "eip155:1:%20"]
)
async def test_what_is_no_account_is_malformed(tmp_path: Path, account: str) -> None:
    answer = await ask(tmp_path, f"{account}/balance", Accounts())
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")


async def test_a_network_that_is_not_offered_is_asked_for_nowhere(tmp_path: Path) -> None:
    accounts = Accounts()
    answer = await ask(tmp_path, f"eip155:5:{ADDRESS}/balance", accounts)
    assert (answer.status_code, answer.json()["error"]["code"], accounts.asked) == (404, "not_found", [])


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (AddressError("Invalid address"), 400, "malformed"),
        (NetworkError("Unsupported chain"), 404, "not_found"),
        (NotConfiguredError("BLOCKCHAIN_URL"), 404, "not_configured"),
        (TokenBalanceUnavailableError("no"), 503, "unavailable"),
        (UNREACHED, 503, "unavailable"),
    ],
)
@pytest.mark.parametrize("what", ["balance", "tokens", "activity"])
async def test_a_failure_has_the_form_of_the_api(
    tmp_path: Path, what: str, failure: Exception, status: int, code: str
) -> None:
    answer = await ask(tmp_path, f"{ACCOUNT}/{what}", Accounts(native=failure, owned=failure, history=failure))
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


async def test_a_cursor_that_is_too_long_is_refused(tmp_path: Path) -> None:
    answer = await ask(tmp_path, f"{ACCOUNT}/activity?cursor={'c' * (MAX_CURSOR + 1)}", Accounts())
    assert answer.status_code == 400


async def test_a_key_may_ask_so_often_from_wherever_and_however_it_is_written(tmp_path: Path) -> None:
    app = served.app(tmp_path, accounts=Accounts(), rate=Rate(per_second=0.001, burst=2))
    statuses = []
    for peer, scheme in (("203.0.113.1", "Bearer"), ("203.0.113.2", "bearer"), ("203.0.113.3", "Bearer ")):
        async with served.client(app, peer=peer) as client:
            headers = {"Authorization": f"{scheme} {served.KEY}"}
            answer = await client.get(f"/v1/accounts/{ACCOUNT}/balance", headers=headers)
            statuses.append(answer.status_code)
    assert statuses == [200, 200, 429]


async def test_other_methods_and_names_are_refused(tmp_path: Path) -> None:
    async with served.client(served.app(tmp_path, accounts=Accounts())) as client:
        posted = await client.post(f"/v1/accounts/{ACCOUNT}/balance", headers=AUTHORIZED)
        unknown = await client.get(f"/v1/accounts/{ACCOUNT}/secrets", headers=AUTHORIZED)
    assert (posted.status_code, unknown.status_code) == (405, 404)
