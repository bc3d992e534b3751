"""Choosing a provider: pages that are made for one account, quotes, and what a host page fills in."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.responses import JSONResponse

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.namespaces import SOL, SOLANA, WALLETS, told
from tests.features.onramp_stage import PAGE, Buying, Seller, down
from tests.features.onramp_stage import buying as buying
from tests.features.onramp_stage import clock as clock
from tests.features.onramp_stage import configured as configured
from tests.features.onramp_stage import seller as seller
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.features.account.active import ActiveState
from walletmodal.features.connect.legal import LegalState
from walletmodal.features.onramp.buyer import Offer
from walletmodal.features.onramp.currencies import CurrencyState
from walletmodal.features.onramp.state import NO_ORDER, BuyState
from walletmodal.features.shell.state import ShellState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


# Pages


async def test_coinbase_and_meld_sell_on_ethereum(buying: Buying) -> None:
    await buying.open()
    offers = await buying.offers()
    assert (await buying.view(), list(offers)) == ("OnRampProviders", ["coinbase", "meld"])
    assert offers["coinbase"]["url"] == PAGE
    assert offers["meld"]["url"] == (
        f"https://meldcrypto.com/?publicKey=key&destinationCurrencyCode=USDC&walletAddress={ADDRESS}"
    )


async def test_the_page_is_asked_for_the_account_and_the_network(buying: Buying, seller: Seller) -> None:
    await buying.open()
    ((_, body),) = seller.about("onrampurl")
    assert (body["destinationWallets"][0]["address"], body["partnerUserId"]) == (ADDRESS, ADDRESS)
    assert (body["destinationWallets"][0]["assets"], body["defaultNetwork"]) == (["USDC"], "ethereum")
    assert "presetFiatAmount" not in body


async def test_a_row_is_there_before_its_page_is_and_cannot_be_chosen(buying: Buying) -> None:
    await buying.call("open", view="OnRampProviders")
    async with buying.driver.changing(BuyState) as buy:
        offers: list[Offer] = buy.get_value("offers")
        buy.offers = [{**offer, "url": ""} for offer in offers]
    await buying.click()
    assert await buying.view() == "OnRampProviders"


@pytest.mark.parametrize("url", ["http://pay.example/", "javascript:alert(1)", "", None, "https://u:p@pay.example/"])
async def test_an_unsafe_page_is_never_offered(buying: Buying, seller: Seller, url: object) -> None:
    seller.url = url
    await buying.open()
    coinbase = (await buying.offers())["coinbase"]
    assert (coinbase["url"], coinbase["failed"], (await buying.buy()).failed) == ("", True, True)


async def test_a_service_that_is_down_takes_one_provider_away(buying: Buying, seller: Seller) -> None:
    seller.answers["onrampurl"] = down()
    await buying.open()
    offers = await buying.offers()
    assert (offers["coinbase"]["failed"], offers["meld"]["failed"]) == (True, False)
    seller.answers.clear()
    await buying.fire(BuyState.load)
    assert (await buying.offers())["coinbase"]["url"] == PAGE


async def test_another_account_gets_pages_of_its_own(buying: Buying, seller: Seller) -> None:
    await buying.open()
    await buying.tell(sessions={"eip155": session(OTHER)})
    assert OTHER in (await buying.offers())["meld"]["url"]
    assert seller.about("onrampurl")[-1][1]["destinationWallets"][0]["address"] == OTHER


async def test_pages_of_another_account_are_gone_where_nobody_looks(buying: Buying) -> None:
    await buying.open()
    await buying.driver.fire(ShellState.push("WhatIsABuy"))
    await buying.tell(sessions={"eip155": session(OTHER)})
    assert await buying.offers() == {}


async def test_pages_are_dropped_when_the_modal_closes(buying: Buying) -> None:
    await buying.open()
    await buying.call("close")
    assert await buying.offers() == {}


async def test_another_network_gets_a_page_of_its_own(buying: Buying, seller: Seller) -> None:
    await buying.open()
    await buying.tell(sessions={"eip155": session(chain="137")})
    assert seller.about("onrampurl")[-1][1]["defaultNetwork"] == "polygon"


async def test_a_network_that_the_service_does_not_know_has_no_page_of_coinbase(buying: Buying) -> None:
    await buying.tell(sessions={"eip155": session(chain="10")})
    await buying.open()
    assert (await buying.offers())["coinbase"]["failed"] is True


@pytest.mark.usefixtures("configured", "every_chain", "seller")
async def test_on_solana_meld_alone_sells_and_sol(driver: Driver) -> None:
    await driver.load(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)}, options={"defaultNetwork": SOLANA})
    await driver.call("open", view="OnRampProviders")
    await driver.fire(BuyState.on_shown)
    buy = await driver.state(BuyState)
    (row,) = buy.get_value("offers")
    assert (row["id"], buy.choosable) == ("meld", False)
    assert "destinationCurrencyCode=SOL" in row["url"]


# The click


async def test_a_click_waits_for_the_purchase_and_is_told(buying: Buying) -> None:
    await buying.begin()
    purchase = await buying.purchase()
    assert (await buying.view(), purchase.phase, purchase.url, purchase.blocked) == (
        "BuyInProgress",
        "waiting",
        PAGE,
        False,
    )
    chosen = [item for item in buying.driver.told() if item["event"] == "SELECT_BUY_PROVIDER"]
    assert [item["properties"]["provider"] for item in chosen] == ["coinbase"]


async def test_a_blocked_window_is_said(buying: Buying) -> None:
    await buying.open()
    await buying.click(ok=False)
    purchase = await buying.purchase()
    assert (purchase.blocked, purchase.url) == (True, PAGE)


@pytest.mark.parametrize("provider", ["moonpay", "", "nobody"])
async def test_a_provider_that_is_not_offered_cannot_be_chosen(buying: Buying, provider: str) -> None:
    await buying.open()
    await buying.click(provider)
    assert await buying.view() == "OnRampProviders"


async def test_no_provider_is_chosen_from_another_view(buying: Buying) -> None:
    await buying.open()
    await buying.driver.fire(ShellState.push("WhatIsABuy"))
    await buying.click()
    assert (await buying.purchase()).phase == "idle"


# Where it is offered


async def test_an_account_offers_it_first(buying: Buying) -> None:
    assert (await buying.driver.state(ActiveState)).get_value("actions")[0] == "onramp"


async def test_buying_from_an_empty_account_is_told(buying: Buying) -> None:
    await buying.call("open")
    await buying.fire(BuyState.open_providers)
    assert await buying.view() == "OnRampProviders"
    assert "SELECT_BUY_CRYPTO" in [item["event"] for item in buying.driver.told()]


async def test_what_is_short_is_filled_in_as_the_visitors_own_wish(buying: Buying, seller: Seller) -> None:
    await buying.open(token="USDC", amount="50", currency="EUR")
    await buying.fire(ShellState.back)
    await buying.fire(BuyState.buy_token("ETH"))
    await buying.fire(BuyState.on_shown)
    buy = await buying.buy()
    assert (await buying.view(), buy.token, buy.amount, buy.host) == ("OnRampProviders", "ETH", "", "")
    assert seller.about("onrampurl")[-1][1]["destinationWallets"][0]["assets"] == ["ETH"]


@pytest.mark.parametrize("symbol", ["NOBODY", "", "<b>", "U" * 1000, "USDC\u202e", None, ["ETH"]])
async def test_of_a_token_that_nobody_sells_the_usual_one_is_filled_in(buying: Buying, symbol: object) -> None:
    await buying.call("open")
    await buying.driver.forge(f"{BuyState.get_full_name()}.buy_token", {"symbol": symbol})
    await buying.fire(BuyState.on_shown)
    assert (await buying.view(), (await buying.buy()).token) == ("OnRampProviders", "USDC")


async def test_the_explanation_is_told(buying: Buying) -> None:
    await buying.open()
    await buying.fire(BuyState.open_explanation)
    assert await buying.view() == "WhatIsABuy"
    assert "SELECT_WHAT_IS_A_BUY" in [item["event"] for item in buying.driver.told()]


async def test_a_host_that_wants_no_buying_offers_none(buying: Buying) -> None:
    await buying.call("options", options={"features": {"onramp": False}})
    assert "onramp" not in (await buying.driver.state(ActiveState)).get_value("actions")


async def test_where_nothing_is_configured_it_is_said_what_to_set(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open", view="OnRampProviders")
    assert (await driver.answer("call-open"))["error"]["message"] == "view not available"
    (warning,) = [command["params"]["message"] for command in await driver.commands("host.warn")]
    assert "BLOCKCHAIN_URL or MELD_PUBLIC_KEY is not set" in warning
    assert "onramp" not in (await driver.state(ActiveState)).get_value("actions")


# What a host fills in


async def test_a_host_fills_in_what_is_to_be_bought_and_is_named(buying: Buying, seller: Seller) -> None:
    await buying.open(token="ETH", amount="100", currency="USD")
    buy = await buying.buy()
    assert (buy.token, buy.amount, buy.currency, buy.host) == ("ETH", "100", "USD", "localhost:8700")
    assert (buy.quote, buy.gets) == ("known", "0.03911 ETH")
    ((_, body),) = seller.about("onrampurl")
    assert (body["presetFiatAmount"], body["destinationWallets"][0]["assets"]) == (100, ["ETH"])


@pytest.mark.parametrize(("amount", "currency"), [("100.5", "USD"), ("100", "EUR")])
async def test_only_whole_dollars_are_filled_in_on_the_page(
    buying: Buying, seller: Seller, amount: str, currency: str
) -> None:
    await buying.open(amount=amount, currency=currency)
    ((_, body),) = seller.about("onrampurl")
    assert "presetFiatAmount" not in body


async def test_what_is_not_valid_is_left_out_and_told(buying: Buying) -> None:
    await buying.open(token="<b>", amount="1e21", currency="EUR")
    buy = await buying.buy()
    assert (buy.token, buy.amount, buy.currency) == ("USDC", "", "EUR")
    assert len([sentence for sentence in await buying.warnings() if "left out" in sentence]) == 2


async def test_what_nobody_sells_is_left_out_and_told(buying: Buying) -> None:
    await buying.open(token="NOBODY", currency="XXX", amount="50")
    buy = await buying.buy()
    assert (buy.token, buy.currency) == ("USDC", "USD")
    assert len([sentence for sentence in await buying.warnings() if "left out" in sentence]) == 2


async def test_an_amount_outside_of_the_limits_is_said(buying: Buying) -> None:
    await buying.open(amount="5")
    buy = await buying.buy()
    assert (buy.quote, "10.00 to 7500.00 USD" in buy.problem) == ("unavailable", True)


async def test_what_one_call_fills_in_is_not_the_next_ones(buying: Buying) -> None:
    await buying.open(token="ETH", amount="100", currency="EUR")
    await buying.call("close")
    await buying.call("open", call_id="again", view="OnRampProviders")
    buy = await buying.buy()
    assert (buy.token, buy.amount, buy.currency, buy.host) == ("USDC", "", "USD", "")


async def test_what_is_filled_in_waits_behind_connect(driver: Driver, seller: Seller) -> None:
    await driver.load()
    await driver.call("open", view="OnRampProviders", arguments={"token": "ETH"})
    assert (await driver.state(ShellState)).view == "Connect"
    assert (await driver.state(BuyState)).token == "ETH"


async def test_arguments_of_another_shape_are_refused(buying: Buying) -> None:
    await buying.call("open", view="OnRampProviders", arguments=["ETH"])
    assert (await buying.driver.answer("call-open"))["ok"] is False


# Examples


async def test_a_mock_quote_is_an_example_and_tells_no_amount(buying: Buying, seller: Seller) -> None:
    seller.answers["quote"] = down(404)
    await buying.open(amount="100")
    buy = await buying.buy()
    assert (buy.quote, buy.gets) == ("example", "100 USD")


@pytest.mark.parametrize("amount", ["0", "-1", "1e40", "NaN"])
async def test_a_quote_of_nonsense_is_none(buying: Buying, seller: Seller, amount: str) -> None:
    money = {"amount": "100", "currency": "USD"}
    parts = dict.fromkeys(("paymentTotal", "paymentSubtotal", "coinbaseFee", "networkFee"), money)
    wrong = {**parts, "purchaseAmount": {"amount": amount, "currency": "ETH"}, "quoteId": "q"}
    seller.answers["quote"] = lambda: JSONResponse(wrong)
    await buying.open(amount="100")
    assert (await buying.buy()).quote in ("unavailable", "example")
    assert amount not in (await buying.buy()).gets


async def test_choices_come_from_the_service(buying: Buying) -> None:
    await buying.open()
    await buying.driver.fire(ShellState.push("OnRampTokenSelect"))
    await buying.fire(CurrencyState.on_shown)
    choices = await buying.driver.state(CurrencyState)
    assert [row["symbol"] for row in choices.get_value("tokens")] == ["USDC", "ETH"]
    assert [(row["code"], row["limits"]) for row in choices.get_value("currencies")] == [
        ("USD", "10 to 7,500"),
        ("EUR", "10 to 7,500"),
    ]
    assert choices.example is False


async def test_built_in_choices_are_marked_as_examples(buying: Buying, seller: Seller) -> None:
    seller.answers["options"] = down(404)
    await buying.call("open", view="OnRampFiatSelect")
    await buying.fire(CurrencyState.on_shown)
    choices = await buying.driver.state(CurrencyState)
    assert (choices.example, [row["code"] for row in choices.get_value("currencies")]) == (True, ["USD", "EUR"])


async def test_a_choice_made_from_the_providers_leads_back_to_them(buying: Buying, seller: Seller) -> None:
    await buying.open()
    await buying.driver.fire(ShellState.push("OnRampTokenSelect"))
    await buying.fire(CurrencyState.on_shown)
    await buying.fire(CurrencyState.choose_token("ETH"))
    assert (await buying.view(), (await buying.buy()).token) == ("OnRampProviders", "ETH")
    await buying.fire(BuyState.on_shown)
    assert seller.about("onrampurl")[-1][1]["destinationWallets"][0]["assets"] == ["ETH"]


@pytest.mark.parametrize("view", ["OnRampTokenSelect", "OnRampFiatSelect"])
async def test_nothing_is_chosen_before_the_terms_are_agreed_to(buying: Buying, view: str) -> None:
    asks = {"termsConditionsUrl": "https://host.example/terms", "features": {"legalCheckbox": True}}
    await buying.call("options", options=asks)
    await buying.call("open", view=view)
    await buying.fire(CurrencyState.on_shown)
    for choice in (CurrencyState.choose_token("ETH"), CurrencyState.choose_currency("EUR")):
        await buying.fire(choice)
    assert (await buying.view(), (await buying.buy())._order()) == (view, NO_ORDER)
    await buying.fire(LegalState.agree(True))
    for choice in (CurrencyState.choose_token("ETH"), CurrencyState.choose_currency("EUR")):
        await buying.fire(choice)
    assert (await buying.buy())._order() != NO_ORDER


async def test_a_choice_for_the_page_closes_the_modal_and_stays(buying: Buying) -> None:
    await buying.call("open", view="OnRampFiatSelect")
    await buying.fire(CurrencyState.on_shown)
    await buying.fire(CurrencyState.choose_currency("EUR"))
    assert ((await buying.driver.state(ShellState)).open, (await buying.buy()).currency) == (False, "EUR")


async def test_what_is_not_in_the_list_cannot_be_chosen(buying: Buying) -> None:
    await buying.call("open", view="OnRampTokenSelect")
    await buying.fire(CurrencyState.on_shown)
    for symbol in ("NOBODY", "EUR"):
        await buying.fire(CurrencyState.choose_token(symbol))
    assert ((await buying.driver.state(ShellState)).open, (await buying.buy()).token) == (True, "USDC")


# The element of the host page


async def asks(buying: Buying, call_id: str, amount: str = "") -> Any:
    """What the element is answered."""
    await buying.driver.call("onramp", call_id=call_id, amount=amount)
    async with patience():
        while (answered := await buying.driver.settled(call_id)) is None:
            await asyncio.sleep(0.001)
    return answered["value"]


async def test_the_element_is_told_what_is_chosen_and_what_its_amount_buys(buying: Buying) -> None:
    async with buying.driver.changing(BuyState) as buy:
        buy.token = "ETH"
    assert await asks(buying, "widget", "100") == {
        "token": "ETH",
        "currency": "USD",
        "kind": "known",
        "gets": "0.03911 ETH",
    }


async def test_the_element_without_an_amount_asks_nobody_for_a_quote(buying: Buying, seller: Seller) -> None:
    assert (await asks(buying, "widget"))["kind"] == ""
    assert seller.about("quote") == []


async def test_the_element_is_told_of_an_example_as_one(buying: Buying, seller: Seller) -> None:
    seller.answers["quote"] = down(404)
    assert (await asks(buying, "widget", "100"))["kind"] == "example"


async def test_the_element_is_answered_before_anybody_connects(
    driver: Driver, seller: Seller, clock: MovableClock
) -> None:
    await driver.load()
    assert (await asks(Buying(driver, seller, clock), "widget", "100"))["token"] == "USDC"
    assert seller.asked == []


async def test_what_the_element_asks_changes_nothing_in_the_modal(buying: Buying) -> None:
    await asks(buying, "widget", "100")
    buy = await buying.buy()
    assert (buy.amount, buy.quote, buy.host) == ("", "", "")
