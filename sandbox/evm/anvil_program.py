"""The anvil program: where it is, where it listens, and that it ends with the sandbox."""

import ctypes
import platform
import secrets
import signal
import socket
from contextlib import suppress
from pathlib import Path

from walletmodal.sandbox.errors import NodeFailedError, PartMissingError
from walletmodal.sandbox.packages import PACKAGES
from walletmodal.sandbox.settings import LOOPBACK

_MACHINES = {"x86_64": "amd64", "amd64": "amd64", "arm64": "arm64", "aarch64": "arm64"}
_SYSTEMS = {"linux": "linux", "darwin": "darwin", "windows": "win32"}


def anvil_binary(packages: Path = PACKAGES) -> Path:
    """The anvil program of this machine's platform, out of the npm packages.

    Raises:
        PartMissingError: the packages are not installed, or have no build for this platform.
    """
    system, machine = platform.system().lower(), platform.machine().lower()
    package = f"@foundry-rs/anvil-{_SYSTEMS.get(system, system)}-{_MACHINES.get(machine, machine)}"
    binary = packages / package / "bin" / ("anvil.exe" if system == "windows" else "anvil")
    if not binary.is_file():
        raise PartMissingError(f"the chains need the npm package {package}; run `npm ci --ignore-scripts` in sandbox/")
    return binary


def unknown_address() -> tuple[str, int]:
    """An address of loopback and a free port there, for a node that answers whoever finds it.

    Linux has 16 million such addresses, too many for a page to search; other systems have one.
    """
    wide = f"127.{secrets.randbelow(255)}.{secrets.randbelow(256)}.{1 + secrets.randbelow(254)}"
    for host in (wide, LOOPBACK):
        with socket.socket() as probe, suppress(OSError):
            probe.bind((host, 0))
            return host, probe.getsockname()[1]
    raise NodeFailedError("loopback has no free port")


def die_with_parent() -> None:
    """Ask Linux to end this child when the sandbox dies without a chance to stop it."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)
