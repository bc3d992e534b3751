"""Programs that only the tests need (browser, Redis, PostgreSQL, proxies, strace, promtool), from Debian's packages where apt and root are there."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from walletmodal.commands.project import CommandError, say
from walletmodal.commands.tools import run_quietly


@dataclass(frozen=True)
class SystemProgram:
    """A program outside the Python and npm registries: the file names that prove its presence, and its Debian packages.

    `instead`: names of what also does where nothing can be installed.
    """

    name: str
    found_as: tuple[str, ...]
    packages: tuple[str, ...]
    instead: tuple[str, ...] = ()

    def is_there(self) -> bool:
        """Whether one of the names is on PATH, or is a path pattern that matches."""
        return any(_found(name) for name in self.found_as)


PROGRAMS = (
    # Without the windows of the whole browser, which cost four times as much for each visitor of a test.
    SystemProgram(
        "Chromium",
        ("chromium-headless-shell",),
        ("chromium-headless-shell",),
        instead=("chromium", "chromium-browser"),
    ),
    # Has the settings with which a visitor denies storage.
    SystemProgram("the whole Chromium", ("chromium", "chromium-browser"), ("chromium",)),
    SystemProgram("Redis", ("redis-server",), ("redis-server",)),
    SystemProgram("PostgreSQL", ("postgres", "/usr/lib/postgresql/*/bin/postgres"), ("postgresql",)),
    SystemProgram("PgBouncer", ("pgbouncer", "/usr/sbin/pgbouncer"), ("pgbouncer",)),
    SystemProgram("strace", ("strace",), ("strace",)),
    # The proxies of docs/operations.md.
    SystemProgram("nginx", ("nginx", "/usr/sbin/nginx"), ("nginx-light",)),
    SystemProgram("Caddy", ("caddy",), ("caddy",)),
    # Checks the unit of the same page.
    SystemProgram("systemd-analyze", ("systemd-analyze",), ("systemd",)),
    # Checks the alerts of docs/monitoring, and whether they come.
    SystemProgram("promtool", ("promtool",), ("prometheus",)),
    SystemProgram(
        "fonts for screenshots", ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",), ("fonts-dejavu-core",)
    ),
    SystemProgram(
        "the font of addresses in screenshots",
        ("/usr/share/fonts/truetype/liberation*/LiberationMono-Regular.ttf",),
        ("fonts-liberation",),
    ),
)


def _found(name: str) -> bool:
    if not name.startswith("/"):
        return shutil.which(name) is not None
    return any(Path("/").glob(name.removeprefix("/")))


def missing(programs: Sequence[SystemProgram] = PROGRAMS) -> list[SystemProgram]:
    """Those of `programs` that this machine lacks."""
    return [program for program in programs if not program.is_there()]


def install_missing() -> None:
    """Install the Debian packages of what is missing; nothing to do when all is there.

    Raises CommandError that names every missing program when apt or root is not at hand.
    """
    absent = missing()
    if not absent:
        return
    packages = [package for program in absent for package in program.packages]
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        absent = [program for program in absent if not any(_found(name) for name in program.instead)]
        if not absent:
            return
        names = ", ".join(program.name for program in absent)
        raise CommandError(f"the tests need {names}; on Debian, as root: apt-get install {' '.join(packages)}")
    say(f"installing {', '.join(packages)}")
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    run_quietly([*apt, "update"], what="apt-get update")
    run_quietly([*apt, "install", "-y", "--no-install-recommends", *packages], what=f"installing {', '.join(packages)}")
    still = missing()
    if still:
        raise CommandError(f"installed, but not found: {', '.join(program.name for program in still)}")
