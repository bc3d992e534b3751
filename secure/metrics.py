"""Counters of the secure site, and `GET /metrics` for programs on its machine. No figure names a person, an address or a device."""

import os
from typing import Final, Literal

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from walletmodal.core.parsing.urls import is_loopback_host

EVENTS: Final = Counter(
    "walletmodal_secure_events", "What has happened to accounts, as in the audit, by kind.", ["kind"]
)
MAILS: Final = Counter("walletmodal_secure_mails", "Mails, by what became of them.", ["outcome"])
LOGINS_BEGUN: Final = Counter("walletmodal_secure_logins_begun", "Logins by email that were begun.")
HALVES: Final = Counter(
    "walletmodal_secure_halves", "Halves that were given out, by use: `sign` is a signature.", ["use"]
)
BACKGROUND_FAILURES: Final = Counter(
    "walletmodal_secure_background_failures", "Mistakes in what is done beside the calls, which is tried again."
)

_MARKS_OF_A_PROXY: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


def count_mail(outcome: Literal["sent", "failed", "withheld", "limited"]) -> None:
    """Counts a mail. `withheld`: above the limits of its address, or while that is frozen; `limited`: refused to who asked."""
    MAILS.labels(outcome).inc()


def metrics_route() -> Route:
    """`GET /metrics`."""
    return Route("/metrics", _metrics)


async def _metrics(request: Request) -> Response:
    # A proxy's visitors also come from loopback, and a page may have its own name point at this machine.
    client = request.client
    direct = client is not None and is_loopback_host(client.host) and is_loopback_host(request.url.hostname or "")
    if not direct or any(name in request.headers for name in _MARKS_OF_A_PROXY):
        return PlainTextResponse("The figures are for programs on this machine.", 403)
    return Response(await run_in_threadpool(_exposition), media_type=CONTENT_TYPE_LATEST)


def _exposition() -> bytes:
    """Of all workers, where they share the folder of PROMETHEUS_MULTIPROC_DIR."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if not folder:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call] # the library has no types for it
    return generate_latest(registry)
