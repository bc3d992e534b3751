"""Faults that can be switched on per service: status, delay, body, dropped connection."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

Service = Literal[
    "directory",
    "blockchain",
    "analytics",
    "rpc",
    "bundler",
    "paymaster",
    "relay",
    "verify",
    "secure",
    "login",
    "farcaster",
]
SERVICES: tuple[Service, ...] = get_args(Service)

MAX_FAULTS = 200

DELIVERY = "/irn_subscription"
"""The path of the relay's mail on its way to a client."""


class Fault(BaseModel):
    """What goes wrong with the requests that it matches.

    Attributes:
        service: the service that it strikes.
        path: a prefix of the path inside the service (`/v1/account`, also without its first slash), or of
            the whole path; all paths when absent or empty.
        method: a JSON-RPC method; all requests when absent. A batch is struck as a whole when one of its calls is of this method. A
            `body` that is an object gets the id of that call, unless it has one.
        status: HTTP status to answer with instead of asking the service.
        delay_ms: milliseconds to wait first. Alone, the service answers afterwards.
        body: what to answer with instead; a string goes out as it is (so it may be malformed),
            anything else as JSON.
        drop: close the connection without an answer; of the relay's mail (`/irn_subscription`): lose it.
        after: with `drop`, the deed is done first; only its answer is lost.
        repeat: the relay delivers a message twice.
        times: how many requests it strikes; when absent, every one until it is removed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    service: Service
    path: Annotated[str, Field(max_length=500)] | None = None
    method: Annotated[str, Field(max_length=200)] | None = None
    status: Annotated[int, Field(ge=200, le=599)] | None = None
    delay_ms: Annotated[int, Field(ge=0, le=600_000)] | None = None
    body: JsonValue = None
    drop: bool = False
    after: bool = False
    repeat: bool = False
    times: Annotated[int, Field(ge=1, le=1_000_000)] | None = None

    @model_validator(mode="after")
    def _does_one_thing(self) -> Self:
        if not (self.drop or self.repeat or self.replaces_answer or self.delay_ms is not None):
            raise ValueError("name at least one of status, delay_ms, body, drop and repeat")
        if self.drop and self.replaces_answer:
            raise ValueError("a dropped connection has no status and no body")
        if self.after and not self.drop:
            raise ValueError("only what is dropped can be dropped after the deed")
        if self.repeat and (self.service, self.path) != ("relay", DELIVERY):
            raise ValueError(f"only mail of the relay is repeated: name the path {DELIVERY}")
        return self

    def matches(self, service: Service, path: str, whole_path: str, methods: Collection[str] = ()) -> bool:
        """Whether it strikes a request to this path inside the service, which is `whole_path` from outside, for these JSON-RPC methods."""
        prefix = f"/{(self.path or '').removeprefix('/')}"
        is_there = self.service == service and (path.startswith(prefix) or whole_path.startswith(prefix))
        return is_there and (self.method is None or self.method in methods)

    @property
    def replaces_answer(self) -> bool:
        """Whether the service itself is not asked."""
        return self.status is not None or "body" in self.model_fields_set


@dataclass
class _Standing:
    fault: Fault
    left: int | None


class FaultBook:
    """The faults that stand; the oldest one that matches strikes, so several make a sequence."""

    def __init__(self) -> None:
        self._standing: list[_Standing] = []

    def add(self, fault: Fault) -> None:
        """Switch a fault on.

        Raises:
            OverflowError: MAX_FAULTS stand already.
        """
        if len(self._standing) >= MAX_FAULTS:
            raise OverflowError(f"{MAX_FAULTS} faults stand already")
        self._standing.append(_Standing(fault, fault.times))

    def clear(self) -> int:
        """Switch all off; returns how many stood."""
        count = len(self._standing)
        self._standing.clear()
        return count

    def strike(self, service: Service, path: str, whole_path: str, methods: Collection[str] = ()) -> Fault | None:
        """The fault for this request, counted as used; None when all is well."""
        for standing in self._standing:
            fault = standing.fault
            if not fault.matches(service, path, whole_path, methods):
                continue
            if standing.left is not None:
                standing.left -= 1
                if standing.left == 0:
                    self._standing.remove(standing)
            return fault
        return None
