"""The running sandbox: chains and web server, started and stopped as one."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from walletmodal.sandbox import artworks
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.app import SandboxApp
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.clock import SandboxClock
from walletmodal.sandbox.demo import require_build
from walletmodal.sandbox.evm.anvil_program import anvil_binary
from walletmodal.sandbox.mailbox import Mailbox, MailServer
from walletmodal.sandbox.relay.service import MAX_FRAME
from walletmodal.sandbox.secure_site import SecureSite
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import SandboxSettings, listen
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN as SOLANA


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Sandbox:
    """Everything of the sandbox in this process and its children.

    `async with Sandbox(settings) as sandbox:` starts it and stops it, whatever happens in between.

    Args:
        settings: where to listen; the environment's when not given.
        say: told in one line what a person should know, such as a chain that had to be restarted.
    """

    def __init__(self, settings: SandboxSettings | None = None, say: Callable[[str], None] = _to_stderr) -> None:
        self.settings = settings or SandboxSettings()
        self._say = say
        self._nodes: dict[str, AnvilNode] = {}
        self._solana: SolanaNode | None = None
        self._clock = SandboxClock()
        self._mailbox = Mailbox(self._clock)
        self._mail_server = MailServer(self._mailbox)
        self._running = AsyncExitStack()

    @property
    def url(self) -> str:
        """Where services and demo page are, without a slash at the end."""
        return f"http://localhost:{self.settings.sandbox_port}"

    @property
    def pids(self) -> list[int]:
        """Process ids of the nodes that run."""
        return [node.pid for node in self._nodes.values() if node.pid is not None]

    def rpc_url(self, chain: str) -> str:
        """The gateway's URL for a chain (CAIP-2), with what a public node would answer."""
        return f"{self.url}/rpc/v1/?chainId={self._node(chain).caip2}&projectId=sandbox"

    def node_url(self, chain: str) -> str:
        """The URL of a chain's own node (CAIP-2), with the methods that only a test node has; those that replace the chain are the control's."""
        return self._node(chain).url

    @property
    def smtp_port(self) -> int:
        """Where mails are taken, on loopback."""
        return self._mail_server.port

    @property
    def solana_websocket_url(self) -> str:
        """The URL of Solana's websocket, for subscriptions."""
        node = self._node(SOLANA)
        if not isinstance(node, SolanaNode):
            raise KeyError(f"the sandbox runs no chain {SOLANA!r}")
        return node.websocket_url

    async def start(self) -> None:
        """Start all; returns when the chains and the web server answer.

        Raises:
            PortTakenError: a port is in use; the text names the setting.
            PartMissingError: the npm packages or the build are missing.
            NodeFailedError: a chain did not come up.
        """
        require_build()
        binary = anvil_binary()
        settings = self.settings
        try:
            sockets = listen(settings.sandbox_port, "SANDBOX_PORT")
            secure_sockets = listen(settings.secure_port, "SECURE_PORT")
            for one in (*sockets, *secure_sockets):
                self._running.callback(one.close)
            folder = settings.state_folder
            self._nodes = {
                chain.caip2: AnvilNode(
                    chain, settings.evm_port + offset, binary, self._say, folder, access=settings.access
                )
                for offset, chain in enumerate(CHAINS)
            }
            documents = f"{self.url}{artworks.PATH}"
            self._solana = SolanaNode(
                settings.solana_port, self._say, folder, artworks=documents, access=settings.access, clock=self._clock
            )
            self._running.push_async_callback(self._stop_nodes)
            async with asyncio.TaskGroup() as starting:
                starting.create_task(self._solana.start())
                for node in self._nodes.values():
                    starting.create_task(node.start())
            self._running.push_async_callback(self._mail_server.stop)
            await self._mail_server.start()
            site = await self._running.enter_async_context(SecureSite(settings, self._clock, self.smtp_port))
            app = SandboxApp(
                settings,
                self._nodes,
                self._solana,
                clock=self._clock,
                mailbox=self._mailbox,
                on_reset=site.reset,
            )
            secure_server = HttpServer(app.secure_gate(site), secure_sockets)
            self._running.push_async_callback(secure_server.stop)
            await secure_server.start()
            self._running.push_async_callback(app.close)
            server = HttpServer(app, sockets, MAX_FRAME)
            self._running.push_async_callback(server.stop)
            await server.start()
        except BaseExceptionGroup as group:
            await self.stop()
            raise group.exceptions[0] from group
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Stop all: first the services, then the chains; returns when every child is gone."""
        await self._running.aclose()
        self._nodes, self._solana = {}, None

    async def _stop_nodes(self) -> None:
        stopping = [node.stop() for node in self._nodes.values()]
        if self._solana is not None:
            stopping.append(self._solana.stop())
        await asyncio.gather(*stopping)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    def _node(self, chain: str) -> AnvilNode | SolanaNode:
        if chain in self._nodes:
            return self._nodes[chain]
        if self._solana is not None and chain == SOLANA:
            return self._solana
        raise KeyError(f"the sandbox runs no chain {chain!r}")
