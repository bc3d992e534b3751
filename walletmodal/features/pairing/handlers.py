"""What a pairing does when the browser answers, tells what it knows, or the visitor goes elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import WALLET_NONSENSE
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.core.wallets.pairing import ORPHANED, Failure, pairing_failure
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.pairing.approved import WAITING_VIEWS, paired_sessions, succeed
from walletmodal.features.pairing.preload import needed, not_ready, prepare
from walletmodal.features.pairing.proving import PairedProofState, recover
from walletmodal.features.pairing.retry import expect, offer
from walletmodal.features.pairing.signing import PairedSignInState
from walletmodal.features.pairing.state import PAIRING_VIEWS, PairingState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.reflex_internals.substates import get_substate


async def answered(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """A wallet approved or declined, or none could be reached."""
    pairing = await state.get_state(PairingState)
    if pairing._command != reply.id:
        return []
    sessions = await paired_sessions(state)
    if pairing._ahead and not sessions:
        await not_ready(pairing, reply, orphaned=context["orphaned"])
    elif reply.error is not None:
        if reply.error.code == ORPHANED and not context["orphaned"]:
            # The frame has loaded anew, and nobody has seen a question: the visitor finds a code again.
            await pairing._ask(orphaned=True)
        else:
            await pairing._fail(pairing_failure(reply.error.code, reply.error.message), reply.error.message)
    elif sessions and await (await state.get_state(PairedSignInState))._take(reply):
        return [PairedProofState.prove]
    elif sessions:
        await succeed(state, sessions)
    else:
        # The snapshot comes before the reply: what the wallet granted was no session that can be used.
        await pairing._fail(Failure(WALLET_NONSENSE), WALLET_NONSENSE)
    # What the snapshot before has brought was held back while the wallet might still have signed.
    return await (await state.get_state(SignInState))._sync()


async def knows_browser(state: rx.State, _reply: Reply, _context: dict[str, Any]) -> bool:
    """What a wallet signs counts for a browser: one that is being asked which it is, is waited for."""
    signin, paired = await state.get_state(SignInState), await state.get_state(PairedSignInState)
    return bool(signin._holder) or not signin.identify or paired._offer is None


async def forget_pairing(state: rx.State) -> None:
    """The page that proposed it is gone; a session that its wallet grants late still counts."""
    pairing = await state.get_state(PairingState)
    pairing._command, pairing._asked, pairing._alerts = "", False, []
    pairing._ahead = pairing._unready = False
    (await state.get_state(PairedSignInState))._forget()
    pairing._put(phase="idle", error="")


async def take_pairing(state: rx.State, snapshot: Snapshot, changes: Changes) -> Followups:
    """What the deployment and the host offer; and a wallet that approved when nobody waited for it any more."""
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
    pairing._put(available=bool(relay) and options.enable_wallet_connect)
    everywhere = options.all_wallets == "SHOW" or (options.all_wallets == "ONLY_MOBILE" and embed._mobile)
    pairing._put(all_wallets=everywhere and deployment().services.directory.configured)
    await expect(state, snapshot)
    sessions = await paired_sessions(state)
    pairing._put(ahead=needed(pairing, embed, paired=bool(sessions)))
    if changes.brought(WALLET_CONNECT_ID) and pairing._asked and (pairing._ahead or not pairing._command):
        await succeed(state, sessions, leads_on=(await state.get_state(ShellState)).view in WAITING_VIEWS)
    return [*await recover(state), *await offer(state, snapshot)]


async def show_code(state: rx.State) -> Followups:
    """The host opened one of the views by name, or has no adapters: a code for any wallet."""
    if (await state.get_state(ShellState)).view in PAIRING_VIEWS:
        pairing = await state.get_state(PairingState)
        await pairing._take(None)
        await pairing._enter()
    else:
        pairing = await state.get_state(PairingState)
        pairing._unready = False
        paired = bool(await paired_sessions(state))
        pairing._put(ahead=needed(pairing, await state.get_state(EmbedState), paired=paired))
        await prepare(state)
    return []


async def follow_place(state: rx.State, _extent: Extent) -> None:
    """Codes are asked for while they can be seen, and no longer; the way back to a view finds its code again."""
    shell, bridge = await get_substate(state, ShellState), await get_substate(state, BridgeState)
    shown = shell.view in PAIRING_VIEWS and await shell._visible()
    if not shown and await prepare(state):
        return
    asked = any(_is_pairing(command["params"]) for command in bridge.get_value("commands"))
    if not shown and not asked:
        return
    pairing = await state.get_state(PairingState)
    if not shown:
        await pairing._rest()
        return
    if shell.view == "ConnectingWalletConnectBasic":
        if (await state.get_state(EmbedState))._mobile:
            shell._replace("AllWallets")
            await pairing._rest()
            return
        if pairing.wallet["id"]:
            await pairing._take(None)
    await pairing._follow()


def _is_pairing(params: Mapping[str, Any]) -> bool:
    return params.get("connector") == WALLET_CONNECT_ID and "proposal" in params


KEPT = ("pane", "phase", "error", "namespace", "_command", "_asked", "_linked", "_ahead")


async def recorded(state: rx.State) -> dict[str, Any] | None:
    """What a lost session gets back, to be read at once; None where the visitor is nowhere near a pairing."""
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
    """Brings back what `recorded` gave."""
    pairing = await state.get_state(PairingState)
    for name in KEPT:
        setattr(pairing, name, part[name.lstrip("_")])
    pairing.wallet, pairing.tabs, pairing._browser = part["wallet"], part["tabs"], part["browser"]
