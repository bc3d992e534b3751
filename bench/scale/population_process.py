"""The other end of `bench.scale.population`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import IO, Any

from bench.scale.journey import Journey
from scripts.project import ROOT, VENV_PYTHON
from walletmodal.commands.project import CommandError, tool_environment


@dataclass(frozen=True)
class Report:
    """What visitors did together.

    Attributes:
        seconds: how long it took.
        cpu_seconds: processor time of the load itself.
        events: that the pages sent.
        received, sent: characters over all sockets, pings apart.
        refreshes: how often tickers asked for an account.
        latencies: seconds of each act, by its name: from its first event until all that it must lead to is there.
        errors: how often something went wrong, by what it was. examples: one of each.
    """

    seconds: float
    cpu_seconds: float
    events: int
    received: int
    sent: int
    refreshes: int
    latencies: dict[str, list[float]]
    errors: dict[str, int]
    examples: dict[str, str]


class PopulationProcess:
    """Visitors in a process of their own."""

    def __init__(self, to: IO[str], back: IO[str]) -> None:
        self._to, self._back = to, back

    def ask(self, **command: Any) -> Report:
        """Have them do something; returns when it is done.

        Raises:
            CommandError: the process has ended.
        """
        self.tell(command)
        line = self._back.readline()
        if not line:
            raise CommandError("the visitors ended by themselves; their messages above say why")
        return Report(**json.loads(line))

    def tell(self, said: Mapping[str, Any]) -> None:
        """Says something that is not answered."""
        self._to.write(json.dumps(said) + "\n")
        self._to.flush()


@contextmanager
def population(journey: Journey, node: str, urls: Sequence[str]) -> Iterator[PopulationProcess]:
    """Nobody yet, for the length of the block.

    Args:
        journey: what their pages say.
        node: URL of the chain's node.
        urls: of the servers; visitors go to one after the other.
    """
    process = subprocess.Popen(
        [str(VENV_PYTHON), "-m", "bench.scale.population"],
        cwd=ROOT,
        env=tool_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    if process.stdin is None or process.stdout is None:
        raise CommandError("the visitors were started without their pipes")
    started = PopulationProcess(process.stdin, process.stdout)
    try:
        started.tell({"journey": asdict(journey), "node": node, "urls": urls})
        yield started
    finally:
        process.kill()
        process.communicate()
