"""Ending connections: of one namespace, of all that share its connector, or of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.errors.codes import INTERNAL_ERROR, LIMIT_EXCEEDED
from walletmodal.core.protocol.host_calls import DisconnectCall
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.text.texts import FAILED_TO_DISCONNECT, failed_to_disconnect
from walletmodal.core.wallets.connectors import AUTH_ID, WALLET_CONNECT_ID
from walletmodal.features.account.state import ACCOUNTS, account
from walletmodal.features.bridge.pending import Record, new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, wiring
from walletmodal.features.toasts.state import ToastState

DISCONNECTED = "account.disconnected"
MAX_CALLS = 16
"""Calls of a page that may wait for the same disconnect."""

SHARED = (WALLET_CONNECT_ID, AUTH_ID)
"""Connectors whose end in one namespace is their end in all."""


async def _ending_with(state: rx.State, namespace: Namespace) -> list[Namespace]:
    """Lists the connected namespaces that end with this one, itself first; none when it is not connected."""
    connections = (await state.get_state(BridgeState))._connections
    found = connections.of(namespace)
    if found is None:
        return []
    shared = connections.by_connector(found.connector) if found.connector in SHARED else ()
    return [namespace, *(other for other in shared if other != namespace)]


def _pending_disconnect(bridge: BridgeState, namespace: Namespace) -> Record | None:
    """Returns the pending command that disconnects a namespace, if there is one."""
    return next(
        (
            record
            for record in bridge._records.values()
            if record["then"] == DISCONNECTED and namespace in record["context"]["namespaces"]
        ),
        None,
    )


async def disconnect(state: rx.State, namespace: Namespace, call: str = "") -> Followups:
    """Asks the browser to forget a namespace's wallet; the account goes with the snapshot that no longer has it."""
    return await _disconnect_each(state, [namespace], call, told=namespace)


async def _disconnect_each(state: rx.State, namespaces: Sequence[Namespace], call: str, *, told: str) -> Followups:
    """Disconnects each namespace. `told`: what the event says was ended; the last answer settles the call."""
    bridge = await state.get_state(BridgeState)
    group, waits = new_id(), False
    for namespace in namespaces:
        together = await _ending_with(state, namespace)
        ending = _pending_disconnect(bridge, namespace)
        if not together:
            continue
        if ending is None:
            for each in together:
                (await account(state, each)).disconnecting = True
            await bridge._issue(
                "wallet.disconnect",
                {"namespace": namespace, "connector": (await account(state, namespace)).connector},
                then=DISCONNECTED,
                calls=[] if waits else [call],
                replay=True,
                namespaces=together,
                accounts=[(await account(state, each)).caip_address for each in together],
                group=group,
                told=told,
                failures={},
            )
            waits = True
        elif call and not waits:
            if len(ending["calls"]) >= MAX_CALLS:
                await bridge._settle(call, code=LIMIT_EXCEEDED, message="Too many calls wait for the wallet")
            else:
                ending["calls"] += [call]
            waits = True
    if not waits:
        await bridge._settle(call)
    return []


async def on_disconnect_reply(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Settles the calls, or tells the visitor that it failed. The snapshot came first and has cleared the account."""
    bridge = await state.get_state(BridgeState)
    for namespace in context["namespaces"]:
        (await account(state, namespace)).disconnecting = False
    failures: dict[Namespace, str] = dict(context["failures"])
    if reply.error is not None:
        failures[context["namespaces"][0]] = reply.error.message
    if reply.error is None:
        for handler in wiring().on_disconnected:
            await handler(state, context["accounts"])
    rest = [
        record
        for record in bridge._records.values()
        if record["then"] == DISCONNECTED and record["context"]["group"] == context["group"]
    ]
    if rest:
        rest[0]["calls"] += context["calls"]
        rest[0]["context"]["failures"] = {**rest[0]["context"]["failures"], **failures}
        return []
    if failures:
        (await state.get_state(ToastState))._show(FAILED_TO_DISCONNECT, "error")
        await bridge._publish(events.disconnect_error(message=failed_to_disconnect(failures)))
    else:
        await bridge._publish(events.disconnect_success(namespace=context["told"]))
    code = reply.error.code if reply.error is not None else INTERNAL_ERROR
    for call in context["calls"]:
        if failures:
            await bridge._settle(call, code=code, message=FAILED_TO_DISCONNECT)
        else:
            await bridge._settle(call)
    return []


async def reset_disconnecting(state: rx.State) -> None:
    """Clears `disconnecting` where no command goes on: only those that may run on the host's next page do."""
    bridge = await state.get_state(BridgeState)
    for namespace in ACCOUNTS:
        held = await account(state, namespace)
        if held.disconnecting and _pending_disconnect(bridge, namespace) is None:
            held.disconnecting = False


async def host_disconnect(state: rx.State, call_id: str, call: DisconnectCall) -> Followups:
    """Host: `disconnect(namespace?)`; without one, all that are connected."""
    if call.namespace is not None:
        return await disconnect(state, call.namespace, call_id)
    return await _disconnect_each(state, list(ACCOUNTS), call_id, told="all")
