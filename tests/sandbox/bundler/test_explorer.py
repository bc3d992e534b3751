"""User operations in the explorer, and in the histories of their accounts."""

import re
from html import unescape

import httpx
import pytest
from eth_account import Account

from tests.sandbox.bundler.accounts import Delegator
from tests.sandbox.bundler.stage import CHAIN, Stage
from walletmodal.core.smart_accounts.call_encoding import AccountCall

pytestmark = pytest.mark.asyncio(loop_scope="session")

GIFT = AccountCall("0x7777777777777777777777777777777777777777", 5)


async def test_a_bundle_shows_its_operations_and_each_has_a_page(stage: Stage, http: httpx.AsyncClient) -> None:
    account = Delegator(Account.create())
    await stage.give(account.address, 10**18)
    receipt = await stage.send(account, await stage.prepare(account, GIFT))
    number, bundle = receipt["userOpHash"], receipt["receipt"]["transactionHash"]
    shown = await http.get(f"/explorer/{CHAIN}/tx/{bundle}")
    assert f'href="/explorer/{CHAIN}/userop/{number}"' in shown.text
    told = " ".join(
        unescape(re.sub(r"<[^>]+>", " ", (await http.get(f"/explorer/{CHAIN}/userop/{number}")).text)).split()
    )
    assert f"Account {account.address}" in told
    assert "Paid by The account" in told
    assert "Status Confirmed" in told


async def test_the_hash_of_an_operation_leads_to_it_like_that_of_a_transaction(
    stage: Stage, http: httpx.AsyncClient
) -> None:
    account = Delegator(Account.create())
    await stage.give(account.address, 10**18)
    number = (await stage.send(account, await stage.prepare(account, GIFT)))["userOpHash"]
    for asked in (f"/explorer/{CHAIN}/tx/{number}", f"/explorer/search?q={number}"):
        answer = await http.get(asked)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/explorer/{CHAIN}/userop/{number}")


@pytest.mark.parametrize("subject", ["0x" + "ab" * 32, "0x12", "word"])
async def test_an_operation_that_is_none_has_no_page(unchanging_http: httpx.AsyncClient, subject: str) -> None:
    assert (await unchanging_http.get(f"/explorer/{CHAIN}/userop/{subject}")).status_code == 404


async def test_a_history_has_what_the_accounts_operation_did_and_not_what_its_bundle_paid(
    stage: Stage, http: httpx.AsyncClient
) -> None:
    account, payee = Delegator(Account.create()), Account.create().address
    await stage.give(account.address, 10**18)
    receipt = await stage.send(account, await stage.prepare(account, AccountCall(payee, 5)))
    path = f"/blockchain/v1/account/{account.address}/history"
    told = (await http.get(path, params={"chainId": CHAIN, "projectId": "tests"})).json()["data"][0]
    about = told["metadata"]
    assert (about["hash"], about["operationType"]) == (receipt["receipt"]["transactionHash"], "send")
    assert (about["sentFrom"], about["sentTo"]) == (account.address.lower(), payee.lower())
    moved = [(one["direction"], one["quantity"]["numeric"]) for one in told["transfers"]]
    assert moved == [("out", "0.000000000000000005")]
