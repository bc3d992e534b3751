"""Orders on the pay page: what is sold, at what price, to which cards, and what arrives."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tests.patience import patience
from tests.sandbox.onramp_stage import ACCOUNT, CARD, HASH, USDC, Stage, order
from walletmodal.sandbox.onramp.cards import TEST_CARDS, CardOutcome, CardRefusedError, check_card

SUCCESS = "ONRAMP_TRANSACTION_STATUS_SUCCESS"
IN_PROGRESS = "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS"
FAILED = "ONRAMP_TRANSACTION_STATUS_FAILED"
NOW = datetime(2030, 6, 15, tzinfo=UTC)


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest_asyncio.fixture
async def pay(stage: Stage) -> AsyncIterator[httpx.AsyncClient]:
    async with stage.client() as client:
        yield client


async def _buy(pay: httpx.AsyncClient, **changes: Any) -> dict[str, Any]:
    answer = await pay.post("/pay/api/purchases", json=order(**changes))
    assert answer.status_code == 201, answer.text
    bought: dict[str, Any] = answer.json()
    return bought


async def test_the_offer_names_networks_assets_and_currencies(pay: httpx.AsyncClient) -> None:
    offer = (await pay.get("/pay/api/offer")).json()
    assert [(one["id"], one["payName"]) for one in offer["networks"]] == [
        ("eip155:1", "ethereum"),
        ("eip155:137", "polygon"),
    ]
    assert ("eip155:1", None, "ETH") in [(one["chain"], one["token"], one["symbol"]) for one in offer["assets"]]
    assert {"code": "USD", "sign": "$", "min": "10.00", "max": "7500.00"} in offer["currencies"]


async def test_the_pictures_of_the_offer_are_in_the_directory(pay: httpx.AsyncClient) -> None:
    offer = (await pay.get("/pay/api/offer")).json()
    for row in (*offer["networks"], *offer["assets"]):
        assert (await pay.get(row["image"])).status_code == 200


async def test_a_quote_is_the_blockchain_services_own(pay: httpx.AsyncClient) -> None:
    query = {"chain": "eip155:1", "currency": "USD", "amount": "100"}
    quote = (await pay.get("/pay/api/quote", params=query)).json()
    assert quote == {
        "currency": "USD",
        "total": "100",
        "serviceFee": "1.50",
        "networkFee": "0.20",
        "subtotal": "98.30",
        "price": "2500",
        "quantity": "0.039320",
    }


@pytest.mark.parametrize("wanted", ["0.01", "0.039320", "1", "2.900001"])
async def test_a_quote_for_a_quantity_gives_at_least_that_much(pay: httpx.AsyncClient, wanted: str) -> None:
    query = {"chain": "eip155:1", "currency": "EUR", "quantity": wanted}
    quote = (await pay.get("/pay/api/quote", params=query)).json()
    assert float(wanted) <= float(quote["quantity"]) < float(wanted) + 0.0001


async def test_native_coin_is_credited(pay: httpx.AsyncClient, stage: Stage) -> None:
    bought = await _buy(pay)
    assert (bought["status"], bought["transaction"], bought["symbol"]) == (SUCCESS, HASH, "ETH")
    assert stage.chains.credited == [("eip155:1", None, ACCOUNT, 39_320 * 10**12)]


async def test_a_token_is_credited_in_its_own_decimals(pay: httpx.AsyncClient, stage: Stage) -> None:
    await _buy(pay, chain="eip155:137", token=USDC)
    assert stage.chains.credited == [("eip155:137", USDC, ACCOUNT, 98_300_000)]


async def test_a_purchase_is_kept_for_the_history(pay: httpx.AsyncClient, stage: Stage) -> None:
    bought = await _buy(pay)
    [kept] = stage.purchases.of_address(ACCOUNT.lower(), "eip155:1")
    assert (kept.id, kept.quantity, kept.payment_total, kept.partner_user_id) == (
        bought["id"],
        "0.039320",
        "100",
        "p" * 32,
    )
    assert (await pay.get(f"/pay/api/purchases/{kept.id}")).json() == bought


async def test_a_declined_card_delivers_nothing_and_is_kept_as_failed(pay: httpx.AsyncClient, stage: Stage) -> None:
    bought = await _buy(pay, card={**CARD, "number": "4000000000000002"})
    assert bought["status"] == FAILED
    assert stage.chains.credited == []
    assert stage.purchases.of_address(ACCOUNT)[0].status == FAILED


async def test_the_slow_card_is_in_progress_first(pay: httpx.AsyncClient, stage: Stage) -> None:
    stage.chains.ready = asyncio.Event()
    bought = await _buy(pay, card={**CARD, "number": "4000-0000-0000-0077"})
    assert (bought["status"], stage.chains.credited) == (IN_PROGRESS, [])
    stage.chains.ready.set()
    async with patience():
        while (await pay.get(f"/pay/api/purchases/{bought['id']}")).json()["status"] == IN_PROGRESS:
            await asyncio.sleep(0.01)
    assert stage.purchases.of_address(ACCOUNT)[0].status == SUCCESS
    assert len(stage.chains.credited) == 1


async def test_a_reset_takes_a_slow_purchase_back(pay: httpx.AsyncClient, stage: Stage) -> None:
    await _buy(pay, card={**CARD, "number": "4000000000000077"})
    stage.purchases.clear()
    await asyncio.gather(*stage.desk.settling)
    assert stage.chains.credited == []
    assert stage.purchases.of_address(ACCOUNT) == []


async def test_a_chain_that_does_not_answer_fails_the_purchase(pay: httpx.AsyncClient, stage: Stage) -> None:
    stage.chains.fails = True
    assert (await _buy(pay))["status"] == FAILED


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"chain": "eip155:56"}, "chain"),
        ({"chain": "eip155:999"}, "chain"),
        ({"chain": "x" * 100}, "chain"),
        ({"chain": 1}, "chain"),
        ({"token": ACCOUNT}, "token"),
        ({"token": "<script>"}, "token"),
        ({"address": "0x1"}, "address"),
        ({"address": ACCOUNT.replace("C", "c", 1)}, "address"),
        ({"address": "So11111111111111111111111111111111111111111"}, "address"),
        ({"currency": "XXX"}, "currency"),
        ({"amount": "9.99"}, "amount"),
        ({"amount": "7500.01"}, "amount"),
        ({"amount": "-100"}, "amount"),
        ({"amount": "1e3"}, "amount"),
        ({"amount": "100.001"}, "amount"),
        ({"amount": 100}, "amount"),
        ({"card": None}, "card"),
        ({"card": {**CARD, "number": "4111111111111111"}}, "card.number"),
        ({"card": {**CARD, "number": "4242424242424241"}}, "card.number"),
        ({"card": {**CARD, "number": ""}}, "card.number"),
        ({"card": {**CARD, "number": 4242424242424242}}, "card.number"),
        ({"card": {**CARD, "expiry": "01/20"}}, "card.expiry"),
        ({"card": {**CARD, "expiry": "13/99"}}, "card.expiry"),
        ({"card": {**CARD, "code": "12"}}, "card.code"),
        ({"card": {**CARD, "holder": "x"}}, "card.holder"),
        ({"more": 1}, "more"),
    ],
)
async def test_a_wrong_order_is_refused_before_anything_happens(
    pay: httpx.AsyncClient, stage: Stage, change: dict[str, Any], field: str
) -> None:
    answer = await pay.post("/pay/api/purchases", json=order(**change))
    assert answer.status_code == 400
    assert answer.json()["reasons"][0]["field"] == field
    assert stage.chains.credited == []
    assert stage.purchases.of_address(ACCOUNT) == []


@pytest.mark.parametrize(
    ("body", "status"), [(b"", 400), (b"{", 400), (b"[]", 400), (b"[" * 16_000, 400), (b"x" * 20_000, 413)]
)
async def test_what_is_no_order_is_refused(pay: httpx.AsyncClient, body: bytes, status: int) -> None:
    assert (await pay.post("/pay/api/purchases", content=body)).status_code == status


@pytest.mark.parametrize("query", [{}, {"amount": "x"}, {"quantity": "0"}, {"quantity": "-1"}, {"quantity": "9" * 13}])
async def test_a_wrong_quote_is_refused(pay: httpx.AsyncClient, query: dict[str, str]) -> None:
    answer = await pay.get("/pay/api/quote", params={"chain": "eip155:1", "currency": "USD", **query})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "answer",
    [
        JSONResponse({"status": "FAILED"}, 503),
        PlainTextResponse("no json"),
        JSONResponse({"tokens": [{"name": "x"}]}),
        JSONResponse([]),
    ],
)
async def test_a_service_that_tells_no_price_is_503(pay: httpx.AsyncClient, stage: Stage, answer: Response) -> None:
    stage.answer = answer
    assert (await pay.get("/pay/api/offer")).status_code == 503
    assert (await pay.post("/pay/api/purchases", json=order())).status_code == 503


async def test_an_unknown_purchase_is_404(pay: httpx.AsyncClient) -> None:
    assert (await pay.get("/pay/api/purchases/onramp-0")).status_code == 404


@pytest.mark.parametrize(("number", "outcome"), TEST_CARDS.items())
def test_every_test_card_passes_its_own_check(number: str, outcome: CardOutcome) -> None:
    assert check_card(number, "06/30", "000", NOW) is outcome


@given(st.text(max_size=25), st.text(max_size=8), st.text(max_size=5))
def test_no_other_card_is_taken(number: str, expiry: str, code: str) -> None:
    with pytest.raises(CardRefusedError) as refused:
        check_card(number, expiry, code, NOW)
    assert refused.value.field in ("number", "expiry", "code")


@pytest.mark.parametrize(("expiry", "good"), [("06/30", True), ("05/30", False), ("12/29", False), ("01/31", True)])
def test_a_card_is_good_to_the_end_of_its_month(expiry: str, *, good: bool) -> None:
    if good:
        check_card("4242424242424242", expiry, "123", NOW)
    else:
        with pytest.raises(CardRefusedError):
            check_card("4242424242424242", expiry, "123", NOW)
