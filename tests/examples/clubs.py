"""The example applications as their visitors' browsers reach them, each with a modal of its own that needs no browser."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Protocol

import httpx
from starlette.testclient import TestClient

from tests.browser.polling import until
from tests.patience import PATIENCE, START_SECONDS
from tests.ports import free_ports
from walletmodal.testing import FakeModal, FakeWallet, SignInSession

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAGE = "http://localhost:8000"
IN_BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9"}
SAME_PAGE = {"Origin": PAGE, "Sec-Fetch-Site": "same-origin"}


class Answer(Protocol):
    """What a server answers, for either of the two clients."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def text(self) -> str: ...


@dataclass
class Club:
    """One of them.

    Attributes:
        client: a visitor's browser, as far as cookies go.
        modal: the modal that it believes.
    """

    client: httpx.Client | TestClient
    modal: FakeModal

    def hand_over(self, token: str) -> Answer:
        """The page hands over a token."""
        return self.client.post("/session", headers={**SAME_PAGE, "Authorization": f"Bearer {token}"})

    def enter(self, wallet: FakeWallet | None = None) -> SignInSession:
        """A visitor signs in at the modal and here."""
        session = self.modal.sign_in(wallet or FakeWallet())
        assert self.hand_over(self.modal.token(session)).status_code == 204
        return session

    def leave(self) -> Answer:
        """The page says that the visitor signs out."""
        return self.client.delete("/session", headers=SAME_PAGE)

    def get(self, path: str) -> Answer:
        """A page."""
        return self.client.get(path, headers=IN_BROWSER)


@contextlib.contextmanager
def club(framework: str) -> Iterator[Club]:
    """An example, loaded or started, with visitors to come."""
    with FakeModal(PAGE) as modal, modal.believed():
        if framework == "django":
            # A process has one Django.
            with served("django", free_ports(1), modal.environment) as url, _over_http(url) as client:
                yield Club(_on_this_machine(client), modal)
        else:
            app = loaded(framework).app
            with visiting(app, is_wsgi=framework == "flask") as client:
                yield Club(_on_this_machine(client), modal)


def _on_this_machine(client: httpx.Client | TestClient) -> httpx.Client | TestClient:
    """Sends `Secure` cookies over http too, as browsers do to localhost."""

    def sent_over_http_too(_: httpx.Response) -> None:
        for cookie in client.cookies.jar:
            cookie.secure = False

    client.event_hooks["response"].append(sent_over_http_too)
    return client


def visiting(app: Any, *, is_wsgi: bool) -> httpx.Client | TestClient:
    """A browser, as far as cookies go."""
    if is_wsgi:
        return httpx.Client(transport=httpx.WSGITransport(app=app), base_url=PAGE)
    return TestClient(app, base_url=PAGE)


def _over_http(url: str) -> httpx.Client:
    return httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE)


def loaded(framework: str) -> ModuleType:
    """The module of an example."""
    name = f"example_of_{framework}"
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / framework / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


COMMANDS: Mapping[str, tuple[str, ...]] = {
    "fastapi": ("-m", "uvicorn", "app:app", "--port", "{port}"),
    "starlette": ("-m", "uvicorn", "app:app", "--port", "{port}"),
    "flask": ("-m", "flask", "--app", "app", "run", "--port", "{port}"),
    "django": ("app.py", "runserver", "{port}", "--noreload"),
}
"""As examples/README.md tells to start them."""


@contextlib.contextmanager
def served(framework: str, port: int, settings: Mapping[str, str]) -> Iterator[str]:
    """The URL of an example that runs as its README says."""
    command = tuple(part.format(port=port) for part in COMMANDS[framework])
    with running(command, EXAMPLES / framework, port, settings) as url:
        yield url


@contextlib.contextmanager
def running(command: tuple[str, ...], folder: Path, port: int, settings: Mapping[str, str]) -> Iterator[str]:
    """The URL of a program of this Python, started in a folder, as soon as it answers."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), **settings}
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            [sys.executable, *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process,
    ):
        try:
            url = f"http://localhost:{port}"
            _wait_for(url, process, log)
            yield url
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _wait_for(url: str, process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    with _over_http(url) as client:

        def answers() -> bool:
            if process.poll() is not None:
                log.seek(0)
                raise AssertionError(log.read().decode(errors="replace")[-4000:])
            try:
                return client.get("/").is_success
            except httpx.TransportError:
                return False

        until(answers, what=f"an answer at {url}", seconds=START_SECONDS)
