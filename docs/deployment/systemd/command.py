"""Runs a command of a service with the settings and secrets of its unit.

As root, since secrets are root's: `.venv/bin/python docs/deployment/systemd/command.py walletmodal doctor`.
"""

import os
import shlex
import subprocess
import sys

from dotenv import dotenv_values


def main(unit: str, arguments: list[str]) -> None:
    """Become the command; `unit`: such as `walletmodal-secure`, with what `systemctl edit` has changed of it."""
    shown = subprocess.run(["systemctl", "cat", unit], check=True, stdout=subprocess.PIPE, text=True)
    lines = [line.partition("=") for line in shown.stdout.splitlines()]

    def values(name: str) -> list[str]:
        return [value for key, _, value in lines if key == name]

    secrets = dict(value.split(":", 1) for value in values("LoadCredential"))
    environment = dict(os.environ)
    for setting in shlex.split(" ".join(values("Environment"))):
        name, _, value = setting.partition("=")
        is_secret = value.startswith("%d/")
        environment[name] = secrets[value.removeprefix("%d/")] if is_secret else value.replace("%S", "/var/lib")
    for file in values("EnvironmentFile"):
        given = dotenv_values(file.removeprefix("-"), interpolate=False)
        environment |= {name: value for name, value in given.items() if value is not None}
    python, module, name = shlex.split(values("ExecStart")[-1])[:3]
    os.chdir(values("WorkingDirectory")[-1].replace("%S", "/var/lib"))
    os.execve(python, [python, module, name, *arguments], environment)  # noqa: S606 - no shell: the arguments are the command's own


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
