"""The other end of `bench.load`: starts it, tells it what to do, and reads what it measured."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import IO, Any

from bench.load import Script
from scripts.project import ROOT, VENV_PYTHON
from walletmodal.commands.project import CommandError, tool_environment


@dataclass(frozen=True)
class Series:
    """What visitors measured together.

    Attributes:
        seconds: how long it took.
        cpu_seconds: processor time of the load itself.
        answered: measured events that were answered.
        replies: replies to commands of the server that these events brought about; events of their own for the worker.
        received: bytes that came over all sockets, pings apart.
        latencies_ms: from each event to its first change.
    """

    seconds: float
    cpu_seconds: float
    answered: int
    replies: int
    received: int
    latencies_ms: list[float]

    @property
    def events(self) -> int:
        """All events that the worker handled."""
        return self.answered + self.replies

    @property
    def rate(self) -> float:
        """Events per second that the worker handled."""
        return self.events / self.seconds

    @property
    def cpu_share(self) -> float:
        """Processor time of the load per second, 1 for a whole core."""
        return self.cpu_seconds / self.seconds


class LoadProcess:
    """Visitors in a process of their own."""

    def __init__(self, to: IO[str], back: IO[str]) -> None:
        self._to, self._back = to, back

    def connect(self, count: int, script: Script) -> None:
        """Bring in `count` visitors; returns when each is where a real page would be."""
        self._ask(do="connect", count=count, script=asdict(script))

    def start_pace(self, *, every: float) -> None:
        """From now on each visitor sends an event every so many seconds, until `stop_pace`."""
        self._ask(do="pace", every=every)

    def stop_pace(self) -> Series:
        """End the pace; what it measured."""
        return Series(**self._ask(do="stop"))

    def race(self, *, seconds: float) -> Series:
        """Each visitor sends its next event as soon as the last one is answered."""
        return Series(**self._ask(do="race", seconds=seconds))

    def hang_up(self) -> None:
        """Every visitor leaves."""
        self._ask(do="hangup")

    def _ask(self, **command: Any) -> Mapping[str, Any]:
        self._tell(**command)
        return self._answer()

    def _tell(self, **command: Any) -> None:
        self._to.write(json.dumps(command) + "\n")
        self._to.flush()

    def _answer(self) -> Mapping[str, Any]:
        line = self._back.readline()
        if not line:
            raise CommandError("the load ended by itself; its messages above say why")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise CommandError(f"the load failed: {answer['error']}")
        return answer


@contextmanager
def visitors() -> Iterator[LoadProcess]:
    """A load process for the length of the block."""
    process = subprocess.Popen(
        [str(VENV_PYTHON), "-m", "bench.load"],
        cwd=ROOT,
        env=tool_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    if process.stdin is None or process.stdout is None:
        raise CommandError("the load was started without its pipes")
    try:
        yield LoadProcess(process.stdin, process.stdout)
    finally:
        process.kill()
        process.communicate()
