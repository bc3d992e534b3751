"""The systemd unit of docs/operations.md, as systemd reads it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from scripts.project import ROOT, VENV_BIN
from tests.services_fixtures import program

DOCUMENT = (ROOT / "docs" / "operations.md").read_text("utf-8")


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """It, with the Python and the folder of this checkout in the place of the server's."""
    (text,) = re.findall(r"^```ini\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
    text = text.replace("/srv/walletmodal/.venv/bin", str(VENV_BIN)).replace("/srv/walletmodal", str(ROOT))
    file = tmp_path / "walletmodal.service"
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
