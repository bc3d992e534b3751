"""Actions and tabs of an account: by the host's features, the namespace, and what this version has."""

from __future__ import annotations

from typing import Final

from walletmodal.core.accounts.account import AccountTab
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.namespaces.registry import has_feature, with_feature
from walletmodal.core.protocol.options import Features, WalletFeature
from walletmodal.core.protocol.views import BUILT_VIEWS

BUILT_TABS: Final[tuple[AccountTab, ...]] = ("Tokens", "NFTs", "Activity")
"""The tabs that this version has, in their order; each has its panel in `features/shell/account_view.py`."""
ACTION_VIEWS: Final[dict[WalletFeature, str]] = {
    "onramp": "OnRampProviders",
    "swaps": "Swap",
    "receive": "WalletReceive",
    "send": "WalletSend",
}
_NAMESPACES: Final[dict[WalletFeature, tuple[Namespace, ...]]] = {
    "onramp": with_feature("onramp"),
    "swaps": with_feature("swaps"),
    "receive": NAMESPACES,
    "send": with_feature("send"),
}


def offered_actions(features: Features, namespace: Namespace) -> list[WalletFeature]:
    """The actions on an account, in the host's order."""
    return [
        feature
        for feature in features.wallet_features_order
        if getattr(features, feature) and namespace in _NAMESPACES[feature] and ACTION_VIEWS[feature] in BUILT_VIEWS
    ]


def offered_tabs(features: Features, namespace: Namespace) -> list[AccountTab]:
    """The tabs below an account; none where its namespace has no balances."""
    offered: dict[AccountTab, bool] = {
        "Tokens": has_feature(namespace, "balance"),
        "NFTs": has_feature(namespace, "nfts"),
        "Activity": has_feature(namespace, "activity") and features.history,
    }
    return [tab for tab in BUILT_TABS if offered[tab]]


def has_history(features: Features, namespace: Namespace) -> bool:
    """Whether an account's past transactions can be listed."""
    return features.history and has_feature(namespace, "activity") and "Transactions" in BUILT_VIEWS
