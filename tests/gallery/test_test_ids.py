"""Parts keep the test ids that test suites of host pages look for."""

from __future__ import annotations

import pytest

from tests.gallery.examination import Examiner
from tests.gallery.stage import LOOKS
from walletmodal.features.gallery.entries import BY_ID


@pytest.mark.parametrize(
    ("entry", "test_id"),
    [
        ("connect-full", "w3m-modal-overlay"),
        ("connect-full", "w3m-modal-card"),
        ("connect-full", "w3m-header-text"),
        ("connect-full", "w3m-header-close"),
        ("connect-full", "w3m-connect-scroll-view"),
        ("connect-sections", "wallet-selector-walletconnect"),
        ("connect-sections", "wallet-selector-example.wallet3"),
        ("connect-sections", "wallet-selector-featured-example.wallet4"),
        ("connect-sections", "wallet-selector-external-example.wallet7"),
        ("connect-sections", "all-wallets"),
        ("connect-few", "w3m-wallet-guide-get-started"),
        ("connect-collapsed", "w3m-collapse-wallets-button"),
        ("connect-legal-checkbox", "w3m-legal-checkbox"),
        ("connect-legal-checkbox", "wui-checkbox"),
        ("create", "w3m-wallet-guide-explore"),
        ("connect-none", "no-wallet-found"),
        ("connect-none", "no-wallet-found-text"),
        ("connecting-external-declined", "header-back"),
        ("connecting-external-declined", "w3m-connecting-widget-secondary-button"),
        ("account-full", "w3m-account-select-network"),
        ("account-full", "single-account-avatar"),
        ("account-full", "disconnect-button"),
        ("account-disconnecting", "wui-list-item-loading-spinner"),
        ("networks-full", "w3m-network-switch-Polygon"),
        ("networks-full", "wui-input-text"),
        ("networks-full", "wui-separator"),
        ("pairing-any", "copy-wc2-uri"),
        ("pairing-declined", "w3m-connecting-widget-secondary-button"),
        ("pairing-tabs", "tab-Mobile"),
        ("pairing-basic", "all-wallets"),
        ("all-wallets-full", "wui-certified-switch"),
        ("all-wallets-full", "wallet-list"),
        ("all-wallets-full", "wallet-search-item-listed-0"),
        ("all-wallets-full", "wui-input-text"),
        ("all-wallets-none", "no-wallet-found"),
        ("all-wallets-none", "no-wallet-found-text"),
        ("approve-message", "request-approve-button"),
        ("approve-message", "request-reject-button"),
        ("toast-success", "wui-snackbar-message"),
        ("alert", "wui-alertbar-text"),
        ("sign-in-required", "w3m-connecting-siwe-sign"),
        ("sign-in-required", "w3m-connecting-siwe-cancel"),
        ("sign-in-older-name", "w3m-connecting-siwe-sign"),
        ("account-settings-sign-ins", "account-settings-sign-ins"),
        ("account-compact-sign-ins", "account-settings-sign-ins"),
        ("account-settings-nameless", "account-choose-name-button"),
        ("account-compact-nameless", "account-choose-name-button"),
        ("smart-sessions-active", "smart-session-item-0"),
        ("smart-sessions-active", "smart-session-revoke"),
        ("smart-sessions-active", "smart-sessions-revoke-all"),
        ("name-registered", "account-name-suggestion"),
        ("name-empty", "wui-ens-input"),
        ("name-empty", "register-name-submit"),
    ],
)
def test_a_part_can_be_found_by_the_test_id_that_hosts_know(entry: str, test_id: str, examiner: Examiner) -> None:
    assert test_id in examiner.examine(BY_ID[entry], LOOKS[1]).test_ids
