"""What the active account owns, as the visitor sees it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.namespaces import BITCOIN, BTC, SOL, SOLANA, WALLETS, told
from tests.features.owned import USDC, coin, looking, served, silent, token
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.text.texts import BALANCE_UNAVAILABLE
from walletmodal.deployment import Deployment
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.holdings import holder
from walletmodal.features.account.tokens import READ_GAP, SHOWN, TokensState, refresh_after_transaction
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.toasts.state import ToastState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)
DOWN = ServiceError("blockchain", status=503)


async def symbols(driver: Driver) -> list[str]:
    """The symbols on the list, from the top."""
    return [row[2] for row in (await driver.state(TokensState)).get_value("rows")]


async def test_the_most_valuable_comes_first(driver: Driver, deployed: Deployment) -> None:
    served(deployed, token("LOW", value=1), token("NONE"), coin(value=50), token("HIGH", value=900.5))
    await looking(driver)
    assert await symbols(driver) == ["HIGH", "ETH", "LOW", "NONE"]


async def test_a_row_has_name_amount_value_and_price(driver: Driver, deployed: Deployment) -> None:
    served(deployed, token("USDC", "2500.5", address=USDC, value=2501, price=1.0002))
    (row,) = (await looking(driver)).get_value("rows")
    assert row == (USDC, "USDC Coin", "USDC", "2,500.5", "$2,501.00", "$1.00", "")


@pytest.mark.parametrize(
    ("quantity", "value", "shown"),
    [
        ("0.00001", 0.001, ("<0.001", "<$0.01")),
        ("1e21", None, ("1,000,000,000,000,000,000,000", "")),
        ("1", 0, ("1", "")),
        ("1", -5, ("1", "")),
        ("0.1234567", 2, ("0.123", "$2.00")),
    ],
)
async def test_amounts_are_never_shown_as_nothing(
    driver: Driver, deployed: Deployment, quantity: str, value: float | None, shown: tuple[str, str]
) -> None:
    served(deployed, token("TKN", quantity, value=value))
    (row,) = (await looking(driver)).get_value("rows")
    assert (row[3], row[4]) == shown


async def test_the_worth_of_all_is_split_into_dollars_and_cents(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin(value=1234567.5), token("A", value=0.126))
    tokens = await looking(driver)
    assert (tokens.dollars, tokens.cents) == ("$1,234,567", ".62")


async def test_the_host_is_told_what_the_native_coin_is_worth(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin(value=1234567.5), token("A", value=0.126))
    await looking(driver)
    assert (await driver.account()).public["nativeBalance"]["usd"] == "1234567.5"


async def test_without_prices_there_is_no_worth(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin(), token("A", value=0))
    tokens = await looking(driver)
    assert (tokens.dollars, tokens.cents) == ("", "")


async def test_an_account_without_anything_is_empty(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin("0"))
    tokens = await looking(driver)
    assert (tokens.phase, tokens.get_value("rows")) == ("empty", [])


async def test_of_thousands_of_tokens_the_least_valuable_are_counted(driver: Driver, deployed: Deployment) -> None:
    served(deployed, *(token(f"T{n}", value=n) for n in range(SHOWN + 40)))
    tokens = await looking(driver)
    assert (len(tokens.get_value("rows")), tokens.get_value("rows")[0][2], tokens.more) == (SHOWN, f"T{SHOWN + 39}", 40)


async def test_a_picture_comes_through_our_server(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin(iconUrl="https://pictures.example/eth.png"))
    (row,) = (await looking(driver)).get_value("rows")
    assert row[6].startswith("/images/remote/")


async def test_what_cannot_be_read_is_said(driver: Driver, deployed: Deployment) -> None:
    served(deployed).failure = DOWN
    tokens = await looking(driver)
    assert (tokens.phase, (await driver.state(ToastState)).message) == ("unavailable", BALANCE_UNAVAILABLE)


async def test_what_cannot_be_read_again_stays_with_its_age(driver: Driver, deployed: Deployment) -> None:
    clock = MovableClock()
    service = served(deployed, coin(), clock=clock)
    await looking(driver)
    read = int(clock.now().timestamp() * 1000)
    service.failure = DOWN
    clock.advance(31)
    await driver.fire(TokensState.refresh_all)
    tokens = await driver.state(TokensState)
    assert (await symbols(driver), tokens.phase, tokens.as_of) == (["ETH"], "known", read)


async def test_the_age_of_what_was_found_the_same_is_at_most_two_minutes_too_long(
    driver: Driver, deployed: Deployment
) -> None:
    clock = MovableClock()
    service = served(deployed, coin(), clock=clock)
    await looking(driver)
    clock.advance(READ_GAP + 1)
    await driver.fire(TokensState.refresh_all)
    noted = int(clock.now().timestamp() * 1000)
    clock.advance(31)
    await driver.fire(TokensState.refresh_all)
    service.failure = DOWN
    clock.advance(31)
    await driver.fire(TokensState.refresh_all)
    assert (await driver.state(TokensState)).as_of == noted


async def test_what_can_be_read_again_has_no_age_any_more(driver: Driver, deployed: Deployment) -> None:
    clock = MovableClock()
    service = served(deployed, coin(), clock=clock)
    await looking(driver)
    service.failure = DOWN
    clock.advance(31)
    await driver.fire(TokensState.refresh_all)
    service.failure = None
    clock.advance(31)
    await driver.fire(TokensState.refresh_all)
    assert (await driver.state(TokensState)).as_of == 0


async def test_a_failure_that_lasts_is_said_once(driver: Driver, deployed: Deployment) -> None:
    clock = MovableClock()
    served(deployed, clock=clock).failure = DOWN
    await looking(driver)
    said = (await driver.state(ToastState)).serial
    for _ in range(3):
        clock.advance(31)
        await driver.fire(TokensState.refresh_all)
    assert (said, (await driver.state(ToastState)).serial) == (1, 1)


async def test_an_unsupported_network_is_asked_nowhere(driver: Driver, deployed: Deployment) -> None:
    service = served(deployed, coin())
    tokens = await looking(driver, chain="1337")
    assert (tokens.phase, service.asked) == ("unavailable", [])


async def test_another_account_never_shows_the_tokens_of_the_one_before(driver: Driver, deployed: Deployment) -> None:
    service = served(deployed, coin())
    await looking(driver)
    service.failure = DOWN
    await driver.tell(sessions={"eip155": session(OTHER)})
    await silent(driver)
    deployed.clock = MovableClock()
    await driver.fire(TokensState.refresh_all)
    tokens = await driver.state(TokensState)
    assert (tokens.of, tokens.phase, tokens.get_value("rows")) == (f"eip155:1:{OTHER}", "unavailable", [])


async def test_nothing_is_sent_when_nothing_has_changed(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin())
    await looking(driver)
    driver.deltas.clear()
    await driver.fire(TokensState.refresh_all)
    assert [delta for delta in driver.deltas if TokensState.get_full_name() in delta] == []


async def test_after_a_transaction_everything_is_refresh_after_transaction(
    driver: Driver, deployed: Deployment
) -> None:
    service = served(deployed, coin())
    await looking(driver)
    service.asked.clear()
    async with driver.changing(TokensState) as tokens:
        followups = await refresh_after_transaction(tokens)
    for followup in followups:
        await driver.fire(followup)
    assert service.asked == [("eip155:1", ADDRESS, (f"eip155:1:0x{'e' * 40}",))]


async def test_looking_reads_the_coin_and_the_tokens(driver: Driver, deployed: Deployment) -> None:
    service = served(deployed, coin())
    await driver.connect()
    await silent(driver)
    await driver.fire(TokensState.refresh_all)
    assert (len(service.asked), (await driver.account()).balance_state) == (1, "known")


async def test_without_an_account_nobody_is_asked(driver: Driver, deployed: Deployment) -> None:
    service = served(deployed, coin())
    await driver.load()
    await driver.fire(TokensState.refresh_all)
    await driver.fire(TokensState.refresh_all)
    assert service.asked == []


@pytest.mark.usefixtures("every_chain")
async def test_the_tokens_of_a_solana_account_are_read(driver: Driver, deployed: Deployment) -> None:
    service = served(deployed, coin())
    await driver.load(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)})
    await driver.fire(TokensState.refresh_all)
    assert [(chain, address) for chain, address, _ in service.asked] == [(SOLANA, SOL)]


@pytest.mark.usefixtures("every_chain")
async def test_a_bitcoin_account_has_no_tokens(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin())
    await driver.load(wallets=WALLETS, sessions={"bip122": told(BITCOIN, BTC)})
    assert await holder(await driver.state(ActiveState)) is None


# A wallet that knows its tokens itself

CAPABLE = {"0x1": {"assetDiscovery": {"supported": True}}}
METADATA = {"name": "Told", "symbol": "TOLD", "decimals": 6, "price": 2, "iconUrl": "", "value": 3}
ASSETS = {"0x1": [{"address": "native", "balance": "0x16e360", "type": "NATIVE", "metadata": METADATA}]}


async def answered(driver: Driver, **answers: Any) -> list[str]:
    """Reads the tokens while the wallet answers by method, None with an error; which methods it was asked."""
    reading = asyncio.create_task(driver.fire(TokensState.refresh_all))
    asked: list[str] = []
    async with patience():
        while not reading.done():
            await asyncio.sleep(0)
            for command in await driver.commands("wallet.request"):
                method = command["params"]["method"]
                asked.append(method)
                if answers.get(method) is None:
                    await driver.reply(command, code=-32601, message="no such method")
                else:
                    await driver.reply(command, value=answers[method])
    await reading
    return asked


async def test_a_wallet_that_knows_its_tokens_is_believed(driver: Driver, deployed: Deployment) -> None:
    service = served(deployed, coin())
    await driver.connect()
    await answered(driver, wallet_getCapabilities=CAPABLE, wallet_getAssets=ASSETS)
    assert (await symbols(driver), service.asked) == (["TOLD"], [])


async def test_a_wallet_that_does_not_is_asked_once(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin())
    await driver.connect()
    first = await answered(driver)
    second = await answered(driver, wallet_getCapabilities=CAPABLE)
    assert (first, second, await symbols(driver)) == (["wallet_getCapabilities"], [], ["ETH"])


async def test_a_wallet_is_asked_again_after_30_seconds(driver: Driver, deployed: Deployment) -> None:
    clock = MovableClock()
    served(deployed, coin(), clock=clock)
    await driver.connect()
    answers: dict[str, Any] = {"wallet_getCapabilities": CAPABLE, "wallet_getAssets": ASSETS}
    await answered(driver, **answers)
    at_once = await answered(driver, **answers)
    clock.advance(31)
    later = await answered(driver, **answers)
    assert (at_once, later) == ([], ["wallet_getCapabilities", "wallet_getAssets"])


async def test_pictures_that_a_wallet_names_are_not_fetched(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin())
    await driver.connect()
    tracked = {**METADATA, "iconUrl": "https://tracker.example/pixel.png"}
    assets = {"0x1": [{"address": "native", "balance": "0x1", "type": "NATIVE", "metadata": tracked}]}
    await answered(driver, wallet_getCapabilities=CAPABLE, wallet_getAssets=assets)
    assert (await driver.state(TokensState)).get_value("rows")[0][6] == ""


async def test_a_paired_phone_is_not_asked(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin())
    await driver.load(sessions={"eip155": {**session(), "connector": "walletConnect"}})
    assert await answered(driver) == []


async def test_a_question_to_the_wallet_does_not_stay_behind(driver: Driver, deployed: Deployment) -> None:
    served(deployed, coin())
    await driver.connect()
    await answered(driver, wallet_getCapabilities=CAPABLE, wallet_getAssets="nonsense")
    assert ((await driver.state(BridgeState)).get_value("_records"), await driver.commands()) == ({}, [])


async def test_a_final_transaction_has_everything_refresh_after_transaction(
    driver: Driver, deployed: Deployment
) -> None:
    service = served(deployed, coin())
    await looking(driver)
    service.asked.clear()
    async with driver.changing(ActiveState) as state:
        followups = await refresh_after_transaction(state)
    for followup in followups:
        await driver.fire(followup)
    assert len(service.asked) == 1
