"""The whole system on free ports of this machine: sandbox, host pages, and modal servers in the ways a deployment runs them."""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

import httpx

from scripts.build import build, build_sandbox, build_secure
from scripts.project import VENV_PYTHON
from tests.browser.chain import Chain
from tests.browser.cuttable import CuttableLine
from tests.browser.host_pages import HostPages
from tests.browser.programs import Program, answers
from tests.browser.servers import ModalServer, RedisServer
from tests.cluster.network import Balancer, network
from tests.patience import PATIENCE, START_SECONDS
from tests.ports import free_ports
from tests.redis_groups import in_cluster
from walletmodal.services.pseudo_language import PSEUDO

CHAIN_IDS = (1, 137, 10, 8453, 42161)
"""The chains of the sandbox in the order of their ports."""

SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
BITCOIN = "bip122:000000000019d6689c085ae165831e93"
SPONSORED = 137
"""The chain on which the deployment with the embedded wallet pays the fees of calls."""
PAID_IN_TOKENS = 1
GAS_TOKEN = f"eip155:{PAID_IN_TOKENS}:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
"""The chain on which visitors may pay them in a token, USDC."""

API_KEY = "the-key-of-the-hosts-servers"
SECRET_KEY = "the-secret-of-the-modals-servers"
"""With which a host's own server asks about sessions."""

HOST_APPS = 5
"""Ports for applications of hosts: as many examples as there are."""

UNSUPPORTED_CHAIN_ID = 1337
"""A chain that no deployment of this suite lists."""


MoveClock = Callable[[int], None]
"""Moves the clock of the sandbox forward by seconds (the fixture `move_clock`)."""


class Stack:
    """Everything that a browser test talks to. Each modal server starts when a test first asks for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # A fault may have broken a connection that was kept.
        self.client = httpx.Client(trust_env=False, limits=httpx.Limits(max_keepalive_connections=0), timeout=PATIENCE)
        self._closing = ExitStack()
        self._closing.callback(self.client.close)
        self.modal_port = free_ports(1)
        self.sandbox_port = free_ports(1)
        self.evm_port = free_ports(len(CHAIN_IDS))
        self._solana_port = free_ports(2)
        self.secure_port = free_ports(1)
        self._embedded_port = free_ports(1)
        self._appkit_port = free_ports(1)
        self._sponsoring_port = free_ports(1)
        self.hosts = HostPages(free_ports(1))
        first = free_ports(HOST_APPS)
        self.host_app_ports = tuple(range(first, first + HOST_APPS))
        self._sandbox = Program(
            "the sandbox",
            [VENV_PYTHON, "-m", "walletmodal.sandbox"],
            {
                "SANDBOX_PORT": str(self.sandbox_port),
                "EVM_PORT": str(self.evm_port),
                "SOLANA_PORT": str(self._solana_port),
                "SECURE_PORT": str(self.secure_port),
                "WALLETMODAL_PORT": str(self.modal_port),
                "SANDBOX_PRICES": "still",
                "SANDBOX_KEEP": "false",
                "SECURE_MODAL_ORIGINS": f"http://localhost:{self._embedded_port},http://localhost:{self._sponsoring_port}",
                "SECURE_CLIENT_ORIGINS": f"http://localhost:{self._appkit_port}",
                "ALLOWED_ORIGINS": ",".join((*self._allowed, self.hosts.other_site)),
            },
            folder / "sandbox.log",
        )
        self._closing.callback(self.hosts.close)

    def start(self) -> None:
        """Start the sandbox."""
        build_sandbox()
        build_secure()
        self._closing.callback(self._sandbox.stop)
        self._sandbox.start(
            lambda: answers(f"http://127.0.0.1:{self.sandbox_port}/", self.client), seconds=START_SECONDS
        )

    def close(self) -> None:
        """End everything, the last started first."""
        self._closing.close()

    @property
    def demo(self) -> str:
        """The demo host page's origin, the same site as the modal's."""
        return f"http://localhost:{self.sandbox_port}"

    @property
    def other_site_demo(self) -> str:
        """The same page on another site than the modal's, so that the frame's storage is a partition of its own."""
        return f"http://127.0.0.1:{self.sandbox_port}"

    @cached_property
    def modal(self) -> ModalServer:
        """The server that the demo page loads the modal from: one worker, state in memory."""
        return self._serve("memory", self.modal_port)

    @cached_property
    def redis(self) -> RedisServer:
        """The Redis of `redis_modal`."""
        store = RedisServer(free_ports(1), self.folder)
        self._closing.callback(store.stop)
        store.start()
        return store

    @cached_property
    def redis_modal(self) -> ModalServer:
        """A server of two workers that share their state over Redis."""
        return self._serve("redis", free_ports(1), {"REDIS_URL": self.redis.url, "WORKERS": "2"})

    @cached_property
    def cluster_modal(self) -> ModalServer:
        """The same over a Redis Cluster."""
        group = self._closing.enter_context(in_cluster())
        return self._serve("cluster", free_ports(1), {"REDIS_URL": group.url, "WORKERS": "2"})

    @cached_property
    def listing_modal(self) -> ModalServer:
        """A server that asks the directory of wallets, and pairs."""
        services = {"DIRECTORY_URL": f"{self.demo}/directory", "RELAY_URL": f"ws://localhost:{self.sandbox_port}/relay"}
        return self._serve("listing", free_ports(1), services)

    @cached_property
    def account_modal(self) -> ModalServer:
        """A server that asks the blockchain service what accounts own and are called."""
        return self._serve("account", free_ports(1), {"BLOCKCHAIN_URL": f"{self.demo}/blockchain"})

    @cached_property
    def embedded_modal(self) -> ModalServer:
        """A server with the embedded wallet, which pages of another site may embed too."""
        settings = {
            "SECURE_SITE_URL": f"http://localhost:{self.secure_port}/sdk",
            "SECURE_SOCIALS": "google,x,discord,farcaster,github,apple,facebook",
            "ALLOWED_ORIGINS": ",".join((*self._allowed, self.hosts.other_site)),
            **self._fees,
        }
        return self._serve("embedded", self._embedded_port, settings)

    @cached_property
    def sponsoring_modal(self) -> ModalServer:
        """A server with the embedded wallet that knows what accounts own, and pays their fees on one network."""
        settings = {
            "SECURE_SITE_URL": f"http://localhost:{self.secure_port}/sdk",
            "BLOCKCHAIN_URL": f"{self.demo}/blockchain",
            **self._fees,
        }
        return self._serve("sponsoring", self._sponsoring_port, settings)

    @property
    def _fees(self) -> dict[str, str]:
        """What pays the fees of smart accounts: the deployment on one network, a token of the account's on another."""
        networks = [f"eip155:{chain}" for chain in (SPONSORED, PAID_IN_TOKENS)]
        services = {
            f"{service.upper()}_URL": ",".join(f"{network}={self.demo}/{service}/{network}" for network in networks)
            for service in ("bundler", "paymaster")
        }
        return {**services, "SPONSOR_LIMITS": f"eip155:{SPONSORED}=1|100", "GAS_TOKENS": GAS_TOKEN}

    @cached_property
    def appkit_modal(self) -> ModalServer:
        """A server that speaks to the secure site by AppKit's messages alone."""
        settings = {
            "SECURE_SITE_URL": f"http://localhost:{self.secure_port}/sdk",
            "SECURE_SITE_PROTOCOL": "appkit",
            "SECURE_SOCIALS": "google,x,discord,farcaster,github,apple,facebook",
            "PROJECT_ID": "tests",
        }
        return self._serve("appkit", self._appkit_port, settings)

    @cached_property
    def impatient_modal(self) -> ModalServer:
        """A server that waits for wallets as short as a deployment may set it: 5 seconds."""
        return self._serve("impatient", free_ports(1), {"WALLET_TIMEOUT_SECONDS": "5"})

    @cached_property
    def line(self) -> CuttableLine:
        """The line through which browsers reach `distant_modal`."""
        self._distant_ports = free_ports(2)
        line = CuttableLine(self._distant_ports, self._distant_ports + 1)
        self._closing.callback(line.close)
        return line

    @cached_property
    def distant_modal(self) -> ModalServer:
        """A server at the other end of `line`."""
        assert self.line
        return self._serve("distant", self._distant_ports + 1, public_port=self._distant_ports)

    @cached_property
    def balanced_modals(self) -> tuple[ModalServer, ModalServer]:
        """Two servers behind a balancer, which hears in time that one of them is going to end. They share Redis and a database."""
        public, first, second = free_ports(), free_ports(), free_ports()
        settings = {
            "REDIS_URL": self.redis.url,
            "DATABASE_URL": f"sqlite:///{self.folder / 'balanced.db'}",
            "BLOCKCHAIN_URL": f"{self.demo}/blockchain",
            "DRAIN_DELAY_SECONDS": "2",
        }
        servers = (
            self._serve("balanced", first, settings, public_port=public),
            self._serve("balanced as well", second, settings, public_port=public),
        )
        balancer = Balancer(self._closing.enter_context(network()), public, (first, second))
        balancer.open()
        self._closing.callback(balancer.close)
        return servers

    @property
    def _allowed(self) -> tuple[str, ...]:
        host_apps = (f"http://localhost:{each}" for each in self.host_app_ports)
        return (self.demo, self.other_site_demo, self.hosts.allowed, *host_apps)

    def chain(self, chain_id: int) -> Chain:
        """One of the sandbox's chains."""
        return Chain(chain_id, self.node_urls[chain_id], self.demo, self.client)

    @property
    def node_urls(self) -> dict[int, str]:
        """Chain id → URL of the chain's own node."""
        return {chain_id: f"http://127.0.0.1:{self.evm_port + offset}" for offset, chain_id in enumerate(CHAIN_IDS)}

    @property
    def solana_url(self) -> str:
        """URL of Solana's own node."""
        return f"http://127.0.0.1:{self._solana_port}"

    def fail(self, service: str, **fault: object) -> None:
        """Switch on a fault of one of the sandbox's services."""
        self.client.post(f"{self.demo}/sandbox/faults", json={"service": service, **fault}).raise_for_status()

    def mails(self, to: str) -> list[dict[str, str]]:
        """What was mailed to an address, newest last."""
        found: list[dict[str, str]] = self.client.get(f"{self.demo}/sandbox/mails", params={"to": to}).json()
        return found

    def move_clock(self, seconds: int) -> None:
        """Move the clock of the sandbox forward; a test takes the fixture `move_clock`, which sets it again."""
        self.client.post(f"{self.demo}/sandbox/clock", json={"seconds": seconds}).raise_for_status()

    def restore_clock(self) -> None:
        """Set the clock of the sandbox to the machine's time."""
        self.client.delete(f"{self.demo}/sandbox/clock").raise_for_status()

    def heal(self) -> None:
        """Switch off all faults."""
        self.client.delete(f"{self.demo}/sandbox/faults").raise_for_status()

    @cached_property
    def _built(self) -> bool:
        if os.environ.get("BROWSER_TESTS_BUILD") != "0":
            build()
        return True

    def _serve(
        self, name: str, port: int, settings: Mapping[str, str] | None = None, *, public_port: int | None = None
    ) -> ModalServer:
        # Built before the first server starts, so that its start has nothing left to do but to start.
        assert self._built
        deployment = {
            "API_KEY": API_KEY,
            "SECRET_KEY": SECRET_KEY,
            "LOCALES": f"en,{PSEUDO}",
            "WORKERS": "1",
            "ALLOWED_ORIGINS": ",".join(self._allowed),
            "NETWORKS": ",".join((*(f"eip155:{chain_id}" for chain_id in CHAIN_IDS), SOLANA, BITCOIN)),
            "RPC_URL": f"{self.demo}/rpc",
            "RELAY_URL": f"ws://localhost:{self.sandbox_port}/relay",
            "VERIFY_URL": f"{self.demo}/verify",
            "SANDBOX_PORT": str(self.sandbox_port),
            "EVM_PORT": str(self.evm_port),
            **(settings or {}),
        }
        server = ModalServer(name, port, deployment, self.folder, self.client, public_port=public_port)
        self._closing.callback(server.stop)
        server.start()
        return server
