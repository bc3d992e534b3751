"""The log of what the services were asked, for tests and for curious developers."""

from collections import deque
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from walletmodal.sandbox.answers import parse_json

KEPT = 1000
BODY_KEPT = 65_536


@dataclass(frozen=True)
class LoggedRequest:
    """One request to a service.

    Attributes:
        service: which service was asked.
        method: HTTP method.
        path: path inside the service, such as `/v1/`.
        query: query parameters; of a repeated one, the last.
        headers: headers, names in lower case.
        body: the JSON of the body, or its text when it is none; null when there was no body.
        at: when it came, ISO 8601 in UTC.
    """

    service: str
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: object
    at: str


class Journal:
    """The newest requests, at most KEPT of them."""

    def __init__(self) -> None:
        self._requests: deque[LoggedRequest] = deque(maxlen=KEPT)

    def add(
        self,
        *,
        service: str,
        method: str,
        path: str,
        query: dict[str, str],
        headers: dict[str, str],
        body: bytes,
    ) -> None:
        """Remember a request; of a long body only the first BODY_KEPT bytes, as text."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._requests.append(LoggedRequest(service, method, path, query, headers, _readable(body), at))

    def newest_last(self, service: str | None) -> list[dict[str, object]]:
        """The requests of one service, or of all with None, as plain data."""
        return [asdict(one) for one in self._requests if service in (None, one.service)]

    def clear(self) -> None:
        """Forget all."""
        self._requests.clear()


def _readable(body: bytes) -> object:
    if not body:
        return None
    if len(body) <= BODY_KEPT:
        try:
            return parse_json(body)
        except ValueError:
            pass
    return body[:BODY_KEPT].decode(errors="replace")
