"""The blockchain service against written answers: what goes out, what comes back, what goes wrong."""

from decimal import Decimal

import httpx
import pytest

from tests.services import node as nodes
from tests.services.blockchain_cases import (
    ACCOUNT,
    ALICE,
    ALWAYS,
    CASES,
    FALLBACKS,
    MAINNET,
    NO_ANSWER_READ,
    NOWHERE,
    SOL_ALICE,
    USDC,
)
from tests.services.blockchain_cases import blockchain as blockchain
from tests.services.blockchain_cases import clock as clock
from tests.services.blockchain_cases import impatient as impatient
from tests.services.blockchain_cases import outside as outside
from tests.services.outside import CALLER, SDK, Outside, gives, refuses
from tests.services.outside import client as client
from walletmodal.core.accounts.names import Identity
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.services import NotConfiguredError, ServiceError, UnsupportedServiceNetworkError
from walletmodal.services.blockchain import BlockchainClient
from walletmodal.services.cache import MemoryCache
from walletmodal.services.http import HttpService
from walletmodal.services.lookups import Lookups


@pytest.mark.parametrize("name", CASES)
async def test_each_call_goes_out_as_the_reference_has_it(
    blockchain: BlockchainClient, outside: Outside, name: str
) -> None:
    case = CASES[name]
    outside.answers[case.path] = gives(case.answer)
    await case.ask(blockchain, ACCOUNT)
    asked = outside.last
    assert (asked.method, asked.path) == ("GET" if case.body is None else "POST", case.path)
    assert (asked.query, asked.body) == ({**case.query, **ALWAYS}, case.body)
    assert asked.headers["origin"] == "https://app.example"


@pytest.mark.parametrize("name", CASES)
async def test_on_a_network_that_it_does_not_know_nothing_is_asked(
    blockchain: BlockchainClient, outside: Outside, name: str
) -> None:
    case = CASES[name]
    if isinstance(case.unsupported, ServiceError):
        with pytest.raises(UnsupportedServiceNetworkError, match=case.unsupported.short_message):
            await case.ask(blockchain, NOWHERE)
    else:
        assert await case.ask(blockchain, NOWHERE) == case.unsupported
    assert [asked.path for asked in outside.asked] == ["/v1/supported-chains"]


@pytest.mark.parametrize("name", CASES)
async def test_without_a_service_nothing_is_sent(client: httpx.AsyncClient, name: str) -> None:
    blockchain = BlockchainClient(HttpService(client, "blockchain", None, sdk=SDK), Lookups(MemoryCache()))
    assert not blockchain.configured
    with pytest.raises(NotConfiguredError):
        await CASES[name].ask(blockchain, ACCOUNT)


@pytest.mark.parametrize("name", sorted(set(CASES) - FALLBACKS))
@pytest.mark.parametrize(
    "behaviour",
    [refuses(503), refuses(400, ("x", "y")), nodes.send_and_hang_up(b"")],
    ids=["503", "400", "closed"],
)
async def test_a_failing_service_is_a_typed_error(
    blockchain: BlockchainClient, outside: Outside, name: str, behaviour: nodes.Behaviour
) -> None:
    outside.answers[CASES[name].path] = behaviour
    with pytest.raises(ServiceError):
        await CASES[name].ask(blockchain, ACCOUNT)


@pytest.mark.parametrize("name", sorted(set(CASES) - FALLBACKS - NO_ANSWER_READ))
@pytest.mark.parametrize("answer", [None, 7, "x", [7], {}, {"data": 7, "tx": [], "url": 1, "name": 7}])
async def test_an_answer_of_another_shape_is_a_typed_error_or_says_nothing(
    blockchain: BlockchainClient, outside: Outside, name: str, answer: object
) -> None:
    outside.answers[CASES[name].path] = gives(answer)
    try:
        found = await CASES[name].ask(blockchain, ACCOUNT)
    except ServiceError:
        return
    # An identity and a name without any fields are those of an address and a name that nobody knows.
    assert (name, found) in (("identity", Identity()), ("name", None))


@pytest.mark.parametrize("address", ["", "..", "0x12", "0x" + "g" * 40, ALICE[:-1] + "7", "a/b", SOL_ALICE])
async def test_what_is_no_address_is_never_asked_for(
    blockchain: BlockchainClient, outside: Outside, address: str
) -> None:
    for call in (
        blockchain.accounts.identity(CALLER, MAINNET, address),
        blockchain.accounts.history(CALLER, MAINNET, address),
        blockchain.accounts.balance(CALLER, MAINNET, address),
        blockchain.names.names_of(CALLER, MAINNET, address),
    ):
        with pytest.raises(AddressError):
            await call
    assert outside.asked == []


BAD_PURCHASES = [refuses(404), refuses(500), gives({}), gives(7), nodes.send_and_hang_up(b"")]


async def expect_built_in_options(blockchain: BlockchainClient) -> None:
    options = await blockchain.onramp.options(CALLER, MAINNET)
    limits = options.payment_currencies[0].payment_method_limits
    assert [(limit.id, limit.min, limit.max) for limit in limits] == [
        ("card", Decimal("10.00"), Decimal("7500.00")),
        ("ach_bank_account", Decimal("10.00"), Decimal("25000.00")),
    ]


@pytest.mark.parametrize("behaviour", BAD_PURCHASES)
async def test_without_options_the_built_in_ones_are_offered(
    blockchain: BlockchainClient, outside: Outside, behaviour: nodes.Behaviour
) -> None:
    outside.answers["/v1/onramp/options"] = behaviour
    await expect_built_in_options(blockchain)


async def test_where_no_options_come_the_built_in_ones_are_offered(
    impatient: BlockchainClient, outside: Outside
) -> None:
    outside.answers["/v1/onramp/options"] = nodes.silence
    await expect_built_in_options(impatient)


async def test_the_built_in_options_are_not_kept(blockchain: BlockchainClient, outside: Outside) -> None:
    await blockchain.onramp.options(CALLER, MAINNET)
    outside.answers["/v1/onramp/options"] = gives({"paymentCurrencies": [], "purchaseCurrencies": []})
    assert (await blockchain.onramp.options(CALLER, MAINNET)).payment_currencies == ()


async def expect_mock_quote(blockchain: BlockchainClient) -> None:
    quote = await CASES["onramp quote"].ask(blockchain, ACCOUNT)
    assert quote.is_mock
    parts = (quote.payment_total, quote.payment_subtotal, quote.purchase_amount, quote.coinbase_fee, quote.network_fee)
    assert {(part.amount, part.currency) for part in parts} == {(Decimal(100), "USD")}


@pytest.mark.parametrize("behaviour", BAD_PURCHASES)
async def test_without_a_quote_a_mock_has_the_amount_five_times(
    blockchain: BlockchainClient, outside: Outside, behaviour: nodes.Behaviour
) -> None:
    outside.answers["/v1/onramp/quote"] = behaviour
    await expect_mock_quote(blockchain)


async def test_where_no_quote_comes_a_mock_has_the_amount_five_times(
    impatient: BlockchainClient, outside: Outside
) -> None:
    outside.answers["/v1/onramp/quote"] = nodes.silence
    await expect_mock_quote(impatient)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "http://pay.example", "/buy", "", None])
async def test_a_purchase_page_is_https(blockchain: BlockchainClient, outside: Outside, url: object) -> None:
    outside.answers["/v1/generators/onrampurl"] = gives({"url": url})
    with pytest.raises(ServiceError):
        await CASES["onramp url"].ask(blockchain, ACCOUNT)


async def test_a_swap_that_nobody_offers_has_the_providers_text(blockchain: BlockchainClient, outside: Outside) -> None:
    body = {"code": "insufficient_liquidity", "message": "Insufficient liquidity"}
    outside.answers["/v1/convert/quotes"] = gives(body, status="400 Bad Request")
    with pytest.raises(ServiceError, match="Insufficient liquidity"):
        await CASES["quotes"].ask(blockchain, ACCOUNT)


async def test_the_contract_of_an_approval_is_the_source_token(blockchain: BlockchainClient, outside: Outside) -> None:
    case = CASES["build approval"]
    outside.answers[case.path] = gives(case.answer)
    assert (await case.ask(blockchain, ACCOUNT)).contract == USDC.rpartition(":")[2]
