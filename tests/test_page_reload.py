"""What a page is told that was built for another release than the server that it reached."""

from __future__ import annotations

from typing import Any

import pytest
from reflex.state import State

from walletmodal.reflex_internals.page_reload import RELOADS, reload_pages
from walletmodal.walletmodal import app

PAGE = {"QUERY_STRING": "token=of-the-page"}


class Namespace:
    """Of a socket, as far as it connects."""

    def __init__(self) -> None:
        self.said: list[Any] = []
        self.connected: list[tuple[str, Any, Any]] = []

    async def emit(self, event: str, told: Any, *, to: str) -> None:
        self.said.append((event, told["reload_cooldown_ms"], to))

    async def on_connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        self.connected.append((sid, environ, auth))


@pytest.fixture
def namespace() -> Namespace:
    found = Namespace()
    reload_pages(found, State)
    return found


async def test_a_page_of_another_release_loads_anew_a_few_times_and_then_stays(namespace: Namespace) -> None:
    for _ in range(RELOADS.burst + 1):
        await namespace.on_connect("socket", PAGE, {"event": "hydrate", "state_schema": "another"})
    assert namespace.said == [("state_mismatch", -1, "socket")] * RELOADS.burst
    assert namespace.connected == [("socket", PAGE, {"event": "hydrate"})] * (RELOADS.burst + 1)


async def test_any_other_page_is_left_alone(namespace: Namespace) -> None:
    for auth in (None, "x", {"event": "hydrate"}, {"state_schema": State._to_frontend_schema()}):
        await namespace.on_connect("socket", PAGE, auth)
    assert namespace.said == []


def test_the_app_decides_so() -> None:
    assert app.event_namespace is not None
    assert app.event_namespace.on_connect.__module__ == reload_pages.__module__
