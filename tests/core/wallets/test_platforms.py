"""On which platforms a wallet can be connected."""

from itertools import product

import pytest

from tests.cases import every_case
from tests.core.listed import Listed
from walletmodal.core.protocol.messages import System
from walletmodal.core.protocol.options import CustomWallet
from walletmodal.core.wallets.directory import parse_wallet_listing
from walletmodal.core.wallets.platforms import (
    REPORTED_PLATFORM,
    SEVERAL_DOWNLOADS,
    Platform,
    download,
    page_to_get,
    platform_tabs,
    wallet_platforms,
)

HOME = "https://home.example"

ALL = Listed("1", mobile_link="l://", desktop_link="l://", webapp_link="https://l.example")


@every_case(
    ("wallet", "mobile", "installed", "adapters", "platforms"),
    [
        (None, False, None, True, ("qrcode",)),
        (None, True, None, True, ("qrcode",)),
        (ALL, False, True, True, ("browser", "qrcode", "web", "desktop")),
        (ALL, True, True, True, ("browser", "mobile", "web")),
        (ALL, False, False, True, ("qrcode", "web", "desktop", "unsupported")),
        (ALL, False, None, True, ("qrcode", "web", "desktop")),
        (ALL, False, True, False, ("qrcode", "web", "desktop")),
        (ALL, False, False, False, ("qrcode", "web", "desktop")),
        (Listed("1", mobile_link="l://"), False, None, True, ("qrcode",)),
        (Listed("1", mobile_link="l://"), True, None, True, ("mobile",)),
        (Listed("1", webapp_link="https://l.example"), True, None, True, ("web",)),
        (Listed("1", desktop_link="l://"), False, None, True, ("desktop",)),
        (Listed("1", desktop_link="l://"), True, False, True, ("unsupported",)),
        (Listed("1"), False, True, True, ("browser",)),
        (Listed("1"), False, False, True, ("unsupported",)),
        (Listed("1", mobile_link="", webapp_link=""), False, None, True, ("qrcode",)),
        (Listed("1"), True, False, False, ("qrcode",)),
    ],
)
def test_the_platforms_of_a_wallet(
    wallet: Listed | None, mobile: bool, installed: bool | None, adapters: bool, platforms: tuple[Platform, ...]
) -> None:
    assert wallet_platforms(wallet, mobile=mobile, installed=installed, adapters=adapters) == platforms


@pytest.mark.parametrize(
    ("mobile", "installed", "adapters"), list(product([True, False], [True, False, None], [True, False]))
)
def test_there_is_always_a_way_and_none_twice(mobile: bool, installed: bool | None, adapters: bool) -> None:
    for links in product([None, "l://"], repeat=3):
        wallet = Listed("1", mobile_link=links[0], desktop_link=links[1], webapp_link=links[2])
        found = wallet_platforms(wallet, mobile=mobile, installed=installed, adapters=adapters)
        assert found
        assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("platforms", "labels"),
    [
        (("browser", "qrcode", "web", "desktop"), ["Browser", "Mobile", "Webapp", "Desktop"]),
        (("browser", "mobile"), ["Browser", "Mobile"]),
        (("qrcode", "unsupported"), []),
        (("qrcode",), []),
        (("unsupported",), []),
    ],
)
def test_several_platforms_have_tabs(platforms: tuple[Platform, ...], labels: list[str]) -> None:
    assert [label for _, label in platform_tabs(platforms)] == labels


def test_a_wallet_that_is_not_installed_is_reported_as_the_browsers() -> None:
    assert REPORTED_PLATFORM.get("unsupported") == "browser"


def test_wallets_of_the_directory_and_of_the_host_have_platforms() -> None:
    listing = parse_wallet_listing({"id": "1", "name": "Lantern", "mobile_link": "lantern://"})
    custom = CustomWallet.model_validate({"id": "1", "name": "Mine", "webapp_link": "https://mine.example"})
    assert wallet_platforms(listing, mobile=True, installed=None, adapters=True) == ("mobile",)
    assert wallet_platforms(custom, mobile=True, installed=None, adapters=True) == ("web",)


@pytest.mark.parametrize(
    ("links", "mobile", "system", "leads"),
    [
        ({}, False, "", ""),
        ({"homepage": HOME}, False, "", HOME),
        ({"chrome_store": "https://c.example"}, False, "", "https://c.example"),
        ({"homepage": HOME, "app_store": "https://a.example"}, False, "mac", SEVERAL_DOWNLOADS),
        ({"homepage": HOME, "app_store": "https://a.example"}, True, "ios", "https://a.example"),
        ({"homepage": HOME, "app_store": "https://a.example"}, True, "android", HOME),
        ({"play_store": "https://p.example", "app_store": "https://a.example"}, True, "android", "https://p.example"),
        ({"play_store": "https://p.example"}, True, "ios", ""),
        ({"chrome_store": "https://c.example"}, True, "android", ""),
        ({"homepage": HOME}, True, "", HOME),
    ],
)
def test_where_those_without_the_wallet_are_led(
    links: dict[str, str], mobile: bool, system: System, leads: str
) -> None:
    wallet = parse_wallet_listing({"id": "1", "name": "Lantern", **links})
    assert download(wallet, mobile=mobile, system=system) == leads


@pytest.mark.parametrize(
    ("links", "mobile", "page"),
    [
        (
            {"chrome_store": "https://c.example", "app_store": "https://a.example", "homepage": HOME},
            False,
            "https://c.example",
        ),
        ({"app_store": "https://a.example", "homepage": HOME}, False, HOME),
        ({"app_store": "https://a.example"}, False, "https://a.example"),
        (
            {"chrome_store": "https://c.example", "app_store": "https://a.example", "homepage": HOME},
            True,
            "https://a.example",
        ),
        ({"chrome_store": "https://c.example", "homepage": HOME}, True, HOME),
        ({"chrome_store": "https://c.example"}, True, ""),
    ],
)
def test_the_one_page_to_get_a_wallet(links: dict[str, str], mobile: bool, page: str) -> None:
    wallet = parse_wallet_listing({"id": "1", "name": "Lantern", **links})
    assert page_to_get(wallet, mobile=mobile, system="ios") == page


def test_a_host_names_no_extension() -> None:
    custom = CustomWallet.model_validate(
        {"id": "1", "name": "Mine", "homepage": HOME, "chrome_store": "https://c.example"}
    )
    assert page_to_get(custom, mobile=False, system="mac") == HOME
