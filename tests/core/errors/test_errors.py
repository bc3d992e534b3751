"""The error tree against the tables of the error reference."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from tests.cases import every_case
from walletmodal import core
from walletmodal.core import errors
from walletmodal.core.errors import (
    HttpRequestError,
    ProtocolError,
    RequestTimeoutError,
    RpcRequestError,
    SettingProblem,
    SettingsError,
    SocketClosedError,
    UrlRequiredError,
    WalletModalError,
    WebSocketRequestError,
)
from walletmodal.core.errors import rpc as rpc_errors
from walletmodal.core.errors.rpc import from_rpc, is_user_rejection

CHECK = "Double check you have provided the correct parameters."
TABLE = [
    (-32700, "ParseRpcError", "Invalid JSON was received by the server. An error occurred on the server while parsing the JSON text."),
    (-32600, "InvalidRequestRpcError", "JSON is not a valid request object."),
    (-32601, "MethodNotFoundRpcError", 'The method "m" does not exist / is not available.'),
    (-32602, "InvalidParamsRpcError", f"Invalid parameters were provided to the RPC method.\n{CHECK}"),
    (-32603, "InternalRpcError", "An internal error was received."),
    (-32000, "InvalidInputRpcError", f"Missing or invalid parameters.\n{CHECK}"),
    (-32001, "ResourceNotFoundRpcError", "Requested resource not found."),
    (-32002, "ResourceUnavailableRpcError", "Requested resource not available."),
    (-32003, "TransactionRejectedRpcError", "Transaction creation failed."),
    (-32004, "MethodNotSupportedRpcError", 'Method "m" is not supported.'),
    (-32005, "LimitExceededRpcError", "Request exceeds defined limit."),
    (-32006, "JsonRpcVersionUnsupportedError", "Version of JSON-RPC protocol is not supported."),
    (4001, "UserRejectedRequestError", "User rejected the request."),
    (4100, "UnauthorizedProviderError", "The requested method and/or account has not been authorized by the user."),
    (4200, "UnsupportedProviderMethodError", 'The Provider does not support the requested method " m".'),
    (4900, "ProviderDisconnectedError", "The Provider is disconnected from all chains."),
    (4901, "ChainDisconnectedError", "The Provider is not connected to the requested chain."),
    (4902, "SwitchChainError", "An error occurred when attempting to switch chain."),
    (5700, "UnsupportedNonOptionalCapabilityError", "This Wallet does not support a capability that was not marked as optional."),
    (5710, "UnsupportedChainIdError", "This Wallet does not support the requested chain ID."),
    (5720, "DuplicateIdError", "There is already a bundle submitted with this ID."),
    (5730, "UnknownBundleIdError", "This bundle id is unknown / has not been submitted"),
    (5740, "BundleTooLargeError", "The call bundle is too large for the Wallet to process."),
    (5750, "AtomicReadyWalletRejectedUpgradeError", "The Wallet can support atomicity after an upgrade, but the user rejected the upgrade."),
    (5760, "AtomicityNotSupportedError", "The wallet does not support atomic execution but the request requires it."),
    (-1, "UnknownRpcError", "An unknown RPC error occurred."),
]  # fmt: skip


@every_case(("code", "name", "text"), TABLE, ids=[row[1] for row in TABLE])
def test_a_code_has_its_class_and_text(code: int, name: str, text: str) -> None:
    error = from_rpc(code, "what the wallet said", method="m")
    assert (error.code, type(error).__name__, error.name, error.short_message) == (code, name, name, text)


def test_every_listed_code_is_in_the_table() -> None:
    assert set(rpc_errors.RPC_ERRORS) - {5000, 5002} == {row[0] for row in TABLE} - {-1}


@pytest.mark.parametrize("code", [5000, 5002])
def test_a_rejection_in_the_pairing_protocol_is_the_code_that_hosts_test(code: int) -> None:
    assert from_rpc(code).wire() == {"code": 4001, "message": "User rejected the request."}


def test_an_unlisted_code_is_kept() -> None:
    error = from_rpc(1234, "odd")
    assert (type(error).__name__, error.code, error.details) == ("UnknownRpcError", 1234, "odd")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (-32601, "The method does not exist / is not available."),
        (-32004, "Method is not supported."),
        (4200, "The Provider does not support the requested method."),
    ],
)
def test_without_a_method_its_name_is_left_out(code: int, text: str) -> None:
    assert from_rpc(code).short_message == text


@pytest.mark.parametrize(
    ("code", "message", "rejected"),
    [
        (4001, "", True),
        (5000, "", True),
        (5002, "", True),
        (-32603, "MetaMask Tx Signature: User rejected the transaction.", True),
        (-32000, "USER CANCELLED", True),
        (0, "user canceled", True),
        (-32603, "Internal error", False),
        (4100, "The user has not authorised it", False),
    ],
)
def test_a_rejection_is_known_by_code_or_text(code: int, message: str, *, rejected: bool) -> None:
    assert is_user_rejection(code, message) is rejected


@pytest.mark.parametrize(
    ("error", "name", "text", "details"),
    [
        (HttpRequestError(url="https://a.example", status=503, details="down"), "HttpRequestError", "HTTP request failed.", "down"),
        (RpcRequestError(code=3, details="execution reverted", url="https://a.example"), "RpcRequestError", "RPC Request failed.", "execution reverted"),
        (RequestTimeoutError(url="https://a.example"), "TimeoutError", "The request took too long to respond.", "The request timed out."),
        (WebSocketRequestError(url="wss://a.example", details="reset"), "WebSocketRequestError", "WebSocket request failed.", "reset"),
        (SocketClosedError(url="wss://a.example"), "SocketClosedError", "The socket has been closed.", ""),
        (UrlRequiredError(), "UrlRequiredError", "No URL was provided to the Transport. Please provide a valid RPC URL to the Transport.", ""),
    ],
)  # fmt: skip
def test_a_transport_error_has_its_text(error: WalletModalError, name: str, text: str, details: str) -> None:
    assert (error.name, error.short_message, error.details) == (name, text, details)


def test_the_long_form_has_all_its_lines() -> None:
    error = WalletModalError("Short.", details="deep", docs_path="docs/errors.md", meta=["URL: https://a.example"])
    assert re.fullmatch(
        r"Short\.\n\nURL: https://a\.example\nDocs: docs/errors\.md\nDetails: deep\nVersion: walletmodal@\d+\.\d+\.\d+",
        error.message,
    )


def test_details_do_not_reach_the_host() -> None:
    assert from_rpc(-32603, "secret path /home/x").wire() == {
        "code": -32603,
        "message": "An internal error was received.",
    }


def test_a_protocol_error_names_its_reason() -> None:
    assert (ProtocolError("oversized").reason, str(ProtocolError("deep"))) == (
        "oversized",
        "The message was ignored: deep",
    )


def test_a_settings_error_lists_every_problem() -> None:
    error = SettingsError(
        [SettingProblem("WORKERS", "must be 1 or more", "4"), SettingProblem("RPC_URL", "bad", "public")]
    )
    assert str(error) == (
        "These settings are wrong:\n  WORKERS: must be 1 or more (example: WORKERS=4)\n  RPC_URL: bad (example: RPC_URL=public)"
    )


def _classes() -> dict[str, type[WalletModalError]]:
    names = [row.name for row in pkgutil.walk_packages(core.__path__, "walletmodal.core.")]
    modules = [importlib.import_module(name) for name in (*names, "walletmodal.services.images.errors")]
    return {
        value.__name__: value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, WalletModalError)
    }


def test_the_tree_in_the_docstring_names_every_class() -> None:
    named = set(re.findall(r"\b[A-Z]\w*Error\b", errors.__doc__ or "")) - {"TimeoutError"}
    assert _classes().keys() == named


@every_case("cls", _classes().values())
def test_the_docs_have_a_paragraph_on_every_class(cls: type[WalletModalError]) -> None:
    page = (Path(__file__).parents[3] / "docs/errors.md").read_text("utf-8")
    assert f"\n### {cls.name}\n" in page


def test_an_error_points_to_its_paragraph() -> None:
    assert from_rpc(4001).docs_path == "docs/errors.md#userrejectedrequesterror"
