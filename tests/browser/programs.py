"""Programs that the suite starts, each with a log of its own, and ends again with all that they started."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import httpx
import psutil

from scripts.project import ROOT
from tests.browser.polling import until
from tests.patience import PATIENCE
from walletmodal.commands.project import tool_environment


class Program:
    """One program; `start` after `stop` starts it again with the same settings and the same log.

    Attributes:
        cwd: where it is started.
    """

    def __init__(
        self, name: str, command: Sequence[str | Path], environment: Mapping[str, str], log: Path, *, cwd: Path = ROOT
    ) -> None:
        self.name = name
        self.cwd = cwd
        self.log = log
        self._command = [str(part) for part in command]
        self._environment = tool_environment(dict(environment))
        self._process: subprocess.Popen[bytes] | None = None

    def set(self, environment: Mapping[str, str]) -> None:
        """Start it with these variables from the next time on."""
        self._environment.update(environment)

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run another command in its place, with its settings, to its end."""
        return subprocess.run(
            command,
            check=False,
            cwd=self.cwd,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def start(self, answers: Callable[[], bool], *, seconds: float) -> None:
        """Start it and wait until `answers` says so.

        Raises:
            AssertionError: it ended by itself or did not answer in time; the text has the end of its log.
        """
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self.cwd,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

        def settled() -> bool:
            assert self._process is not None
            return self._process.poll() is not None or answers()

        try:
            until(settled, what=f"an answer of {self.name}", seconds=seconds)
        except AssertionError as slow:
            self.kill()
            raise AssertionError(f"{slow}\n{self.tail()}") from None
        if self._process.poll() is not None:
            raise AssertionError(f"{self.name} ended by itself:\n{self.tail()}")

    def stop(self, *, seconds: float = 20) -> None:
        """End it in order (SIGTERM), and by force what is left after `seconds`."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=seconds)
        self.kill()

    def pause(self) -> None:
        """Have it stand still with all that it started: its connections stay, and nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Have it go on."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it and all that it started at once."""
        if self._process is None:
            return
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._process = None

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        groups = {self._process.pid: None}
        for child in self.descendants():
            with contextlib.suppress(ProcessLookupError):
                groups[os.getpgid(child.pid)] = None
        # Whole groups, those above first: one process after the other, one of them may start another in the place of one that is killed.
        for group in groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, number)

    def descendants(self) -> list[psutil.Process]:
        """All that it started and that still runs."""
        assert self._process is not None
        try:
            return psutil.Process(self._process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def tail(self, lines: int = 40) -> str:
        """The end of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:]) if self.log.exists() else ""


def answers(url: str, client: httpx.Client) -> bool:
    """Whether a GET of `url` is answered with success."""
    try:
        return client.get(url).is_success
    except httpx.TransportError:
        return False
