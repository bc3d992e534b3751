"""What the Connect view lists and in which order."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.listed import BROWSER, METAMASK, PAIRING, Listed, way
from walletmodal.core.protocol.options import AllWalletsOption, ConnectMethod, ConnectorKind, CustomWallet
from walletmodal.core.wallets.connect_order import (
    Surroundings,
    WalletSections,
    all_wallets_count,
    blocks_shown,
    collapses_wallets,
    installed_connectors,
    method_order,
    methods_shown,
    section_order,
    separators,
    shows_all_wallets,
    wallet_sections,
)
from walletmodal.core.wallets.connectors import Connector, Exclusions, exclusions, merge_connectors

DEFAULT: list[ConnectorKind] = [
    "walletConnect", "recent", "injected", "featured", "custom", "external", "recommended"
]  # fmt: skip
DESKTOP = Surroundings(provider_injected=True)
PHONE = replace(DESKTOP, mobile=True)
SAFE = way("safe", "EXTERNAL", "Safe")
COINBASE = way("coinbaseWalletSDK", "EXTERNAL", "Coinbase")
PHANTOM = merge_connectors([way("app.phantom", name="Phantom"), way("Phantom", name="Phantom", chain="solana")])[0]
INJECTED = way("inj", "INJECTED", "Quill", rdns="example.quill")
WALLETS = [Listed(str(number), f"Wallet {number}", f"example.w{number}") for number in range(6)]
CUSTOM = CustomWallet.model_validate({"id": "mine", "name": "Mine"})

Sections = WalletSections[Listed, Listed, CustomWallet]


def sections(
    *connectors: Connector,
    around: Surroundings = DESKTOP,
    recents: tuple[Listed, ...] = (),
    featured: tuple[Listed, ...] = (),
    custom: tuple[CustomWallet, ...] = (),
    recommended: tuple[Listed, ...] = (),
) -> Sections:
    return wallet_sections(
        connectors, around, recents=recents, featured=featured, custom=custom, recommended=recommended
    )


def test_without_an_order_of_the_host_the_sections_stand_as_the_specification_says() -> None:
    assert section_order(reversed(DEFAULT)) == tuple(DEFAULT)


@pytest.mark.parametrize(
    ("filled", "hosts", "order"),
    [
        (DEFAULT, ["recommended", "injected"],
         ("recommended", "injected", "walletConnect", "recent", "featured", "custom", "external")),
        (["injected", "recent"], ["featured", "injected"], ("injected", "recent")),
        (["injected", "recent"], ["injected", "injected"], ("injected", "recent")),
        (["recent"], DEFAULT, ("recent",)),
        ([], DEFAULT, ()),
    ],
)  # fmt: skip
def test_the_hosts_order_comes_first_and_the_rest_follows(
    filled: list[ConnectorKind], hosts: list[ConnectorKind], order: tuple[ConnectorKind, ...]
) -> None:
    assert section_order(filled, hosts) == order


@given(st.sets(st.sampled_from(DEFAULT)), st.lists(st.sampled_from(DEFAULT), max_size=9))
def test_every_filled_section_stands_once_in_any_order(filled: set[ConnectorKind], hosts: list[ConnectorKind]) -> None:
    order = section_order(filled, hosts)
    assert sorted(order) == sorted(filled)


def test_a_section_with_rows_is_filled() -> None:
    assert sections(PAIRING, METAMASK, SAFE, recents=(WALLETS[0],), custom=(CUSTOM,)).filled() == {
        "walletConnect", "recent", "injected", "custom", "external",
    }  # fmt: skip


def test_nothing_fills_nothing() -> None:
    assert sections().filled() == frozenset()


@pytest.mark.parametrize(
    ("around", "rows"),
    [
        (DESKTOP, (PAIRING,)),
        (PHONE, ()),
        (replace(DESKTOP, wallet_connect=False), ()),
        (replace(DESKTOP, paired=True), ()),
    ],
)
def test_pairing_has_a_row_on_a_desktop_while_nothing_is_paired(
    around: Surroundings, rows: tuple[Connector, ...]
) -> None:
    assert sections(METAMASK, PAIRING, around=around).wallet_connect == rows


def test_installed_wallets_stand_merged_then_announced_then_injected() -> None:
    assert sections(INJECTED, METAMASK, PHANTOM).injected == (PHANTOM, METAMASK, INJECTED)


@pytest.mark.parametrize(
    ("around", "shown"),
    [
        (DESKTOP, ()),
        (PHONE, (BROWSER,)),
        (replace(PHONE, provider_injected=False), ()),
    ],
)
def test_the_browser_wallet_is_for_phones(around: Surroundings, shown: tuple[Connector, ...]) -> None:
    assert installed_connectors([BROWSER], around) == shown


def test_excluded_wallets_are_not_listed() -> None:
    around = replace(DESKTOP, excluded=exclusions(["io.metamask", "app.phantom"]))
    assert installed_connectors([METAMASK, PHANTOM, INJECTED], around) == (INJECTED,)


def test_a_merged_pairing_connector_is_no_installed_wallet() -> None:
    pairing = merge_connectors([PAIRING, replace(PAIRING, chain="solana")])
    assert installed_connectors(pairing, DESKTOP) == ()


def test_the_coinbase_sdk_is_no_row() -> None:
    assert sections(SAFE, COINBASE).external == (SAFE,)


def test_recents_that_are_connectors_are_no_rows() -> None:
    assert sections(METAMASK, recents=(Listed("c57c", "MetaMask"), WALLETS[0])).recent == (WALLETS[0],)


@pytest.mark.parametrize("excluded", [exclusions(["0"]), exclusions(["x"], [Listed("x", "WALLET 0")])])
def test_an_excluded_wallet_stands_in_no_section(excluded: Exclusions) -> None:
    around = replace(DESKTOP, excluded=excluded)
    listed = (WALLETS[0], WALLETS[1])
    assert sections(around=around, recents=listed).recent == (WALLETS[1],)
    assert sections(around=around, featured=listed).featured == (WALLETS[1],)
    assert sections(PAIRING, around=around, recommended=listed).recommended == (WALLETS[1],)


def test_featured_wallets_lack_those_that_are_shown_already() -> None:
    shown = sections(METAMASK, recents=(WALLETS[1],), featured=(Listed("c57c"), *WALLETS[:3]))
    assert shown.featured == (WALLETS[0], WALLETS[2])


def test_a_custom_wallet_that_was_used_is_listed_once() -> None:
    shown = sections(recents=(Listed("mine", "Mine"),), custom=(CUSTOM, CUSTOM))
    assert (shown.recent, shown.custom) == ((Listed("mine", "Mine"),), ())


@pytest.mark.parametrize(
    ("connectors", "recents", "room"),
    [
        ((PAIRING,), (), 2),
        ((PAIRING, BROWSER), (), 2),
        ((PAIRING, METAMASK), (), 1),
        ((PAIRING, METAMASK, INJECTED), (), 0),
        ((PAIRING, METAMASK, INJECTED, PHANTOM), (), 0),
        ((PAIRING, PHANTOM), (Listed("r", "Recent"),), 0),
        ((PAIRING,), (Listed("r", "Recent"),), 1),
        ((PAIRING, SAFE), (), 2),
        ((METAMASK,), (), 0),
        ((), (), 0),
    ],
)
def test_who_has_wallets_is_recommended_fewer(
    connectors: tuple[Connector, ...], recents: tuple[Listed, ...], room: int
) -> None:
    shown = sections(*connectors, recents=recents, recommended=tuple(WALLETS))
    assert shown.recommended == tuple(WALLETS[:room])


def test_the_room_is_filled_with_wallets_that_are_not_shown_yet() -> None:
    shown = sections(PAIRING, recents=(WALLETS[0],), recommended=tuple(WALLETS))
    assert shown.recommended == (WALLETS[1],)


@pytest.mark.parametrize(("featured", "custom"), [((WALLETS[5],), ()), ((), (CUSTOM,))])
def test_a_host_with_wallets_of_its_own_recommends_none(
    featured: tuple[Listed, ...], custom: tuple[CustomWallet, ...]
) -> None:
    assert sections(PAIRING, featured=featured, custom=custom, recommended=tuple(WALLETS)).recommended == ()


def test_empty_lists_of_the_host_hide_no_recommendation() -> None:
    assert sections(PAIRING, featured=(), custom=(), recommended=tuple(WALLETS)).recommended == tuple(WALLETS[:2])


@pytest.mark.parametrize(
    ("connectors", "around", "order"),
    [
        ((), DESKTOP, ("email", "social", "wallet")),
        ((PAIRING, SAFE), DESKTOP, ("email", "social", "wallet")),
        ((METAMASK,), DESKTOP, ("wallet", "email", "social")),
        ((PHANTOM,), DESKTOP, ("wallet", "email", "social")),
        ((INJECTED,), DESKTOP, ("wallet", "email", "social")),
        ((BROWSER,), DESKTOP, ("email", "social", "wallet")),
        ((BROWSER,), PHONE, ("wallet", "email", "social")),
        ((METAMASK,), replace(DESKTOP, excluded=exclusions(["c57c"])), ("email", "social", "wallet")),
    ],
)
def test_an_installed_wallet_puts_wallets_first(
    connectors: tuple[Connector, ...], around: Surroundings, order: tuple[ConnectMethod, ...]
) -> None:
    assert method_order(None, connectors, around) == order


def test_the_hosts_order_of_methods_wins() -> None:
    assert method_order(("social", "wallet", "social", "email"), [METAMASK], DESKTOP) == ("social", "wallet", "email")


def test_an_empty_order_of_methods_is_none() -> None:
    assert method_order((), [METAMASK], DESKTOP) == ("wallet", "email", "social")


@pytest.mark.parametrize(
    ("email", "socials", "wallets", "shown"),
    [
        (True, True, True, ("wallet", "email", "social")),
        (False, True, True, ("wallet", "social")),
        (False, False, True, ("wallet",)),
        (True, False, False, ("email",)),
        (False, False, False, ()),
    ],
)
def test_only_what_is_offered_is_shown(
    email: bool, socials: bool, wallets: bool, shown: tuple[ConnectMethod, ...]
) -> None:
    assert methods_shown(("wallet", "email", "social"), email=email, socials=socials, wallets=wallets) == shown


@pytest.mark.parametrize(
    ("methods", "blocks"),
    [
        (("email", "social", "wallet"), ("email", "social", "passkey", "wallet")),
        (("wallet", "email"), ("wallet", "email", "passkey")),
        (("email", "wallet", "social"), ("email", "wallet", "social", "passkey")),
        (("wallet",), ("wallet",)),
        ((), ()),
    ],
)
def test_a_passkey_follows_the_last_login(methods: tuple[ConnectMethod, ...], blocks: tuple[str, ...]) -> None:
    assert blocks_shown(methods) == blocks


def test_without_passkeys_the_blocks_are_the_methods() -> None:
    assert blocks_shown(("email", "social", "wallet"), passkeys=False) == ("email", "social", "wallet")


@pytest.mark.parametrize(
    ("methods", "after"),
    [
        (("email", "social", "wallet"), {1}),
        (("wallet", "email", "social"), {0}),
        (("email", "wallet", "social"), {0, 1}),
        (("email", "social"), set()),
        (("email", "wallet"), {0}),
        (("wallet",), set()),
        ((), set()),
    ],
)
def test_an_or_stands_between_wallets_and_the_rest(methods: tuple[ConnectMethod, ...], after: set[int]) -> None:
    assert separators(methods) == after


@pytest.mark.parametrize("methods", list(permutations(("email", "social", "wallet"))))
def test_nothing_follows_the_last_method(methods: tuple[ConnectMethod, ...]) -> None:
    assert 2 not in separators(methods)


@pytest.mark.parametrize(
    ("methods", "collapse", "email_show_wallets", "collapsed"),
    [
        (("email", "wallet"), True, True, True),
        (("social", "wallet"), False, False, True),
        (("email", "wallet"), False, True, False),
        (("wallet",), True, False, False),
        (("email", "social"), True, False, False),
    ],
)
def test_wallets_collapse_when_asked_for_and_something_else_is_there(
    methods: tuple[ConnectMethod, ...], collapse: bool, email_show_wallets: bool, collapsed: bool
) -> None:
    assert collapses_wallets(methods, collapse=collapse, email_show_wallets=email_show_wallets) is collapsed


@pytest.mark.parametrize(
    ("option", "mobile", "connectors", "shown"),
    [
        ("SHOW", False, [PAIRING], True),
        ("SHOW", True, [PAIRING], True),
        ("HIDE", True, [PAIRING], False),
        ("ONLY_MOBILE", True, [PAIRING], True),
        ("ONLY_MOBILE", False, [PAIRING], False),
        ("SHOW", False, [METAMASK], False),
    ],
)
def test_all_wallets_needs_pairing_and_the_hosts_consent(
    option: AllWalletsOption, mobile: bool, connectors: list[Connector], shown: bool
) -> None:
    assert shows_all_wallets(option, connectors, mobile=mobile) is shown


@pytest.mark.parametrize(
    ("count", "featured", "label"),
    [(0, 0, "0"), (7, 2, "9"), (8, 2, "10"), (11, 0, "10+"), (19, 0, "10+"), (20, 0, "20"), (512, 3, "510+")],
)
def test_the_number_of_all_wallets_is_floored_to_tens(count: int, featured: int, label: str) -> None:
    assert all_wallets_count(count, featured) == label
