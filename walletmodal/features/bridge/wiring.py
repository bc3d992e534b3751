"""The handlers of every event: their types, and the table that `walletmodal.wiring` fills. Nothing registers itself on import."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import reflex as rx

from walletmodal.core.analytics.payload import Event
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.commands import Command
from walletmodal.core.protocol.host_calls import HostCall, HostRequest
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.services.outside_budget import Asker, register_asker

Followups = list[Any]
"""Event handlers or specs to queue after the handler: background work, mostly."""
Extent = Literal["place", "all", "durable"]
"""What may have changed since the resume record was last written: only where the visitor is, anything, or anything that a command needs."""
Unapproved = Literal["rejected", "aborted"]
"""rejected: the visitor said no to a request. aborted: the modal was closed, or the visitor went elsewhere in it."""

Handler = Callable[[rx.State], Awaitable[None]]
HandlerWithFollowups = Callable[[rx.State], Awaitable[Followups]]
SnapshotHandler = Callable[[rx.State, Snapshot, Changes], Awaitable[Followups]]
ArgumentsHandler = Callable[[rx.State, Mapping[str, str], str], Awaitable[None]]
CallHandler = Callable[[rx.State, str, Any], Awaitable[Followups]]
RequestHandler = Callable[[rx.State, str, HostRequest], Awaitable[Followups]]
PreparedHandler = Callable[[rx.State, str, HostRequest, str], Awaitable[Followups]]
Continuation = Callable[[rx.State, Reply, dict[str, Any]], Awaitable[Followups]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Handlers of each event, in their order.

    Attributes:
        current_asker: for whom outside services are asked while an event is handled; None outside of one.
        on_new_page: a life of the host page has ended; runs before the new page's first snapshot.
        on_snapshot: the browser has said what it knows (docs/protocol.md §4), or an option of the host has changed; and what is
            different in who is connected, of which the bridge has the value.
        on_open: the host has opened the modal.
        on_open_arguments: what the host fills in with `open({view, arguments})`, by the view, each "" for nothing, and how the visitor
            knows the host; runs before the view is shown.
        on_close: the modal has closed.
        on_close_refused: the visitor wants to close what must not be closed now.
        on_namespace_filter: the modal is about one namespace from now on; None: about all.
        on_connected: an account has connected. The first that returns True leads the visitor on; else the modal goes on by itself.
        on_account_change: another account or network is in use, and no snapshot says so; may also run without a change.
        on_sign_in_change: the account in use is signed in, or is not any more, and no snapshot says so; may also run without a change.
        on_disconnected: accounts (CAIP-10) whose connection was ended in the modal or by the host.
        on_transaction_final: a transaction of the visitor's has got into the chain.
        on_analytics_event: what the host's subscribers are told.
        on_state_change: the resume record may be out of date.
        on_wallet_answer: a wallet has answered to a command, and the flow that has asked goes on after this.
        on_call: methods of the host API, by the class of the call; the handler gets the envelope's id.
        on_request: a provider request of the host that is not a plain read.
        on_request_approved: the visitor has approved a request: settles the call or asks the wallet.
        on_prepared: a request to the embedded wallet must be worked out first: a permission, a batch, or one whose fee somebody else may pay; also gets why it is to be confirmed, "" for nothing.
        on_wallet_question: the host asks the embedded wallet for what we know a part of.
        on_request_declined: the visitor has not; the call is settled already.
        on_withdrawn: the host waits no longer for a call, by its id, that the visitor may still be asked about.
        continuations: the step that a command's reply continues with. The names outlive the process, in resume records. The
            context also holds `calls`: the ids of the host's calls that wait for the outcome.
        before_accepting: what is written before the reply of that continuation is accepted: only then may the browser forget it.
            False: it cannot be written now; the browser is asked for the reply again.
        before_init: steps that came before the page had said who it is, by the name under which they were kept.
        transaction_outcomes: the step that a flow goes on with once a wallet has answered to its transaction.
    """

    current_asker: Callable[[], Asker | None]
    on_new_page: tuple[Handler, ...]
    on_snapshot: tuple[SnapshotHandler, ...]
    on_open: tuple[HandlerWithFollowups, ...]
    on_open_arguments: Mapping[str, ArgumentsHandler]
    on_close: tuple[Handler, ...]
    on_close_refused: tuple[Handler, ...]
    on_namespace_filter: tuple[Callable[[rx.State, Namespace | None], Awaitable[None]], ...]
    on_connected: tuple[Callable[[rx.State], Awaitable[bool]], ...]
    on_account_change: tuple[HandlerWithFollowups, ...]
    on_sign_in_change: tuple[HandlerWithFollowups, ...]
    on_disconnected: tuple[Callable[[rx.State, list[str]], Awaitable[None]], ...]
    on_transaction_final: tuple[HandlerWithFollowups, ...]
    on_analytics_event: tuple[Callable[[rx.State, Event], Awaitable[None]], ...]
    on_state_change: tuple[Callable[[rx.State, Extent], Awaitable[None]], ...]
    on_wallet_answer: tuple[Callable[[rx.State, Command], Awaitable[None]], ...]
    on_call: Mapping[type[HostCall], CallHandler]
    on_request: RequestHandler
    on_request_approved: RequestHandler
    on_prepared: PreparedHandler
    on_wallet_question: RequestHandler
    on_request_declined: Callable[[rx.State, str, HostRequest, Unapproved], Awaitable[None]]
    on_withdrawn: tuple[Callable[[rx.State, str], Awaitable[Followups]], ...]
    continuations: Mapping[str, Continuation]
    before_accepting: Mapping[str, Callable[[rx.State, Reply, dict[str, Any]], Awaitable[bool]]]
    before_init: Mapping[str, Callable[[rx.State, Any], Awaitable[Followups]]]
    transaction_outcomes: Mapping[str, Callable[[rx.State, TransactionOutcome, dict[str, Any]], Awaitable[Followups]]]


_installed: list[Wiring] = []


def install(table: Wiring) -> None:
    """Installs the app's handlers."""
    _installed[:] = [table]
    register_asker(table.current_asker)


def wiring() -> Wiring:
    """Returns the app's handlers.

    Raises:
        RuntimeError: `walletmodal.wiring` was not imported.
    """
    if not _installed:
        raise RuntimeError("No handlers are installed: import walletmodal.wiring")
    return _installed[0]


async def run_all(handlers: tuple[HandlerWithFollowups, ...], state: rx.State) -> Followups:
    """Runs the handlers one after the other; what they want done follows in their order."""
    return [event for handler in handlers for event in await handler(state)]
