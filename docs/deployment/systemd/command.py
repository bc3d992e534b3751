"""Runs a command of a service as its user, with the settings and secrets of its unit.

By root, who alone can read the secrets: `.venv/bin/python docs/deployment/systemd/command.py walletmodal doctor`.
"""

import os
import pwd
import shlex
import subprocess
import sys
from pathlib import Path

from dotenv import dotenv_values


def main(unit: str, arguments: list[str]) -> None:
    """Become the command; `unit`: such as `walletmodal-secure`, with what `systemctl edit` has changed of it."""
    shown = subprocess.run(["systemctl", "cat", unit], check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, list[str]] = {}
    for line in shown.stdout.splitlines():
        name, _, value = line.partition("=")
        # An empty one takes back those before it.
        told[name] = [*told.get(name, ()), value.replace("%S", "/var/lib").replace("%%", "%")] if value else []
    secrets = dict(one.split(":", 1) for one in told["LoadCredential"])
    environment = dict(os.environ)
    for setting in shlex.split(" ".join(told["Environment"])):
        name, _, value = setting.partition("=")
        if value.startswith("%d/"):
            # The secret itself, since the user cannot read root's file.
            secret = Path(secrets[value.removeprefix("%d/")]).read_text("utf-8")
            environment[name.removesuffix("_FILE")] = secret.rstrip("\r\n")
        else:
            environment[name] = value
    for file in told["EnvironmentFile"]:
        given = dotenv_values(file.removeprefix("-"), interpolate=False)
        environment |= {name: value for name, value in given.items() if value is not None}
    become(told["User"][-1])
    os.chdir(told["WorkingDirectory"][-1])
    program, option, module = shlex.split(told["ExecStart"][-1])[:3]
    os.execve(program, [program, option, module, *arguments], environment)  # noqa: S606 - no shell: the arguments are the command's own


def become(name: str) -> None:
    """Give up root's rights: the folder of a service is its user's own, and Python runs what lies there."""
    user = pwd.getpwnam(name)
    if os.getuid() != user.pw_uid:
        os.initgroups(name, user.pw_gid)
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
