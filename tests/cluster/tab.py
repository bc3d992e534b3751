"""A page that comes back when its server is gone."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from bench.scale.page import Page, PageError

_PAUSE_SECONDS: Final = 0.2
_LONGEST_PAUSE: Final = 2.0


class Tab(Page):
    """A page that opens a socket again also where a server has taken one and has said nothing."""

    async def changed(self, seconds: float) -> None:
        """Returns after the next change, or so many seconds."""
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    async def come_back(self) -> None:
        """Open a socket again, until a server takes it and says the whole state."""
        pause = 0.0
        while True:
            await self.drop()
            try:
                await self.open_again()
                await self.until(lambda: self.value("BridgeState", "sync"), "state after a reconnect")
            except PageError:
                pause = min(pause + _PAUSE_SECONDS, _LONGEST_PAUSE)
                await asyncio.sleep(pause)
            else:
                return
