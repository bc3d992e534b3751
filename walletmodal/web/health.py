"""`GET /_health`: whether visitors should be sent to this worker. Replaces Reflex's own page of that name. `GET /_live`: whether it runs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.services.single_flight import SingleFlight
from walletmodal.web.answers import json_response
from walletmodal.web.drain import Drain

Probe = Callable[[], Awaitable[object]]
"""Asks something that the server cannot do without; raises, or takes too long, when that does not answer."""

LIMIT_SECONDS: Final = 2.0

_log: Final = logging.getLogger(__name__)


async def _answers(name: str, probe: Probe) -> bool:
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            await probe()
    except Exception:  # noqa: BLE001 - whatever keeps a part from answering is the finding, and drivers share no error class
        _log.warning("health: %s does not answer", name, exc_info=True)
        return False
    return True


def health_endpoint(probes: Mapping[str, Probe], drain: Drain) -> Callable[[Request], Awaitable[Response]]:
    """200 and `{"status": "ok", …}` when every probe succeeds, else 503 and `"failed"` at what failed; never says why.

    503 and `{"status": "draining"}` once the server is going to end. Who asks at once is answered together: anybody may ask, and a part
    that answers thousands one after the other would look as if it did not.
    """
    asking = SingleFlight[bool]()

    async def health(_request: Request) -> Response:
        if drain.announced:
            return json_response({"status": "draining"}, 503)
        names = list(probes)
        found = await asyncio.gather(*(asking.join(name, partial(_answers, name, probes[name])) for name in names))
        parts = {name: "ok" if answered else "failed" for name, answered in zip(names, found, strict=True)}
        healthy = all(found)
        return json_response({"status": "ok" if healthy else "failed", **parts}, 200 if healthy else 503)

    return health


async def live(_request: Request) -> Response:
    """200 as long as the worker answers at all: another start does not bring back a database that is away."""
    return json_response({"status": "ok"})
