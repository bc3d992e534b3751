"""Calls to services: what goes out, and every way in which an answer can be bad."""

import asyncio
import json
from collections.abc import AsyncIterator
from decimal import Decimal

import httpx
import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import patience
from tests.ports import free_ports
from tests.services import node as nodes
from tests.services.outside import CALLER, SDK, Outside, gives, refuses, way
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    ProtocolError,
    RequestTimeoutError,
    ResponseTooLargeError,
    ShapeError,
)
from walletmodal.core.errors.services import NotConfiguredError, ServiceError
from walletmodal.services.http import (
    Caller,
    HttpService,
    Received,
    alert_for_failure,
    path_segment,
    sdk_version,
    understood,
)


@pytest_asyncio.fixture
async def outside() -> AsyncIterator[Outside]:
    async with Outside({"/a": gives({"ok": True})}).running() as outside:
        yield outside


async def test_every_call_names_the_project_and_the_sdk(client: httpx.AsyncClient, outside: Outside) -> None:
    await way(client, outside).get(CALLER, "/a", {"page": 1})
    assert outside.last.query == {"page": "1", "projectId": "project-1", "st": "appkit", "sv": SDK}


async def test_a_post_names_them_too_and_is_json(client: httpx.AsyncClient, outside: Outside) -> None:
    await way(client, outside).post(CALLER, "/a", {"x": [1, "ü"]})
    asked = outside.last
    assert (asked.method, asked.body, asked.headers["content-type"]) == ("POST", {"x": [1, "ü"]}, "application/json")
    assert asked.query == {"projectId": "project-1", "st": "appkit", "sv": SDK}


async def test_a_call_carries_the_origin_of_the_host_page(client: httpx.AsyncClient, outside: Outside) -> None:
    await way(client, outside).get(CALLER, "/a")
    assert outside.last.headers["origin"] == "https://app.example"


async def test_what_is_empty_is_left_out(client: httpx.AsyncClient, outside: Outside) -> None:
    await way(client, outside).get(Caller("https://app.example"), "/a", {"search": "", "chains": None, "page": 0})
    assert set(outside.last.query) == {"st", "sv"}


async def test_a_base_url_keeps_its_path(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers["/directory/a"] = gives({})
    await HttpService(client, "directory", f"{outside.url}/directory", sdk=SDK).get(CALLER, "/a")
    assert outside.last.path == "/directory/a"


@given(st.text())
def test_a_segment_reaches_no_other_path(text: str) -> None:
    try:
        segment = path_segment(text)
    except ProtocolError:
        return
    path = httpx.URL(f"http://h/v1/identity/{segment}").raw_path.decode()
    assert path == f"/v1/identity/{segment}"
    assert not {"/", "?", "#", "\\", " "} & set(segment)


@pytest.mark.parametrize("text", ["", ".", "..", "x" * 513, "\ud800"])
def test_what_is_no_segment_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        path_segment(text)


@pytest.mark.parametrize("text", ["\ud800", "a&b=c#d", "\r\nX-Evil: 1"])
async def test_hostile_parameters_stay_parameters(client: httpx.AsyncClient, outside: Outside, text: str) -> None:
    await way(client, outside).get(CALLER, "/a", {"search": text})
    assert set(outside.last.query) == {"search", "projectId", "st", "sv"}
    assert "x-evil" not in outside.last.headers


@pytest.mark.parametrize("origin", ["", "app.example", "https://app.example/path", "https://app.example\r\nX: y", "*"])
def test_a_caller_has_an_origin(origin: str) -> None:
    with pytest.raises(ProtocolError):
        Caller(origin)


@pytest.mark.parametrize("project", ["x" * 65, "a b", "a\n", "ü"])
def test_a_caller_has_a_project_id_of_the_right_form(project: str) -> None:
    with pytest.raises(ProtocolError):
        Caller("https://app.example", project)


def test_the_sdk_version_names_framework_adapters_and_version() -> None:
    assert sdk_version(["eip155", "solana", "eip155"]) == "python-eip155,solana-0.1.0"
    assert sdk_version([]) == "python-universal-0.1.0"


async def test_without_a_base_url_nothing_is_sent(client: httpx.AsyncClient) -> None:
    service = HttpService(client, "blockchain", None, sdk=SDK)
    assert not service.configured
    with pytest.raises(NotConfiguredError) as raised:
        await service.get(CALLER, "/a")
    assert raised.value.setting == "BLOCKCHAIN_URL"


@pytest.mark.parametrize("status", [301, 302, 400, 401, 404, 429, 500, 503])
async def test_another_status_is_an_error_with_it(client: httpx.AsyncClient, outside: Outside, status: int) -> None:
    outside.answers["/a"] = nodes.send(nodes.http(b"no", status=f"{status} No", headers="Location: /b\r\n"))
    with pytest.raises(ServiceError, match=f"HTTP status code: {status}") as raised:
        await way(client, outside).get(CALLER, "/a")
    assert (raised.value.status, raised.value.service, len(outside.asked)) == (status, "directory", 1)


async def test_the_services_reason_is_the_text(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers["/a"] = refuses(400, ("address", "The address provided is invalid"), ("x", "other"))
    with pytest.raises(ServiceError, match="The address provided is invalid") as raised:
        await way(client, outside).get(CALLER, "/a")
    assert "HTTP status code: 400" in raised.value.message


async def test_a_providers_message_is_the_text(client: httpx.AsyncClient, outside: Outside) -> None:
    body = {"code": "insufficient_liquidity", "message": "Insufficient liquidity"}
    outside.answers["/a"] = gives(body, status="400 Bad Request")
    with pytest.raises(ServiceError, match="Insufficient liquidity"):
        await way(client, outside).get(CALLER, "/a")


async def test_an_error_whose_body_never_ends_is_an_error_at_once(client: httpx.AsyncClient, outside: Outside) -> None:
    async def endless(_request: object, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"1000\r\n" + b"x" * 0x1000 + b"\r\n")
            await writer.drain()

    outside.answers["/a"] = endless
    with pytest.raises(ServiceError, match="500"):
        await way(client, outside).get(CALLER, "/a")


async def test_an_error_whose_body_does_not_come_is_still_that_error(
    client: httpx.AsyncClient, outside: Outside
) -> None:
    outside.answers["/a"] = nodes.send_and_hang_up(b"HTTP/1.1 403 No\r\nContent-Length: 100\r\n\r\n")
    with pytest.raises(ServiceError) as raised:
        await way(client, outside).get(CALLER, "/a")
    assert raised.value.status == 403


BAD_ANSWERS = {
    "no end": (nodes.endless, ResponseTooLargeError),
    "a closed connection": (nodes.send_and_hang_up(b""), HttpRequestError),
    "half an answer": (
        nodes.send_and_hang_up(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
        HttpRequestError,
    ),
    "no HTTP": (nodes.send_and_hang_up(b"SSH-2.0-OpenSSH\r\n\r\n"), HttpRequestError),
    "compressed": (
        nodes.send(nodes.http(b"{}", headers="Content-Encoding: gzip\r\n")),
        MalformedResponseError,
    ),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
async def test_a_bad_answer_is_a_service_error_with_its_cause(
    client: httpx.AsyncClient, outside: Outside, name: str
) -> None:
    behaviour, cause = BAD_ANSWERS[name]
    outside.answers["/a"] = behaviour
    with pytest.raises(ServiceError) as raised:
        await way(client, outside, max_bytes=1000).get(CALLER, "/a")
    assert (raised.value.status, type(raised.value.__cause__)) == (None, cause)


@pytest.mark.parametrize("behaviour", [nodes.silence, nodes.drip], ids=["silence", "a byte at a time"])
async def test_a_slow_answer_is_a_service_error_in_time(
    client: httpx.AsyncClient, outside: Outside, behaviour: nodes.Behaviour
) -> None:
    outside.answers["/a"] = behaviour
    async with patience():
        with pytest.raises(ServiceError) as raised:
            await way(client, outside, timeout=0.3, max_bytes=1000).get(CALLER, "/a")
    assert (raised.value.status, type(raised.value.__cause__)) == (None, RequestTimeoutError)


async def test_a_service_that_is_away_is_a_service_error(client: httpx.AsyncClient) -> None:
    service = HttpService(client, "analytics", f"http://127.0.0.1:{free_ports()}", sdk=SDK)
    with pytest.raises(ServiceError, match="cannot be reached"):
        await service.get(CALLER, "/a")


async def test_an_errors_log_form_names_no_project(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers["/a"] = refuses(500)
    with pytest.raises(ServiceError) as raised:
        await way(client, outside).get(CALLER, "/a")
    cause = raised.value.__cause__
    assert isinstance(cause, HttpRequestError)
    assert "project-1" not in raised.value.message + cause.message


async def test_cookies_of_services_are_not_kept(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers["/a"] = nodes.send(nodes.http(b"{}", headers="Set-Cookie: visitor=1; Path=/\r\n"))
    service = way(client, outside)
    await service.get(CALLER, "/a")
    await service.get(CALLER, "/a")
    assert "cookie" not in outside.last.headers


def test_numbers_with_a_fraction_are_exact() -> None:
    received = Received(b'{"price": 0.1234567890123456789012345, "count": 3}', "directory")
    assert understood(received, lambda value: value) == {
        "price": Decimal("0.1234567890123456789012345"),
        "count": 3,
    }


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"NaN", b'{"a":1e999}', b"[" * 100_000, b"<html>"])
def test_what_is_no_json_is_a_service_error(body: bytes) -> None:
    with pytest.raises(ServiceError) as raised:
        understood(Received(body, "directory"), lambda value: value)
    assert raised.value.service == "directory"


def test_what_has_another_shape_is_a_service_error() -> None:
    def refuse(_value: object) -> None:
        raise ShapeError("WalletPage.data: must be a list")

    with pytest.raises(ServiceError) as raised:
        understood(Received(b"{}", "directory"), refuse)
    assert raised.value.details == "WalletPage.data: must be a list"


@given(st.binary(max_size=400) | st.recursive(st.none() | st.text() | st.floats(), st.lists, max_leaves=5))
def test_any_error_body_is_survived(body: object) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    error = ServiceError("directory", status=401)
    error.__cause__ = HttpRequestError(url="http://h", status=401, body=raw.decode("utf-8", "replace"))
    assert alert_for_failure(error) in {None, "INVALID_PROJECT_ID"}


@pytest.mark.parametrize(
    ("behaviour", "alert"),
    [
        (refuses(401, ("authentication", "We failed to authenticate your request")), "INVALID_PROJECT_ID"),
        (
            gives({"reasons": [7, {"name": "authentication", "description": "no"}]}, status="401 No"),
            "INVALID_PROJECT_ID",
        ),
        (refuses(401, ("signature", "The signature is wrong")), None),
        (refuses(403), "INVALID_APP_CONFIGURATION"),
        (refuses(404), None),
        (nodes.send_and_hang_up(b""), None),
    ],
)
async def test_a_failure_asks_for_its_alert(
    client: httpx.AsyncClient, outside: Outside, behaviour: nodes.Behaviour, alert: str | None
) -> None:
    outside.answers["/a"] = behaviour
    with pytest.raises(ServiceError) as raised:
        await way(client, outside).get(CALLER, "/a")
    assert alert_for_failure(raised.value) == alert
