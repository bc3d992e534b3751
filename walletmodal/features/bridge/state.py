"""Commands to the browser, replies and snapshots from it (docs/protocol.md).

A flow that waits for a wallet is written as named steps: the command's record names the continuation, so the flow
survives a restarted worker. `wiring.py` holds the steps of the features.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.analytics.payload import Event
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import ProtocolError, WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, REJECTED
from walletmodal.core.protocol.commands import Command, CommandMethod, News, NewsItem, WarnLevel
from walletmodal.core.protocol.host_calls import (
    HostRequest,
    parse_call,
    parse_message_id,
    parse_request,
    parse_seconds_left,
    seconds_waited_in_page,
)
from walletmodal.core.protocol.messages import Reply, parse_init, parse_reply
from walletmodal.core.protocol.snapshots import Snapshot, parse_snapshot
from walletmodal.deployment import deployment
from walletmodal.features.bridge.connections import ConnectionsMixin
from walletmodal.features.bridge.pending import (
    MAX_OWED,
    Early,
    Record,
    append_early,
    new_id,
    new_record,
    next_to_drop,
    resumed_trace,
    waiting_calls,
)
from walletmodal.features.bridge.wiring import Extent, Followups, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.reflex_internals.event_context import seconds_waited
from walletmodal.services.metrics import count_ignored
from walletmodal.services.tracing import passed

MAX_PENDING = 32
MAX_HEARD = 64
MAX_NEWS = 4
TOO_LARGE: Final = "The request is too large"
NEWS_MS, RESYNC_SECONDS = 1000, 2.0
SUPERSEDED = "Another request has taken the place of this one."


class BridgeState(ConnectionsMixin, rx.State):
    """Pending commands and the last snapshot.

    Attributes:
        page: the life of the host page that the state is about.
        heard: ids of the host's calls that were taken and wait for the visitor or a wallet: the browser repeats the others.
    """

    sync: str = ""
    page: str = ""
    commands: list[Command] = []
    news: dict[str, Any] = {"epoch": "", "items": []}
    heard: list[str] = []

    _epoch: str = ""
    _rev: int = 0
    _settled: bool = False
    _last: Snapshot | None = None
    _records: dict[str, Record] = {}
    _early: list[Early] = []
    _unheard: bool = False
    # Calls of the host whose answer was dropped.
    _owed: list[str] = []

    async def _issue(
        self,
        method: CommandMethod,
        params: dict[str, Any],
        *,
        then: str = "",
        calls: Sequence[str] = (),
        replay: bool = False,
        command_id: str = "",
        **context: Any,
    ) -> str:
        """Queues a command for the browser; returns its id.

        Args:
            method: A command of docs/protocol.md §3.
            params: Its parameters, JSON.
            then: The name of the continuation that gets the reply; empty when nothing follows.
            calls: Ids of the host's calls that the continuation settles.
            replay: Whether another life of the host page may run it too; never for anything that signs.
            command_id: One of `new_id`, where the flow must know it before the resume record is written.
            context: What the continuation needs, JSON.
        """
        if len(self.commands) >= MAX_PENDING:
            self._drop_command()
        command_id = command_id or new_id()
        self.commands.append(Command(id=command_id, epoch=self._epoch, replay=replay, method=method, params=params))
        if then:
            self._records[command_id] = new_record(then, context, calls)
        if method.startswith("wallet."):
            await self._save_record("durable")
        return command_id

    def _drop_command(self) -> None:
        """Drops a command to make room. Its callers hear an error as soon as there is room for that."""
        count_ignored("too_many_commands")
        dropped = self.commands.pop(next_to_drop(self.commands, self._records))
        owed = [*self._owed, *waiting_calls(dropped, self._records.pop(dropped["id"], None))]
        self._owed = owed[:MAX_OWED]

    async def _reject_dropped(self) -> None:
        """Rejects the calls whose answers were dropped, as far as there is room."""
        while self._owed and len(self.commands) < MAX_PENDING:
            call, *self._owed = self._owed
            await self._settle(call, code=LIMIT_EXCEEDED, message="Too many calls wait for an answer")

    async def _save_record(self, extent: Extent = "all") -> None:
        """Saves the resume record after a change."""
        for handler in wiring().on_state_change:
            await handler(self, extent)

    async def _settle(self, call: str, value: Any = None, *, code: int = 0, message: str = "") -> None:
        """Answers a call or request of the host page; with a message, as an error."""
        if not call:
            return
        error = {"code": code, "message": message} if message else None
        await self._issue("host.settle", {"request": call, "ok": error is None, "value": value, "error": error})

    async def _publish(self, event: Event) -> None:
        """Tells the host's subscribers of an event of the product's list.

        Not a command, whose acknowledgement would double the traffic of every click: they stay in state for a moment, so that what
        a cut socket has swallowed comes with the state after its return.
        """
        now, told = int(deployment().clock.now().timestamp() * 1000), self.get_value("news")
        late = told["items"][1 - MAX_NEWS :] if told["epoch"] == self._epoch else []
        items = [item for item in late if item["number"] > now - NEWS_MS]
        number = max(now, items[-1]["number"] + 1) if items else now
        item = NewsItem(number=number, event=event.event, properties=dict(event.properties))
        self.news = dict(News(epoch=self._epoch, items=[*items, item]))
        for handler in wiring().on_analytics_event:
            await handler(self, event)

    async def _warn(self, message: str, *, level: WarnLevel = "warn") -> None:
        """Writes one line to the host page's console."""
        await self._issue("host.warn", {"message": message, "level": level})

    def _is_pending(self, command_id: str) -> bool:
        return any(c["id"] == command_id for c in self.commands)

    async def _cancel_command(self, command_id: str) -> None:
        """Cancels a command: its reply will be ignored, and the calls that waited for it are rejected."""
        self.commands = [c for c in self.commands if c["id"] != command_id]
        record = self._records.pop(command_id, None)
        for call in record["calls"] if record else ():
            await self._settle(call, code=REJECTED, message=SUPERSEDED)

    def _is_in_progress(self, call: str) -> bool:
        """Whether a host's call is being carried out, or its answer is on the way: the browser may say it again."""
        return any(call in record["calls"] for record in self._records.values()) or self._has_command_for(call)

    def _has_command_for(self, call: str) -> bool:
        """Whether a pending command asks a wallet for a call of the host, or answers it."""
        return any(c["params"].get("request") == call for c in self.commands)

    async def _queue_early(self, step: str, payload: Any, *, call: str = "") -> None:
        """Queues a message that a server that has just started cannot carry out, and asks the page who it is.

        `call`: of the host, which hears an error where it could not be kept.
        """
        early = append_early(self.get_value("_early"), step, payload)
        if early is None:
            count_ignored("too_many_early")
            if call and len(self._owed) < MAX_PENDING:
                self._owed = [*self._owed, call]
        else:
            self._early = early
        self._request_resync()

    def _request_resync(self) -> None:
        self.sync = secrets.token_hex(8)

    async def _start_page(self, *, same_host: bool) -> None:
        """Starts a new life of the host page: nobody waits any more for what the one before has asked.

        In a tab that has gone on to another host, the wallet of that one is not asked what the first has wanted.
        """
        self.commands, self._owed = [c for c in self.commands if c["replay"] and same_host], []
        self.heard = []
        self._begin_page()
        kept = {c["id"] for c in self.commands}
        self._records = {
            command_id: Record(then=record["then"], context=record["context"], calls=[])
            for command_id, record in self._records.items()
            if command_id in kept
        }
        for handler in wiring().on_new_page:
            await handler(self)

    @rx.event
    def on_connect(self) -> None:
        """Asks the browser for a snapshot at page load and every reconnect of the socket."""
        self._request_resync()

    @rx.event
    async def on_init(self, payload: dict[str, Any]) -> Followups:
        """Handles a port's first message: who the host is, what it wants, and a snapshot."""
        try:
            init = parse_init(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        embed = await self.get_state(EmbedState)
        same_host = embed._origin == init.host.origin
        # Another host is another page, whatever it calls its life; an old record may not say which host it was.
        new_page = init.epoch != self._epoch or embed._origin not in ("", init.host.origin)
        warnings = embed._apply_init(init)
        if not embed._ready:
            count_ignored("origin_not_allowed")
            self._early, self._owed = [], []
            return []
        if new_page:
            if self._epoch:
                await self._start_page(same_host=same_host)
                if not same_host:
                    self._early = []
            self._epoch = init.epoch
            for warning in warnings:
                await self._warn(warning)
            await self._publish(events.initialize(embed._initialize_properties()))
        followups = await self._apply_snapshot(init.snapshot, new_page=new_page)
        early, self._early = list(self._early), []
        for entry in early:
            followups += await wiring().before_init[entry["step"]](self, json.loads(entry["payload"]))
        await self._reject_dropped()
        return followups

    @rx.event
    async def on_snapshot(self, payload: dict[str, Any]) -> Followups:
        """Applies a snapshot, which the browser sends after each change."""
        try:
            snapshot = parse_snapshot(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        embed = await self.get_state(EmbedState)
        if not embed._ready or snapshot.epoch != self._epoch or snapshot.rev <= self._rev:
            count_ignored("late_snapshot")
            return []
        if self._last is not None and snapshot == self._last.model_copy(update={"rev": snapshot.rev}):
            self._rev = snapshot.rev
            return []
        return await self._apply_snapshot(snapshot, new_page=False)

    async def _apply_snapshot(self, snapshot: Snapshot, *, new_page: bool) -> Followups:
        if not new_page and snapshot.rev <= self._rev:
            count_ignored("late_snapshot")
            return []
        self._epoch, self._rev, self._settled = snapshot.epoch, snapshot.rev, snapshot.settled
        self._last = snapshot
        if self.page != snapshot.epoch:
            self.page = snapshot.epoch
        followups = await self._notify_features(snapshot, self._apply_connections(snapshot))
        await self._save_record()
        return followups

    async def _notify_features(self, snapshot: Snapshot, changes: Changes) -> Followups:
        return [event for handler in wiring().on_snapshot for event in await handler(self, snapshot, changes)]

    @rx.event
    async def on_reply(self, payload: dict[str, Any]) -> Followups:
        """Handles the reply to a pending command; anything else is ignored and counted."""
        try:
            reply = parse_reply(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        command = next((c for c in self.commands if c["id"] == reply.id), None)
        if command is None:
            count_ignored("reply_not_pending")
            return []
        with resumed_trace(self._records.get(reply.id)):
            return await self._accept(command, reply)

    async def _accept(self, command: Command, reply: Reply) -> Followups:
        if not await self._save_reply(reply):
            self._unheard = True
            return [BridgeState.resync]
        self.commands = [c for c in self.commands if c["id"] != reply.id]
        if (call := command["params"].get("request")) in self.get_value("heard"):
            # It is answered; whatever has repeated it came before this reply.
            self.heard = [one for one in self.heard if one != call]
        record = self._records.pop(reply.id, None)
        await self._reject_dropped()
        for handler in wiring().on_wallet_answer:
            await handler(self, command)
        followups: Followups = []
        if record is not None:
            step = wiring().continuations.get(record["then"])
            if step is None:
                count_ignored("continuation_unknown")
            else:
                followups = await step(self, reply, {**record["context"], "calls": list(record["calls"])})
        if command["method"].startswith("wallet."):
            # The loader forgets a reply once its command is gone; a record that still had the command would ask the wallet again.
            await self._save_record("durable")
        return followups

    async def _save_reply(self, reply: Reply) -> bool:
        """Saves a reply that must not be lost; False where that is not possible now."""
        record = self._records.get(reply.id)
        keeper = wiring().before_accepting.get(record["then"]) if record else None
        return record is None or keeper is None or await keeper(self, reply, dict(record["context"]))

    @rx.event(background=True)
    async def resync(self) -> None:
        """Asks the browser again, in a moment, for a reply that could not be saved."""
        async with self:
            waits, self._unheard = self._unheard, False
        if not waits:
            return
        await deployment().clock.sleep(RESYNC_SECONDS)
        async with self:
            self._request_resync()

    @rx.event
    async def on_call(self, payload: dict[str, Any]) -> Followups:
        """Handles a host API call that the server carries out."""
        return await self._receive("call", payload)

    @rx.event
    async def on_request(self, payload: dict[str, Any]) -> Followups:
        """Handles a provider request that is not a plain read."""
        return await self._receive("request", payload)

    async def _receive(self, kind: str, payload: dict[str, Any]) -> Followups:
        try:
            call_id, left = parse_message_id(payload), parse_seconds_left(payload)
        except ProtocolError as error:
            count_ignored(error.reason)
            return []
        if seconds_waited() >= left:
            # Its caller has been told that nothing comes of it. Who says so once more has seen that it waits for the visitor.
            count_ignored("late_call")
            return [] if left else await self._withdraw(call_id)
        return await self._dispatch(kind, call_id, payload)

    async def _withdraw(self, call: str) -> Followups:
        """Takes back what waits for the visitor, and for which no host waits any more."""
        if call not in self.heard:
            return []
        self.heard = [one for one in self.heard if one != call]
        followups = [event for handler in wiring().on_withdrawn for event in await handler(self, call)]
        await self._save_record()
        return followups

    async def _dispatch(self, kind: str, call_id: str, payload: dict[str, Any]) -> Followups:
        try:
            asked = parse_call(payload) if kind == "call" else parse_request(payload)
        except WalletModalError as error:
            too_large = isinstance(error, ProtocolError) and error.reason == "oversized"
            if (await self.get_state(EmbedState))._ready:
                code, message = (LIMIT_EXCEEDED, TOO_LARGE) if too_large else (error.code, error.short_message)
                await self._settle(call_id, code=code, message=message)
            return []
        if not (await self.get_state(EmbedState))._ready:
            # Said again, it is the same.
            lasting = {name: value for name, value in payload.items() if name not in ("left", "waited")}
            await self._queue_early(kind, lasting, call=call_id)
            return []
        heard = self.get_value("heard")
        if self._is_in_progress(call_id) or call_id in heard:
            return []
        passed("page", seconds_waited_in_page(payload.get("waited")) + seconds_waited())
        if isinstance(asked, HostRequest):
            followups = await wiring().on_request(self, call_id, asked)
        else:
            followups = await wiring().on_call[type(asked)](self, call_id, asked)
        if not self._has_command_for(call_id):
            self.heard = [*heard[1 - MAX_HEARD :], call_id]
        await self._save_record()
        return followups
