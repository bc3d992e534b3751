"""Pages that were built for another release than the server that their socket reached: they load anew, a few times, and then stay.

Why: Reflex reloads such a page once in a while, and then shows a banner in English over it. Behind a balancer the next try may reach the
right server, and a page whose release differs little goes on working.
Test: `test_a_page_of_another_release_is_told_to_reload_by_what_it_connects_with`, `tests/test_page_reload.py`.
Dropped when: Reflex leaves to the app what a page of another release does.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qs

from reflex.state import BaseState
from reflex_base.constants import CompileVars, SocketEvent

from walletmodal.services.metrics import count_ignored
from walletmodal.services.rate_limit import MemoryRateLimit, Rate

RELOADS: Final = Rate(per_second=1 / 60, burst=3)
"""Of one page, at each worker."""
_AT_ONCE: Final = -1
"""Milliseconds since the last reload that must have passed, for the page."""


def reload_pages(namespace: Any, state: type[BaseState], limit: MemoryRateLimit | None = None) -> None:
    """Have a socket's namespace decide so.

    Args:
        namespace: of the event socket.
        state: the root of the server's states.
        limit: how often.
    """
    connect, reloads = namespace.on_connect, limit or MemoryRateLimit(RELOADS)

    async def on_connect(sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        if isinstance(auth, dict) and CompileVars.CONNECT_AUTH_STATE_SCHEMA in auth:
            built_for = auth[CompileVars.CONNECT_AUTH_STATE_SCHEMA]
            auth = {name: value for name, value in auth.items() if name != CompileVars.CONNECT_AUTH_STATE_SCHEMA}
            ours = state._to_frontend_schema()
            if built_for is not None and built_for != ours:
                token = parse_qs(environ.get("QUERY_STRING", "")).get("token", [""])[0]
                if reloads.take(token):
                    told = {"backend": ours, "reload_cooldown_ms": _AT_ONCE}
                    await namespace.emit(str(SocketEvent.STATE_MISMATCH), told, to=sid)
                else:
                    count_ignored("page_of_another_release")
        await connect(sid, environ, auth)

    namespace.on_connect = on_connect
