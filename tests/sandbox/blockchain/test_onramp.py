"""Buying with a card: the URL of the pay page, what there is, what it costs, and what was bought."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.sandbox.blockchain.stage import ETHEREUM, POLYGON, Stage
from walletmodal.sandbox.onramp.purchases import Purchase, PurchaseStatus

pytestmark = pytest.mark.asyncio(loop_scope="session")

ACCOUNT = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
WALLETS = [{"address": ACCOUNT, "blockchains": ["ethereum", "polygon"], "assets": ["USDC"]}]


def wish(**changes: Any) -> dict[str, Any]:
    return {"destinationWallets": WALLETS, "partnerUserId": ACCOUNT, "defaultExperience": "buy", **changes}


async def test_the_url_leads_to_the_pay_page_with_everything(stage: Stage) -> None:
    body = wish(defaultNetwork="polygon", presetCryptoAmount=3, presetFiatAmount=100)
    answer = await stage.http.post("/v1/generators/onrampurl?projectId=page", content=json.dumps(body))
    url = urlsplit(answer.json()["url"])
    assert (url.scheme, url.netloc, url.path) == ("http", "localhost:8700", "/pay/buy/select-asset")
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    assert json.loads(query.pop("destinationWallets")) == WALLETS
    assert query == {
        "appId": "page",
        "partnerUserId": ACCOUNT,
        "defaultNetwork": "polygon",
        "defaultExperience": "buy",
        "presetCryptoAmount": "3",
        "presetFiatAmount": "100",
    }


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"destinationWallets": []}, 400),
        ({"partnerUserId": "x" * 31}, 400),
        ({"partnerUserId": "x" * 51}, 400),
        ({"presetFiatAmount": 1.5}, 422),
        ({"presetFiatAmount": -1}, 422),
        ({"presetCryptoAmount": "1"}, 422),
        ({"destinationWallets": "me"}, 422),
        ({"destinationWallets": [{}]}, 422),
        ({"partnerUserId": None}, 422),
        ({"defaultExperience": "rob"}, 422),
    ],
)
async def test_wishes_that_are_refused(stage: Stage, changes: dict[str, Any], status: int) -> None:
    answer = await stage.http.post("/v1/generators/onrampurl", json=wish(**changes))
    assert answer.status_code == status
    assert answer.json()["reasons"][0]["field"].split(".")[0] == next(iter(changes))


async def test_the_options_are_the_tokens_of_the_chains(stage: Stage) -> None:
    options = await stage.get("/v1/onramp/options")
    assert [one["id"] for one in options["paymentCurrencies"]] == ["USD", "EUR", "GBP"]
    assert options["paymentCurrencies"][0]["payment_method_limits"] == [
        {"id": "card", "min": "10.00", "max": "7500.00"},
        {"id": "ach_bank_account", "min": "10.00", "max": "25000.00"},
    ]
    usdc = next(one for one in options["purchaseCurrencies"] if one["symbol"] == "USDC")
    assert [one["chain_id"] for one in usdc["networks"]] == ["1", "137"]
    assert usdc["networks"][0]["contract_address"] == "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"


async def test_a_quote_adds_up(stage: Stage) -> None:
    options = await stage.get("/v1/onramp/options")
    for bought in options["purchaseCurrencies"]:
        body = {
            "purchaseCurrency": bought,
            "paymentCurrency": options["paymentCurrencies"][0],
            "amount": "250",
            "network": bought["symbol"],
        }
        quote = await stage.post("/v1/onramp/quote?projectId=page", body)
        parts = {name: Decimal(part["amount"]) for name, part in quote.items() if name != "quoteId"}
        assert parts["paymentTotal"] == 250
        assert parts["coinbaseFee"] == Decimal("3.75")
        assert parts["paymentTotal"] == parts["paymentSubtotal"] + parts["coinbaseFee"] + parts["networkFee"]
        assert parts["networkFee"] > 0
        assert quote["purchaseAmount"]["currency"] == bought["symbol"]
        if bought["symbol"] == "USDC":
            assert parts["purchaseAmount"] == parts["paymentSubtotal"]


@pytest.mark.parametrize(
    ("changes", "status", "field"),
    [
        ({"amount": "0"}, 400, "amount"),
        ({"amount": "0.01"}, 400, "amount"),
        ({"amount": "-5"}, 400, "amount"),
        ({"amount": "1e3"}, 400, "amount"),
        ({"amount": 5}, 422, "amount"),
        ({"paymentCurrency": {"id": "XXX"}}, 400, "paymentCurrency"),
        ({"paymentCurrency": "USD"}, 422, "paymentCurrency"),
        ({"purchaseCurrency": {"id": "x", "symbol": "NOPE"}}, 400, "purchaseCurrency"),
    ],
)
async def test_quotes_that_are_refused(stage: Stage, changes: dict[str, Any], status: int, field: str) -> None:
    body = {
        "purchaseCurrency": {"id": "x", "symbol": "USDC"},
        "paymentCurrency": {"id": "USD"},
        "amount": "100",
        "network": "USDC",
        **changes,
    }
    answer = await stage.http.post("/v1/onramp/quote", json=body)
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (status, field)


def purchase(number: int, **changes: Any) -> Purchase:
    return Purchase(
        **{
            "id": f"purchase-{number}",
            "chain": ETHEREUM,
            "address": ACCOUNT,
            "token": None,
            "name": "Ether",
            "symbol": "ETH",
            "quantity": "0.05",
            "payment_total": "160.00",
            "payment_currency": "USD",
            "status": PurchaseStatus.SUCCESS,
            "transaction": "0x" + "ab" * 32,
            "at": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number),
            **changes,
        }
    )


async def test_purchases_are_a_history_of_their_own(stage: Stage) -> None:
    stage.purchases.clear()
    stage.purchases.put(purchase(1))
    stage.purchases.put(purchase(2, chain=POLYGON, status=PurchaseStatus.IN_PROGRESS, transaction=None))
    newer, older = await stage.history(ACCOUNT.lower(), onramp="coinbase")
    assert older["metadata"] == {
        "operationType": "buy",
        "hash": "0x" + "ab" * 32,
        "minedAt": "2026-01-01T00:00:01Z",
        "sentFrom": "Coinbase",
        "sentTo": ACCOUNT,
        "status": "ONRAMP_TRANSACTION_STATUS_SUCCESS",
        "nonce": 0,
        "application": None,
        "chain": ETHEREUM,
    }
    assert older["transfers"][0]["fungible_info"]["symbol"] == "ETH"
    assert older["transfers"][0]["quantity"] == {"numeric": "0.05"}
    assert newer["metadata"]["status"] == "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS"
    assert len(await stage.history(ACCOUNT, onramp="coinbase", chainId=POLYGON)) == 1


async def test_purchases_come_in_pages_too(stage: Stage) -> None:
    stage.purchases.clear()
    for number in range(60):
        stage.purchases.put(purchase(number // 2, id=f"p{number}"))
    path = f"/v1/account/{ACCOUNT}/history"
    first = await stage.get(path, onramp="coinbase")
    rest = await stage.get(path, onramp="coinbase", cursor=first["next"])
    assert (len(first["data"]), len(rest["data"]), rest["next"]) == (50, 10, None)
    assert len({one["id"] for one in first["data"] + rest["data"]}) == 60


async def test_other_providers_are_400(stage: Stage) -> None:
    answer = await stage.http.get(f"/v1/account/{ACCOUNT}/history", params={"onramp": "meld"})
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, "onramp")
