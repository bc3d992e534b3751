"""The clients of a process, made together."""

from typing import Any

import httpx
import pytest

from tests.services import node as nodes
from tests.services.outside import SUPPORTED, Outside, gives
from tests.services.pictures import PNG
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import ProtocolError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients, ServiceSettings
from walletmodal.services.directory import WalletFilter

ORIGIN = "https://app.example"


def clients(client: httpx.AsyncClient, **changes: Any) -> ServiceClients:
    settings = ServiceSettings(own_origin="https://modal.example", namespaces=("eip155", "solana", "eip155"), **changes)
    return ServiceClients(settings, client, MemoryCache())


async def test_all_clients_ask_in_the_name_of_the_embed(client: httpx.AsyncClient) -> None:
    answers = {
        "/getWallets": gives({"count": 0, "data": []}),
        "/v1/supported-chains": gives(SUPPORTED),
        "/v1/convert/tokens": gives({"tokens": []}),
        "/getWalletImage/x": nodes.send(nodes.http(PNG)),
    }
    async with Outside(answers).running() as outside:
        made = clients(client, project_id="p", directory_url=outside.url, blockchain_url=outside.url)
        caller = made.caller(ORIGIN)
        await made.directory.listed(caller, WalletFilter())
        await made.blockchain.swaps.tokens(caller, parse_chain_id("eip155:1"))
        await made.images.from_directory("wallet", "x")
        await made.close()
    assert {asked.query["sv"] for asked in outside.asked} == {"python-eip155,solana-0.1.0"}
    assert {asked.query["projectId"] for asked in outside.asked} == {"p"}
    assert [asked.headers["origin"] for asked in outside.asked] == [ORIGIN] * 3 + ["https://modal.example"]


async def test_a_deployment_without_services_sends_nothing(client: httpx.AsyncClient) -> None:
    made = clients(client)
    assert not any((made.directory.configured, made.blockchain.configured, made.analytics.configured))
    with pytest.raises(NotConfiguredError):
        await made.directory.listed(made.caller(ORIGIN), WalletFilter())
    await made.close()


@pytest.mark.parametrize(
    ("public", "deployments", "embeds", "alert"),
    [
        (True, "", "", "PROJECT_ID_NOT_CONFIGURED"),
        (True, "p", "", None),
        (True, "", "e", None),
        (False, "", "", None),
    ],
)
async def test_a_public_service_needs_a_project_id(
    client: httpx.AsyncClient, public: bool, deployments: str, embeds: str, alert: str | None
) -> None:
    made = clients(client, public=public, project_id=deployments)
    assert made.alert_at_start(made.caller(ORIGIN, embeds)) == alert
    await made.close()


async def test_the_embeds_own_project_id_wins(client: httpx.AsyncClient) -> None:
    made = clients(client, project_id="p")
    assert made.caller(ORIGIN, "e").project_id == "e"
    await made.close()


async def test_a_caller_without_an_origin_is_refused(client: httpx.AsyncClient) -> None:
    made = clients(client)
    with pytest.raises(ProtocolError):
        made.caller("null")
    await made.close()
