"""Starting the processes of a command together, and stopping all of them together, whatever ends it."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Self

from walletmodal.commands.project import PROJECT, CommandError, die, say

LOOPBACK = "127.0.0.1"

_PR_SET_PDEATHSIG = 1
_POLL_SECONDS = 0.1


def _die_with_parent() -> None:
    """Ask the kernel to end this process when its parent is gone, killed without a chance to clean up."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass(frozen=True)
class Child:
    """A started process that leads a session of its own, so that a signal reaches all that it started in turn.

    `stops_its_own`: whether it ends what it started when it is asked to end.
    """

    name: str
    process: subprocess.Popen[bytes]
    stops_its_own: bool = True

    def signal(self, number: int) -> None:
        """Send a signal to the process alone; it knows how to stop what it started."""
        if self.process.poll() is None:
            self.process.send_signal(number)

    def ask_to_end(self) -> None:
        """Send SIGTERM to the process, or to its whole group when it is known not to stop what it started."""
        if self.stops_its_own:
            self.signal(signal.SIGTERM)
        else:
            self.signal_group(signal.SIGTERM)

    def kill_group(self) -> None:
        """End every process of its group at once."""
        self.signal_group(signal.SIGKILL)

    def signal_group(self, number: int) -> None:
        """Send a signal to every process of its group."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return


def spawn(name: str, command: Sequence[str | Path], environment: Mapping[str, str]) -> Child:
    """Start a process in a session of its own that ends when we do.

    Raises CommandError when it cannot be started.
    """
    try:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=PROJECT,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            # Our processes have no threads when they start others, so nothing can be locked in the child.
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - no threads, see above
        )
    except OSError as error:
        raise CommandError(f"{name} cannot be started: {error}") from error
    return Child(name, process)


class StopRequestedError(Exception):
    """A signal asked the command to end."""


def until_stopped(command: Callable[[], None]) -> None:
    """Run a command that stays until it is stopped, and say how it has ended."""
    try:
        command()
    except StopRequestedError as stopped:
        say(f"stopped by {stopped}")
    except KeyboardInterrupt:
        die("interrupted", status=130)
    except CommandError as error:
        die(str(error))


class Family:
    """The processes of one command. Leaving the `with` block stops every one of them."""

    def __init__(self, *, grace: float = 15.0) -> None:
        """`grace`: seconds that a process has to end after SIGTERM before its whole group is killed."""
        self._grace = grace
        self._children: list[Child] = []
        self._asked_by: str | None = None

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        # Only noted: an exception raised here could strike between a process's start and its entry in the list, or cut a stop short.
        self._asked_by = signal.Signals(number).name

    def start(
        self, name: str, command: Sequence[str | Path], environment: Mapping[str, str], *, stops_its_own: bool = True
    ) -> Child:
        """Start a process that belongs to the family.

        Raises CommandError when it cannot be started.
        """
        child = replace(spawn(name, command, environment), stops_its_own=stops_its_own)
        self._children.append(child)
        return child

    def check(self) -> None:
        """Raise StopRequestedError when a signal has asked for the end, CommandError when one of the processes has ended by itself."""
        if self._asked_by:
            raise StopRequestedError(self._asked_by)
        for child in self._children:
            status = child.process.poll()
            if status is not None:
                raise CommandError(f"{child.name} ended by itself ({describe_status(status)})")

    def wait_until(self, condition: Callable[[], bool], *, what: str, seconds: float) -> None:
        """Poll `condition` until it holds.

        Raises CommandError when that takes more than `seconds`, or when a process ends meanwhile.
        """
        deadline = time.monotonic() + seconds
        while not condition():
            self.check()
            if time.monotonic() > deadline:
                raise CommandError(f"{what} did not happen within {seconds:.0f} s")
            time.sleep(_POLL_SECONDS)

    def watch(self, *, meanwhile: Callable[[], None] | None = None) -> None:
        """Wait for ever, calling `meanwhile` about ten times a second; returns only by an exception: a process that ended, or a signal."""
        while True:
            self.check()
            if meanwhile:
                meanwhile()
            time.sleep(_POLL_SECONDS)

    def stop(self) -> None:
        """Stop all processes, the last started first, and everything that they started."""
        for child in reversed(self._children):
            child.ask_to_end()
        deadline = time.monotonic() + self._grace
        for child in self._children:
            try:
                child.process.wait(timeout=max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                say(f"{child.name} did not end in time and is killed")
            # Also after an orderly end: what it may have left behind belongs to its group.
            child.kill_group()
            child.process.wait()
        self._children.clear()


def describe_status(status: int) -> str:
    """An exit status in words: `status 1`, `signal SIGKILL`."""
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


def answers(url: str, *, statuses: Iterable[int] = (200,)) -> bool:
    """Whether a GET of `url` is answered with one of `statuses` within two seconds, without any proxy between."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=2) as response:
            return response.status in statuses
    except urllib.error.HTTPError as refused:
        return refused.code in statuses
    except (OSError, ValueError):
        return False


def require_free(ports: Mapping[str, int], *, host: str = LOOPBACK) -> None:
    """Check that nobody listens on `ports` (setting that changes it → number).

    Raises CommandError that names the first port that is taken, or meant for two things, and its setting.
    """
    seen: dict[int, str] = {}
    for setting, number in ports.items():
        if number in seen:
            raise CommandError(f"port {number} is set for both {seen[number]} and {setting}")
        seen[number] = setting
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, number))
            except OSError as error:
                raise CommandError(
                    f"port {number} is taken or not allowed ({error.strerror}): set {setting} to another one"
                ) from error
