"""Pairing's handlers of replies, snapshots and changed views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.connections.connections import Changes
from walletmodal.core.language.text import recalled
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import WALLET_NONSENSE
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.core.wallets.pairing import ORPHANED, Failure, pairing_failure
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.pairing.approved import WAITING_VIEWS, on_approved, paired_sessions
from walletmodal.features.pairing.preload import on_preload_failed, preload_code, preload_for
from walletmodal.features.pairing.proving import PairedProofState, restart_proof
from walletmodal.features.pairing.retry import expect_late_approval, offer_retry
from walletmodal.features.pairing.signing import PairedSignInState
from walletmodal.features.pairing.state import PAIRING_VIEWS, PairingState, Tab
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.reflex_internals.substates import get_substate


async def on_pairing_reply(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Handles a pairing's reply: a wallet approved or declined, or none could be reached."""
    pairing = await state.get_state(PairingState)
    if pairing._command != reply.id:
        return []
    sessions = await paired_sessions(state)
    if pairing._ahead and not sessions:
        await on_preload_failed(pairing, reply, orphaned=context["orphaned"])
    elif reply.error is not None:
        if reply.error.code == ORPHANED and not context["orphaned"]:
            # The frame has loaded anew, and nobody has seen a question: the visitor finds a code again.
            await pairing._propose(orphaned=True)
        else:
            await pairing._fail(pairing_failure(reply.error.code, reply.error.message), reply.error.message)
    elif sessions and await (await state.get_state(PairedSignInState))._store_cacaos(reply):
        return [PairedProofState.prove]
    elif sessions:
        await on_approved(state, sessions)
    else:
        # The snapshot comes before the reply: what the wallet granted was no session that can be used.
        await pairing._fail(Failure(WALLET_NONSENSE), WALLET_NONSENSE)
    # What the snapshot before has brought was held back while the wallet might still have signed.
    return await (await state.get_state(SignInState))._sync()


async def is_browser_known(state: rx.State, _reply: Reply, _context: dict[str, Any]) -> bool:
    """Whether the browser has said which it is, where a wallet may sign: a signature counts for a browser."""
    signin, paired = await state.get_state(SignInState), await state.get_state(PairedSignInState)
    return bool(signin._holder) or not signin.identify or paired._offer is None


async def reset_pairing(state: rx.State) -> None:
    """Clears the pairing of the page before; a session that its wallet grants late still counts."""
    pairing = await state.get_state(PairingState)
    pairing._command, pairing._asked, pairing._alerts = "", False, []
    pairing._ahead = pairing._unready = False
    (await state.get_state(PairedSignInState))._clear_offer()
    pairing._put(phase="idle", error="")


async def sync_pairing(state: rx.State, snapshot: Snapshot, changes: Changes) -> Followups:
    """Updates what deployment and host offer, and accepts a wallet that approved when nobody waited for it any more."""
    pairing, embed = await state.get_state(PairingState), await state.get_state(EmbedState)
    own, options = settings(), embed._options
    relay = own.service_url("RELAY_URL") or ""
    pairing._put(
        config={
            "relayUrl": relay,
            "projectId": embed._caller().project_id if relay else "",
            "verifyUrl": (own.service_url("VERIFY_URL") or "") if relay else "",
        },
    )
    pairing._available = bool(relay) and options.enable_wallet_connect
    everywhere = options.all_wallets == "SHOW" or (options.all_wallets == "ONLY_MOBILE" and embed._mobile)
    pairing._put(all_wallets=everywhere and deployment().services.directory.configured)
    await expect_late_approval(state, snapshot)
    sessions = await paired_sessions(state)
    pairing._put(ahead=preload_for(pairing, embed, paired=bool(sessions)))
    if changes.added_connector(WALLET_CONNECT_ID) and pairing._asked and (pairing._ahead or not pairing._command):
        await on_approved(state, sessions, leads_on=(await state.get_state(ShellState)).view in WAITING_VIEWS)
    return [*await restart_proof(state), *await offer_retry(state, snapshot)]


async def show_code(state: rx.State) -> Followups:
    """Shows a code for any wallet, where the host opened the view by name or has no adapters."""
    if (await state.get_state(ShellState)).view in PAIRING_VIEWS:
        pairing = await state.get_state(PairingState)
        await pairing._set_wallet(None)
        await pairing._open_pane()
    else:
        pairing = await state.get_state(PairingState)
        pairing._unready = False
        paired = bool(await paired_sessions(state))
        pairing._put(ahead=preload_for(pairing, await state.get_state(EmbedState), paired=paired))
        await preload_code(state)
    return []


async def sync_code(state: rx.State, _extent: Extent) -> None:
    """Requests codes while they can be seen, and cancels them after; a view that is shown again finds its code again."""
    shell, bridge = await get_substate(state, ShellState), await get_substate(state, BridgeState)
    shown = shell.view in PAIRING_VIEWS and await shell._is_visible()
    if not shown and await preload_code(state):
        return
    asked = any(_is_pairing_command(command["params"]) for command in bridge.get_value("commands"))
    if not shown and not asked:
        return
    pairing = await state.get_state(PairingState)
    if not shown:
        await pairing._cancel()
        return
    if shell.view == "ConnectingWalletConnectBasic":
        if (await state.get_state(EmbedState))._mobile:
            shell._replace("AllWallets")
            await pairing._cancel()
            return
        if pairing.wallet["id"]:
            await pairing._set_wallet(None)
    await pairing._sync_code()


def _is_pairing_command(params: Mapping[str, Any]) -> bool:
    return params.get("connector") == WALLET_CONNECT_ID and "proposal" in params


KEPT = ("pane", "phase", "error", "namespace", "_command", "_asked", "_linked", "_ahead")


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record; None where the visitor is nowhere near a pairing."""
    shell = await get_substate(state, ShellState)
    if not any(view in WAITING_VIEWS for view, _ in shell._stack):
        return None
    pairing = await state.get_state(PairingState)
    part = {name.lstrip("_"): getattr(pairing, name) for name in KEPT}
    return {
        **part,
        "wallet": pairing.get_value("wallet"),
        "tabs": pairing.get_value("tabs"),
        "browser": pairing.get_value("_browser"),
    }


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned."""
    pairing = await state.get_state(PairingState)
    for name in KEPT:
        setattr(pairing, name, part[name.lstrip("_")])
    pairing.error = recalled(pairing.error)
    tabs = [Tab(id=tab["id"], label=recalled(tab["label"])) for tab in part["tabs"]]
    pairing.wallet, pairing.tabs, pairing._browser = part["wallet"], tabs, part["browser"]
