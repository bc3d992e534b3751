"""`make run` under a recorder (strace) that notes the address of every connection and packet of all that it starts.

What is recorded is the system call itself, so Python, Node and Rust programs are seen alike, and so is a name looked up at a name server.
"""

import os
import re
import signal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from scripts.project import VENV_PYTHON
from tests.browser.programs import Program
from tests.patience import PATIENCE

# Without the content of packets, which could look like an address; with the name of each program beside its number.
RECORDER = (
    *("strace", "-f", "-qq", "--decode-pids=comm", "--string-limit=0", "--signal=none", "--seccomp-bpf"),
    "--trace=connect,sendto,sendmsg,sendmmsg",
)

_LINE = re.compile(r"^(?P<task>\d+)<(?P<program>.*?)> (?P<call>connect|sendto|sendmsg|sendmmsg)\((?P<arguments>.*)$")
_FAMILY = re.compile(r"\{sa_family=(?P<family>\w+)(?P<rest>[^}]*)\}")
_HOST = re.compile(r'inet_addr\("(?P<v4>[^"]+)"\)|inet_pton\(AF_INET6, "(?P<v6>[^"]+)"')
_PORT = re.compile(r"sin6?_port=htons\((?P<port>\d+)\)")

# AF_UNSPEC takes a socket's address away again. Netlink speaks to the kernel.
_STAYING_FAMILIES = frozenset({"AF_UNIX", "AF_NETLINK", "AF_UNSPEC"})
_INTERNET_FAMILIES = frozenset({"AF_INET", "AF_INET6"})
_NAME_SERVER_PORT = 53


@dataclass(frozen=True)
class Destination:
    """Where a program connected to, or sent a packet to.

    Attributes:
        task: the kernel's number of the process, or of its thread.
        program: the name of it, as the kernel has it.
        family: of the socket address, like AF_INET.
        host: the IP address as text; None where the family has none, or the record shows none.
        port: its port; None as with `host`.
    """

    task: int
    program: str
    family: str
    host: str | None = None
    port: int | None = None

    @property
    def stays(self) -> bool:
        """Whether it is on this machine. A name server counts as leaving wherever it is, and so does what cannot be told."""
        if self.family not in _INTERNET_FAMILIES:
            return self.family in _STAYING_FAMILIES
        if self.host is None or self.port in {None, _NAME_SERVER_PORT}:
            return False
        address = ip_address(self.host)
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return (mapped or address).is_loopback


def destinations(record: Iterable[str]) -> Iterator[Destination]:
    """What the lines of strace's record tell; calls on a socket that was connected before name no address and are left out."""
    for line in record:
        if not (seen := _LINE.match(line)):
            continue
        for address in _FAMILY.finditer(seen["arguments"]):
            host, port = _HOST.search(address["rest"]), _PORT.search(address["rest"])
            yield Destination(
                int(seen["task"]),
                seen["program"],
                address["family"],
                (host["v4"] or host["v6"]) if host else None,
                int(port["port"]) if port else None,
            )


class RecordedRun(Program):
    """`make run` with the recorder around it, once everything is installed and built.

    Args:
        settings: environment variables of the run.
        folder: where its log and its record go.
    """

    def __init__(self, settings: Mapping[str, str], folder: Path) -> None:
        self._record = folder / "calls"
        command: list[str | Path] = [*RECORDER, f"--output={self._record}", VENV_PYTHON, "-m", "walletmodal", "run"]
        super().__init__("make run", command, settings, folder / "run.log")

    def is_ready(self) -> bool:
        """Whether it has printed the line that ends its start."""
        return "Ready: " in self.tail()

    def interrupt(self) -> int:
        """Send Ctrl-C to its process group, wait until all that it started has ended, and give its exit status."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGINT)
        return self._process.wait(timeout=PATIENCE)

    def destinations(self) -> set[Destination]:
        """All that were recorded so far."""
        with self._record.open(errors="replace") as lines:
            return set(destinations(lines))
