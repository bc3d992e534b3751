"""Where the sandbox listens, from the environment."""

import socket
from typing import Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from sandbox.chains import CHAINS
from sandbox.errors import PortTakenError

LOOPBACK = "127.0.0.1"


class SandboxSettings(BaseSettings):
    """Settings of the sandbox; each field is the environment variable of the same name in capitals.

    Everything binds to loopback, whatever the settings say.
    """

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    sandbox_port: int = Field(8700, ge=1, le=65535, description="services and demo host page")
    evm_port: int = Field(8545, ge=1, le=65536 - len(CHAINS), description="eip155:1; the further chains follow")
    walletmodal_port: int = Field(3000, ge=1, le=65535, description="the modal, for the demo page")

    @model_validator(mode="after")
    def _ports_apart(self) -> Self:
        nodes = range(self.evm_port, self.evm_port + len(CHAINS))
        for name in ("sandbox_port", "walletmodal_port"):
            port = getattr(self, name)
            if port in nodes:
                raise ValueError(
                    f"{name.upper()} {port} lies in the ports of the chains, EVM_PORT {nodes.start} to {nodes.stop - 1}"
                )
        if self.sandbox_port == self.walletmodal_port:
            raise ValueError("SANDBOX_PORT and WALLETMODAL_PORT must differ")
        return self

    @property
    def modal_origin(self) -> str:
        """The origin of the modal, as the demo page loads it."""
        return f"http://localhost:{self.walletmodal_port}"

    @classmethod
    def on_free_ports(cls, walletmodal_port: int | None = None) -> Self:
        """Settings on ports that nobody uses right now, so that several sandboxes run side by side.

        Args:
            walletmodal_port: the modal's port; a free one when not given.

        Raises:
            OSError: no run of free ports was found.
        """
        for _ in range(50):
            start = _free_port()
            nodes = range(start, start + len(CHAINS))
            if nodes.stop > 65536 or not all(_is_free(port) for port in nodes):
                continue
            apart = [port for port in (_free_port(), _free_port()) if port not in nodes]
            if len(set(apart)) == 2:
                return cls(
                    evm_port=start,
                    sandbox_port=apart[0],
                    walletmodal_port=walletmodal_port or apart[1],
                )
        raise OSError("no free ports in a row on loopback")


def listen(port: int, setting: str) -> list[socket.socket]:
    """Open the listening sockets of one port, on 127.0.0.1 and, where the machine has it, on ::1.

    Browsers try both for `localhost`; holding both keeps other programs from answering instead.

    Args:
        port: the port.
        setting: the environment variable that chooses it, for the error.

    Raises:
        PortTakenError: another program has it.
    """
    opened: list[socket.socket] = []
    for family, host in ((socket.AF_INET, LOOPBACK), (socket.AF_INET6, "::1")):
        if family is socket.AF_INET6 and not _has_ipv6():
            continue
        one = socket.socket(family, socket.SOCK_STREAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((host, port))
        except OSError as error:
            for each in (one, *opened):
                each.close()
            raise PortTakenError(port, setting) from error
        opened.append(one)
    return opened


def require_free(port: int, setting: str) -> None:
    """Raise PortTakenError when a program already listens on 127.0.0.1 at this port."""
    if not _is_free(port):
        raise PortTakenError(port, setting)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
