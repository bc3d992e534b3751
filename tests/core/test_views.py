"""The 53 views."""

from typing import Any

import pytest

from walletmodal.core.options import Features
from walletmodal.core.views import BUILT_VIEWS, VIEW_NAMES, VIEWS, title


def test_the_router_knows_fifty_three_views() -> None:
    assert (len(VIEW_NAMES), len(set(VIEW_NAMES))) == (53, 53)


def test_the_views_that_this_version_has() -> None:
    assert set(BUILT_VIEWS) == {
        "Connect",
        "ConnectingExternal",
        "ConnectingMultiChain",
        "Account",
        "SwitchAddress",
        "Networks",
        "SwitchActiveChain",
        "SwitchNetwork",
        "UnsupportedChain",
        "WhatIsAWallet",
        "WhatIsANetwork",
        "ConnectingWalletConnect",
        "ConnectingWalletConnectBasic",
        "Downloads",
        "AllWallets",
        "ConnectWallets",
        "Create",
        "GetWallet",
    }


def test_every_feature_of_a_view_is_one_that_a_host_can_set() -> None:
    flags = {field.alias for field in Features.model_fields.values()}
    assert {view.feature for view in VIEWS.values() if view.feature} <= flags


@pytest.mark.parametrize(
    ("view", "data", "heading"),
    [
        ("Connect", {}, "Connect Wallet"),
        ("Connect", {"only_email": True}, "Connect Email Wallet"),
        ("Account", {}, ""),
        ("ConnectingExternal", {}, "Connect Wallet"),
        ("ConnectingExternal", {"name": "MetaMask"}, "MetaMask"),
        ("ConnectingWalletConnect", {}, "WalletConnect"),
        ("ConnectingSocial", {"provider": "google"}, "Google"),
        ("ConnectingSocial", {}, "Connect Social"),
        ("Downloads", {"name": "Rainbow"}, "Get Rainbow"),
        ("Downloads", {}, "Downloads"),
        ("SwitchNetwork", {"network": "Polygon"}, "Polygon"),
        ("SwitchNetwork", {}, "Switch Network"),
        ("Networks", {"name": "ignored"}, "Choose Network"),
        ("UnsupportedChain", {"network": "ignored"}, "Switch Network"),
        ("RegisterAccountNameSuccess", {}, ""),
        ("SIWXSignMessage", {}, "Sign In"),
        ("WhatIsAWallet", {}, "What is a wallet?"),
    ],
)
def test_a_view_has_its_heading(view: str, data: dict[str, Any], heading: str) -> None:
    assert title(view, **data) == heading


def test_only_the_session_list_is_beta() -> None:
    assert [view.name for view in VIEWS.values() if view.beta] == ["SmartSessionList"]
