"""Networks: the bundled table, and what a host may add."""

from typing import Any

import pytest

from tests.cases import every_case
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.chains.networks import bundled_networks, network, network_from_host
from walletmodal.core.errors import CaipError, NetworkError

HOST_NETWORK: dict[str, Any] = {
    "id": 31337,
    "name": "Local",
    "nativeCurrency": {"name": "Ether", "symbol": "ETH", "decimals": 18},
    "rpcUrls": {"default": {"http": ["http://127.0.0.1:8545"]}},
    "blockExplorers": {"default": {"name": "Scan", "url": "https://scan.example/"}},
    "testnet": True,
    "assets": {"imageUrl": "https://img.example/a.png"},
}


def test_the_whole_table_is_read() -> None:
    assert len(bundled_networks()) == 71


def test_every_network_stands_under_its_own_id() -> None:
    assert all(str(parse_chain_id(key)) == row.caip_network_id == key for key, row in bundled_networks().items())


def test_a_network_is_found_by_its_id() -> None:
    found = network("eip155:137")
    assert (found.name, found.native_currency.symbol, found.native_currency.decimals) == ("Polygon", "POL", 18)


def test_an_unknown_network_is_named() -> None:
    with pytest.raises(NetworkError) as raised:
        network("eip155:31337")
    assert raised.value.short_message == "Network with ID eip155:31337 not found"


def test_what_is_no_id_is_a_caip_error() -> None:
    with pytest.raises(CaipError):
        network("mainnet")


@pytest.mark.parametrize(
    ("caip", "url"),
    [
        ("eip155:1", "https://etherscan.io/address/A"),
        ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "https://solscan.io/account/A"),
        ("bip122:000000000019d6689c085ae165831e93", None),
        ("polkadot:91b171bb158e2d3848fa23a9f1c25182", "https://polkadot.subscan.io/account/A"),
    ],
)
def test_the_explorer_page_of_an_address(caip: str, url: str | None) -> None:
    assert network(caip).explorer_address_url("A") == url


def test_a_wallet_is_asked_to_add_a_chain_as_eip_3085_says() -> None:
    assert network("eip155:137").add_chain_parameters() == {
        "chainId": "0x89",
        "chainName": "Polygon",
        "nativeCurrency": {"name": "POL", "symbol": "POL", "decimals": 18},
        "rpcUrls": ["https://polygon-rpc.com"],
        "blockExplorerUrls": ["https://polygonscan.com"],
    }


def test_other_chains_cannot_be_added_to_an_evm_wallet() -> None:
    with pytest.raises(CaipError):
        network("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp").add_chain_parameters()


def test_a_network_of_a_host_is_read_in_the_usual_shape() -> None:
    added = network_from_host(HOST_NETWORK)
    assert (added.caip_network_id, added.rpc, added.explorer_address_url("A"), added.image_url, added.testnet) == (
        "eip155:31337",
        ("http://127.0.0.1:8545",),
        "https://scan.example/address/A",
        "https://img.example/a.png",
        True,
    )


def test_a_network_of_a_host_is_read_in_our_shape() -> None:
    added = network_from_host(
        {
            "caipNetworkId": "solana:abc",
            "name": "Sol",
            "nativeCurrency": {"name": "Sol", "symbol": "SOL", "decimals": 9},
            "rpc": ["https://sol.example"],
            "explorer": {"name": "X", "url": "https://x.example"},
        }
    )
    assert (added.caip_network_id, added.rpc, added.hex_chain_id if added.chain_namespace == "eip155" else "") == (
        "solana:abc",
        ("https://sol.example",),
        "",
    )


def test_a_host_does_not_say_which_services_know_its_network() -> None:
    assert network_from_host({**HOST_NETWORK, "gatewayRpc": True, "swap": True}).gateway_rpc is False


def test_the_name_of_a_network_is_cleaned() -> None:
    assert network_from_host({**HOST_NETWORK, "name": "Lo\u202ecal\n"}).name == "Local"


CURRENCY = HOST_NETWORK["nativeCurrency"]


@every_case(
    ("change", "field"),
    [
        ({"id": None}, "id"),
        ({"id": "0x1"}, "id"),
        ({"id": -1}, "id"),
        ({"id": 1.5}, "id"),
        ({"id": True}, "id"),
        ({"chainNamespace": "near"}, "chainNamespace"),
        ({"caipNetworkId": "nonsense"}, "CAIP-2"),
        ({"name": ""}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"name": "\u202e"}, "name"),
        ({"name": 5}, "name"),
        ({"nativeCurrency": None}, "nativeCurrency"),
        ({"nativeCurrency": {**CURRENCY, "decimals": 37}}, "decimals"),
        ({"nativeCurrency": {**CURRENCY, "decimals": "18"}}, "decimals"),
        ({"nativeCurrency": {**CURRENCY, "symbol": "x" * 13}}, "symbol"),
        ({"rpcUrls": {"default": {"http": ["http://public.example"]}}}, "rpc"),
        ({"rpcUrls": {"default": {"http": ["javascript:alert(1)"]}}}, "rpc"),
        ({"rpcUrls": {"default": {"http": ["https://u:p@a.example"]}}}, "rpc"),
        ({"rpcUrls": {"default": {"http": ["https://a.example"] * 9}}}, "rpc"),
        ({"rpcUrls": {"default": {"http": "https://a.example"}}}, "rpc"),
        ({"blockExplorers": {"default": {"name": "X", "url": "http://x.example"}}}, "explorer"),
        ({"blockExplorers": {"default": "https://x.example"}}, "explorer"),
        ({"assets": {"imageUrl": "data:text/html,x"}}, "imageUrl"),
        ({"assets": {"imageId": "../../x"}}, "imageId"),
        ({"testnet": "yes please"}, "testnet"),
    ],
)
def test_a_wrong_field_of_a_host_is_named(change: dict[str, object], field: str) -> None:
    with pytest.raises(NetworkError, match="Invalid network") as raised:
        network_from_host({**HOST_NETWORK, **change})
    assert field in raised.value.details


@pytest.mark.parametrize("raw", [None, [], "eip155:1", 5])
def test_what_is_no_object_is_refused(raw: object) -> None:
    with pytest.raises(NetworkError):
        network_from_host(raw)
