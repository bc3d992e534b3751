"""Webhooks at a host: what it believes, what it does not, and the receiver of the documentation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.core.webhooks.test_signature import KEYS, OTHER, SECRET
from tests.docs.pages import blocks
from walletmodal.core.webhooks.event import Event
from walletmodal.core.webhooks.signature import sign
from walletmodal.host import WebhookError, read_webhook
from walletmodal.host.webhooks import TOLERANCE

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EVENT = Event(NOW, "sign_in.created", "0xA", {"account": "eip155:1:0xA", "session": "5e55"}, id="msg_1")


def headers(body: bytes = EVENT.payload(), at: datetime = NOW) -> dict[str, str]:
    moment = int(at.timestamp())
    return {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(moment),
        "Webhook-Signature": sign(KEYS[:1], "msg_1", moment, body),
    }


@pytest.mark.parametrize("secrets", [SECRET, [OTHER, SECRET]])
def test_what_the_modal_has_sent_is_read(secrets: Any) -> None:
    told = read_webhook(EVENT.payload(), headers(), secrets, now=NOW + TOLERANCE)
    assert (told.id, told.type, told.at, told.data) == ("msg_1", EVENT.type, NOW, EVENT.data)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"Webhook-Signature": None}, "form"),
        ({"Webhook-Timestamp": "now"}, "form"),
        ({"Webhook-Timestamp": "9" * 400}, "form"),
        ({"Webhook-Id": "msg_2"}, "signature"),
        ({"Webhook-Signature": "v1,"}, "signature"),
        (headers(at=NOW - TOLERANCE - timedelta(seconds=1)), "time"),
        (headers(at=NOW + TOLERANCE + timedelta(seconds=1)), "time"),
    ],
)
def test_what_the_modal_has_not_sent_just_now_is_refused(changed: dict[str, str | None], fault: str) -> None:
    given = {name: value for name, value in {**headers(), **changed}.items() if value is not None}
    with pytest.raises(WebhookError) as refused:
        read_webhook(EVENT.payload(), given, SECRET, now=NOW)
    assert refused.value.fault == fault


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"type": 1}', b"\xff", b'{"type":"a","timestamp":"x","data":{}}']
)
def test_what_is_no_event_is_refused_whoever_has_signed_it(body: bytes) -> None:
    with pytest.raises(WebhookError) as refused:
        read_webhook(body, headers(body), SECRET, now=NOW)
    assert refused.value.fault == "form"


def test_another_secret_signs_nothing() -> None:
    with pytest.raises(WebhookError):
        read_webhook(EVENT.payload(), headers(), OTHER, now=NOW)


def test_the_receiver_of_the_documentation_takes_each_event_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = blocks("python", "docs/webhooks.md")
    monkeypatch.setenv("WALLETMODAL_WEBHOOK_SECRET", SECRET)
    names: dict[str, Any] = {"__name__": "receiver"}
    exec(compile(block.code, str(block), "exec", dont_inherit=True), names)
    event = Event(datetime.now(UTC), "sign_in.created", "0xA", EVENT.data, id="msg_1")
    page = TestClient(names["app"])

    def tell(**changed: str) -> Any:
        given = headers(event.payload(), datetime.now(UTC))
        return page.post("/webhooks/wallet", content=event.payload(), headers={**given, **changed})

    assert [tell().status_code, tell().status_code] == [204, 204]
    assert names["welcomed"] == ["eip155:1:0xA"]
    assert tell(**{"Webhook-Signature": "v1,AAAA"}).status_code == 400
