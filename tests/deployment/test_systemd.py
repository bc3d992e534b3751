"""The systemd units of docs/deployment, as systemd reads them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from pwd import getpwnam, getpwuid

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
print(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]))
"""


def command(tmp_path: Path, unit: str, text: str, *arguments: str) -> str:
    """What a command of the documentation prints, on a machine that has this unit."""
    (tmp_path / "unit").write_text(text)
    (tmp_path / "systemctl").write_text(f'#!/bin/sh\n[ "$*" = "cat {unit}" ] && cat {tmp_path}/unit\n')
    (tmp_path / "systemctl").chmod(0o755)
    asked: list[str | Path] = [sys.executable, "-I", UNITS[0].parent / "command.py", unit, *arguments]
    given = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SSH_AUTH_SOCK": "/run/agent"}
    done = subprocess.run(asked, env=given, capture_output=True, text=True, check=False)
    return str(done.stdout) if done.returncode == 0 else f"{done.returncode}: {done.stdout}{done.stderr}"


def test_a_command_has_the_settings_and_secrets_of_its_unit(unit: Path, tmp_path: Path) -> None:
    text = unit.read_text().replace("/etc/walletmodal", str(tmp_path / "etc"))
    text = text.replace(str(VENV_BIN / "python"), str(tmp_path / "python"))
    text = re.sub("^User=.*$", f"User={getpwuid(os.getuid()).pw_name}", text, flags=re.MULTILINE)
    text = re.sub("^WorkingDirectory=.*$", f"WorkingDirectory={tmp_path}", text, flags=re.MULTILINE)
    (tmp_path / "python").write_text(f"#!{sys.executable}\n{PRINTS}")
    (tmp_path / "python").chmod(0o755)
    secrets = dict(re.findall(r"^LoadCredential=(\w+):(.*)$", text, re.MULTILINE))
    for name, file in secrets.items():
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(f"the {name}\n")
    (settings,) = re.findall(r"^EnvironmentFile=-(.*)$", text, re.MULTILINE)
    Path(settings).write_text(
        "# of the networks\nRPC_URLS='eip155:1=https://a.example|https://b.example'\nHOME=/home/a\n"
    )
    changed = [
        '"MAIL_FROM=Wallets <a@example.com>"',
        "",
        *re.findall(r"^Environment=(.*)$", text, re.MULTILINE),
        "A=50%% B=%S/b",
    ]
    text += "".join(f"Environment={line}\n" for line in changed)

    ran, folder, environment = json.loads(command(tmp_path, unit.stem, text, "doctor", "--json"))
    of = {"walletmodal": "walletmodal", "walletmodal-secure": "walletmodal.secure"}
    assert ran == ["-m", of.get(unit.stem, "walletmodal.secure.recovery"), "doctor", "--json"]
    assert folder == str(tmp_path)
    assert secrets
    assert {name: environment[name.upper()] for name in secrets} == {name: f"the {name}" for name in secrets}
    assert not any(name.endswith("_FILE") for name in environment)
    assert "SSH_AUTH_SOCK" not in environment
    told = {name: environment.get(name) for name in ("A", "B", "HOME", "RPC_URLS", "MAIL_FROM")}
    assert told == {
        "A": "50%",
        "B": "/var/lib/b",
        "HOME": "/home/a",
        "RPC_URLS": "eip155:1=https://a.example|https://b.example",
        "MAIL_FROM": None,
    }


SHORT = "User=nobody\nWorkingDirectory=/\nEnvironment=\n"


@pytest.mark.skipif(os.getuid() != 0, reason="root alone can become somebody else")
def test_a_command_has_no_more_rights_than_its_service(tmp_path: Path) -> None:
    nobody = getpwnam("nobody")
    # The last one: of the session that it leads.
    asked = "ExecStart=/bin/sh -c 'id -u; id -g; id -G; test $(ps -o sid= -p $$) = $$ && echo alone'\n"
    groups = " ".join(map(str, os.getgrouplist("nobody", nobody.pw_gid)))
    assert (
        command(tmp_path, "walletmodal", SHORT + asked, "doctor")
        == f"{nobody.pw_uid}\n{nobody.pw_gid}\n{groups}\nalone\n"
    )


def test_a_command_says_how_it_has_ended(tmp_path: Path) -> None:
    text = SHORT.replace("nobody", getpwuid(os.getuid()).pw_name)
    assert command(tmp_path, "walletmodal", f"{text}ExecStart=/bin/sh -c 'exit 3'\n", "doctor") == "3: "


def test_a_command_that_is_interrupted_ends_by_itself(tmp_path: Path) -> None:
    """As by Ctrl-C at a terminal, which the command is not the foreground of."""
    text = SHORT.replace("nobody", getpwuid(os.getuid()).pw_name)
    waits = "trap 'echo tidied; exit 4' INT; kill -INT $(ps -o ppid= -p $$); while :; do sleep 0.1; done"
    assert command(tmp_path, "walletmodal", f'{text}ExecStart=/bin/sh -c "{waits}"\n', "doctor") == "4: tidied\n"


def test_without_a_command_nothing_is_served(tmp_path: Path) -> None:
    assert command(tmp_path, "walletmodal", "").startswith("1: usage: ")


def test_an_empty_secret_is_none(tmp_path: Path) -> None:
    """Without it the command would be about another database."""
    (tmp_path / "url").write_text("\n")
    given = f"LoadCredential=url:{tmp_path}/url\nEnvironment=DATABASE_URL_FILE=%d/url\nExecStart=/bin/sh -c true\n"
    assert (
        command(tmp_path, "walletmodal", SHORT.replace("nobody", "root") + given, "doctor")
        == f"1: error: {tmp_path}/url is empty\n"
    )
