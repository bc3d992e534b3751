"""Warnings about features that a host asks for and does not get: one sentence for its console each, which says what to set."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from walletmodal.core.protocol.options import HostOptions
from walletmodal.core.protocol.views import VIEWS


@dataclass(frozen=True, slots=True)
class _Feature:
    """One of `features`, and the settings of the server of which it needs one.

    `closed`: without them its views cannot be opened; others say themselves what is missing.
    """

    option: str
    settings: tuple[str, ...]
    closed: bool = True


_FEATURES: Final = {
    "email": _Feature("email", ("SECURE_SITE_URL",)),
    "socials": _Feature("socials", ("SECURE_SOCIALS",)),
    "swaps": _Feature("swaps", ("BLOCKCHAIN_URL",)),
    "onramp": _Feature("onramp", ("BLOCKCHAIN_URL", "MELD_PUBLIC_KEY")),
    "history": _Feature("history", ("BLOCKCHAIN_URL",), closed=False),
    "smart_sessions": _Feature("smartSessions", ("SECURE_SITE_URL",)),
}
"""By the name of the field of `Features`."""
_NAME_VIEWS: Final = frozenset({"ChooseAccountName", "RegisterAccountName", "RegisterAccountNameSuccess"})
"""They belong to no feature of the host's, and need the blockchain service."""
_COMPLETE_SITE_VIEWS: Final = frozenset(
    {
        *("RecoverWallet", "RecoverySettings", "AccountData", "Devices", "Passkeys", "ConnectingPasskey", "AddPasskey"),
        "UpgradeEmailWallet",
    }
)
"""What a secure site that knows AppKit's messages alone has not."""
_FROM_DIRECTORY: Final = {
    "all_wallets": "allWallets",
    "featured_wallet_ids": "featuredWalletIds",
    "include_wallet_ids": "includeWalletIds",
}
_NOT_SET: Final = "is not set on the modal's server"
MISSING_SIGN_IN: Final = "`getSession()` is null for everybody: the option `siwx` is not set. Set `siwx: { required: false }` to have visitors sign in."


def missing_features(options: HostOptions, is_set: Callable[[str], bool]) -> tuple[str, ...]:
    """Returns a sentence for each feature that the host has asked for by name, and which is not there.

    Args:
        options: the host's.
        is_set: whether the deployment has a service, by the name of its setting.
    """
    features = options.features
    asked = [name for name in _FEATURES if name in features.model_fields_set and getattr(features, name)]
    found = [sentence for name in asked if (sentence := _missing(_FEATURES[name], is_set))]
    listed = [_FROM_DIRECTORY[name] for name in _FROM_DIRECTORY if name in options.model_fields_set]
    if listed and options.all_wallets != "HIDE" and not is_set("DIRECTORY_URL"):
        named = ", ".join(f"`{option}`" for option in listed)
        found.append(f"There is no list of wallets for {named}: DIRECTORY_URL {_NOT_SET}.")
    return tuple(found)


def missing_pairing(options: HostOptions, is_set: Callable[[str], bool]) -> str:
    """Explains why a list has no WalletConnect although the host has not switched it off; "" where it has one. As `missing_features`."""
    if not options.enable_wallets or not options.enable_wallet_connect or is_set("RELAY_URL"):
        return ""
    return f"There is no WalletConnect: RELAY_URL {_NOT_SET}. Set it, or `enableWalletConnect: false`."


def unconfigured_view(view: str, is_set: Callable[[str], bool], *, complete_site: bool = True) -> str:
    """Explains why `open` cannot lead to a view, such as what the deployment must set; "" where it can.

    `complete_site`: the secure site has passkeys, devices, recovery and export.
    """
    if view not in VIEWS or not VIEWS[view].for_hosts:
        return f'open({{view: "{view}"}}): there is no view of this name.'
    if view in _COMPLETE_SITE_VIEWS and not complete_site:
        return f'open({{view: "{view}"}}): a secure site with the protocol `appkit` has no such view.'
    if view in _NAME_VIEWS and not is_set("BLOCKCHAIN_URL"):
        return f'open({{view: "{view}"}}): BLOCKCHAIN_URL {_NOT_SET}.'
    option = VIEWS[view].feature
    feature = next((one for one in _FEATURES.values() if one.closed and one.option == option), None)
    unset = _unset(feature, is_set) if feature else ""
    return f'open({{view: "{view}"}}): {unset}.' if unset else ""


def _missing(feature: _Feature, is_set: Callable[[str], bool]) -> str:
    unset = _unset(feature, is_set)
    return f"`features.{feature.option}` has no effect: {unset}." if unset else ""


def _unset(feature: _Feature, is_set: Callable[[str], bool]) -> str:
    """Names the settings of which one is needed; "" where one is there."""
    if any(is_set(name) for name in feature.settings):
        return ""
    return f"{' or '.join(feature.settings)} {_NOT_SET}"
