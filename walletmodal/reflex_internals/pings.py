"""The pings of Reflex's sockets, which `walletmodal.web.heartbeat` sends: the framework sends none.

Why: Engine.IO begins a task for each socket that sleeps until the next ping, hands that to the socket's writer, and has the answer go through
all that a message goes through. That was half of what an open page that does nothing takes a worker.
Test: `test_the_framework_pings_no_page_and_says_how_often_we_do`.
Dropped when: Engine.IO pings all sockets from one task.
"""

from typing import Any, Final

from engineio.async_socket import AsyncSocket

PING_SECONDS: Final = 20.0
"""From one ping to the next, by which the page must have answered."""
_LATE_SECONDS: Final = 20.0
"""A ping that is later than that has a page take its server for gone."""
_NEVER: Final = 86_400.0
"""What the framework takes for the time between its own pings."""


def leave_pings_to_us(engine: Any) -> None:
    """Has the framework ping nobody, and pages told how often they are pinged.

    Args:
        engine: `engineio.AsyncServer`.
    """
    # Pages are told the sum of both.
    engine.ping_interval, engine.ping_interval_grace_period = _NEVER, PING_SECONDS - _NEVER
    engine.ping_timeout = _LATE_SECONDS
    AsyncSocket.schedule_ping = _schedule_none


def _schedule_none(socket: AsyncSocket) -> None:
    """In the place of `AsyncSocket.schedule_ping`: nothing is being waited for either."""
    socket.last_ping = None
