"""Actions and tabs of an account: by the host's features, the namespace, and what the deployment has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from walletmodal.core.accounts.account import ACCOUNT_TABS, AccountTab
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.namespaces.registry import has_feature, with_feature
from walletmodal.core.protocol.options import Features, WalletFeature
from walletmodal.core.transfers.onramp import sellers
from walletmodal.ui.own_parts import OWN

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


def offered_actions(
    features: Features, namespace: Namespace, is_set: Callable[[str], bool] = lambda _name: True
) -> list[str]:
    """The actions on an account: ours in the host's order, then the team's.

    Args:
        features: the host's.
        namespace: of the account.
        is_set: whether the deployment has a service or a key, by the name of its setting.
    """
    ours = [
        feature
        for feature in features.wallet_features_order
        if getattr(features, feature)
        and namespace in _NAMESPACES[feature]
        and _is_configured(feature, namespace, is_set)
    ]
    return [*ours, *(name for name, action in OWN.actions.items() if namespace in action.namespaces)]


def _is_configured(feature: WalletFeature, namespace: Namespace, is_set: Callable[[str], bool]) -> bool:
    if feature == "swaps":
        return is_set("BLOCKCHAIN_URL")
    if feature != "onramp":
        return True
    return bool(sellers(namespace, has_service=is_set("BLOCKCHAIN_URL"), has_meld_key=is_set("MELD_PUBLIC_KEY")))


def offered_tabs(features: Features, namespace: Namespace) -> list[str]:
    """The tabs below an account, the team's last; none of ours where its namespace has no balances."""
    offered: dict[AccountTab, bool] = {
        "Tokens": has_feature(namespace, "balance"),
        "NFTs": has_feature(namespace, "nfts"),
        "Activity": has_feature(namespace, "activity") and features.history,
    }
    ours = [tab for tab in ACCOUNT_TABS if offered[tab]]
    return [*ours, *(name for name, tab in OWN.tabs.items() if namespace in tab.namespaces)]


def has_history(features: Features, namespace: Namespace) -> bool:
    """Whether an account's past transactions can be listed."""
    return features.history and has_feature(namespace, "activity")
