"""What a host asks for and does not get is said on its console."""

from __future__ import annotations

from typing import Any

import pytest

from walletmodal.core.protocol.missing_features import missing_features, missing_pairing, unconfigured_view
from walletmodal.core.protocol.options import read_options

EVERYTHING = frozenset({"RELAY_URL", "DIRECTORY_URL", "BLOCKCHAIN_URL", "SECURE_SITE_URL"})


def said(options: dict[str, Any], *without: str) -> tuple[str, ...]:
    return missing_features(read_options(options).options, (EVERYTHING - set(without)).__contains__)


def test_a_host_that_asks_for_nothing_special_hears_nothing() -> None:
    assert said({}) == ()


def test_without_a_relay_it_is_said_why_there_is_no_walletconnect() -> None:
    sentence = missing_pairing(read_options({}).options, (EVERYTHING - {"RELAY_URL"}).__contains__)
    assert "RELAY_URL" in sentence
    assert "enableWalletConnect: false" in sentence


@pytest.mark.parametrize("options", [{"enableWalletConnect": False}, {"enableWallets": False}])
def test_who_wants_no_walletconnect_is_not_told_that_there_is_none(options: dict[str, Any]) -> None:
    assert missing_pairing(read_options(options).options, (EVERYTHING - {"RELAY_URL"}).__contains__) == ""


def test_where_there_is_a_relay_nothing_is_missing() -> None:
    assert missing_pairing(read_options({}).options, EVERYTHING.__contains__) == ""


@pytest.mark.parametrize("option", ["email", "socials", "swaps", "onramp", "smartSessions", "history"])
def test_a_feature_that_is_switched_off_is_not_missed(option: str) -> None:
    assert said({"features": {option: False}}, *EVERYTHING) == ()


@pytest.mark.parametrize("option", ["email", "smartSessions"])
def test_a_feature_whose_service_is_not_set_names_the_setting(option: str) -> None:
    (sentence,) = said({"features": {option: True}}, "SECURE_SITE_URL")
    assert "SECURE_SITE_URL is not set" in sentence


def test_activity_without_its_service_names_the_setting() -> None:
    (sentence,) = said({"features": {"history": True}}, "BLOCKCHAIN_URL")
    assert "BLOCKCHAIN_URL is not set" in sentence


@pytest.mark.parametrize(
    "options", [{"allWallets": "SHOW"}, {"featuredWalletIds": ["a" * 64]}, {"includeWalletIds": ["a" * 64]}]
)
def test_wallets_of_the_directory_need_one(options: dict[str, Any]) -> None:
    (sentence,) = said(options, "DIRECTORY_URL")
    assert "DIRECTORY_URL is not set" in sentence


def test_who_hides_the_list_does_not_miss_it() -> None:
    assert said({"allWallets": "HIDE"}, "DIRECTORY_URL") == ()


@pytest.mark.parametrize("view", ["Nonsense", ""])
def test_a_view_that_there_never_was_is_named(view: str) -> None:
    assert "no view of this name" in unconfigured_view(view, EVERYTHING.__contains__)


def test_buying_needs_a_seller_and_both_settings_that_bring_one_are_named() -> None:
    (sentence,) = said({"features": {"onramp": True}}, "BLOCKCHAIN_URL")
    assert "BLOCKCHAIN_URL or MELD_PUBLIC_KEY is not set" in sentence
    assert (
        missing_features(read_options({"features": {"onramp": True}}).options, {"MELD_PUBLIC_KEY"}.__contains__) == ()
    )


@pytest.mark.parametrize("view", ["OnRampProviders", "BuyInProgress", "OnRampActivity"])
def test_a_view_of_buying_that_nobody_has_configured_says_what_to_set(view: str) -> None:
    assert "MELD_PUBLIC_KEY is not set" in unconfigured_view(view, frozenset[str]().__contains__)
    assert unconfigured_view(view, {"BLOCKCHAIN_URL"}.__contains__) == ""


@pytest.mark.parametrize("view", ["Transactions", "Account"])
def test_a_view_that_says_itself_what_is_missing_opens(view: str) -> None:
    assert unconfigured_view(view, frozenset[str]().__contains__) == ""


@pytest.mark.parametrize("view", ["ChooseAccountName", "RegisterAccountName", "RegisterAccountNameSuccess", "Swap"])
def test_a_view_without_its_service_names_the_setting(view: str) -> None:
    assert "BLOCKCHAIN_URL is not set" in unconfigured_view(view, (EVERYTHING - {"BLOCKCHAIN_URL"}).__contains__)
    assert unconfigured_view(view, EVERYTHING.__contains__) == ""


@pytest.mark.parametrize("view", ["Passkeys", "Devices", "RecoverySettings", "UpgradeEmailWallet"])
def test_views_that_the_secure_site_does_not_have_say_so(view: str) -> None:
    assert "`appkit`" in unconfigured_view(view, EVERYTHING.__contains__, complete_site=False)
    assert unconfigured_view(view, EVERYTHING.__contains__) == ""


@pytest.mark.parametrize("view", ["EmailVerifyOtp", "UpdateEmailWallet", "AccountSettings"])
def test_views_that_every_secure_site_has_are_there_with_any(view: str) -> None:
    assert unconfigured_view(view, EVERYTHING.__contains__, complete_site=False) == ""
