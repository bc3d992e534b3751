"""What a browser announces is hostile until checked."""

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.text.display_text import clean_text
from walletmodal.core.wallets.announced import (
    MAX_ICON,
    MAX_ICONS,
    MAX_WALLETS,
    parse_wallet,
    parse_wallets,
    safe_icon,
)

PNG = "data:image/png;base64," + base64.b64encode(b"\x89PNG").decode()
RAW: dict[str, Any] = {
    "id": "io.example.wallet",
    "namespaces": ["eip155"],
    "type": "ANNOUNCED",
    "name": "Example",
    "icon": PNG,
    "rdns": "io.example.wallet",
}


def test_an_honest_wallet_is_kept_whole() -> None:
    wallet = parse_wallet(RAW)
    assert wallet is not None
    assert wallet.model_dump() == {**RAW, "namespaces": ("eip155",)}


@pytest.mark.parametrize(
    "change",
    [
        {"id": ""},
        {"id": "x" * 97},
        {"id": 'a"b'},
        {"id": "a\nb"},
        {"id": " a"},
        {"id": 5},
        {"namespaces": []},
        {"namespaces": ["near"]},
        {"namespaces": "eip155"},
        {"namespaces": ["eip155"] * 17},
        {"type": "AUTH"},
        {"type": None},
        {"name": ""},
        {"name": "\u202e\u0000\ufeff"},
        {"name": None},
    ],
)
def test_a_wallet_that_cannot_be_listed_is_left_out(change: dict[str, object]) -> None:
    assert parse_wallet({**RAW, **change}) is None


@pytest.mark.parametrize("raw", [None, [], "x", 5, {}])
def test_what_is_no_wallet_is_left_out(raw: object) -> None:
    assert parse_wallet(raw) is None


def test_unknown_and_repeated_namespaces_are_dropped() -> None:
    wallet = parse_wallet({**RAW, "namespaces": ["solana", "near", "solana", "eip155", 5]})
    assert wallet is not None
    assert wallet.namespaces == ("solana", "eip155")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("MetaMask\u202eksaM", "MetaMaskksaM"),
        ("a\u0000b\nc\td", "ab c d"),
        ("  two   spaces ", "two spaces"),
        ("x" * 100, "x" * 40),
        ("a\u200bb\u2066c\ufeffd", "abcd"),
        ("Кошелёк 钱包 🦊", "Кошелёк 钱包 🦊"),
        ("\ud800ab", "ab"),
    ],
)
def test_a_name_is_cleaned(name: str, shown: str) -> None:
    wallet = parse_wallet({**RAW, "name": name})
    assert wallet is not None
    assert wallet.name == shown


@given(st.text(max_size=300), st.integers(1, 60))
def test_cleaned_text_is_short_printable_and_stays_itself(text: str, limit: int) -> None:
    cleaned = clean_text(text, limit=limit)
    assert len(cleaned) <= limit
    assert cleaned == clean_text(cleaned, limit=limit)
    assert all(char == " " or char.isprintable() for char in cleaned)


@pytest.mark.parametrize(
    "icon",
    [
        PNG,
        "data:image/svg+xml,%3Csvg%3E",
        "data:image/svg+xml;utf8,<svg xmlns='x'/>",
        "data:image/webp;base64,AAAA",
        "data:image/avif;base64,AAAA",
        "data:image/gif;base64,AAAA",
        "data:image/jpeg;base64,AAAA",
        "https://img.example/a.png",
        "http://localhost:8700/a.png",
    ],
)
def test_an_icon_that_may_be_shown_is_kept(icon: str) -> None:
    assert safe_icon(icon) == icon


@pytest.mark.parametrize(
    "icon",
    [
        "",
        None,
        5,
        "javascript:alert(1)",
        "data:text/html,<script>",
        "data:image/png;base64,###",
        "data:image/x-icon;base64,AAAA",
        "data:image/png,",
        "http://img.example/a.png",
        "//img.example/a.png",
        "https://user:pass@img.example/a.png",
        'https://img.example/a.png"onerror=',
        "blob:https://img.example/1",
        "data:image/png;base64," + "A" * MAX_ICON,
        # Each of its characters takes four bytes.
        "data:image/svg+xml,\U0001f600" + "a" * (MAX_ICON // 2),
    ],
)
def test_any_other_icon_is_emptied_and_the_wallet_stays(icon: object) -> None:
    wallet = parse_wallet({**RAW, "icon": icon})
    assert wallet is not None
    assert wallet.icon == ""


@pytest.mark.parametrize("rdns", ["", "nodots", "a..b", "a b.c", None, "x." * 60 + "y"])
def test_a_wrong_rdns_is_emptied(rdns: object) -> None:
    wallet = parse_wallet({**RAW, "rdns": rdns})
    assert wallet is not None
    assert wallet.rdns == ""


def test_the_first_wallet_of_an_id_wins() -> None:
    listed, left_out = parse_wallets([RAW, {**RAW, "name": "Impostor"}])
    assert ([wallet.name for wallet in listed], left_out) == (["Example"], 1)


def test_only_so_many_wallets_are_listed() -> None:
    listed, left_out = parse_wallets([{**RAW, "id": f"w{number}"} for number in range(MAX_WALLETS + 5)])
    assert (len(listed), left_out) == (MAX_WALLETS, 5)


def test_icons_have_so_much_room_together_and_what_is_smaller_still_fits() -> None:
    half = "data:image/svg+xml," + "a" * (MAX_ICONS // 2)
    wallets, left_out = parse_wallets(
        [{**RAW, "id": f"w{n}", "icon": icon} for n, icon in enumerate([half, half, PNG])]
    )
    assert ([wallet.icon for wallet in wallets], left_out) == ([half, "", PNG], 0)


def test_what_the_loader_sends_of_icons_is_kept() -> None:
    icons = ["data:image/svg+xml,".ljust(MAX_ICONS // 20, "a")] * 20
    wallets, _ = parse_wallets([{**RAW, "id": f"w{n}", "icon": icon} for n, icon in enumerate(icons)])
    assert [wallet.icon for wallet in wallets] == icons
