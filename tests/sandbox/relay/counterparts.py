"""The SDKs of applications and wallets, in a process of node that lives as long as the tests."""

import asyncio
import itertools
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from scripts.project import VENV_BIN
from tests.patience import patience


class CounterpartError(Exception):
    """What an SDK refused with.

    Args:
        code: its code; None when it has none.
        message: its words.
    """

    def __init__(self, code: int | None, message: str) -> None:
        super().__init__(message)
        self.code = code


class Counterparts:
    """The process; `async with Counterparts() as sdks:` starts and ends it."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._open: dict[int, asyncio.Future[Any]] = {}

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            VENV_BIN / "node",
            Path(__file__).with_suffix(".mjs"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**22,
        )
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        # What was started is a program that starts node: only the end of its input reaches both.
        assert self._process.stdin is not None
        self._process.stdin.close()
        async with patience():
            await self._process.wait()
        self._reader.cancel()
        with suppress(asyncio.CancelledError):
            await self._reader

    async def ask(self, call: str, **params: object) -> Any:
        """Make one call (counterparts.mjs has them) and wait for its value.

        Raises:
            CounterpartError: the SDK refused.
            TimeoutError: nothing came.
        """
        number = next(self._numbers)
        answer = self._open[number] = asyncio.get_running_loop().create_future()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"id": number, "call": call, "params": params}).encode() + b"\n")
        async with patience():
            return await answer

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            said = json.loads(line)
            answer = self._open.pop(said["id"])
            if answer.done():
                continue
            if "error" in said:
                answer.set_exception(CounterpartError(said["error"]["code"], said["error"]["message"]))
            else:
                answer.set_result(said["value"])


@dataclass(frozen=True)
class App:
    """An application: universal-provider under a name."""

    sdks: Counterparts
    name: str

    async def connect(self, **namespaces: object) -> str:
        """Ask for a session; returns the pairing link."""
        link: str = await self.sdks.ask("connect", name=self.name, namespaces=namespaces)
        return link

    async def ask(self, call: str, **params: object) -> Any:
        """Any other call."""
        return await self.sdks.ask(call, name=self.name, **params)


EVM = {
    "chains": ["eip155:1", "eip155:137"],
    "methods": ["personal_sign", "eth_sendTransaction", "eth_signTypedData_v4"],
    "events": ["accountsChanged", "chainChanged"],
    # Without it the SDK would read from a public node.
    "rpcMap": {"1": "http://localhost:9/", "137": "http://localhost:9/"},
}
"""What an application of eip155 asks for."""
