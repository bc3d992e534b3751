"""Where the sandbox listens and what it keeps, from the environment."""

import socket
from itertools import combinations
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from walletmodal.sandbox.access import Access
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.errors import PortTakenError

LOOPBACK = "127.0.0.1"
DATA = Path.cwd() / "data" / "sandbox"


class SandboxSettings(BaseSettings):
    """Settings of the sandbox; each field is the environment variable of the same name in capitals.

    Everything binds to loopback, whatever the settings say.
    """

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    sandbox_port: int = Field(8700, ge=1, le=65535, description="services and demo host page")
    secure_port: int = Field(8701, ge=1, le=65535, description="the secure site of the embedded wallet")
    evm_port: int = Field(8545, ge=1, le=65536 - len(CHAINS), description="eip155:1; the further chains follow")
    solana_port: int = Field(8899, ge=1, le=65534, description="Solana; its websocket is on the next port")
    walletmodal_port: int = Field(3000, ge=1, le=65535, description="the modal, for the demo page")
    sandbox_keep: bool = Field(default=True, description="whether the chains go on after a restart where they were")
    sandbox_prices: Literal["moving", "still"] = Field("moving", description="whether prices move by themselves")
    sandbox_data: Path | None = Field(None, description="where they are kept; data/sandbox/<SANDBOX_PORT> when unset")

    secure_modal_origins: str = Field(
        "", description="further origins, with commas, of modals that may use the secure site"
    )
    secure_client_origins: str = Field(
        "", description="further origins, with commas, of pages that may embed the secure site by the client of AppKit"
    )
    secure_smart_accounts: Literal["on", "safe", "off"] = Field(
        "on", description="what the embedded wallet's smart accounts are"
    )
    allowed_origins: str = Field("", description="further origins, with commas, whose pages may use chains and control")

    @model_validator(mode="after")
    def _ports_apart(self) -> Self:
        for (one, ports), (other, others) in combinations(self._ports().items(), 2):
            common = range(max(ports.start, others.start), min(ports.stop, others.stop))
            if common:
                raise ValueError(f"{one} and {other} must differ: both would take the port {common.start}")
        return self

    def _ports(self) -> dict[str, range]:
        return {
            "EVM_PORT": range(self.evm_port, self.evm_port + len(CHAINS)),
            "SOLANA_PORT": range(self.solana_port, self.solana_port + 2),
            "SANDBOX_PORT": range(self.sandbox_port, self.sandbox_port + 1),
            "SECURE_PORT": range(self.secure_port, self.secure_port + 1),
            "WALLETMODAL_PORT": range(self.walletmodal_port, self.walletmodal_port + 1),
        }

    @property
    def state_folder(self) -> Path | None:
        """Where the chains are kept between runs; None when they are not."""
        return (self.sandbox_data or DATA / str(self.sandbox_port)) if self.sandbox_keep else None

    @property
    def access(self) -> Access:
        """Which pages may use the chains' nodes and the control."""
        own = (
            f"http://{name}:{port}"
            for name in ("localhost", LOOPBACK)
            for port in (self.sandbox_port, self.walletmodal_port)
        )
        return Access(frozenset({*own, *self.hosts}))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The origins of ALLOWED_ORIGINS."""
        return _origins(self.allowed_origins)

    @property
    def secure_modals(self) -> tuple[str, ...]:
        """The origins of modals that may use the secure site."""
        return (self.modal_origin, *_origins(self.secure_modal_origins))

    @property
    def secure_clients(self) -> tuple[str, ...]:
        """The origins of pages that may embed the secure site by the client of AppKit: the demo page's, and those of hosts."""
        return tuple({*self.demo_origins, *self.hosts, *_origins(self.secure_client_origins)})

    @property
    def modal_origin(self) -> str:
        """The origin of the modal, as the demo page loads it."""
        return f"http://localhost:{self.walletmodal_port}"

    @property
    def demo_origins(self) -> tuple[str, str]:
        """The origins of the demo page: the second is another site than the modal's."""
        return f"http://localhost:{self.sandbox_port}", f"http://127.0.0.1:{self.sandbox_port}"


def _origins(text: str) -> tuple[str, ...]:
    return tuple(origin for part in text.split(",") if (origin := part.strip().rstrip("/")))


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
        # asyncio sends small answers at once only on a socket that says it is TCP.
        one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
    """Raise PortTakenError when a program already has this port of loopback."""
    for one in listen(port, setting):
        one.close()


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
