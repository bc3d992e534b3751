"""One EVM chain: an anvil process, kept alive, with the contracts of its world."""

import asyncio
import itertools
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx

from walletmodal.sandbox.access import Access
from walletmodal.sandbox.chains import EvmChain
from walletmodal.sandbox.errors import NodeFailedError, SandboxError
from walletmodal.sandbox.evm.anvil_program import die_with_parent, unknown_address
from walletmodal.sandbox.evm.deployment import Call
from walletmodal.sandbox.evm.keeper import WorldKeeper
from walletmodal.sandbox.evm.node_port import NodePort
from walletmodal.sandbox.evm.treasury import Treasury
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import LOOPBACK, listen

START_SECONDS = 20.0
RESTARTS_IN_A_ROW = 5
HEALTHY_SECONDS = 30.0
SAVE_SECONDS = 1.0


class AnvilNode:
    """An anvil process for one chain.

    Args:
        chain: which chain it is.
        port: where it listens, on loopback.
        binary: the anvil program.
        say: told in one line what the person at the terminal should know.
        folder: where the chain's state is kept between runs; nothing is kept when None.
        access: which pages may ask the chain at its port.

    Attributes:
        chain: which chain it is.
        url: the chain's port, where programs use all that does not replace the chain, and pages what a public node has.
        treasury: gives coin and tokens away.
    """

    def __init__(
        self,
        chain: EvmChain,
        port: int,
        binary: Path,
        say: Callable[[str], None],
        folder: Path | None = None,
        *,
        access: Access | None = None,
    ) -> None:
        self.chain = chain
        self.url = f"http://{LOOPBACK}:{port}"
        self._port = port
        self._access = replace(access or Access(), extensions=True)
        self._server: HttpServer | None = None
        self._host, self._own_port = LOOPBACK, 0
        self._binary = binary
        self._say = say
        self._client = httpx.AsyncClient(timeout=30, trust_env=False)
        self._state = WorldKeeper(chain.caip2, self, folder, say)
        self._again = "what was saved" if folder else "its beginning"
        self.treasury = Treasury(self, worlds()[chain.caip2])
        self._ids = itertools.count(1)
        self._last_words: deque[str] = deque(maxlen=8)
        self._process: asyncio.subprocess.Process | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._beginning_anew = asyncio.Lock()

    @property
    def caip2(self) -> str:
        """The chain's CAIP-2 id."""
        return self.chain.caip2

    @property
    def _own_url(self) -> str:
        return f"http://{self._host}:{self._own_port}"

    @property
    def pid(self) -> int | None:
        """The process id while the node runs."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if self._process is not None and running else None

    async def start(self) -> None:
        """Start the node and wait until it answers, with everything on it that its world has.

        Raises:
            PortTakenError: another program listens on its port.
            PartMissingError: the npm packages with the contracts are not installed.
            NodeFailedError: it ended, or did not answer in time.
        """
        sockets = listen(self._port, "EVM_PORT (the chains take it and the ports that follow)")
        self._server = HttpServer(NodePort(self.caip2, self._access, self.relay), sockets)
        try:
            await self._launch()
            await self._server.start()
        except BaseException:
            await self.stop()
            raise
        self._watch()

    async def stop(self) -> None:
        """Save the state, end the node and wait until it is gone; does nothing when it does not run."""
        if self._server is not None:
            await self._server.stop()
        if await self._unwatch() and self.pid is not None:
            await self._save(always=True)
        await self._end_process()
        await self._client.aclose()

    async def rpc(self, method: str, params: Sequence[object] = ()) -> object:
        """Call one JSON-RPC method of the node, also those that only a test node has.

        Raises:
            NodeFailedError: the node answered with an error, or not at all.
        """
        return (await self.batch([(method, params)]))[0]

    async def batch(self, calls: Sequence[Call]) -> list[object]:
        """Call several methods in one request; the results are in order.

        Raises:
            NodeFailedError: the node answered one of them with an error, or did not answer.
        """
        if not calls:
            return []
        body = [
            {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": list(params)}
            for method, params in calls
        ]
        try:
            answers = {answer["id"]: answer for answer in (await self._client.post(self._own_url, json=body)).json()}
            ordered = [answers[one["id"]] for one in body]
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
            raise NodeFailedError(f"{self.chain.caip2} does not answer: {error!r}") from error
        for (method, _), answer in zip(calls, ordered, strict=True):
            if "error" in answer:
                raise NodeFailedError(f"{self.chain.caip2} refused {method}: {answer['error']}")
        return [answer["result"] for answer in ordered]

    async def relay(self, body: bytes) -> httpx.Response:
        """Hand a checked JSON-RPC body to the node and return its answer unread.

        Raises:
            httpx.HTTPError: the node does not answer.
        """
        headers = {"content-type": "application/json"}
        return await self._client.post(self._own_url, content=body, headers=headers)

    async def advance(self, seconds: int) -> None:
        """Move the chain's clock forward; a block says so.

        Raises:
            NodeFailedError: the node does not answer.
        """
        await self.batch([("evm_increaseTime", [seconds]), ("evm_mine", [])])

    async def reset(self) -> None:
        """Take the chain back to its beginning; what waits to be mined is dropped.

        Raises:
            NodeFailedError: the node does not come up any more.
        """
        async with self._beginning_anew:
            try:
                await self._state.reset()
            except NodeFailedError as error:
                self._say(f"{self.chain.caip2} starts again from its beginning: {error}")
                await self._begin_anew()

    async def _begin_anew(self) -> None:
        await self._unwatch()
        try:
            await self._end_process()
            self._state.forget()
            await self._launch()
        finally:
            self._watch()

    def _watch(self) -> None:
        name = self.chain.caip2
        self._tasks = [
            asyncio.create_task(self._keep_alive(), name=f"keep {name} alive"),
            asyncio.create_task(self._keep_saved(), name=f"keep {name} saved"),
        ]

    async def _unwatch(self) -> bool:
        """Whether it was watched."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        return bool(tasks)

    async def _launch(self) -> None:
        await self._launch_process()
        if not await self._state.begin():
            await self._end_process()
            await self._launch_process()
            await self._state.begin()

    async def _launch_process(self) -> None:
        self._last_words.clear()
        self._state.ended()
        genesis = await self._state.genesis()
        self._host, self._own_port = unknown_address()
        self._process = await asyncio.create_subprocess_exec(
            self._binary,
            *("--host", self._host, "--port", str(self._own_port), "--chain-id", str(self.chain.id)),
            *("--timestamp", str(genesis)),
            *("--silent", "--no-cors", "--no-request-size-limit"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            # Ctrl-C reaches the whole process group; the node must end after the services, by us.
            start_new_session=True,
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )
        reader = asyncio.create_task(self._remember_stderr(self._process.stderr))
        deadline = asyncio.get_running_loop().time() + START_SECONDS
        while True:
            if self._process.returncode is not None:
                await reader
                raise NodeFailedError(f"{self.chain.caip2} ended at its start: {self._why_it_ended()}")
            with suppress(NodeFailedError):
                chain_id = int(str(await self.rpc("eth_chainId")), 16)
                break
            if asyncio.get_running_loop().time() > deadline:
                raise NodeFailedError(f"{self.chain.caip2} did not answer within {START_SECONDS:.0f} s")
            await asyncio.sleep(0.02)
        if chain_id != self.chain.id:
            raise NodeFailedError(f"{self._own_url} answers for chain {chain_id}, not {self.chain.id}")

    async def _keep_saved(self) -> None:
        while True:
            await asyncio.sleep(SAVE_SECONDS)
            if self.pid is not None:
                await self._save()

    async def _save(self, *, always: bool = False) -> None:
        try:
            await self._state.save(always=always)
        except NodeFailedError:
            # Whoever keeps it alive tells of a node that does not answer.
            return
        except OSError as error:
            self._say(f"the state of {self.chain.caip2} cannot be saved: {error}")

    async def _keep_alive(self) -> None:
        loop = asyncio.get_running_loop()
        deaths = 0
        while self._process is not None:
            started = loop.time()
            await self._process.wait()
            deaths = 1 if loop.time() - started > HEALTHY_SECONDS else deaths + 1
            why = self._why_it_ended()
            if deaths > RESTARTS_IN_A_ROW:
                self._say(f"{self.chain.caip2} ended {deaths} times running ({why}); it stays down")
                return
            self._say(f"{self.chain.caip2} ended ({why}); it starts again from {self._again}")
            try:
                await self._launch()
            except SandboxError as error:
                self._say(str(error))
                await self._end_process()

    async def _end_process(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 5)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _remember_stderr(self, stderr: asyncio.StreamReader | None) -> None:
        while stderr is not None and (line := await stderr.readline()):
            self._last_words.append(line.decode(errors="replace").strip())

    def _why_it_ended(self) -> str:
        status = self._process.returncode if self._process is not None else None
        if status is not None and status < 0:
            reason = f"signal {signal.Signals(-status).name}"
        else:
            reason = f"exit status {status}"
        return f"{reason}: {' / '.join(self._last_words)}" if self._last_words else reason
