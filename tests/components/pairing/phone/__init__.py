"""A wallet on a phone, for tests: the real WalletKit in a Node process, which never answers by itself."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from scripts.project import ROOT, VENV_BIN
from tests.patience import PATIENCE
from walletmodal.commands.project import tool_environment

OLDER: Final = ROOT / "tests" / "browser" / "package.json"
"""Has the WalletKit of 2025 (SDK 2.19), which says everything in messages of its own, where today's asks the relay to."""

_NEWEST: Final = ROOT / "sandbox" / "package.json"
_PROGRAM: Final = Path(__file__).parent / "phone.mjs"


class Phone:
    """Speaks with the process.

    Args:
        relay: the relay's URL.
        packages: the package.json whose WalletKit it is.
    """

    def __init__(self, relay: str, packages: Path = _NEWEST) -> None:
        self._relay, self._packages = relay, packages
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._events: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    async def start(self) -> None:
        """Start it; it answers when it is ready."""
        self._process = await asyncio.create_subprocess_exec(
            VENV_BIN / "node",
            _PROGRAM,
            self._relay,
            self._packages,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=tool_environment(),
            limit=2**20,
        )
        self._reader = asyncio.create_task(self._read())
        self.address: str = await self.do("address")

    async def stop(self) -> None:
        """End it."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            await self._process.wait()
        if self._reader is not None:
            await self._reader

    async def do(self, act: str, **params: Any) -> Any:
        """Make it do something; gives back what comes of it."""
        assert self._process is not None
        assert self._process.stdin is not None
        number = len(self._answers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._process.stdin.write(json.dumps({"number": number, "act": act, **params}).encode() + b"\n")
        return await asyncio.wait_for(self._answers[number], PATIENCE)

    async def sees(self, kind: str, matches: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """Wait for something on its screen, and take it from there."""

        async def found() -> dict[str, Any]:
            while True:
                for event in self._events:
                    if event["kind"] == kind and matches(event):
                        self._events.remove(event)
                        return event
                self._news.clear()
                await self._news.wait()

        return await asyncio.wait_for(found(), PATIENCE)

    async def scan(self, uri: str) -> dict[str, Any]:
        """Scan a code, with what was seen before gone from the screen; gives back the proposal."""
        self._events.clear()
        await self.do("pair", uri=uri)
        topic = uri.removeprefix("wc:").partition("@")[0]
        return await self.sees("proposal", lambda event: event["topic"] == topic)

    async def scan_to_sign(self, uri: str) -> dict[str, Any]:
        """As `scan`, of a code that asks for a signature; gives back what it asks."""
        self._events.clear()
        await self.do("signsIn", on=True)
        await self.do("pair", uri=uri)
        return await self.sees("authenticate")

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            message = json.loads(line)
            if "event" in message:
                self._events.append(message["event"])
                self._news.set()
            elif "error" in message:
                self._answers[message["number"]].set_exception(RuntimeError(message["error"]))
            else:
                self._answers[message["number"]].set_result(message["value"])
