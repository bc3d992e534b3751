"""Resume of a lost session: when a worker died or a socket returned under a new token, the visitor goes on where they were.

Wallet facts return by snapshot; the place in the modal and the pending commands return from this record.
"""

from __future__ import annotations

import logging
import re
import secrets
from typing import Any, Final, cast

import reflex as rx
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.connections.connections import Preference
from walletmodal.core.errors import RecordError
from walletmodal.core.language.kept import as_kept
from walletmodal.core.language.text import recalled
from walletmodal.core.protocol.commands import Command
from walletmodal.core.protocol.views import CONNECTING_VIEWS, VIEWS
from walletmodal.db.resume import encoded
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.approve import handlers as approving
from walletmodal.features.bridge.pending import Record
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded import handlers as embedded
from walletmodal.features.embedded import passkeys, social
from walletmodal.features.embedded.login import EMAIL_VIEWS
from walletmodal.features.names import handlers as naming
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.onramp import handlers as buying
from walletmodal.features.pairing import handlers as pairing
from walletmodal.features.pairing.approved import WAITING_VIEWS
from walletmodal.features.requests.decisions import ASKED
from walletmodal.features.requests.state import RequestsState
from walletmodal.features.resume.limits import allow_record
from walletmodal.features.resume.record import ResumeRecord
from walletmodal.features.send import handlers as sending
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin import handlers as signing_in
from walletmodal.features.signin.session_lookup import carries_token
from walletmodal.features.swap import handlers as swapping
from walletmodal.features.transactions.state import PendingState
from walletmodal.reflex_internals.substates import get_substate
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

_PARTS: Final = {
    "pairing": pairing.restore,
    "send": sending.restore,
    "swap": swapping.restore,
    "approve": approving.restore,
    "sign_in": signing_in.restore,
    "onramp": buying.restore,
    "names": naming.restore,
    "embedded": embedded.restore,
    "passkeys": passkeys.restore,
    "social": social.restore,
}
"""What restores the part of a feature, in this order."""

_MOVED: Final = -1
"""No text has this hash."""

_RECORDED_VIEWS = (
    WAITING_VIEWS
    | CONNECTING_VIEWS
    | {"ConnectingMultiChain", "SwitchNetwork", "UnsupportedChain"}
    | {view for view in VIEWS if view.startswith(("WalletSend", "Swap"))}
    | naming.NAME_VIEWS
    | EMAIL_VIEWS
    | frozenset(passkeys.PASSKEY_VIEWS)
    | social.SOCIAL_VIEWS
)
"""Views whose own data is in the record: with one of them on the stack all of it is read."""


class ResumeState(rx.State):
    """Resume record of a session. The browser's half is a random id, kept for the tab; the record is the server's.

    A session writes one record: under the id that it was given, or under the one of a record that it has found. Any other id that a
    browser names opens nothing and creates nothing.
    """

    resume_id: str = rx.SessionStorage(name="walletmodal_resume")
    # The tab's alone: what its page has seen of the session, by which it is known when its socket was cut.
    seen: str = rx.SessionStorage(name="walletmodal_seen")

    _id: str = ""
    # Whether there is a record under it, which then may be written again.
    _has_record: bool = False
    # The text's hash, 0 for none; another worker's differs, and costs one more writing. _MOVED: one that nobody has hashed.
    _kept: int = 0
    # All but the place, as text, while nothing is under way; "" when it has to be read anew.
    _rest: str = ""

    def _browser_id(self) -> str:
        """Returns the id that the browser names, "" where it is none: the browser may have sent anything in its place."""
        found: object = self.resume_id
        return found if isinstance(found, str) and _ID.fullmatch(found) else ""

    @rx.event
    async def restore(self) -> None:
        """Issues an id at page load and reconnect, or restores what a lost session had."""
        if not self._id:
            record = await self._load_record()
            self._id, self._has_record = (self._browser_id(), True) if record else (secrets.token_urlsafe(32), False)
            self._kept = 0
            if record is not None:
                await self._apply_record(record)
        if self.resume_id != self._id:
            self.resume_id = self._id

    async def _load_record(self) -> ResumeRecord | None:
        """Loads the record of the browser's id."""
        if not (named := self._browser_id()):
            return None
        try:
            found = await deployment().resume.load(named)
            return None if found is None else ResumeRecord.model_validate(found)
        except (SQLAlchemyError, OSError):
            logger.exception("the resume record cannot be read; the visitor starts anew")
        except ValidationError as error:
            logger.warning(
                "a resume record has the wrong shape; the visitor starts anew: %s", error.errors(include_input=False)[0]
            )
        return None

    async def _may_write(self) -> bool:
        """Whether there is a record, or may be one more."""
        if not self._has_record:
            self._has_record = await allow_record(self.router.session.client_ip)
            if not self._has_record:
                count_ignored("resume_limit")
        return self._has_record

    async def _apply_record(self, record: ResumeRecord) -> None:
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
        connect.error, networks.error = recalled(connect.error), recalled(networks.error)
        for name, restore in _PARTS.items():
            if (part := getattr(record, name)) is not None:
                await restore(self, part.model_dump())
        pending = await self.get_state(PendingState)
        pending._watch(record.followed)
        pending._set_awaited(record.awaited, record.answers)
        if record.followed or record.awaited:
            pending._reset_interval()
        bridge._restore_preferred(
            tuple(
                Preference(namespace, choice.connector, choice.first, choice.address)
                for namespace, choice in record.accounts.items()
            )
        )
        if connect.phase == "connecting":
            (await account(self, connect._namespace)).status = "connecting"

    async def _record_text(self, extent: Extent) -> str:
        """Serializes the record; "" for a visitor to whom there is nothing to restore.

        Raises:
            RecordError: it cannot be written.
        """
        shell, bridge = await get_substate(self, ShellState), await get_substate(self, BridgeState)
        commands = bridge.get_value("commands")
        asked = any(command["method"] != "host.warn" for command in commands)
        if not self._kept and not shell.open and not asked:
            # Most visitors of a page never click.
            return ""
        stack = [(view, as_kept(title)) for view, title in shell._stack]
        place = {"stack": stack, "open": shell.open, "after_connect": shell._after_connect}
        moved = extent == "place" and not commands and _RECORDED_VIEWS.isdisjoint(dict(shell._stack))
        rest = self._rest if moved else ""
        if not rest:
            record = await self._record_without_place(bridge)
            try:
                rest = encoded(record)
            except RecordError:
                # Only a host's own request can be so large, and the loader settles those by itself.
                count_ignored("resume_too_large")
                rest = encoded(_without_requests(record))
            self._rest = rest if _is_idle(record) else ""
        return f'{{"shell":{encoded(place)},{rest[1:]}'

    async def _record_without_place(self, bridge: BridgeState) -> dict[str, Any]:
        """Returns all but the place, to be read at once: the raw values, because a proxy of each entry costs more than the rest."""
        connect, networks = await get_substate(self, ConnectState), await get_substate(self, NetworksState)
        pending = await get_substate(self, PendingState)
        return {
            "epoch": bridge._epoch,
            "origin": (await get_substate(self, EmbedState))._origin,
            "commands": [one for one in bridge.get_value("commands") if not carries_token(one)],
            "records": bridge.get_value("_records"),
            "waiting": (await get_substate(self, RequestsState)).get_value("_waiting"),
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
                choice.namespace: {"connector": choice.connector, "first": choice.first, "address": choice.address}
                for choice in bridge._connections.preferred
            },
            "pairing": await pairing.to_record(self),
            "send": await sending.to_record(self),
            "swap": await swapping.to_record(self),
            "approve": await approving.to_record(self),
            "sign_in": await signing_in.to_record(self),
            "onramp": await buying.to_record(self),
            "names": await naming.to_record(self),
            "embedded": await embedded.to_record(self),
            "passkeys": await passkeys.to_record(self),
            "social": await social.to_record(self),
            "followed": pending._followed,
            "awaited": pending.get_value("_awaited"),
            "answers": pending.get_value("_answers"),
        }


async def save_record(state: rx.State, extent: Extent) -> None:
    """Saves the record soon, or at once where a command is about to leave."""
    resume = await get_substate(state, ResumeState)
    if not resume._id:
        return
    store = deployment().resume
    try:
        text = await resume._record_text(extent)
        if not text or not await resume._may_write():
            return
        # Who only moves on has another place each time: remembering its hash would change one more state at every click.
        digest = _MOVED if extent == "place" else hash(text)
        kept = resume._kept
        if digest == _MOVED or digest != kept:
            store.put(resume._id, text)
        if digest != kept:
            resume._kept = digest
        if extent == "durable":
            await store.flush(resume._id)
    except (RecordError, SQLAlchemyError, OSError):
        # The visitor's click matters more than its copy; the store has logged it and tries again.
        count_ignored("resume_not_written")


def _is_idle(record: dict[str, Any]) -> bool:
    """Whether nothing is under way that could change without `save_record` being called."""
    parts = (
        "commands",
        "records",
        "waiting",
        "pairing",
        "send",
        "swap",
        "sign_in",
        "names",
        "embedded",
        "passkeys",
        "social",
        "followed",
        "awaited",
        "approve",
    )
    under_way = (record[part] for part in (*parts, "onramp"))
    idle = record["connect"]["phase"] == "idle" == record["networks"]["phase"]
    return idle and not any(under_way)


def _without_requests(record: dict[str, Any]) -> dict[str, Any]:
    records = {name: one for name, one in record["records"].items() if one["then"] != ASKED}
    commands = [c for c in record["commands"] if c["id"] in records]
    approve = approving.without_requests(record["approve"])
    return {**record, "commands": commands, "records": records, "approve": approve}
