"""The running stack for a host's tests, started by a Makefile that says what the product's says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from walletmodal.testing import NotInstalledError, RunningStack

PAGE = "https://app.example.com"
READY = """
run:
	@exec python3 stand_in.py
"""
STAND_IN = """
import json, os, signal
from pathlib import Path

def stop(*_):
    Path("stopped").touch()
    raise SystemExit

signal.signal(signal.SIGINT, stop)
Path("settings.json").write_text(json.dumps(dict(os.environ)))
print("· starting", flush=True)
print(f"Ready: http://localhost:{os.environ['SANDBOX_PORT']}/", flush=True)
signal.pause()
"""
FAILS = """
run:
	@echo "error: API_KEY is wrong" && exit 1
"""
NEVER_READY = """
run:
	@exec sleep 600
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("sandbox/__main__.py", "walletmodal/commands/run.py", "walletmodal/walletmodal.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "Makefile").write_text(READY)
    (tmp_path / "stand_in.py").write_text(STAND_IN)
    return tmp_path


def settings(home: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((home / "settings.json").read_text())
    return found


@pytest.fixture
def started(home: Path) -> RunningStack:
    stack = RunningStack(home, PAGE, {"NETWORKS": "eip155:1"})
    stack.start(seconds=PATIENCE)
    stack.stop()
    return stack


def test_it_is_started_when_its_demo_page_is_there(home: Path, started: RunningStack) -> None:
    assert started.demo_url == f"http://localhost:{settings(home)['SANDBOX_PORT']}/"


def test_it_allows_the_hosts_page_and_the_demo(home: Path, started: RunningStack) -> None:
    allowed = settings(home)["ALLOWED_ORIGINS"].split(",")
    assert PAGE in allowed
    assert started.demo_url.removesuffix("/") in allowed


def test_a_host_knows_it_by_its_environment(home: Path, started: RunningStack) -> None:
    given = settings(home)
    assert started.environment == {
        "WALLETMODAL_URL": f"http://localhost:{given['WALLETMODAL_PORT']}",
        "WALLETMODAL_AUDIENCE": PAGE,
        "WALLETMODAL_API_KEY": given["API_KEY"],
    }
    assert started.verifier().issuer == started.modal_url


def test_further_settings_reach_it(home: Path, started: RunningStack) -> None:
    assert settings(home)["NETWORKS"] == "eip155:1"


def test_its_parts_have_ports_of_their_own(home: Path, started: RunningStack) -> None:
    given = settings(home)
    firsts = {name: int(given[name]) for name in ("WALLETMODAL_PORT", "SANDBOX_PORT", "EVM_PORT", "SOLANA_PORT")}
    taken = [port for name, first in firsts.items() for port in range(first, first + (5 if name == "EVM_PORT" else 1))]
    assert len(set(taken)) == len(taken)


def test_it_is_stopped_as_by_ctrl_c(home: Path, started: RunningStack) -> None:
    assert (home / "stopped").exists()


def test_what_it_said_is_told_when_it_does_not_get_ready(home: Path) -> None:
    (home / "Makefile").write_text(FAILS)
    with pytest.raises(NotInstalledError) as failed:
        RunningStack(home, PAGE).start(seconds=PATIENCE)
    assert "API_KEY is wrong" in failed.value.details


def test_nothing_is_left_of_one_that_was_not_ready_in_time(home: Path) -> None:
    (home / "Makefile").write_text(NEVER_READY)
    stack = RunningStack(home, PAGE)
    with pytest.raises(NotInstalledError, match="did not get ready"):
        stack.start(seconds=0.3)
    assert not [pid for pid in Path("/proc").glob("[0-9]*") if _is_in(pid, home)]


def test_a_project_is_started_by_the_python_of_the_tests(tmp_path: Path) -> None:
    (tmp_path / "rxconfig.py").touch()
    (tmp_path / "walletmodal").mkdir()
    (tmp_path / "walletmodal" / "__main__.py").write_text(f"import sys\nassert sys.argv[1:] == ['run']\n{STAND_IN}")
    stack = RunningStack(tmp_path, PAGE)
    stack.start(seconds=PATIENCE)
    stack.stop()
    assert (settings(tmp_path)["API_KEY"], (tmp_path / "stopped").exists()) == (stack.api_key, True)


def test_a_folder_without_the_product_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotInstalledError) as refused:
        RunningStack(tmp_path, PAGE)
    assert all(name in refused.value.details for name in ("rxconfig.py", "sandbox/__main__.py"))


def _is_in(process: Path, folder: Path) -> bool:
    try:
        return (process / "cwd").readlink() == folder
    except OSError:
        return False


def test_without_make_it_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(NotInstalledError, match="make"):
        RunningStack(home, PAGE)
