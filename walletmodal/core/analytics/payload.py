"""An analytics event, and the body in which one is sent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict
from urllib.parse import urlsplit
from uuid import uuid4

from walletmodal.core.clock import Clock

EventType = Literal["track", "error"]
Json: TypeAlias = str | int | float | bool | list["Json"] | dict[str, "Json"] | None

MAX_TEXT: Final = 2000
"""Characters of one text of an event: what wallets and services say is not limited by them."""

NEVER_SENT: Final = frozenset({"MODAL_CREATED"})
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_SAFE_INTEGER: Final = 2**53 - 1
_PAIRING_KEY: Final = re.compile(r"(symKey=)[^&#]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the product's list.

    Attributes:
        event: its name, such as `MODAL_OPEN`.
        properties: JSON, names as on the wire.
        type: `error` for the product's own failures, else `track`.
    """

    event: str
    properties: Mapping[str, Json] = field(default_factory=dict)
    type: EventType = "track"

    @property
    def is_sent(self) -> bool:
        """Whether the analytics service gets it; the host's subscribers get every event."""
        return self.event not in NEVER_SENT


class EventProps(TypedDict):
    """The event inside a body; what is undefined is not there."""

    type: EventType
    event: str
    properties: NotRequired[dict[str, Json]]
    address: NotRequired[str]


class EventBody(TypedDict):
    """The body of `POST /e`; `timestamp` in ms."""

    eventId: str
    url: str
    domain: str
    timestamp: int
    props: EventProps


def event_body(event: Event, *, url: str, clock: Clock, address: str = "") -> EventBody:
    """The body that reports an event.

    Args:
        event: what happened.
        url: the host page's URL as it is now; the domain is its host name.
        clock: says when.
        address: the active account's plain address, "" for none.
    """
    props = EventProps(type=event.type, event=event.event)
    if event.properties:
        props["properties"] = dict(event.properties)
    if address:
        props["address"] = address
    return EventBody(
        eventId=str(uuid4()),
        url=url,
        domain=_host_name(url),
        timestamp=(clock.now() - _EPOCH) // timedelta(milliseconds=1),
        props=props,
    )


def make_event(event: str, properties: Mapping[str, Json] | None = None, *, kind: EventType = "track") -> Event:
    """Makes an event of the properties that are not None, its texts fit to be sent: cut, and Unicode."""
    given = {name: _sendable(value) for name, value in (properties or {}).items() if value is not None}
    return Event(event, given, kind)


def to_number(amount: Decimal) -> int | float:
    """Converts an amount to the JavaScript number that the list of events asks for: for statistics, never paid with."""
    if amount == amount.to_integral_value() and abs(amount) <= _MAX_SAFE_INTEGER:
        return int(amount)
    return float(amount)


def strip_pairing_key(pairing_uri: str) -> str:
    """Strips the symmetric key off a pairing URI: who has the key reads the session."""
    return _PAIRING_KEY.sub(r"\1", pairing_uri)


def _sendable(value: Json) -> Json:
    if isinstance(value, str):
        return value[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")
    return value


def _host_name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
