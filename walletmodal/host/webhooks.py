"""Reading a webhook of the modal: who has sent it, and what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from walletmodal.core.errors.webhooks import WebhookError
from walletmodal.core.webhooks.signature import is_signed, read_secret

TOLERANCE: Final = timedelta(minutes=5)
"""How long ago a webhook may have been sent, and by how much the clocks of modal and host may differ: what is caught on its way is soon worth nothing."""

_SECONDS: Final = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """What has happened.

    Attributes:
        id: the same at each try: an event comes at least once, in no certain order.
        type: such as `sign_in.created`; a receiver leaves those alone that it does not know.
        at: when it has happened.
        data: about it (docs/webhooks.md).
    """

    id: str
    type: str
    at: datetime
    data: dict[str, Any]


def read_webhook(
    body: bytes, headers: Mapping[str, str], secrets: str | Sequence[str], *, now: datetime | None = None
) -> WebhookEvent:
    """Returns what a webhook says, once it is certain that the modal has sent it, just now.

    Args:
        body: of the request, as it came.
        headers: of the request; their names in any spelling.
        secrets: WEBHOOK_SECRET of the modal, or several.
        now: default the machine's clock.

    Raises:
        WebhookError: it is not to be believed. Answer 400.
        ValueError: one of the secrets is none.
    """
    keys = [read_secret(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, sent_at, signature = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise WebhookError("form", f"the header {error} is missing") from error
    if not _SECONDS.fullmatch(sent_at):
        raise WebhookError("form", "webhook-timestamp is no number of seconds")
    if not is_signed(signature, keys, message_id, int(sent_at), body):
        raise WebhookError("signature")
    if abs((now or datetime.now(UTC)).timestamp() - int(sent_at)) > TOLERANCE.total_seconds():
        raise WebhookError("time")
    try:
        event = json.loads(body)
        return WebhookEvent(message_id, event["type"], datetime.fromisoformat(event["timestamp"]), event["data"])
    except (ValueError, KeyError, TypeError) as error:
        raise WebhookError("form", "it is no event") from error
