"""What a lost session gets back: when a worker died or a socket returned under a new token, the visitor goes on where they were.

Wallet facts return by snapshot; the place in the modal and the pending commands return from this record.
"""

from __future__ import annotations

import logging
import re
import secrets
from typing import Any, cast

import reflex as rx
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.errors import RecordError
from walletmodal.core.outgoing import Command
from walletmodal.db.resume import encoded
from walletmodal.deployment import deployment
from walletmodal.features.account.state import ActiveState, account
from walletmodal.features.bridge.state import BridgeState, Record, held, on_keep
from walletmodal.features.connect.state import ConnectState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.pairing import state as pairing
from walletmodal.features.requests.state import RequestsState
from walletmodal.features.resume.record import ResumeRecord
from walletmodal.features.send import state as sending
from walletmodal.features.shell.state import ShellState
from walletmodal.features.transactions.state import PendingState
from walletmodal.services.metrics import count_ignored

logger = logging.getLogger(__name__)

_ID = re.compile(r"[A-Za-z0-9_-]{43}")
_CONNECT = {
    name.lstrip("_"): name
    for name in ("connector", "_namespace", "wallet_name", "phase", "error", "choices", "_command", "_offered")
}
_NETWORKS = {
    name.lstrip("_"): name for name in ("active", "target", "target_name", "phase", "error", "_command", "_last")
}


class ResumeState(rx.State):
    """The browser's half is a random id, kept for the tab; the record is the server's."""

    resume_id: str = rx.SessionStorage(name="walletmodal_resume")

    _alive: bool = False
    # The text's hash, 0 for none; another worker's differs, and costs one more writing.
    _kept: int = 0

    def _has_id(self) -> bool:
        """Whether the id is one: the browser may have sent anything in its place."""
        found: object = self.resume_id
        return isinstance(found, str) and _ID.fullmatch(found) is not None

    @rx.event
    async def restore(self) -> None:
        """Page load and reconnect: issues an id, or brings back what a lost session had."""
        if not self._has_id():
            self.resume_id, self._kept = secrets.token_urlsafe(32), 0
            self._alive = True
        if self._alive:
            return
        self._alive = True
        try:
            found = await deployment().resume.load(self.resume_id)
            record = None if found is None else ResumeRecord.model_validate(found)
        except (SQLAlchemyError, OSError):
            logger.exception("the resume record cannot be read; the visitor starts anew")
            return
        except ValidationError as error:
            logger.warning(
                "a resume record has the wrong shape; the visitor starts anew: %s", error.errors(include_input=False)[0]
            )
            return
        if record is not None:
            await self._restore(record)

    async def _restore(self, record: ResumeRecord) -> None:
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        shell._restore(record.shell.stack)
        shell.open, shell._after_connect = record.shell.open, record.shell.after_connect
        bridge._epoch, bridge._rev = record.epoch, 0
        (await self.get_state(EmbedState))._origin = record.origin
        bridge.commands = [cast("Command", command.model_dump()) for command in record.commands]
        bridge._records = {key: cast("Record", entry.model_dump()) for key, entry in record.records.items()}
        (await self.get_state(RequestsState))._waiting = [entry.model_dump() for entry in record.waiting]
        connect, networks = await self.get_state(ConnectState), await self.get_state(NetworksState)
        for name, value in record.connect.model_dump().items():
            setattr(connect, _CONNECT[name], value)
        for name, value in record.networks.model_dump().items():
            setattr(networks, _NETWORKS[name], value)
        if record.pairing is not None:
            await pairing.restore(self, record.pairing.model_dump())
        if record.send is not None:
            await sending.restore(self, record.send.model_dump())
        (await self.get_state(PendingState))._follow(record.followed)
        active = await self.get_state(ActiveState)
        for namespace, choice in record.accounts.items():
            active._prefer(namespace, choice.connector, choice.first, choice.address)
        if connect.phase == "connecting":
            (await account(self, connect._namespace)).status = "connecting"

    async def _record(self) -> dict[str, Any]:
        """All of it as it stands, to be read at once: the raw values, because a proxy of each entry costs more than the rest."""
        shell, bridge = await held(self, ShellState), await held(self, BridgeState)
        connect, networks = await held(self, ConnectState), await held(self, NetworksState)
        preferred = (await held(self, ActiveState)).get_value("_preferred")
        return {
            "shell": {"stack": shell._stack, "open": shell.open, "after_connect": shell._after_connect},
            "epoch": bridge._epoch,
            "origin": (await held(self, EmbedState))._origin,
            "commands": bridge.get_value("commands"),
            "records": bridge.get_value("_records"),
            "waiting": (await held(self, RequestsState)).get_value("_waiting"),
            "connect": {
                "connector": connect.connector,
                "namespace": connect._namespace,
                "wallet_name": connect.wallet_name,
                "phase": connect.phase,
                "error": connect.error,
                "choices": connect.get_value("choices"),
                "command": connect._command,
                "offered": connect._offered,
            },
            "networks": {
                "active": networks.active,
                "target": networks.target,
                "target_name": networks.target_name,
                "phase": networks.phase,
                "error": networks.error,
                "command": networks._command,
                "last": networks.get_value("_last"),
            },
            "accounts": {
                namespace: {"connector": connector, "first": first, "address": address}
                for namespace, (connector, first, address) in preferred.items()
            },
            "pairing": await pairing.recorded(self),
            "send": await sending.recorded(self),
            "followed": (await held(self, PendingState))._followed,
        }


@on_keep
async def keep(state: rx.State, durable: bool) -> None:
    """Writes the record soon, or at once where a command is about to leave."""
    resume = await held(state, ResumeState)
    if not resume._has_id():
        return
    record = await resume._record()
    asked = any(command["method"] != "host.warn" for command in record["commands"])
    if not resume._kept and not record["shell"]["open"] and not asked:
        # Most visitors of a page never click: there is nothing to bring back to them.
        return
    store = deployment().resume
    try:
        try:
            text = encoded(record)
        except RecordError:
            # Only a host's own request can be so large, and the loader settles those by itself.
            count_ignored("resume_too_large")
            text = encoded(_without_requests(record))
        digest = hash(text)
        if digest != resume._kept:
            store.put(resume.resume_id, text)
            resume._kept = digest
        if durable:
            await store.flush(resume.resume_id)
    except (RecordError, SQLAlchemyError, OSError):
        # The visitor's click matters more than its copy; the store has logged it and tries again.
        count_ignored("resume_not_written")


def _without_requests(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "commands": [c for c in record["commands"] if c["id"] in record["records"]]}
