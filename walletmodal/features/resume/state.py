"""What a lost session gets back: when a worker died or a socket returned under a new token, the visitor goes on where they were.

Wallet facts return by snapshot; the place in the modal and the pending commands return from this record.
"""

from __future__ import annotations

import logging
import re
import secrets
from typing import Any

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.outgoing import Command
from walletmodal.core.views import BUILT_VIEWS
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState, Record, on_keep
from walletmodal.features.connect.state import ConnectState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.services.metrics import count_ignored

logger = logging.getLogger(__name__)

_ID = re.compile(r"[A-Za-z0-9_-]{43}")
_CONNECT = ("connector", "wallet_name", "phase", "error", "_command", "_offered")
_NETWORKS = ("active", "target", "target_name", "target_image", "phase", "error", "_command")


class ResumeState(rx.State):
    """The browser's half is a random id, kept for the tab; the record is the server's."""

    resume_id: str = rx.SessionStorage(name="walletmodal_resume")

    _alive: bool = False

    @rx.event
    async def restore(self) -> None:
        """Page load and reconnect: issues an id, or brings back what a lost session had."""
        if not _ID.fullmatch(self.resume_id):
            self.resume_id = secrets.token_urlsafe(32)
            self._alive = True
        if self._alive:
            return
        self._alive = True
        try:
            record = await deployment().resume.load(self.resume_id)
        except (SQLAlchemyError, OSError):
            logger.exception("the resume record cannot be read; the visitor starts anew")
            return
        if record is not None and record.get("shell", {}).get("view") in BUILT_VIEWS:
            await self._restore(record)

    async def _restore(self, record: dict[str, Any]) -> None:
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        shell._stack = record["shell"]["stack"]
        shell._put(shell._entries(), 1)
        shell.open, shell._after_connect = record["shell"]["open"], record["shell"]["after_connect"]
        bridge._epoch, bridge._rev = record["epoch"], 0
        commands: list[Command] = record["commands"]
        records: dict[str, Record] = record["records"]
        bridge.commands, bridge._records = commands, records
        for state, names, kept in (
            (await self.get_state(ConnectState), _CONNECT, record["connect"]),
            (await self.get_state(NetworksState), _NETWORKS, record["networks"]),
        ):
            for name in names:
                setattr(state, name, kept[name])

    async def _record(self) -> dict[str, Any]:
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        connect, networks = await self.get_state(ConnectState), await self.get_state(NetworksState)
        return {
            "shell": {
                "view": shell.view,
                "stack": list(shell._stack),
                "open": shell.open,
                "after_connect": shell._after_connect,
            },
            "epoch": bridge._epoch,
            "commands": list(bridge.commands),
            "records": dict(bridge._records),
            "connect": {name: getattr(connect, name) for name in _CONNECT},
            "networks": {name: getattr(networks, name) for name in _NETWORKS},
        }


@on_keep
async def keep(state: rx.State, durable: bool) -> None:
    """Writes the record soon, or at once where a command is about to leave."""
    resume = await state.get_state(ResumeState)
    if not resume.resume_id:
        return
    store = deployment().resume
    store.put(resume.resume_id, await resume._record())
    if durable:
        try:
            await store.flush(resume.resume_id)
        except (SQLAlchemyError, OSError):
            # The visitor's click matters more than its copy; the store has logged it and tries again.
            count_ignored("resume_not_written")
