"""The stand-in for the other provider's page."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.sandbox.onramp_stage import ACCOUNT, Stage

QUERY = {"publicKey": "sandbox", "walletAddress": ACCOUNT, "destinationCurrencyCode": "USDC"}


async def test_it_leads_to_the_card_page_for_the_account_and_the_currency() -> None:
    async with Stage().client() as client:
        answer = await client.get("/pay/meld", params=QUERY)
    assert answer.status_code == 302
    leads = urlsplit(answer.headers["location"])
    wallets = json.loads(parse_qs(leads.query)["destinationWallets"][0])
    assert leads.path == "/pay/buy/select-asset"
    assert wallets == [{"address": ACCOUNT, "blockchains": [], "assets": ["USDC"]}]


@pytest.mark.parametrize("without", sorted(QUERY))
async def test_without_one_of_its_parameters_it_sells_nothing(without: str) -> None:
    async with Stage().client() as client:
        answer = await client.get("/pay/meld", params={name: value for name, value in QUERY.items() if name != without})
    assert answer.status_code == 400
