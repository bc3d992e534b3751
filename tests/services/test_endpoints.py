"""Which URL a network has."""

import httpx
import pytest

from walletmodal.core.caip import parse_chain_id
from walletmodal.core.errors import UrlRequiredError
from walletmodal.services.rpc import RpcEndpoints

MAINNET, POLYGON = parse_chain_id("eip155:1"), parse_chain_id("eip155:137")


async def test_the_gateway_gets_chain_and_project(client: httpx.AsyncClient) -> None:
    endpoints = RpcEndpoints(client, gateway="http://localhost:8700/rpc", project_id="p1")
    assert endpoints.url(MAINNET) == "http://localhost:8700/rpc/v1/?chainId=eip155:1&projectId=p1"


async def test_no_project_id_is_sent_when_there_is_none(client: httpx.AsyncClient) -> None:
    assert RpcEndpoints(client, gateway="https://g.example/").url(MAINNET) == "https://g.example/v1/?chainId=eip155:1"


async def test_an_override_wins_for_its_network_only(client: httpx.AsyncClient) -> None:
    endpoints = RpcEndpoints(client, gateway="https://g.example", overrides={"eip155:1": "https://eth.example/k"})
    assert (endpoints.url(MAINNET), endpoints.url(POLYGON)) == (
        "https://eth.example/k",
        "https://g.example/v1/?chainId=eip155:137",
    )


async def test_without_any_url_the_setting_is_named(client: httpx.AsyncClient) -> None:
    with pytest.raises(UrlRequiredError) as raised:
        RpcEndpoints(client).transport(MAINNET)
    assert "RPC_URL" in raised.value.details


async def test_a_network_has_one_transport(client: httpx.AsyncClient) -> None:
    endpoints = RpcEndpoints(client, gateway="https://g.example")
    assert endpoints.transport(MAINNET) is endpoints.transport(MAINNET)


async def test_a_chain_that_is_in_no_table_leaves_nothing_behind(client: httpx.AsyncClient) -> None:
    endpoints, made_up = RpcEndpoints(client, gateway="https://g.example"), parse_chain_id("eip155:424242424242")
    assert endpoints.transport(made_up) is not endpoints.transport(made_up)
