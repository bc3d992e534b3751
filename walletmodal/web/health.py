"""`GET /_health`: whether this worker can do its work. Replaces Reflex's own page of that name."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.web.answers import json_response

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


def health_endpoint(probes: Mapping[str, Probe]) -> Callable[[Request], Awaitable[Response]]:
    """200 and `{"status": "ok", …}` when every probe succeeds, else 503 and `"failed"` at what failed; never says why."""

    async def health(_request: Request) -> Response:
        names = list(probes)
        found = await asyncio.gather(*(_answers(name, probes[name]) for name in names))
        parts = {name: "ok" if answered else "failed" for name, answered in zip(names, found, strict=True)}
        healthy = all(found)
        return json_response({"status": "ok" if healthy else "failed", **parts}, 200 if healthy else 503)

    return health
