"""Merging, finding and hiding connectors."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.listed import BROWSER, METAMASK, PAIRING, Listed, way
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.wallets.announced import Wallet
from walletmodal.core.wallets.connectors import (
    Connector,
    Exclusions,
    auth_connector,
    browser_connector,
    connector,
    connector_for,
    connectors_of,
    exclusions,
    find_connector,
    merge_connectors,
    of_namespace,
    shows_connector,
)
from walletmodal.core.wallets.directory import parse_wallet_listing

PHANTOM_EVM = way("app.phantom", name="Phantom", rdns="app.phantom")
PHANTOM_SOLANA = way("Phantom", name="Phantom", chain="solana")
AUTH_EVM = way("ID_AUTH", "AUTH", "Auth")
AUTH_SOLANA = way("ID_AUTH", "AUTH", "Auth", chain="solana")
CONNECTORS = st.builds(
    way,
    st.sampled_from(["a", "b", "ID_AUTH", "injected"]),
    st.sampled_from(["ANNOUNCED", "INJECTED", "EXTERNAL", "AUTH", "WALLET_CONNECT"]),
    st.sampled_from(["Trust", "Trust Wallet", "Phantom", "MetaMask"]),
    chain=st.sampled_from(NAMESPACES),
    rdns=st.sampled_from(["", "io.metamask", "app.phantom"]),
)


@pytest.mark.parametrize(
    ("connector_id", "name", "explorer", "rdns"),
    [
        ("walletConnect", "WalletConnect", "", ""),
        ("injected", "Browser Wallet", "", ""),
        ("coinbaseWallet", "Coinbase", "fd20dc42", "com.coinbase.wallet"),
        ("coinbaseWalletSDK", "Coinbase", "fd20dc42", "com.coinbase.wallet"),
        ("safe", "Safe", "225affb1", ""),
        ("ledger", "Ledger", "19177a98", ""),
    ],
)
def test_a_known_connector_has_its_name_directory_id_and_rdns(
    connector_id: str, name: str, explorer: str, rdns: str
) -> None:
    made = connector(connector_id, "EXTERNAL", "eip155")
    assert (made.name, made.explorer_id[:8], made.rdns) == (name, explorer, rdns)


def test_a_known_name_has_its_directory_id() -> None:
    assert connector("x", "ANNOUNCED", "solana", name="Phantom").explorer_id[:8] == "a797aa35"


def test_a_wallet_is_a_connector_on_each_of_its_namespaces() -> None:
    wallet = Wallet(
        id="app.phantom",
        namespaces=("eip155", "solana"),
        type="ANNOUNCED",
        name="Phantom",
        icon="i",
        rdns="app.phantom",
    )
    made = connectors_of(wallet)
    assert [(c.id, c.chain, c.rdns, c.image_url) for c in made] == [
        ("app.phantom", "eip155", "app.phantom", "i"),
        ("app.phantom", "solana", "app.phantom", "i"),
    ]


def test_one_name_on_two_namespaces_is_one_connector() -> None:
    (merged,) = merge_connectors([PHANTOM_EVM, PHANTOM_SOLANA])
    assert (merged.type, merged.id, merged.name, merged.members) == (
        "MULTI_CHAIN",
        "app.phantom",
        "Phantom",
        (PHANTOM_EVM, PHANTOM_SOLANA),
    )


def test_a_way_without_a_picture_has_that_of_the_wallet() -> None:
    pictured = replace(PHANTOM_EVM, image_url="data:image/png;base64,AA")
    merged = merge_connectors([PHANTOM_SOLANA, pictured])[0]
    assert {entry.image_url for entry in (merged, *merged.members)} == {pictured.image_url}


def test_one_name_on_one_namespace_is_the_first_connector() -> None:
    first, second = way("unisat", name="UniSat", chain="bip122"), way("UniSat", name="UniSat", chain="bip122")
    assert merge_connectors([first, second]) == (first,)


COINBASE = connector("coinbaseWallet", "EXTERNAL", "eip155")


@pytest.mark.parametrize("first", [True, False], ids=["found first", "found last"])
@pytest.mark.parametrize(
    "forged",
    [
        way("io.forged", name="Coinbase", rdns="io.forged"),
        way("7f0c6b5e-2a1d-4c3b-8e9f-0a1b2c3d4e5f", name="Coinbase"),
        way("com.coinbase.wallet", name="Coinbase", rdns="com.coinbase.wallet"),
        way("coinbaseWallet", name="Coinbase", rdns="com.coinbase.wallet"),
        way("injected", "INJECTED", "Coinbase"),
        way("Coinbase", name="Coinbase", chain="solana"),
    ],
    ids=["another rdns", "no rdns", "its rdns", "its id", "window.ethereum", "another namespace"],
)
def test_no_announcement_hides_a_connector_of_the_host(forged: Connector, first: bool) -> None:
    merged = merge_connectors([forged, COINBASE] if first else [COINBASE, forged])
    assert set(merged) == {forged, COINBASE}


def test_connectors_of_the_host_on_two_namespaces_are_one_wallet() -> None:
    solana = way("host-solana", "EXTERNAL", "Coinbase", chain="solana")
    (merged,) = merge_connectors([COINBASE, solana])
    assert merged.members == (COINBASE, solana)


FLASK = way("io.flask", name="MetaMask", rdns="io.flask")


def test_one_name_of_two_rdns_is_two_wallets() -> None:
    assert merge_connectors([METAMASK, FLASK]) == (METAMASK, FLASK)


@pytest.mark.parametrize("rdns", ["", "io.metamask", "IO.MetaMask"])
def test_a_wallet_cannot_take_the_place_of_its_namesake(rdns: str) -> None:
    forged = way("9c1a3a3e-5d0f-4b8e-9a7e-2f1b6f4d1a01", name="MetaMask", rdns=rdns)
    assert merge_connectors([forged, METAMASK]) == (forged, METAMASK)


def test_a_wallet_that_has_a_namesake_keeps_its_namespaces() -> None:
    forged = way("9c1a3a3e-5d0f-4b8e-9a7e-2f1b6f4d1a01", name="MetaMask")
    solana = way("io.metamask", name="MetaMask", chain="solana", rdns="io.metamask")
    merged = merge_connectors([forged, METAMASK, solana])
    assert [c.each() for c in merged] == [(forged,), (METAMASK, solana)]


def test_a_wallet_is_not_merged_with_one_that_took_its_name() -> None:
    flask_solana = way("io.flask", name="MetaMask", chain="solana", rdns="io.flask")
    nameless = way("MetaMask", name="MetaMask", chain="solana")
    merged = merge_connectors([FLASK, METAMASK, nameless, flask_solana])
    assert [[member.id for member in c.each()] for c in merged] == [["io.flask", "MetaMask"], ["io.metamask"]]


def test_the_embedded_wallet_stays_what_it_is_when_merged() -> None:
    assert merge_connectors([AUTH_EVM, AUTH_SOLANA])[0].type == "AUTH"


def test_trust_wallet_goes_by_two_names() -> None:
    trust = [way("a", name="Trust"), way("b", name="Trust Wallet", chain="solana")]
    assert [c.type for c in merge_connectors(trust)] == ["MULTI_CHAIN"]


def test_a_connector_without_a_name_is_left_out() -> None:
    assert merge_connectors([Connector("a", "ANNOUNCED", "", "eip155")]) == ()


@given(st.lists(CONNECTORS, max_size=8))
def test_merging_keeps_every_name_and_merges_nothing_twice(connectors: list[Connector]) -> None:
    merged = merge_connectors(connectors)
    assert merge_connectors(merged) == merged
    assert {c.name for c in merged} <= {c.name for c in connectors}
    assert all(len({member.chain for member in c.members}) == len(c.members) != 1 for c in merged)


def test_a_namespace_shows_its_own_connectors_only() -> None:
    merged = merge_connectors([PHANTOM_EVM, PHANTOM_SOLANA, METAMASK])
    assert of_namespace(merged, "solana") == (PHANTOM_SOLANA,)


@pytest.mark.parametrize(("namespace", "found"), [("eip155", AUTH_EVM), ("solana", AUTH_SOLANA), ("bip122", None)])
def test_the_embedded_wallet_of_a_namespace(namespace: Namespace, found: Connector | None) -> None:
    assert auth_connector(merge_connectors([METAMASK, AUTH_EVM, AUTH_SOLANA]), namespace) == found


def test_a_single_embedded_wallet_serves_all() -> None:
    assert auth_connector([AUTH_EVM], "solana") == AUTH_EVM


def test_without_an_embedded_wallet_there_is_none() -> None:
    assert auth_connector([METAMASK], "eip155") is None


@pytest.mark.parametrize("wallet", [Listed("c57c"), Listed("x", rdns="io.metamask"), Listed("x", rdns="IO.MetaMask")])
def test_a_listed_wallet_is_found_by_directory_id_or_rdns(wallet: Listed) -> None:
    assert connector_for(wallet, [BROWSER, METAMASK], "eip155") == METAMASK


@pytest.mark.parametrize("wallet", [Listed("x"), Listed("x", rdns=""), Listed("", rdns=None), Listed("io.metamask")])
def test_a_wallet_without_rdns_is_not_taken_for_a_connector_without_one(wallet: Listed) -> None:
    assert connector_for(wallet, [BROWSER, PAIRING, METAMASK], "eip155") is None


def test_a_connector_that_took_a_name_is_not_taken_for_the_wallet() -> None:
    impostor = connector("evil", "ANNOUNCED", "eip155", name="MetaMask", rdns="evil.example")
    wallet = Listed(impostor.explorer_id, "MetaMask", "io.metamask")
    assert connector_for(wallet, [impostor, METAMASK], "eip155") == METAMASK
    assert browser_connector(wallet, [impostor], "eip155") is None


def test_metamask_of_phones_is_metamask() -> None:
    mobile = way("io.metamask.mobile", name="MetaMask", rdns="io.metamask.mobile")
    assert connector_for(Listed("c57c", "MetaMask", "io.metamask"), [mobile], "eip155") == mobile


def test_a_connector_of_another_namespace_is_not_found() -> None:
    assert connector_for(Listed("c57c"), [METAMASK], "solana") is None


def test_a_wallet_of_the_directory_is_found_among_merged_connectors() -> None:
    listing = parse_wallet_listing({"id": "x", "name": "Phantom", "rdns": "app.phantom"})
    assert connector_for(listing, merge_connectors([PHANTOM_EVM, PHANTOM_SOLANA]), "eip155") == PHANTOM_EVM


@pytest.mark.parametrize(
    ("wallet", "found"),
    [
        (Listed("c57c", "x"), METAMASK),
        (Listed("x", "y", "io.metamask"), METAMASK),
        (Listed("x", "metamask"), METAMASK),
        (Listed("x", "Lantern", "example.lantern"), None),
        (Listed("x", ""), None),
    ],
)
def test_the_browser_pane_asks_the_wallet_itself_and_never_another(wallet: Listed, found: Connector | None) -> None:
    assert browser_connector(wallet, [BROWSER, PAIRING, METAMASK], "eip155") == found


INJECTED = way("injected", "INJECTED", "Lantern", explorer_id="9f1c")
WITH_RDNS = way("injected", "INJECTED", "Lantern", rdns="example.lantern")


@pytest.mark.parametrize(
    ("entry", "mobile", "provider", "shown"),
    [
        (BROWSER, False, True, False),
        (BROWSER, True, True, True),
        (BROWSER, True, False, False),
        (INJECTED, False, True, True),
        (INJECTED, False, False, False),
        (WITH_RDNS, False, False, True),
        (METAMASK, False, False, True),
        (PAIRING, False, False, True),
        (way("safe", "EXTERNAL"), False, False, True),
    ],
)
def test_which_connectors_are_shown(entry: Connector, mobile: bool, provider: bool, shown: bool) -> None:
    assert shows_connector(entry, mobile=mobile, provider_injected=provider) is shown


@pytest.mark.parametrize(
    "excluded",
    [
        exclusions(["c57c"]),
        exclusions(["C57C"]),
        exclusions(["IO.metamask"]),
        exclusions(["x"], [Listed("x", "METAMASK")]),
        exclusions(["x"], [Listed("x", "other", "io.MetaMask")]),
    ],
)
def test_an_excluded_wallet_is_hidden_by_identifier_or_name_in_any_case(excluded: Exclusions) -> None:
    assert not shows_connector(METAMASK, mobile=False, provider_injected=True, excluded=excluded)


def test_a_merged_connector_is_hidden_with_any_of_its_members() -> None:
    (merged,) = merge_connectors([PHANTOM_SOLANA, PHANTOM_EVM])
    assert not shows_connector(merged, mobile=False, provider_injected=True, excluded=exclusions(["app.phantom"]))


@pytest.mark.parametrize("excluded", [exclusions([]), exclusions([""]), exclusions(["x"], [Listed("x", "", None)])])
def test_what_is_missing_excludes_nothing(excluded: Exclusions) -> None:
    assert shows_connector(INJECTED, mobile=False, provider_injected=True, excluded=excluded)


def test_pairing_is_not_excluded_by_name() -> None:
    excluded = exclusions(["x"], [Listed("x", "WalletConnect")])
    assert shows_connector(PAIRING, mobile=False, provider_injected=False, excluded=excluded)


@given(st.text(max_size=20), st.data())
def test_case_makes_no_difference_to_an_exclusion(name: str, data: Any) -> None:
    spelled = data.draw(st.sampled_from([name, name.casefold()]))
    assert exclusions([], [Listed("x", spelled)]).match(way("id", name=name)) is (name != "")


@pytest.mark.parametrize("rdns", ["app.phantom", "APP.PHANTOM"])
def test_a_listed_wallet_is_reached_by_the_merged_connector_that_has_its_rdns(rdns: str) -> None:
    merged = merge_connectors([METAMASK, PHANTOM_EVM, PHANTOM_SOLANA])
    found = find_connector(Listed("x", "Another name", rdns), merged)
    assert found is not None
    assert (found.type, found.name) == ("MULTI_CHAIN", "Phantom")


def test_a_wallet_that_no_connector_knows_is_reached_by_none() -> None:
    assert find_connector(Listed("x", "Phantom", "example.evil"), [PHANTOM_EVM]) is None
