"""The views."""

from typing import Any

from tests.cases import every_case
from walletmodal.core.protocol.options import Features
from walletmodal.core.protocol.views import VIEWS, title

OURS = {
    "AccountData",
    "AddPasskey",
    "CallsStatus",
    "ConnectingPasskey",
    "Devices",
    "NftDetails",
    "Passkeys",
    "RecoverWallet",
    "RecoverySettings",
    "SignIns",
    "WalletSendResult",
}
"""Views that the reference does not have."""


def test_the_router_knows_fifty_three_views_and_ours() -> None:
    assert len(set(VIEWS) - OURS) == 53, "name a view that the reference does not have in OURS"


def test_every_feature_of_a_view_is_one_that_a_host_can_set() -> None:
    flags = {field.alias for field in Features.model_fields.values()}
    assert {view.feature for view in VIEWS.values() if view.feature} <= flags


@every_case(
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
        ("NftDetails", {}, "NFT"),
        ("NftDetails", {"name": "Kite 7"}, "Kite 7"),
    ],
)
def test_a_view_has_its_heading(view: str, data: dict[str, Any], heading: str) -> None:
    assert title(view, **data) == heading
