"""Prometheus metrics, and who may read them."""

import hmac
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from walletmodal.config.types import listed
from walletmodal.web.answers import error_response
from walletmodal.web.origin import is_from_this_machine
from walletmodal.web.record_figures import Figures, no_figures

FOLDER_SETTING: Final = "PROMETHEUS_MULTIPROC_DIR"

RPC_CALLS: Final = Counter(
    "walletmodal_rpc_calls_total", "Read-only RPC calls of the provider, by outcome.", ["outcome"]
)
RPC_SECONDS: Final = Histogram("walletmodal_rpc_seconds", "Time of read-only RPC calls that were sent on.")

HTTP_SECONDS: Final = Histogram(
    "walletmodal_http_seconds",
    "Time of HTTP requests, until they are answered.",
    ["status"],
    buckets=(0.005, 0.025, 0.1, 0.5, 2.5, 10.0),
)
SOCKET_MESSAGES: Final = Counter(
    "walletmodal_socket_messages", "Messages of event sockets, by who says them.", ["direction"]
)
OPEN_SOCKETS: Final = Gauge("walletmodal_open_sockets", "Pages that are connected now.", multiprocess_mode="livesum")


def exposition() -> bytes:
    """Formats all metrics as text, of all workers where there are several."""
    folder = os.environ.get(FOLDER_SETTING)
    if not folder or not Path(folder).is_dir():
        return generate_latest(REGISTRY)
    _remove_dead_workers(Path(folder))
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call] # the library has no types for it
    return generate_latest(registry)


def _remove_dead_workers(folder: Path) -> None:
    """Removes gauges of dead workers, also of those that were killed and could not say so."""
    for file in folder.glob("gauge_live*_*.db"):
        process = file.stem.rpartition("_")[2]
        if process.isdecimal() and not Path(f"/proc/{process}").exists() and Path("/proc/self").exists():
            # Another worker may forget it at the same moment.
            with suppress(FileNotFoundError):
                mark_process_dead(int(process), str(folder))  # type: ignore[no-untyped-call] # the library has no types for it


def valid_api_key(authorization: str, keys: str | None) -> str | None:
    """Returns the deployment's API key that an `Authorization` header carries as a bearer token (RFC 6750); None for any other.

    Args:
        authorization: the header.
        keys: API_KEY, with commas where it has several; each is compared in constant time, whether or not another has matched.
    """
    scheme, _, token = authorization.partition(" ")
    given = token.strip().encode()
    matches = [key for key in listed(keys or "") if hmac.compare_digest(given, key.encode())]
    return matches[0] if matches and scheme.lower() == "bearer" else None


def metrics_endpoint(api_key: str | None, more: Figures = no_figures) -> Callable[[Request], Awaitable[Response]]:
    """`GET /metrics`: for programs on this machine, and for those that hold the API key.

    Args:
        api_key: of the deployment, or None.
        more: figures that no worker counts.
    """

    async def metrics(request: Request) -> Response:
        allowed = is_from_this_machine(request.scope, request.headers) or valid_api_key(
            request.headers.get("authorization", ""), api_key
        )
        if not allowed:
            refusal = error_response(401, "unauthorized", "The figures are for loopback and holders of the API key.")
            refusal.headers["WWW-Authenticate"] = "Bearer"
            return refusal
        body = await run_in_threadpool(exposition) + await more()
        return Response(body, media_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})

    return metrics
