"""Lists of wallets: filters, duplicates, recents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.listed import BROWSER, METAMASK, Listed, way
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.protocol.snapshots import RecentWallet
from walletmodal.core.wallets.connectors import Connector, merge_connectors
from walletmodal.core.wallets.directory import parse_wallet_listing
from walletmodal.core.wallets.lists import (
    in_hosts_order,
    not_shown_yet,
    reachable_by_link,
    recents_shown,
    serving,
    unique,
)

LANTERN, RIVER, MAPLE = (
    Listed("1", "Lantern", "example.lantern"),
    Listed("2", "River", "example.river"),
    Listed("3", "Maple"),
)
SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
WALLETS = st.lists(
    st.builds(
        Listed,
        st.sampled_from("abcdef"),
        st.sampled_from(["x", "y", "z"]),
        st.sampled_from([None, "", "io.a", "io.b", "io.c"]),
    ),
    max_size=8,
)


def test_the_first_of_each_id_is_kept_in_order() -> None:
    again = Listed("1", "Impostor")
    assert unique([LANTERN, RIVER], [again, MAPLE, MAPLE]) == (LANTERN, RIVER, MAPLE)


@pytest.mark.parametrize(
    ("chains", "namespace", "requested", "kept"),
    [
        (("eip155:1",), "eip155", ["eip155:1"], True),
        (("eip155:1",), "eip155", ["eip155:10", "eip155:137"], False),
        (("eip155:10",), "eip155", ["eip155:1"], False),
        (("eip155:137", SOLANA), "solana", ["eip155:1", SOLANA], True),
        (("eip155:1",), "solana", ["eip155:1", SOLANA], False),
        ((SOLANA,), "eip155", ["eip155:1", SOLANA], False),
        ((), "eip155", ["eip155:1"], False),
        (("eip155:1",), "eip155", [], False),
        (("eip155:",), "eip155", ["eip155:1"], False),
    ],
)
def test_a_namespace_keeps_the_wallets_of_its_requested_networks(
    chains: tuple[str, ...], namespace: Namespace, requested: list[str], kept: bool
) -> None:
    wallet = Listed("1", chains=chains)
    assert serving([wallet], namespace, requested) == ((wallet,) if kept else ())


@given(st.integers(1, 200), st.integers(1, 200))
def test_network_ids_are_compared_whole(served: int, requested: int) -> None:
    wallet = Listed("1", chains=(f"eip155:{served}",))
    assert bool(serving([wallet], "eip155", [f"eip155:{requested}"])) is (served == requested)


@pytest.mark.parametrize(
    ("wallet", "kept"),
    [
        (Listed("1", mobile_link="lantern://"), True),
        (Listed("1", desktop_link="lantern://"), True),
        (Listed("1", webapp_link="https://lantern.example"), True),
        (Listed("1", mobile_link="", desktop_link=None), False),
    ],
)
def test_without_adapters_a_wallet_needs_a_link(wallet: Listed, kept: bool) -> None:
    assert reachable_by_link([wallet]) == ((wallet,) if kept else ())


@pytest.mark.parametrize(
    "shown",
    [
        way("x", "ANNOUNCED", explorer_id="1"),
        way("x", "ANNOUNCED", rdns="example.lantern"),
        way("x", "ANNOUNCED", rdns="Example.Lantern"),
        way("x", "INJECTED", explorer_id="1"),
        way("x", "INJECTED", rdns="example.lantern"),
    ],
)
def test_a_wallet_that_is_installed_is_not_recommended(shown: Connector) -> None:
    assert not_shown_yet([LANTERN, RIVER], [shown], []) == (RIVER,)


@pytest.mark.parametrize("recent", [Listed("1"), Listed("x", "y", "example.lantern")])
def test_a_wallet_that_was_used_is_not_recommended(recent: Listed) -> None:
    assert not_shown_yet([LANTERN, RIVER], [], [recent]) == (RIVER,)


@pytest.mark.parametrize(
    "other",
    [
        way("x", "EXTERNAL", explorer_id="1"),
        way("x", "WALLET_CONNECT", explorer_id="1"),
        way("x", "AUTH", explorer_id="1"),
    ],
)
def test_other_connectors_hide_no_wallet(other: Connector) -> None:
    assert not_shown_yet([LANTERN], [other], []) == (LANTERN,)


def test_the_members_of_a_merged_connector_count() -> None:
    merged = merge_connectors([way("a", name="Lantern"), way("b", name="Lantern", chain="solana", explorer_id="1")])
    assert not_shown_yet([LANTERN], merged, []) == ()


def test_without_announcements_the_rdns_of_a_connector_says_nothing() -> None:
    shown = way("x", rdns="example.lantern")
    assert not_shown_yet([LANTERN], [shown], [], announcements=False) == (LANTERN,)


@pytest.mark.parametrize(("mobile", "kept"), [(True, 0), (False, 1)])
def test_metamask_has_another_rdns_on_phones(mobile: bool, kept: int) -> None:
    listed = Listed("9", "MetaMask", "io.metamask.mobile")
    assert len(not_shown_yet([listed], [METAMASK], [], mobile=mobile)) == kept


def test_wallets_without_rdns_are_not_each_others_duplicates() -> None:
    assert not_shown_yet([MAPLE], [BROWSER], [Listed("9", "Other"), Listed("8", "Other", "")]) == (MAPLE,)


@given(WALLETS, WALLETS)
def test_what_is_left_stands_nowhere_else(wallets: list[Listed], recents: list[Listed]) -> None:
    left = not_shown_yet(wallets, [], recents)
    ids, rdns = {r.id for r in recents}, {r.rdns for r in recents if r.rdns}
    assert left == tuple(w for w in wallets if w.id not in ids and w.rdns not in rdns)


def test_featured_wallets_stand_in_the_hosts_order() -> None:
    assert in_hosts_order([LANTERN, RIVER, MAPLE], ["3", "9", "1", "3"]) == (MAPLE, LANTERN, RIVER)


@pytest.mark.parametrize(
    "entry",
    [
        way("1"),
        way("x", explorer_id="1"),
        way("x", name="LANTERN"),
        way("x", rdns="example.lantern"),
    ],
)
def test_a_recent_wallet_that_is_a_connector_is_not_listed_twice(entry: Connector) -> None:
    assert recents_shown([LANTERN, RIVER], [entry]) == (RIVER,)


def test_stored_recents_are_cut_and_never_repeated() -> None:
    stored = [RecentWallet(id=number, name=f"w{number}", rdns="") for number in ("1", "1", "2", "3")]
    assert [recent.id for recent in recents_shown(stored, [BROWSER])] == ["1", "2"]


def test_wallets_of_the_directory_go_through_every_filter() -> None:
    listing = parse_wallet_listing(
        {"id": "1", "name": "Lantern", "chains": ["eip155:1"], "mobile_link": "lantern://", "rdns": "example.lantern"}
    )
    kept = reachable_by_link(serving(not_shown_yet([listing], [], []), "eip155", ["eip155:1"]))
    assert kept == (listing,)
