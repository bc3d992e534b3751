"""Runs a command of a service as its user, with the settings and secrets of its unit.

By root, who alone can read the secrets, from a copy that is root's: `/usr/bin/python3 -I /etc/walletmodal/command.py walletmodal doctor`. It
needs nothing but Python, for root must not run what belongs to a service.
"""

import os
import pwd
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any


def main(unit: str, arguments: list[str]) -> int:
    """Runs it; returns its status. `unit`: such as `walletmodal-secure`, with what `systemctl edit` has changed of it."""
    shown = subprocess.run(["systemctl", "cat", unit], check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, list[str]] = {}
    for line in shown.stdout.splitlines():
        name, _, value = line.partition("=")
        # An empty one takes back those before it.
        told[name] = [*told.get(name, ()), value.replace("%S", "/var/lib").replace("%%", "%")] if value else []
    settings = dict(one.split("=", 1) for one in shlex.split(" ".join(told["Environment"])))
    for file in told.get("EnvironmentFile", ()):
        settings |= settings_of(Path(file.removeprefix("-")))
    secrets = dict(one.split(":", 1) for one in told.get("LoadCredential", ()))
    # Nothing else of root's: its keys and tokens are not for the service.
    environment = {name: os.environ[name] for name in ("LANG", "PATH", "TERM") if name in os.environ}
    for name, value in settings.items():
        if value.startswith("%d/"):
            # The secret itself, since the user cannot read root's file.
            environment[name.removesuffix("_FILE")] = secret_of(Path(secrets[value.removeprefix("%d/")]))
        else:
            environment[name] = value
    user = pwd.getpwnam(told["User"][-1])
    rights: dict[str, Any] = {}
    if os.getuid() != user.pw_uid:
        groups = os.getgrouplist(user.pw_name, user.pw_gid)
        rights = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": groups}
    command = [*shlex.split(told["ExecStart"][-1])[:3], *arguments]
    folder = told["WorkingDirectory"][-1]
    running: list[subprocess.Popen[bytes]] = []
    early: list[int] = []
    for one in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda number, _: os.killpg(running[0].pid, number) if running else early.append(number))
    # In a session of its own: what runs in root's could type into root's terminal.
    child = subprocess.Popen(command, cwd=folder, env=environment, umask=0o077, start_new_session=True, **rights)
    running.append(child)
    for number in early:
        os.killpg(child.pid, number)
    status = child.wait()
    # As a shell tells of a signal.
    return 128 - status if status < 0 else status


def settings_of(file: Path) -> dict[str, str]:
    """Reads the settings of an EnvironmentFile=, quoted or not; none where there is no such file."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    found = {}
    for line in lines:
        name, is_setting, value = line.strip().partition("=")
        if is_setting and not name.startswith(("#", ";")):
            found[name] = shlex.split(value)[0] if value.startswith(("'", '"')) else value
    return found


def secret_of(file: Path) -> str:
    """Reads a secret.

    Raises:
        SystemExit: it is empty, for which the service does not start.
    """
    return file.read_text("utf-8").rstrip("\r\n") or sys.exit(f"error: {file} is empty")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: /usr/bin/python3 -I command.py UNIT COMMAND [ARGUMENT...]")
    sys.exit(main(sys.argv[1], sys.argv[2:]))
