"""The systemd units of docs/deployment, as systemd reads them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
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


PRINTS = """
import json, os, sys
secrets = {name: open(value).read() for name, value in os.environ.items() if name.endswith("_FILE")}
print(json.dumps([sys.argv[1:], os.getcwd(), secrets, os.environ.get("RPC_URLS"), os.environ.get("MAIL_FROM")]))
"""


def test_a_command_has_the_settings_and_secrets_of_its_unit(unit: Path, tmp_path: Path) -> None:
    """Of a machine with the unit, its files below `etc` and what an operator has changed; the service's program tells what it was given."""
    text = unit.read_text().replace("/etc/walletmodal", str(tmp_path / "etc"))
    text = text.replace(str(VENV_BIN / "python"), str(tmp_path / "python")).replace("%S", str(tmp_path))
    secrets = dict(re.findall(r"^LoadCredential=(\w+):(.*)$", text, re.MULTILINE))
    for name, file in secrets.items():
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(f"the {name}")
    (settings,) = re.findall(r"^EnvironmentFile=-(.*)$", text, re.MULTILINE)
    Path(settings).write_text("# names of networks\nRPC_URLS='eip155:1=https://a.example|https://b.example'\n")
    (folder,) = re.findall(r"^WorkingDirectory=(.*)$", text, re.MULTILINE)
    Path(folder).mkdir(exist_ok=True)
    changed = f'{text}\n# /etc/systemd/system/a.service.d/override.conf\n[Service]\nEnvironment="MAIL_FROM=Wallets <a@example.com>"\n'
    unit.write_text(changed)
    for name, script in {
        "systemctl": f'#!/bin/sh\n[ "$*" = "cat {unit.stem}" ] && cat {unit}\n',
        "python": f"#!{sys.executable}\n{PRINTS}",
    }.items():
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    command = [sys.executable, UNITS[0].parent / "command.py", unit.stem, "doctor", "--json"]
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    module = {"walletmodal": "walletmodal", "walletmodal-secure": "walletmodal.secure"}.get(unit.stem, "walletmodal.secure.recovery")  # fmt: skip
    assert json.loads(done.stdout) == [
        ["-m", module, "doctor", "--json"],
        folder,
        {f"{name.upper()}_FILE": f"the {name}" for name in secrets},
        "eip155:1=https://a.example|https://b.example",
        "Wallets <a@example.com>",
    ]
