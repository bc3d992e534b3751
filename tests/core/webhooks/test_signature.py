"""Signatures of webhooks, as the library of Standard Webhooks makes and reads them."""

import json
from base64 import b64encode
from datetime import UTC, datetime

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from tests.cases import every_case
from walletmodal.core.webhooks.signature import is_signed, read_secret, sign

SECRET, OTHER = (f"whsec_{b64encode(key * 32).decode()}" for key in (b"k", b"n"))
KEYS = [read_secret(SECRET), read_secret(OTHER)]
BODY = json.dumps({"type": "sign_in.created", "data": {"text": "é\n"}}).encode()
NOW = 1_790_000_000
"""For what does not look at the clock, as the library does."""


@pytest.mark.parametrize("secret", [SECRET, OTHER])
def test_the_librarys_receiver_takes_what_we_sign_with_either_secret(secret: str) -> None:
    now = int(datetime.now(UTC).timestamp())
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(now),
        "webhook-signature": sign(KEYS, "msg_1", now, BODY),
    }
    assert Webhook(secret).verify(BODY, headers) == json.loads(BODY)


def test_the_librarys_receiver_refuses_what_another_secret_has_signed() -> None:
    now = int(datetime.now(UTC).timestamp())
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(now),
        "webhook-signature": sign(KEYS[1:], "msg_1", now, BODY),
    }
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(BODY, headers)


def test_we_take_what_the_library_signs() -> None:
    header = Webhook(SECRET).sign("msg_1", datetime.fromtimestamp(NOW, UTC), BODY.decode())
    assert is_signed(header, KEYS, "msg_1", NOW, BODY)
    assert is_signed(f"v2,x v1,eA== {header}", KEYS, "msg_1", NOW, BODY)


@every_case(
    ("header", "message_id", "moment", "body"),
    [
        (sign(KEYS, "msg_2", NOW, BODY), "msg_1", NOW, BODY),
        (sign(KEYS, "msg_1", NOW, BODY), "msg_1", NOW + 1, BODY),
        (sign(KEYS, "msg_1", NOW, BODY), "msg_1", NOW, BODY + b" "),
        (sign(KEYS, "msg_1", NOW, BODY).replace("v1,", "v2,"), "msg_1", NOW, BODY),
        (sign([b"x" * 32], "msg_1", NOW, BODY), "msg_1", NOW, BODY),
        ("", "msg_1", NOW, BODY),
        ("v1,é", "msg_1", NOW, BODY),
    ],
)
def test_what_is_not_signed_so_is_refused(header: str, message_id: str, moment: int, body: bytes) -> None:
    assert not is_signed(header, KEYS, message_id, moment, body)


@every_case("text", ["", "whsec_", SECRET.removeprefix("whsec_"), "whsec_c2hvcnQ=", "whsec_%%%%", f"whsec_{'A' * 88}"])
def test_a_secret_has_its_form(text: str) -> None:
    with pytest.raises(ValueError, match="a secret of webhooks"):
        read_secret(text)
