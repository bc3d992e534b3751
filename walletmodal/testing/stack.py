"""The real thing for a host's tests: modal, sandbox and chains, started by `walletmodal run` in a project, or by `make run` in a checkout."""

import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from secrets import token_urlsafe
from typing import IO, Final

from walletmodal.core.errors import WalletModalError
from walletmodal.host import Modal

START_SECONDS: Final = 900.0
"""A first start installs and builds all that is missing."""
STOP_SECONDS: Final = 30.0

_BETWEEN_SECONDS: Final = 0.02
_READY: Final = "Ready: "
_CHECKOUT: Final = ("Makefile", "sandbox/__main__.py", "walletmodal/commands/run.py", "walletmodal/walletmodal.py")
_PROJECT: Final = "rxconfig.py"
_PORT_RUNS: Final = {"WALLETMODAL_PORT": 1, "SANDBOX_PORT": 1, "SECURE_PORT": 1, "EVM_PORT": 5, "SOLANA_PORT": 2}
_LINES_KEPT: Final = 40
_FIRST_PORT, _LAST_PORT = 20_000, 60_000


class NotInstalledError(WalletModalError):
    """The whole product is not where the tests look for it, or cannot be started."""

    name = "NotInstalledError"


class RunningStack:
    """Modal, sandbox and demo page of a project or of a checkout, on free ports of this machine, until `stop`.

    Args:
        home: the folder that `walletmodal new` wrote, which is run by the Python of the tests, with its extra `sandbox`; or a checkout.
        audience: origin of the host's page, which the modal is to allow.
        settings: further settings of the deployment (`.env.example`).

    Attributes:
        modal_url: the modal's origin. audience, api_key: as the host's server needs them.
        demo_url: the sandbox's demo page, "" until it has started.

    Raises:
        NotInstalledError: there is neither, or a checkout but no `make`.
    """

    def __init__(self, home: Path, audience: str, settings: Mapping[str, str] | None = None) -> None:
        self._command = _command(home)
        self.audience, self.api_key, self.demo_url = audience, token_urlsafe(24), ""
        ports = _free_ports()
        sandbox = ports["SANDBOX_PORT"]
        self.modal_url = f"http://localhost:{ports['WALLETMODAL_PORT']}"
        allowed = (f"http://localhost:{sandbox}", f"http://127.0.0.1:{sandbox}", audience)
        self._home = home
        self._environment = {
            **os.environ,
            **{name: str(port) for name, port in ports.items()},
            "PUBLIC_URL": "",
            "ALLOWED_ORIGINS": ",".join(allowed),
            "API_KEY": self.api_key,
            **(settings or {}),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._said: deque[str] = deque(maxlen=_LINES_KEPT)

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which a host's server knows the modal."""
        return {
            "WALLETMODAL_URL": self.modal_url,
            "WALLETMODAL_AUDIENCE": self.audience,
            "WALLETMODAL_API_KEY": self.api_key,
        }

    def verifier(self) -> Modal:
        """The modal as a host's server knows it."""
        return Modal(self.modal_url, self.audience, api_key=self.api_key)

    def start(self, *, seconds: float = START_SECONDS) -> None:
        """Start it; returns when its demo page can be visited.

        Raises:
            NotInstalledError: it ended by itself, or was not ready in time; `details` has the end of what it said.
        """
        reading, writing = os.pipe()
        with os.fdopen(writing, "wb") as output:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._home,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        told: queue.Queue[str | None] = queue.Queue()
        lines = os.fdopen(reading, encoding="utf-8", errors="replace")
        threading.Thread(target=self._listen, args=(lines, told), daemon=True).start()
        try:
            ready = told.get(timeout=seconds)
        except queue.Empty:
            ready = None
        if ready is None:
            self.stop()
            raise NotInstalledError("the sandbox did not get ready", details="\n".join(self._said))
        self.demo_url = ready

    def stop(self) -> None:
        """End it, as Ctrl-C does."""
        process, self._process = self._process, None
        if process is None:
            return
        # All of its session: a child may outlive the one that started it by a moment.
        if not _end_group(process, signal.SIGINT):
            _end_group(process, signal.SIGKILL)

    def _listen(self, lines: IO[str], told: "queue.Queue[str | None]") -> None:
        """Read on to the end, else it would wait for somebody to read."""
        with lines:
            for line in lines:
                self._said.append(line.rstrip())
                if line.startswith(_READY):
                    told.put(line.removeprefix(_READY).strip())
        told.put(None)


def _command(home: Path) -> list[str]:
    """What starts the product that lies in a folder."""
    missing = [name for name in _CHECKOUT if not (home / name).is_file()]
    if missing and (home / _PROJECT).is_file():
        return [sys.executable, "-m", "walletmodal", "run"]
    if missing:
        told = f"missing: {_PROJECT} of a project, or of a checkout {', '.join(missing)}"
        raise NotInstalledError(f"{home} is neither a project with walletmodal nor a checkout of it", details=told)
    if shutil.which("make") is None:
        raise NotInstalledError("a checkout is started by make, which is not installed")
    return ["make", "run"]


def _end_group(leader: subprocess.Popen[bytes], sent: signal.Signals) -> bool:
    """Sends a signal to all processes of a group; returns whether all of them ended in time."""
    end = time.monotonic() + STOP_SECONDS
    try:
        os.killpg(leader.pid, sent)
        while time.monotonic() < end:
            leader.poll()
            os.killpg(leader.pid, 0)
            time.sleep(_BETWEEN_SECONDS)
    # macOS does not permit it where all of them have ended and nobody has taken note yet.
    except (ProcessLookupError, PermissionError):
        leader.wait()
        return True
    return False


def _free_ports() -> dict[str, int]:
    """The first port of each part, with as many free ones behind it as it takes."""
    found: dict[str, int] = {}
    at = _FIRST_PORT + os.getpid() % 1000 * 20
    for name, count in _PORT_RUNS.items():
        while not all(_is_free(at + offset) for offset in range(count)):
            at += 1
            if at > _LAST_PORT:
                raise NotInstalledError("no free ports for the sandbox")
        found[name] = at
        at += count
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
