"""What services answer when they will not."""

from typing import Literal

import pytest
from hypothesis import given

from tests.core.json_values import JSON
from walletmodal.core.errors.services import (
    NameCall,
    NameServiceError,
    NotConfiguredError,
    ServiceError,
    UnsupportedServiceNetworkError,
    api_reason,
)

BODY = {"status": "FAILED", "reasons": [{"field": "name", "description": "The name is taken"}]}
NAMES: list[tuple[NameCall, str]] = [
    ("resolve", "Error resolving name"),
    ("suggestions", "Error fetching name suggestions"),
    ("reverse", "Error fetching names for address"),
    ("register", "Error registering name"),
]


@pytest.mark.parametrize(("call", "text"), NAMES)
def test_a_call_about_names_has_its_text(call: NameCall, text: str) -> None:
    assert NameServiceError(call, status=500, body="Internal server error").short_message == text


@pytest.mark.parametrize(("call", "_text"), NAMES)
def test_the_services_reason_is_the_text_where_it_gave_one(call: NameCall, _text: str) -> None:
    error = NameServiceError(call, status=400, body=BODY)
    assert (error.short_message, error.status, error.reason) == ("The name is taken", 400, "The name is taken")


def test_without_a_reason_the_status_is_the_text() -> None:
    assert ServiceError("directory", status=503).short_message == "HTTP status code: 503"


def test_without_an_answer_the_text_says_so() -> None:
    error = ServiceError("directory", details="connection refused")
    assert (error.short_message, error.details) == ("The service cannot be reached.", "connection refused")


def test_the_long_form_has_service_status_and_what_the_status_alone_would_say() -> None:
    lines = ServiceError("blockchain", status=400, body=BODY).message.splitlines()
    assert lines[:4] == ["The name is taken", "", "Service: blockchain", "Status: 400"]
    assert "Details: HTTP status code: 400" in lines


@pytest.mark.parametrize(
    ("purpose", "text"),
    [("swaps", "Network not supported for Swaps"), ("gas-price", "Network not supported for Gas Price")],
)
def test_an_unsupported_network_has_its_text(purpose: Literal["swaps", "gas-price"], text: str) -> None:
    assert UnsupportedServiceNetworkError(purpose).short_message == text


def test_a_missing_base_url_is_named() -> None:
    error = NotConfiguredError("BLOCKCHAIN_URL")
    assert (error.setting, error.details) == ("BLOCKCHAIN_URL", "BLOCKCHAIN_URL is not set")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (BODY, "The name is taken"),
        ({"reasons": [{"name": "x", "description": "old key"}]}, "old key"),
        ({"code": "INSUFFICIENT_LIQUIDITY", "message": "Not enough liquidity"}, "Not enough liquidity"),
        ({"reasons": [{"description": "a\u202eb\n\x00c"}]}, "ab c"),
        ({"reasons": []}, ""),
        ({"reasons": [{}]}, ""),
        ({"reasons": {"description": "x"}}, ""),
        ({"reasons": [{"description": 5}]}, ""),
        ("Internal server error", ""),
        (None, ""),
    ],
)
def test_a_reason_is_found_and_cleaned(body: object, reason: str) -> None:
    assert api_reason(body) == reason


@given(JSON)
def test_any_body_has_a_reason_or_none(body: object) -> None:
    assert len(api_reason({"reasons": [{"description": body}], "message": body})) <= 200
