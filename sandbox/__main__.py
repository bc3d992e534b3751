"""`python -m walletmodal.sandbox`: the sandbox until Ctrl-C or SIGTERM."""

import asyncio
import signal
import sys
import time

from pydantic import ValidationError

from walletmodal.gc import rare_collections
from walletmodal.sandbox.errors import SandboxError
from walletmodal.sandbox.runtime import Sandbox
from walletmodal.sandbox.settings import SandboxSettings


async def _run(settings: SandboxSettings) -> None:
    began = time.monotonic()
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    sandbox = Sandbox(settings)
    starting = asyncio.create_task(sandbox.start())
    stopped = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait({starting, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            await asyncio.wait({starting})
            return
        starting.result()
        took = time.monotonic() - began
        # As each of the services that it stands for has it in production.
        async with rare_collections():
            print(f"Sandbox ready: {sandbox.url}/ (started in {took:.1f} s)", flush=True)
            await stopped
    finally:
        stopped.cancel()
        await sandbox.stop()


def main() -> int:
    """Run the sandbox; returns the exit status: 0 stopped, 1 could not start, 2 wrong settings."""
    try:
        settings = SandboxSettings()
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            name = "".join(str(part) for part in problem["loc"]).upper()
            text = problem["msg"].removeprefix("Value error, ")
            print(f"sandbox: {name}: {text}" if name else f"sandbox: {text}", file=sys.stderr)
        return 2
    try:
        asyncio.run(_run(settings))
    except SandboxError as error:
        print(f"sandbox: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
