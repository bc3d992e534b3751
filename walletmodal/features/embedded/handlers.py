"""The embedded wallet's handlers of replies, snapshots and the life of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.language.text import recalled
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.options import HostOptions
from walletmodal.core.protocol.snapshots import Snapshot, User
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.embedded import EMBEDDED_NAMESPACES
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.login import (
    CODE_SECONDS,
    CODE_VIEW,
    DEVICE_VIEW,
    EMAIL_VIEWS,
    PASSKEY_LOGIN_VIEW,
    Person,
    SecureConfig,
)
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.reflex_internals.substates import get_substate


async def on_early_submit(state: rx.State, email: Any) -> Followups:
    """Asks for a mail to an address that was typed before a new server knew its page."""
    await (await state.get_state(EmbeddedState))._submit(email)
    return []


async def on_early_passkey(state: rx.State, _payload: Any) -> Followups:
    """Has a passkey asked for that was chosen before a new server knew its page."""
    await (await state.get_state(EmbeddedState))._begin_passkey()
    return []


async def resume_login(state: rx.State) -> Followups:
    """Goes on with a mail that is still waited for, where the modal was closed or its page loaded anew meanwhile."""
    embedded, shell = await state.get_state(EmbeddedState), await state.get_state(ShellState)
    waited = deployment().clock.now().timestamp() - embedded._mailed
    here = embedded._awaits_on == (await state.get_state(EmbedState))._origin
    if not embedded._awaits or shell.view != "Connect" or shell.connected or not embedded.offered:
        return []
    if here and 0 <= waited < CODE_SECONDS:
        shell._push(embedded._awaits)
        if embedded._awaits == DEVICE_VIEW:
            embedded._ask("CONNECT_DEVICE")
    return []


async def check_mail_views(state: rx.State, _extent: Extent) -> None:
    """Forgets a mail whose view the visitor has left for another."""
    embedded, shell = await get_substate(state, EmbeddedState), await get_substate(state, ShellState)
    if embedded._awaits and shell.view not in (CODE_VIEW, DEVICE_VIEW) and await shell._is_visible():
        embedded._awaits = ""


async def check_passkey_view(state: rx.State, _extent: Extent) -> None:
    """Ends a login by passkey whose view the visitor has left; accounts that are asked for already still come."""
    embedded = await get_substate(state, EmbeddedState)
    begun = embedded._way == "passkey" and embedded.phase == "idle"
    if begun and not await (await get_substate(state, ShellState))._shows(PASSKEY_LOGIN_VIEW):
        embedded._way = "email"
        embedded._put(question={}, error="")


async def on_connect_reply(state: rx.State, reply: Reply, _context: dict[str, Any]) -> Followups:
    """Handles the reply to the question for accounts."""
    embedded = await state.get_state(EmbeddedState)
    if embedded._command != reply.id:
        return []
    if reply.error is not None:
        await embedded._fail(reply.error.message, by_site=True)
    elif (await state.get_state(BridgeState))._connections.by_connector(AUTH_ID):
        await embedded._succeed()
    else:
        # The snapshot comes before the reply: what was granted was no session that can be used.
        await embedded._fail("no session")
    return []


async def sync_embedded(state: rx.State, _snapshot: Snapshot, changes: Changes) -> Followups:
    """Updates what is offered and who is connected, and goes on with accounts that came late."""
    embedded, embed = await state.get_state(EmbeddedState), await state.get_state(EmbedState)
    networks = await state.get_state(NetworksState)
    url = settings().service_url("SECURE_SITE_URL") or ""
    served: dict[str, str] = {space: networks._preferred_chain(space) for space in _served(embed._options)}
    chains = {space: chain for space, chain in served.items() if chain}
    protocol = settings().secure_protocol
    embedded._put(
        complete=protocol == "walletmodal",
        secure=SecureConfig(
            url=url if chains else "",
            name=embed._host_name,
            chains=chains,
            protocol=protocol,
            project=embed._caller().project_id if protocol == "appkit" else "",
            accountType=embed._options.default_account_types.eip155,
        ),
    )
    await _update_offer(state)
    held = changes.after.by_connector(AUTH_ID)
    users = (session.user for session in held.values())
    embedded._put(person=next((_person(user) for user in users if user is not None), {}))
    if held and embedded.phase == "failed":
        await embedded._succeed()
    # A card in the page's flow is never opened: there a mail is waited for again at once.
    return await resume_login(state) if embed.embedded else []


def _person(user: User) -> Person:
    """Who is logged in: by the name at the provider, and else by the address."""
    name = user.name.removesuffix("#0") if user.provider == "discord" else user.name
    return {"login": user.provider or "email", "label": name or user.email, "email": user.email}


async def filter_offer(state: rx.State, _namespace: Namespace | None) -> None:
    """Offers the login where it serves the namespace that the modal is about."""
    await _update_offer(state)


async def _update_offer(state: rx.State) -> None:
    embedded, options = await state.get_state(EmbeddedState), (await state.get_state(EmbedState))._options
    wanted, secure = (await state.get_state(WalletsState))._filter, embedded.get_value("secure")
    serves = bool(secure and secure["url"]) and wanted in ("", *secure["chains"])
    embedded._put(offered=serves and options.features.email)


def _served(options: HostOptions) -> tuple[Namespace, ...]:
    return tuple(space for space in EMBEDDED_NAMESPACES if options.adapters is None or space in options.adapters)


async def reset_embedded(state: rx.State) -> None:
    """Clears what the page before has begun."""
    (await state.get_state(EmbeddedState))._clear()


async def clear_embedded(state: rx.State) -> None:
    """Clears what was begun when the modal closes; accounts that are asked for already still come."""
    embedded = await state.get_state(EmbeddedState)
    embedded._put(question={}, error="")
    if embedded.phase != "connecting":
        embedded._put(phase="idle")


KEPT: Final = (
    "email",
    "words",
    "sent",
    "wait",
    "phase",
    "error",
    "ways",
    "hold",
    "deletion",
    "_command",
    "_mailed",
    "_way",
    "_awaits",
    "_awaits_on",
)


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record; None where the visitor is nowhere near a login."""
    embedded, shell = await get_substate(state, EmbeddedState), await get_substate(state, ShellState)
    question = embedded.get_value("question")
    if not question and embedded.phase == "idle" and EMAIL_VIEWS.isdisjoint(dict(shell._stack)):
        return None
    return {**{name.lstrip("_"): embedded.get_value(name) for name in KEPT}, "question": question or None}


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned."""
    embedded = await state.get_state(EmbeddedState)
    for name in KEPT:
        value = part[name.lstrip("_")]
        setattr(embedded, name, recalled(value) if name == "error" else value)
    embedded.question = part["question"] or {}
