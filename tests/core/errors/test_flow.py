"""Texts of steps that are not possible now, and of the secure frame."""

import pytest

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.flow import (
    AdapterNotFoundError,
    ChainNotSupportedError,
    ConnectorNotFoundError,
    DisconnectError,
    FrameAbortedError,
    FrameError,
    FrameLoadError,
    NoActiveAddressError,
    NoActiveNetworkError,
    SignInNotEnabledError,
    UnsupportedChainError,
)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (DisconnectError(), "Failed to disconnect"),
        (SignInNotEnabledError(), "SIWX is not enabled"),
        (NoActiveAddressError(), "No ActiveCaipAddress found"),
        (UnsupportedChainError(), "Unsupported chain"),
        (ChainNotSupportedError(), "Chain is not supported"),
        (AdapterNotFoundError(), "Adapter not found"),
        (NoActiveNetworkError(), "CaipNetwork is undefined"),
        (ConnectorNotFoundError(), "WalletConnectConnector not found"),
        (FrameError(), "An error occurred"),
        (FrameError("Wrong code"), "Wrong code"),
        (FrameAbortedError("RPC_REQUEST"), "Request was aborted"),
        (FrameAbortedError("CONNECT_EMAIL"), "Something went wrong"),
        (FrameLoadError(), "Unable to load email login dependency"),
    ],
)
def test_an_error_has_its_text(error: WalletModalError, text: str) -> None:
    assert (error.short_message, str(error)) == (text, text)


def test_details_say_what_was_asked_for() -> None:
    assert "Details: bip122:0000" in UnsupportedChainError("bip122:0000").message
