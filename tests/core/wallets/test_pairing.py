"""What a pairing proposes to a wallet, and what its errors mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from walletmodal.core.protocol.options import ProviderOverride, read_options
from walletmodal.core.text.texts import (
    PAIRING_EXPIRED,
    PAIRING_FAILED,
    PAIRING_INTERRUPTED,
    PAIRING_UNSUITED,
    RELAY_REFUSED,
    RELAY_WRONG_TIME,
    WALLET_DECLINED,
)
from walletmodal.core.wallets.pairing import Host, pairing_failure, proposal

SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
BITCOIN = "bip122:000000000019d6689c085ae165831e93"
HOST = Host("Shop", "Sells things", "https://shop.example", ("https://shop.example/icon.png",))


def override(**parts: Any) -> ProviderOverride:
    """The host's override, read as it comes from the host."""
    read = read_options({"universalProviderConfigOverride": parts})
    assert read.warnings == ()
    return read.options.universal_provider_config_override


def test_every_network_is_proposed_under_its_namespace() -> None:
    proposed = proposal(["eip155:1", SOLANA, "eip155:137", BITCOIN], HOST)["namespaces"]
    assert {namespace: entry["chains"] for namespace, entry in proposed.items()} == {
        "eip155": ["eip155:1", "eip155:137"],
        "solana": [SOLANA],
        "bip122": [BITCOIN],
    }


@pytest.mark.parametrize(
    ("network", "method"),
    [
        ("eip155:1", "wallet_sendCalls"),
        (SOLANA, "solana_signAndSendTransaction"),
        (BITCOIN, "signPsbt"),
        ("polkadot:91b171bb158e2d3848fa23a9f1c25182", "polkadot_signMessage"),
    ],
)
def test_each_namespace_has_methods_of_its_own(network: str, method: str) -> None:
    (entry,) = proposal([network], HOST)["namespaces"].values()
    assert method in entry["methods"]
    assert entry["events"] == ["accountsChanged", "chainChanged"]


def test_the_active_network_comes_first() -> None:
    (entry,) = proposal(["eip155:1", "eip155:10", "eip155:137"], HOST, preferred="eip155:137")["namespaces"].values()
    assert entry["chains"] == ["eip155:137", "eip155:1", "eip155:10"]


def test_the_hosts_default_comes_before_the_active_network() -> None:
    own = override(defaultChain="eip155:10")
    proposed = proposal(["eip155:1", "eip155:10", "eip155:137"], HOST, override=own, preferred="eip155:137")
    assert proposed["namespaces"]["eip155"]["chains"] == ["eip155:10", "eip155:137", "eip155:1"]


def test_an_override_takes_the_place_of_one_namespaces_list_alone() -> None:
    own = override(methods={"eip155": ["personal_sign"]}, events={"solana": []}, chains={"eip155": ["eip155:5"]})
    proposed = proposal(["eip155:1", SOLANA], HOST, override=own)["namespaces"]
    assert proposed["eip155"]["methods"] == ["personal_sign"]
    assert proposed["eip155"]["chains"] == ["eip155:5"]
    assert proposed["solana"]["events"] == []
    assert "solana_signMessage" in proposed["solana"]["methods"]


def test_a_proposal_is_json_of_a_few_hundred_characters_for_each_namespace() -> None:
    assert len(json.dumps(proposal(["eip155:1", SOLANA, BITCOIN], HOST))) < 2_000


def test_the_wallet_is_told_who_asks() -> None:
    assert proposal(["eip155:1"], HOST)["metadata"] == {
        "name": "Shop",
        "description": "Sells things",
        "url": "https://shop.example",
        "icons": ["https://shop.example/icon.png"],
    }


def test_a_nameless_host_goes_by_its_origin() -> None:
    assert (
        proposal(["eip155:1"], Host("", "", "https://shop.example", ()))["metadata"]["name"] == "https://shop.example"
    )


@pytest.mark.parametrize("icon", ["", "data:image/png;base64,AAAA", "http://shop.example/icon.png", "javascript:1"])
def test_an_icon_that_a_phone_cannot_fetch_is_left_out(icon: str) -> None:
    assert proposal(["eip155:1"], Host("Shop", "", "https://shop.example", (icon,)))["metadata"]["icons"] == []


@pytest.mark.parametrize(
    ("part", "value", "problem"),
    [
        ("methods", {"eip155": ["no spaces allowed"]}, "methods"),
        ("methods", {"evil": ["personal_sign"]}, "methods"),
        ("chains", {"eip155": ["eip155"]}, "chains"),
        ("chains", {"eip155": [SOLANA]}, "chains"),
        ("events", "all", "events"),
        ("defaultChain", "1", "defaultChain"),
        ("rpcMap", {"eip155:1": "https://rpc.example"}, "rpcMap"),
    ],
)
def test_a_wrong_part_of_the_override_is_dropped_with_a_warning(part: str, value: object, problem: str) -> None:
    read = read_options({"universalProviderConfigOverride": {part: value, "events": value if part == "events" else {}}})
    assert [warning.split(":")[0] for warning in read.warnings] == [f"universalProviderConfigOverride.{problem}"]
    assert read.options.universal_provider_config_override == ProviderOverride()


@pytest.mark.parametrize(
    ("code", "message", "text", "alert"),
    [
        (4001, "", WALLET_DECLINED, None),
        (5000, "", WALLET_DECLINED, None),
        (5003, "", WALLET_DECLINED, None),
        (-32603, "User rejected the request", WALLET_DECLINED, None),
        (5104, "", PAIRING_UNSUITED, None),
        (-32002, "", PAIRING_EXPIRED, None),
        (-32603, "Session proposal EXPIRED", PAIRING_EXPIRED, None),
        (-1, "orphaned", PAIRING_INTERRUPTED, None),
        (-32603, "WebSocket connection failed", PAIRING_FAILED, None),
        (3000, "WebSocket closed: Unauthorized: origin not allowed", RELAY_REFUSED, "INVALID_APP_CONFIGURATION"),
        (3000, "Unauthorized: invalid key", RELAY_REFUSED, "INVALID_PROJECT_ID"),
        (4001, "Unauthorized: invalid key", RELAY_REFUSED, "INVALID_PROJECT_ID"),
        (0, "JWT validation error: JWT Token is not yet valid", RELAY_WRONG_TIME, "JWT_TOKEN_NOT_VALID"),
    ],
)
def test_what_an_error_means(code: int, message: str, text: str, alert: str | None) -> None:
    failure = pairing_failure(code, message)
    assert (failure.text, failure.alert) == (text, alert)
