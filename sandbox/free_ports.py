"""Ports of loopback that nobody uses, so that several runs stand side by side."""

from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.errors import PortTakenError
from walletmodal.sandbox.settings import SandboxSettings, require_free


class FreePorts:
    """Gives ports of a range, in turn, so that what has just been given back is not given again at once.

    The range should lie below the system's own (32768 and up on Linux), from which every outgoing connection takes a port.

    Args:
        ports: the range; runs at the same time must not share it.
    """

    def __init__(self, ports: range) -> None:
        self._ports = ports
        self._next = 0

    def take(self, count: int = 1) -> int:
        """The first of `count` free ports in a row.

        Raises:
            OSError: there is no such row.
        """
        for _ in self._ports:
            if self._next + count > len(self._ports):
                self._next = 0
            row = self._ports[self._next : self._next + count]
            if all(_is_free(port) for port in row):
                self._next += count
                return row.start
            self._next += 1
        raise OSError(f"no {count} free ports in a row among {self._ports.start} to {self._ports.stop - 1}")


def settings_on(free: FreePorts) -> SandboxSettings:
    """Settings of a sandbox that stands beside others, keeps nothing, and whose prices stay.

    Raises:
        OSError: there are not enough ports.
    """
    return SandboxSettings(
        evm_port=free.take(len(CHAINS)),
        solana_port=free.take(2),
        sandbox_port=free.take(),
        secure_port=free.take(),
        walletmodal_port=free.take(),
        sandbox_keep=False,
        sandbox_prices="still",
    )


def _is_free(port: int) -> bool:
    try:
        require_free(port, "")
    except PortTakenError:
        return False
    return True
