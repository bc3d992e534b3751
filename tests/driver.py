"""Drives real event handlers without a browser: queue, locks, background work, deltas."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

from reflex.istate.manager import StateManager
from reflex.istate.manager.token import BaseStateToken
from reflex.state import BaseState, State, UpdateVarsInternalState
from reflex_base.constants import RouteVar
from reflex_base.event import Event
from reflex_base.event.context import EventContext
from reflex_base.event.processor import BaseStateEventProcessor, EventFuture

from tests.patience import eventually, patience
from walletmodal.core.protocol.commands import NewsItem
from walletmodal.features.account.state import Eip155State
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import install
from walletmodal.features.resume.state import ResumeState
from walletmodal.reflex_internals.event_context import timed
from walletmodal.reflex_internals.event_seconds import measure_events
from walletmodal.wiring import WIRING

install(WIRING)

S = TypeVar("S", bound=BaseState)

ORIGIN = "http://localhost:8700"
ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
METAMASK = {
    "id": "io.metamask.test",
    "namespaces": ["eip155"],
    "type": "ANNOUNCED",
    "name": "MetaMask",
    "icon": "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
    "rdns": "io.metamask.test",
}


def session(address: str = ADDRESS, chain: str = "1", connector: str = "io.metamask.test") -> dict[str, Any]:
    """A namespace's session as the browser reports it."""
    return {"connector": connector, "accounts": [address], "chain": chain}


async def left_behind(driver: Driver, work: Awaitable[None]) -> None:
    """Have something done whose background event ends with a ZeroDivisionError in the place of its process."""
    with suppress(ZeroDivisionError):
        await work
        await eventually(lambda: driver.errors, "the end of the background event")
        assert isinstance(driver.errors.pop(), ZeroDivisionError)


async def nobody(_token: str) -> bool:
    """Speaks for a session."""
    return False


class Driver:
    """One visitor. `browser_*` methods say what a browser would; `commands` are what it would get; `locales` is what the page's address says."""

    def __init__(self, manager: StateManager, token: str = "visitor") -> None:
        self.token, self.manager = token, manager
        self.deltas: list[dict[str, Any]] = []
        self.errors: list[Exception] = []
        self.epoch, self.socket = "page-1", "socket-1"
        self.locales = ""
        self._revs = itertools.count(1)
        self._pages = itertools.count(2)
        self._arrived = False
        self.processor = BaseStateEventProcessor(
            backend_exception_handler=self.errors.append, graceful_shutdown_timeout=2
        )

        async def emit_delta(token: str, delta: Mapping[str, Mapping[str, Any]]) -> None:
            self.deltas.append({state: dict(values) for state, values in delta.items()})

        async def emit_event(token: str, *events: Any) -> None:
            raise AssertionError("the backend must not call into the browser: docs/protocol.md")

        root = EventContext(
            token="",
            txid="",
            state_manager=manager,
            enqueue_impl=self.processor.enqueue_many,
            emit_delta_impl=emit_delta,
            emit_event_impl=emit_event,
        )
        self.processor._root_context = timed(root)
        measure_events(self.processor)

    @property
    def redis(self) -> Any:
        """Where its manager's states are, of the one in Redis."""
        manager: Any = self.manager
        return manager.redis

    async def fire(self, spec: Any) -> None:
        """Runs an event and all that follows from it."""
        for event in Event.from_event_type(spec):
            await self._send(event)
        if self.errors:
            raise self.errors.pop()

    async def _send(self, event: Event) -> None:
        if not self._arrived:
            # A socket's first event; it also tells the session its token, by which Redis finds the other states.
            self._arrived = True
            await self.fire(State.hydrate)
        at = f"/#locale={self.locales}" if self.locales else "/"
        from_page = {RouteVar.CLIENT_TOKEN: self.token, RouteVar.SESSION_ID: self.socket}
        event = replace(event, router_data={**from_page, RouteVar.PATH: "/", RouteVar.ORIGIN: at})
        await (await self.enqueue(event)).wait_all()

    async def enqueue(self, event: Event) -> EventFuture:
        """Sends an event as it is. Of two drivers the one that was started last would have both's, but for the context."""
        root = self.processor._root_context
        assert root is not None
        context = root.fork(token=self.token, router_data=event.router_data)
        return await self.processor.enqueue(self.token, event, context)

    async def forge(self, name: str, payload: Any) -> list[Exception]:
        """Sends an event as any client can: a handler's full name and whatever payload. Returns what the handler raised."""
        (failed,) = await asyncio.gather(self._send(Event(name=name, payload=payload)), return_exceptions=True)
        async with patience():
            # The future fails first, the processor's own handler hears of it a moment later.
            while failed is not None and not self.errors:
                await asyncio.sleep(0)
        raised, self.errors[:] = list(self.errors), []
        return raised

    async def state(self, cls: type[S]) -> S:
        """A state as it is now."""
        root = await self.manager.get_state(BaseStateToken(ident=self.token, cls=cls))
        found: S = await root.get_state(cls)
        return found

    @asynccontextmanager
    async def changing(self, cls: type[S]) -> AsyncIterator[S]:
        """A state to be changed behind the handlers' back, written when the block ends."""
        async with self.manager.modify_state(BaseStateToken(ident=self.token, cls=cls)) as root:
            yield await root.get_state(cls)

    async def commands(self, method: str = "") -> list[dict[str, Any]]:
        """What is pending for the browser, of one method or of all."""
        pending: list[dict[str, Any]] = [dict(c) for c in (await self.state(BridgeState)).commands]
        return [c for c in pending if not method or c["method"] == method]

    async def news(self) -> list[NewsItem]:
        """What the host's subscribers were told last."""
        return list((await self.state(BridgeState)).get_value("news")["items"])

    def told(self) -> list[NewsItem]:
        """Everything that the host's subscribers were told, also what has left the state since: it stays there for a second."""
        sent = (
            value["items"]
            for delta in self.deltas
            for name, value in delta.get(BridgeState.get_full_name(), {}).items()
            if name.startswith("news")
        )
        return list({item["number"]: item for items in sent for item in items}.values())

    def snapshot(self, **parts: Any) -> dict[str, Any]:
        """The next snapshot of this page."""
        return {
            "epoch": self.epoch,
            "rev": next(self._revs),
            "settled": True,
            "wallets": [METAMASK],
            "sessions": {},
            "storage": {"activeNetworkId": None, "activeNamespace": None, "recent": [], "interrupted": None},
            **parts,
        }

    def init(self, *, origin: str = ORIGIN, options: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
        """The first message of a port."""
        return {
            "epoch": self.epoch,
            "host": {
                "origin": origin,
                "url": origin + "/",
                "title": "Demo",
                "description": "",
                "icon": "",
                "standalone": False,
                "mobile": False,
            },
            "options": options or {},
            "theme": {"mode": None, "variables": {}},
            "snapshot": self.snapshot(**parts),
        }

    async def load(self, *, options: dict[str, Any] | None = None, **parts: Any) -> None:
        """A page loads: the socket connects, the loader says who the host is and what it knows."""
        await self.arrive(self.init(options=options, **parts))

    async def arrive(self, init: dict[str, Any]) -> None:
        """The same, with a first message of the test's own making."""
        await self.fire(ResumeState.restore)
        await self.fire(BridgeState.on_connect)
        await self.fire(BridgeState.on_init(init))

    async def reload(self, *, options: dict[str, Any] | None = None, **parts: Any) -> None:
        """The host page loads anew, in the same tab: another epoch, the same session on the server."""
        self.epoch = f"page-{next(self._pages)}"
        self._revs = itertools.count(1)
        await self.load(options=options, **parts)

    async def reload_frame(self, *, options: dict[str, Any] | None = None, **parts: Any) -> None:
        """The frame alone loads anew, or a socket returns: the page goes on, and its loader says everything again."""
        await self.load(options=options, **parts)

    async def reconnect(self, **parts: Any) -> None:
        """The page comes back to its session over another socket."""
        self.socket += "-again"
        await self.load(**parts)

    def follow(self, lost: Driver) -> None:
        """Goes on with the page and the loader of another session, which was lost."""
        self.epoch, self._revs = lost.epoch, lost._revs

    async def hydrate(self, resume_id: Any) -> None:
        """What the tab's storage holds arrives with the first event of a socket."""
        await self.store(ResumeState, "resume_id", resume_id)

    async def store(self, cls: type[BaseState], variable: str, value: Any) -> None:
        """The browser's storage has this for a variable."""
        name = f"{cls.get_full_name()}.{variable}"
        await self.forge(f"{UpdateVarsInternalState.get_full_name()}.update_vars_internal", {"vars": {name: value}})

    async def tell(self, **parts: Any) -> None:
        """Something changed in the browser."""
        await self.fire(BridgeState.on_snapshot(self.snapshot(**parts)))

    async def call(self, method: str, *, call_id: str = "", **params: Any) -> None:
        """The host page uses its API; the call's id is `call-<method>` unless it is given."""
        await self.fire(BridgeState.on_call({"id": call_id or f"call-{method}", "method": method, "params": params}))

    async def request(
        self, method: str, params: Any = None, *, call_id: str = "request", namespace: str = "eip155"
    ) -> None:
        """The host page asks its provider."""
        asked = {"id": call_id, "namespace": namespace, "method": method, "params": params}
        await self.fire(BridgeState.on_request(asked))

    async def connect(self, *, address: str = ADDRESS, chain: str = "1", **parts: Any) -> None:
        """A page whose remembered wallet has granted an account."""
        await self.load(sessions={"eip155": session(address, chain)}, **parts)

    async def reply(self, command: dict[str, Any], *, value: Any = None, code: int = 0, message: str = "") -> None:
        """The browser answers a command; with a message, as an error."""
        error = {"code": code, "message": message} if message else None
        await self.fire(
            BridgeState.on_reply(
                {"id": command["id"], "epoch": self.epoch, "ok": error is None, "value": value, "error": error}
            )
        )

    async def settled(self, call: str) -> dict[str, Any] | None:
        """How the host's call was answered, once it was."""
        for command in await self.commands("host.settle"):
            if command["params"]["request"] == call:
                answered: dict[str, Any] = command["params"]
                return answered
        return None

    async def answer(self, call: str) -> dict[str, Any]:
        """How the host's call was answered; it must have been."""
        answered = await self.settled(call)
        assert answered is not None, f"{call} was not answered"
        return answered

    async def account(self) -> Eip155State:
        """The EVM account."""
        return await self.state(Eip155State)
