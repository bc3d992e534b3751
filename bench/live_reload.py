"""How long a save takes to the open page under `walletmodal dev`: of our own modules in a checkout, and of a project's."""

import itertools
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench.apps import App
from bench.figures import Figure, Floor, figure
from scripts.build import build_sandbox
from scripts.project import ROOT, VENV_PYTHON
from walletmodal.commands.project import CommandError, say, tool_environment
from walletmodal.sandbox.free_ports import FreePorts, settings_on

SAVES = 20
_START_SECONDS = 900.0
_SEEN_MS = 120_000.0
_STOP_SECONDS = 20.0
_PORTS = FreePorts(range(16000, 17000))
_LEFT_OUT = shutil.ignore_patterns("node_modules", "__pycache__", "*.db*", ".*_cache")
_AT_THE_TOP = frozenset({".git", ".web", ".dev", ".states", ".venv", ".env", "data", "tests", "test-results"})
_INSTALLED = (".venv", "loader/node_modules", "sandbox/node_modules", "components/node_modules")
_VIEW = "walletmodal/features/account_views/parts.py"
_LABEL = "Block Explorer"
_OURS = "/gallery/?entry=account-full"
_MODULE = """import reflex as rx

from walletmodal.walletmodal import app

app.add_page(rx.el.p("{text}"), route="/own")
"""


def live_reload(browser: Browser, _ours: App, _host: str) -> list[Figure]:
    """The figures.

    Raises:
        CommandError: a development server did not start.
    """
    say(f"live reload: {SAVES} saves in a copy of the checkout, and in a project")
    build_sandbox()
    folder = ROOT / "data" / "bench" / "live-reload"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        project, copy = _project(folder), _copy(folder)
        view = (copy / _VIEW).read_text("utf-8")
        title, floor = "save to open page", Floor(2, on="p95")
        return [
            figure(
                "live_reload_project_s",
                f"{title}, a module of a project",
                "s",
                _saves(
                    browser, project, "/own", lambda text: _write(project / "bench_modal.py", _MODULE.format(text=text))
                ),
                floor=floor,
            ),
            figure(
                "live_reload_ours_s",
                f"{title}, a module of ours",
                "s",
                _saves(browser, copy, _OURS, lambda text: _write(copy / _VIEW, view.replace(_LABEL, text))),
                floor=floor,
            ),
        ]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")


def _project(folder: Path) -> Path:
    """One that `walletmodal new` has written, for the package of this checkout."""
    subprocess.run(
        [VENV_PYTHON, "-m", "walletmodal", "new", "bench-modal"],
        check=True,
        cwd=folder,
        env=_environment(),
        stdout=subprocess.DEVNULL,
    )
    return folder / "bench-modal"


def _copy(folder: Path) -> Path:
    def left_out(of: str, names: list[str]) -> set[str]:
        return _LEFT_OUT(of, names) | (_AT_THE_TOP.intersection(names) if Path(of) == ROOT else set())

    copy = folder / "checkout"
    shutil.copytree(ROOT, copy, ignore=left_out, symlinks=True)
    for installed in _INSTALLED:
        if (ROOT / installed).exists():
            (copy / installed).symlink_to(ROOT / installed, target_is_directory=True)
    return copy


def _environment(**more: str) -> dict[str, str]:
    """In a project the package is found in this checkout; in a copy of it, whose folder comes first, there."""
    return tool_environment({"PYTHONPATH": str(ROOT), **more})


def _saves(browser: Browser, folder: Path, path: str, save: Callable[[str], None]) -> Sequence[float]:
    """The seconds of each save until its text is in the page that is open."""
    seconds = []
    texts = (f"Text {number}" for number in itertools.count())
    save(first := next(texts))
    with _developed(folder) as url, browser.new_context() as context:
        page = context.new_page()
        page.goto(url + path, timeout=_SEEN_MS)
        _see(page, first)
        for text, _ in zip(texts, range(SAVES), strict=False):
            began = time.perf_counter()
            save(text)
            _see(page, text)
            seconds.append(time.perf_counter() - began)
    return seconds


def _see(page: Page, text: str) -> None:
    page.get_by_text(text, exact=True).first.wait_for(timeout=_SEEN_MS)


@contextmanager
def _developed(folder: Path) -> Iterator[str]:
    """The origin of the modal under `walletmodal dev` in a folder."""
    ports = settings_on(_PORTS)
    environment = _environment(
        SANDBOX_PORT=str(ports.sandbox_port),
        EVM_PORT=str(ports.evm_port),
        SOLANA_PORT=str(ports.solana_port),
        SECURE_PORT=str(ports.secure_port),
        WALLETMODAL_PORT=str(ports.walletmodal_port),
        WALLETMODAL_BACKEND_PORT=str(_PORTS.take()),
    )
    log = folder / "dev.log"
    with (
        log.open("wb") as said,
        subprocess.Popen(
            [VENV_PYTHON, "-m", "walletmodal", "dev"],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            deadline = time.monotonic() + _START_SECONDS
            while "Ready: " not in log.read_text("utf-8", "replace"):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise CommandError("walletmodal dev did not start:\n" + log.read_text("utf-8", "replace")[-2000:])
                time.sleep(0.1)
            yield f"http://localhost:{ports.walletmodal_port}"
        finally:
            process.terminate()
            process.wait(_STOP_SECONDS)
