"""Texts of alerts and toasts."""

import pytest

from tests.cases import every_case
from walletmodal.core.text import texts
from walletmodal.core.text.texts import ALERTS, PROVIDER_MESSAGES, AlertKey, alert, alert_for_provider_message


@pytest.mark.parametrize(
    ("key", "short"),
    [
        ("SWITCH_NETWORK_NOT_FOUND", "Network Not Found"),
        ("INVALID_APP_CONFIGURATION", "Invalid App Configuration"),
        ("SOCIALS_TIMEOUT", "Invalid App Configuration"),
        ("JWT_TOKEN_NOT_VALID", "Session Expired"),
        ("INVALID_PROJECT_ID", "Invalid App Configuration"),
        ("PROJECT_ID_NOT_CONFIGURED", "Project ID Not Configured"),
    ],
)
def test_the_short_text_of_an_alert_is_the_specifications(key: AlertKey, short: str) -> None:
    assert ALERTS[key].short == short


def test_a_long_text_names_no_vendor() -> None:
    assert not any(word in row.long.lower() for row in ALERTS.values() for word in ("reown", "cloud", "createappkit"))


def test_an_alert_names_the_origin() -> None:
    assert "https://a.example" in alert("INVALID_APP_CONFIGURATION", origin="https://a.example").long


def test_without_an_origin_nothing_is_left_open() -> None:
    assert not any("{" in alert(key).long for key in ALERTS)


@pytest.mark.parametrize(("message", "key"), PROVIDER_MESSAGES.items())
def test_a_provider_message_opens_its_alert(message: str, key: AlertKey) -> None:
    assert alert_for_provider_message(f"closed with 3000 ({message})") == key


def test_any_other_provider_message_opens_none() -> None:
    assert alert_for_provider_message("connection lost") is None


@every_case(
    "text",
    [
        "Token Balance Unavailable",
        "Failed to fetch transactions",
        "Transaction started",
        "Something went wrong",
        "Failed to send transaction. Please try again.",
        "Please enter a valid amount and receiver address",
        "Signature declined",
        "This application might not support Smart Accounts",
        "A problem occurred while trying initialize authentication",
        "Authenticating...",
        "Failed to disconnect",
        "Action not allowed",
        "Address copied",
        "Request was aborted",
        "An error occurred",
        "Unsupported chain",
        "Chain is not supported",
        "Failed to initialize swap",
        "Failed to check allowance",
        "Link copied",
        "Code email resent",
        "Failed to copy",
        "Untrusted Origin",
        "No link found",
        "Failed to find connector",
        "Account not found",
        "Error revoking smart session",
        "Error fetching smart sessions",
        "Only WalletConnect certified",
        "Connection error",
        "Unknown error",
        "Cannot remove last network for a namespace",
    ],
)
def test_a_text_of_the_specification_is_there_word_for_word(text: str) -> None:
    assert text in [value for value in vars(texts).values() if isinstance(value, str)]


def test_a_swap_is_told_with_both_tokens() -> None:
    assert (texts.swapping("ETH", "3098.12", "USDC"), texts.swapped("ETH", "3098.12", "USDC")) == (
        "Swapping ETH to 3098.12 USDC",
        "Swapped ETH to 3098.12 USDC",
    )


def test_failures_of_several_namespaces_are_told_one_after_the_other() -> None:
    assert texts.failed_to_disconnect({"eip155": "locked", "solana": "gone"}) == (
        "Failed to disconnect chain eip155: locked, Failed to disconnect chain solana: gone"
    )
