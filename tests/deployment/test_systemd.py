"""The systemd units of docs/deployment, as systemd reads them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from scripts.project import ROOT, VENV_BIN
from tests.deployment.settings_of_services import seconds_to_end
from tests.services_fixtures import program

UNITS = sorted((ROOT / "docs" / "deployment" / "systemd").glob("*.service"))


@pytest.fixture(params=UNITS, ids=lambda unit: unit.stem)
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """One of them, with the Python and the folder of this checkout in the place of the server's."""
    text = request.param.read_text("utf-8")
    text = text.replace("/srv/walletmodal/.venv/bin", str(VENV_BIN)).replace("/srv/walletmodal", str(ROOT))
    file: Path = tmp_path / request.param.name
    file.write_text(text)
    return file


def analyzed(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [program("systemd-analyze"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_line_is_understood(unit: Path) -> None:
    done = analyzed("verify", "--man=no", "--recursive-errors=no", unit)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_may_do_little_else_than_serve(unit: Path) -> None:
    """Systemd's own measure, from 0 (nothing is left to take away) to 10."""
    done = analyzed("security", "--offline=true", "--no-pager", "--threshold=20", unit)
    assert done.returncode == 0, done.stdout[-400:]


def test_it_is_killed_later_than_it_ends_by_itself(unit: Path) -> None:
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit.read_text(), re.MULTILINE)
    command = {"walletmodal": "serve", "walletmodal-secure": "serve-secure", "walletmodal-recovery": "serve-recovery"}[
        unit.stem
    ]
    assert int(seconds) > seconds_to_end(command, {})
