"""Logging to standard error: one line per entry, as text or as JSON, each with the id of the request that it belongs to.

Much of what is logged contains words of strangers: browsers, wallets, services. No line of theirs can look like one of ours, none is long,
and what opens something does not get in.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections import Counter as Counted
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from prometheus_client import Counter

from walletmodal.config import Settings
from walletmodal.config.types import listed
from walletmodal.core.clock import Clock, SystemClock

LogForm = Literal["text", "json"]

REQUEST_ID: Final[ContextVar[str]] = ContextVar("walletmodal_request_id", default="")
"""Of the HTTP request that is being answered; `web.request_ids` sets it."""

MAX_MESSAGE: Final = 4_000
MAX_ERROR: Final = 16_000
"""Characters; of a traceback the end counts most."""

STRANGERS_A_MINUTE: Final = 60
"""Entries of one logger and level about what browsers have sent that nobody understands."""

_DROPPED: Final = Counter(
    "walletmodal_log_entries_dropped", "Entries about what browsers have sent, beyond 60 a minute."
)
_MINUTE: Final = 60.0
_HIDDEN: Final = "***"
_LEAST_SECRET, _LEAST_OF_NODES = 8, 16
_OWN: Final = "walletmodal"
_WITH_HANDLERS: Final = ("_granian", "granian.access", "engineio.server", "socketio.server")
"""Libraries' loggers that bring handlers of their own."""
_ABOUT_STRANGERS: Final = (
    *("reflex", "engineio", "socketio"),
    *("walletmodal.services.failures", "walletmodal.web.edge", "walletmodal.web.origin"),
    "walletmodal.reflex_internals.socket_loop",
    *("walletmodal.services.cache", "walletmodal.reflex_internals.worker_messages"),
)
"""Those that tell what some browser has sent, as often as it likes; of the last two, what Redis has not done while it is away, and has told
that no worker says."""
# Line breaks of every kind, what moves the cursor or colours the terminal, and what turns the reading direction.
_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\\\\]")
_UNSAFE_IN_ERRORS: Final = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
# Who knows the name of a visitor's session can speak for the visitor; Reflex's are UUIDs, and its tasks are named after them. So can
# who has the secret of the visitor's browser, and for some minutes who has a token.
_OPENING: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=\|)[^|\s]{8,}(?=\|[0-9a-f]{12}\b)"
    r"|(?<=__Host-walletmodal=)[^;\s'\"]+|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+|(?i:(?<=bearer ))[^\s'\",]+"
)
_PAYLOADS: Final = re.compile(r"(?<=Event data: ).*|(?<=event data: ).*|(?<=Event\().*|(?<=but received ).*", re.DOTALL)

_PASSWORD_PARAMETERS: Final = frozenset({"password", "sslpassword", "sentinel_password"})

Ids = Callable[[], Mapping[str, str]]
"""Tells what is being worked on."""


def request_ids() -> Mapping[str, str]:
    """The HTTP request that is being answered."""
    found = REQUEST_ID.get()
    return {"request_id": found} if found else {}


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """What of the settings must not be read in a log: keys, passwords, and what stands behind the host in the URLs of nodes."""
    found = [*listed(settings.api_key.get_secret_value())] if settings.api_key else []
    found += [*listed(settings.webhook_secret.get_secret_value())] if settings.webhook_secret else []
    found += [settings.shared_secret] if settings.shared_secret else []
    found += [password for url in (settings.database_url, settings.redis_url or "") for password in _passwords(url)]
    nodes = [settings.service_url("RPC_URL") or "", *(url for urls in settings.rpc_urls.values() for url in urls)]
    paths = [url.partition("://")[2].partition("/")[2] for url in nodes]
    found += [part for path in paths for part in (path, *re.split(r"[/?&=]", path)) if len(part) >= _LEAST_OF_NODES]
    return tuple(sorted((one for one in set(found) if len(one) >= _LEAST_SECRET), key=len, reverse=True))


def _passwords(url: str) -> list[str]:
    try:
        parts = urlsplit(url)
        queried = [value for name, value in parse_qsl(parts.query) if name in _PASSWORD_PARAMETERS]
        return [one for text in filter(None, [parts.password, *queried]) for one in (text, unquote(text))]
    except ValueError:
        return []


class Lines(logging.Formatter):
    """Makes a line of an entry.

    Args:
        form: `text` for people, `json` for machines.
        secrets: what is crossed out wherever it stands.
        ids: tells what the entry belongs to.
    """

    def __init__(self, form: LogForm = "text", *, secrets: Iterable[str] = (), ids: Ids = request_ids) -> None:
        super().__init__()
        self._form, self._secrets, self._ids = form, tuple(secrets), ids

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end; in text a traceback follows, indented."""
        message, error = self._message(record), self._error(record)
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        ids = self._ids()
        if self._form == "json":
            entry: dict[str, Any] = {
                "time": at,
                "level": record.levelname,
                "logger": record.name,
                "message": message,
                **ids,
            }
            entry |= {"process": record.process, **({"error": error} if error else {})}
            return json.dumps(entry)
        mark = "".join(f" [{value}]" for value in ids.values())
        lines = [f"{at} {record.levelname} {record.name}{mark}: {_escaped(message)}"]
        return "\n    ".join([*lines, *(_UNSAFE_IN_ERRORS.sub(_escape, error).split("\n") if error else ())])

    def _message(self, record: logging.LogRecord) -> str:
        try:
            text = record.getMessage()
        except (TypeError, ValueError):
            text = str(record.msg)
        return self._cleared(record, text[: 2 * MAX_MESSAGE])[:MAX_MESSAGE]

    def _error(self, record: logging.LogRecord) -> str:
        if not record.exc_info or record.exc_info[0] is None:
            return ""
        return self._cleared(record, self.formatException(record.exc_info)[-2 * MAX_ERROR :])[-MAX_ERROR:]

    def _cleared(self, record: logging.LogRecord, text: str) -> str:
        """Without what opens something, and without what pages have sent."""
        if record.name.startswith(_ABOUT_STRANGERS):
            text = _PAYLOADS.sub("…", text)
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        return _OPENING.sub(_HIDDEN, text)


def _escaped(text: str) -> str:
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


class FewAboutStrangers(logging.Filter):
    """Lets through what tells of browsers' nonsense so many times a minute, and counts the rest.

    Args:
        clock: what the minutes are measured with.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__()
        self._clock = clock or SystemClock()
        self._since = self._clock.monotonic()
        self._seen: Counted[tuple[str, int]] = Counted()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the entry is to be written."""
        if not record.name.startswith(_ABOUT_STRANGERS):
            return True
        now = self._clock.monotonic()
        if now - self._since >= _MINUTE:
            self._since = now
            self._seen.clear()
        # Each kind has a share of its own: nonsense must not hide what fails meanwhile.
        kind = record.name, record.levelno
        self._seen[kind] += 1
        if self._seen[kind] > STRANGERS_A_MINUTE:
            _DROPPED.inc()
        return self._seen[kind] <= STRANGERS_A_MINUTE


@contextmanager
def logging_to(
    write: Any, *, form: LogForm, level: str, secrets: Iterable[str] = (), ids: Ids = request_ids
) -> Iterator[None]:
    """Sends all entries of the process to a stream, and puts everything back at the end.

    Args:
        write: a text stream.
        form: as in `Lines`.
        level: from which our own entries count; those of libraries count from warnings on.
        secrets: as in `Lines`.
        ids: as in `Lines`.
    """
    handler = logging.StreamHandler(write)
    handler.setFormatter(Lines(form, secrets=secrets, ids=ids))
    handler.addFilter(FewAboutStrangers())
    root, own = logging.getLogger(), logging.getLogger(_OWN)
    before = root.level, own.level
    foreign = {name: list(logging.getLogger(name).handlers) for name in _WITH_HANDLERS}
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    own.setLevel(level)
    for name in _WITH_HANDLERS:
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.removeHandler(handler)
        root.setLevel(before[0])
        own.setLevel(before[1])
        for name, handlers in foreign.items():
            logging.getLogger(name).handlers.extend(handlers)
            logging.getLogger(name).propagate = not handlers


def log_as_set(settings: Settings, *, ids: Ids = request_ids) -> Callable[[], Any]:
    """A lifespan task, `app.register_lifespan_task(log_as_set(settings()))`: the log as LOG_FORMAT and LOG_LEVEL say."""

    @asynccontextmanager
    async def log() -> AsyncIterator[None]:
        with logging_to(
            sys.stderr, form=settings.log_format, level=settings.log_level, secrets=secrets_of(settings), ids=ids
        ):
            yield

    return log
