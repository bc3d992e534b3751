"""Modal servers as they run in production, and the Redis that several workers of one share."""

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import httpx
import psutil
import redis

from scripts.project import ROOT, VENV_PYTHON
from tests.browser.polling import until
from tests.browser.programs import Program, answers
from tests.patience import PATIENCE, START_SECONDS

_END_SECONDS = 540.0
"""As long as our deployments give a server to have its pages go to others (`DRAIN_SECONDS`)."""
Away = Literal["gone", "silent"]
_SAMPLE = re.compile(r"^(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>[^}]*)\})? (?P<value>\S+)$")


class ModalServer:
    """One modal server (`walletmodal serve`), which tests may restart and whose workers they may kill.

    Args:
        name: for its log and its database.
        port: where it listens.
        settings: environment variables of the deployment.
        folder: where its log and its database go.
        public_port: where browsers reach it, when that is another port.
        project: the project that it serves; default this repository.
    """

    def __init__(
        self,
        name: str,
        port: int,
        settings: Mapping[str, str],
        folder: Path,
        client: httpx.Client,
        *,
        public_port: int | None = None,
        project: Path = ROOT,
    ) -> None:
        self.name = name
        self.port = port
        self.url = f"http://localhost:{public_port or port}"
        self.database = folder / f"{name}.db"
        self._client = client
        self._count = int(settings.get("WORKERS", "1"))
        environment = {
            "WALLETMODAL_PORT": str(port),
            "HOST": "127.0.0.1",
            "PUBLIC_URL": self.url,
            "REDIS_URL": "",
            "DATABASE_URL": f"sqlite:///{self.database}",
            **settings,
        }
        self._program = Program(
            f"the modal server ({name})",
            [VENV_PYTHON, "-m", "walletmodal", "serve"],
            environment,
            folder / f"{name}.log",
            cwd=project,
        )

    def start(self) -> None:
        """Start it; returns when it answers."""
        self._program.start(self.is_healthy, seconds=START_SECONDS)

    def set(self, **settings: str) -> None:
        """Have other settings from the next start on."""
        self._program.set(settings)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """What a command says that is run with its settings."""
        return self._program.run(VENV_PYTHON, "-m", "walletmodal", *arguments)

    def serve_from(self, project: Path) -> None:
        """Serve another project, or another release, from the next start on."""
        self._program.cwd = project

    def revive(self) -> None:
        """Start it again if a test left it down."""
        if not self.is_healthy():
            self._program.kill()
            self.start()

    def stop(self) -> None:
        """End it, when it has drained."""
        self._program.stop(seconds=_END_SECONDS)

    def kill(self) -> None:
        """End it and its workers at once (SIGKILL)."""
        self._program.kill()

    def pause(self) -> None:
        """Have it stand still (SIGSTOP)."""
        self._program.pause()

    def resume(self) -> None:
        """Have it go on."""
        self._program.resume()

    def restart(self) -> None:
        """End it in order and start it again, as an update of the deployment does."""
        self.stop()
        self.start()

    def is_healthy(self) -> bool:
        """Whether it answers its health check."""
        return answers(f"http://127.0.0.1:{self.port}/_health", self._client)

    def workers(self) -> list[psutil.Process]:
        """Its processes that serve: those under granian that hold the listening socket."""
        found = []
        for process in self._program.descendants():
            try:
                # The server's main process holds the socket as well; the workers are what it started.
                parents = {parent.pid for parent in process.parents()}
                if _listens(process, self.port):
                    found.append((process, parents))
            except psutil.Error:
                continue
        holders = {process.pid for process, _ in found}
        children = [process for process, parents in found if parents & holders]
        return children or [process for process, _ in found]

    def kill_workers(self) -> None:
        """SIGKILL every worker at once; returns when as many others have taken their place and answer."""
        # One that is still coming up after an earlier blow would live on.
        before = until(self.workers, self._is_whole, what=f"the workers of {self.name}", seconds=START_SECONDS)
        for process in before:
            process.kill()
        psutil.wait_procs(before, timeout=PATIENCE)
        gone = {process.pid for process in before}
        until(
            lambda: [process for process in self.workers() if process.pid not in gone],
            self._is_whole,
            what="new workers in the place of those killed",
            seconds=START_SECONDS,
        )
        until(self.is_healthy, what="an answer of the new worker", seconds=START_SECONDS)

    def _is_whole(self, workers: Sequence[psutil.Process]) -> bool:
        return len(workers) >= self._count

    @property
    def logs(self) -> str:
        """The end of what it wrote."""
        return self._program.tail(200)

    def metric(self, name: str, **labels: str) -> float:
        """The sum of a metric's samples that carry these labels; 0 when there is none."""
        total = 0.0
        for line in self._client.get(f"http://127.0.0.1:{self.port}/metrics").raise_for_status().text.splitlines():
            sample = _SAMPLE.match(line)
            if not sample or sample["name"] != name:
                continue
            carried = dict(re.findall(r'(\w+)="([^"]*)"', sample["labels"] or ""))
            if labels.items() <= carried.items():
                total += float(sample["value"])
        return total

    def ignored(self) -> float:
        """How many messages and events it has ignored so far."""
        return self.metric("walletmodal_ignored_total")


class RedisServer:
    """A Redis that keeps nothing on disk."""

    def __init__(self, port: int, folder: Path) -> None:
        self.port = port
        self.url = f"redis://127.0.0.1:{port}/0"
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._program = Program("Redis", [*command, "--dir", str(folder)], {}, folder / "redis-server.log")

    def start(self) -> None:
        """Start it; returns when it answers."""
        self._program.start(self._answers, seconds=START_SECONDS)

    def stop(self) -> None:
        """End it."""
        self._program.stop()

    @contextmanager
    def away(self, how: Away) -> Iterator[None]:
        """Away for as long: `gone` with all that it kept, as a Redis that restarts, or `silent`, as one behind a broken network."""
        if how == "gone":
            self.stop()
        else:
            self._program.pause()
        try:
            yield
        finally:
            if how == "gone":
                self.start()
            else:
                self._program.resume()

    def _answers(self) -> bool:
        with redis.Redis(port=self.port) as client:
            try:
                return bool(client.ping())
            except redis.ConnectionError:
                return False


def _listens(process: psutil.Process, port: int) -> bool:
    return any(
        connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
        for connection in process.net_connections(kind="tcp")
    )
