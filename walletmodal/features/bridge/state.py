"""Commands to the browser, replies and snapshots from it (docs/protocol.md).

A flow that waits for a wallet is written as named steps: the command's record names the continuation, so the flow
survives a restarted worker. Features register themselves here; the bridge knows none of them.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, TypedDict

import reflex as rx
from reflex.event import EventSpec

from walletmodal.core.errors import ProtocolError, WalletModalError
from walletmodal.core.host_calls import HostCall, HostRequest, OptionsCall, parse_call, parse_message_id, parse_request
from walletmodal.core.outgoing import Command, CommandMethod
from walletmodal.core.protocol import Reply, Snapshot, parse_init, parse_reply, parse_snapshot
from walletmodal.features.embed.state import EmbedState
from walletmodal.services.metrics import count_ignored

Followups = list[EventSpec]
"""Events to queue after the handler: background work, mostly."""


class Record(TypedDict):
    """What the server remembers of a pending command: the continuation's name and what it needs."""

    then: str
    context: dict[str, Any]


SnapshotListener = Callable[[rx.State, Snapshot], Awaitable[Followups]]
Continuation = Callable[[rx.State, Reply, dict[str, Any]], Awaitable[Followups]]
CallHandler = Callable[[rx.State, str, Any], Awaitable[Followups]]
RequestHandler = Callable[[rx.State, str, HostRequest], Awaitable[Followups]]

_snapshot_listeners: list[SnapshotListener] = []
_continuations: dict[str, Continuation] = {}
_calls: dict[type[HostCall], CallHandler] = {}
_request_handlers: list[RequestHandler] = []
_keepers: list[Callable[[rx.State, bool], Awaitable[None]]] = []

MAX_PENDING = 32


def on_snapshot(listener: SnapshotListener) -> SnapshotListener:
    """Registers what happens when the browser tells what it knows; runs in the order of registration."""
    _snapshot_listeners.append(listener)
    return listener


def continuation(name: str) -> Callable[[Continuation], Continuation]:
    """Registers the step that a command's reply continues with, under a name that outlives the process."""

    def register(step: Continuation) -> Continuation:
        _continuations[name] = step
        return step

    return register


def on_call(kind: type[HostCall]) -> Callable[[CallHandler], CallHandler]:
    """Registers what carries out a method of the host API; it gets the call's id and the call."""

    def register(handler: CallHandler) -> CallHandler:
        _calls[kind] = handler
        return handler

    return register


def on_request(handler: RequestHandler) -> RequestHandler:
    """Registers the one handler of provider requests."""
    _request_handlers[:] = [handler]
    return handler


def on_keep(keeper: Callable[[rx.State, bool], Awaitable[None]]) -> Callable[[rx.State, bool], Awaitable[None]]:
    """Registers who writes the resume record; its second argument: whether that must be done before commands leave."""
    _keepers.append(keeper)
    return keeper


class BridgeState(rx.State):
    """What is pending between server and browser."""

    sync: str = ""
    commands: list[Command] = []
    settled: bool = False

    _epoch: str = ""
    _rev: int = 0
    _last: Snapshot | None = None
    _records: dict[str, Record] = {}

    async def _issue(
        self, method: CommandMethod, params: dict[str, Any], *, then: str = "", replay: bool = False, **context: Any
    ) -> str:
        """Queues a command for the browser.

        Args:
            method: A command of docs/protocol.md §3.
            params: Its parameters, JSON.
            then: The name of the continuation that gets the reply; empty when nothing follows.
            replay: Whether another life of the host page may run it too; never for anything that signs.
            context: What the continuation needs, JSON.

        Returns:
            The command's id.
        """
        if len(self.commands) >= MAX_PENDING:
            oldest = self.commands.pop(0)
            self._records.pop(oldest["id"], None)
            count_ignored("too_many_commands")
        command_id = secrets.token_urlsafe(12)
        self.commands.append(
            Command(id=command_id, epoch=self._epoch, replay=replay, method=method, params=params)
        )
        if then:
            self._records[command_id] = Record(then=then, context=context)
        if method.startswith("wallet."):
            await self._keep(durable=True)
        return command_id

    async def _keep(self, *, durable: bool = False) -> None:
        """Has the resume record follow what changed."""
        for keeper in _keepers:
            await keeper(self, durable)

    async def _settle(self, call: str, value: Any = None, *, code: int = 0, message: str = "") -> None:
        """Answers a call or request of the host page; with a message, as an error."""
        if not call:
            return
        error = {"code": code, "message": message} if message else None
        await self._issue(
            "host.settle", {"request": call, "ok": error is None, "value": value, "error": error}, replay=True
        )

    async def _publish(self, event: str, **properties: Any) -> None:
        """Tells the host's subscribers of an event of the product's list (reference: event names and properties)."""
        await self._issue("host.event", {"event": event, "properties": properties}, replay=True)

    async def _warn(self, message: str) -> None:
        """Writes one warning to the host page's console."""
        await self._issue("host.warn", {"message": message}, replay=True)

    def _withdraw(self, command_id: str) -> None:
        """Takes a command back: its reply will be ignored."""
        self.commands = [c for c in self.commands if c["id"] != command_id]
        self._records.pop(command_id, None)

    @rx.event
    def on_connect(self) -> None:
        """Page load and every reconnect of the socket: asks the browser for all that it knows."""
        self.sync = secrets.token_hex(8)

    @rx.event
    async def on_init(self, payload: dict[str, Any]) -> Followups:
        """First message of a port: who the host is, what it wants, and a snapshot."""
        try:
            init = parse_init(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        embed = await self.get_state(EmbedState)
        new_page = init.epoch != self._epoch
        warnings = embed._adopt(init)
        if not embed.ready:
            count_ignored("origin_not_allowed")
            return []
        for warning in warnings if new_page else ():
            await self._warn(warning)
        return await self._apply(init.snapshot, new_page=new_page)

    @rx.event
    async def on_snapshot(self, payload: dict[str, Any]) -> Followups:
        """Everything that the browser knows, after each change."""
        try:
            snapshot = parse_snapshot(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        embed = await self.get_state(EmbedState)
        if not embed.ready or snapshot.epoch != self._epoch or snapshot.rev <= self._rev:
            count_ignored("late_snapshot")
            return []
        return await self._apply(snapshot, new_page=False)

    async def _apply(self, snapshot: Snapshot, *, new_page: bool) -> Followups:
        if not new_page and snapshot.rev <= self._rev:
            count_ignored("late_snapshot")
            return []
        self._epoch, self._rev, self.settled = snapshot.epoch, snapshot.rev, snapshot.settled
        self._last = snapshot
        followups: Followups = []
        for listener in _snapshot_listeners:
            followups += await listener(self, snapshot)
        return followups

    @rx.event
    async def on_reply(self, payload: dict[str, Any]) -> Followups:
        """The answer to a pending command; anything else is ignored and counted."""
        try:
            reply = parse_reply(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        command = next((c for c in self.commands if c["id"] == reply.id), None)
        if command is None:
            count_ignored("reply_not_pending")
            return []
        self.commands = [c for c in self.commands if c["id"] != reply.id]
        record = self._records.pop(reply.id, None)
        followups: Followups = []
        if record is not None:
            step = _continuations.get(record["then"])
            if step is None:
                count_ignored("continuation_unknown")
            else:
                followups = await step(self, reply, record["context"])
        if command["method"].startswith("wallet."):
            await self._keep()
        return followups

    @rx.event
    async def on_call(self, payload: dict[str, Any]) -> Followups:
        """A method of the host API that the server carries out."""
        if not (await self.get_state(EmbedState)).ready:
            count_ignored("call_too_early")
            return []
        try:
            call_id = parse_message_id(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        try:
            call = parse_call(payload)
        except WalletModalError as error:
            await self._settle(call_id, code=error.code, message=error.short_message)
            return []
        return await _calls[type(call)](self, call_id, call)

    @rx.event
    async def on_request(self, payload: dict[str, Any]) -> Followups:
        """A request of the host page's provider that is not a plain read."""
        if not (await self.get_state(EmbedState)).ready:
            count_ignored("request_too_early")
            return []
        try:
            call_id, request = parse_message_id(payload), parse_request(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        followups: Followups = []
        for handler in _request_handlers:
            followups += await handler(self, call_id, request)
        return followups


@on_call(OptionsCall)
async def change_options(state: rx.State, call_id: str, call: OptionsCall) -> Followups:
    """Host: `updateOptions` and `updateFeatures`."""
    bridge = await state.get_state(BridgeState)
    for warning in (await state.get_state(EmbedState))._change(call.options):
        await bridge._warn(warning)
    await bridge._settle(call_id)
    if bridge._last is None:
        return []
    followups: Followups = []
    for listener in _snapshot_listeners:
        followups += await listener(state, bridge._last)
    return followups


__all__ = [
    "BridgeState",
    "Followups",
    "Record",
    "continuation",
    "on_call",
    "on_keep",
    "on_request",
    "on_snapshot",
]
