"""A worker of the production server that is asked to end does so, however much it has to do."""

import subprocess

from scripts.project import VENV_PYTHON
from tests.patience import START_SECONDS
from walletmodal.commands.serve import server_command
from walletmodal.config import Settings

_ASKED_WHILE_BUSY = """
import asyncio, os, signal, sys
from granian._loops import loops

async def end_when_asked():
    asked, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, asked.set)
    for _ in range(100_000):
        loop.call_soon_threadsafe(int)
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(float(sys.argv[2])):
        await asked.wait()

loops.get(sys.argv[1]).run_until_complete(end_when_asked())
"""


def test_a_worker_hears_the_signal_to_end_while_it_is_busy() -> None:
    command = server_command(Settings())
    loop = command[command.index("--loop") + 1]
    ran = subprocess.run(
        [VENV_PYTHON, "-c", _ASKED_WHILE_BUSY, loop, str(START_SECONDS / 2)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
