"""Verification of what a wallet signed while it paired: all of it counts, or the connection ends."""

from __future__ import annotations

import logging
from typing import Any

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.errors import WalletModalError
from walletmodal.core.sign_in.cacao import MAX_PAIRED_CHAINS
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.pairing.approved import WAITING_VIEWS, on_approved, paired_sessions
from walletmodal.features.pairing.signing import PairedSignInState
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.process import PROCESS
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.metrics import counted_failure

logger = logging.getLogger(__name__)


class PairedProofState(rx.State):
    """The running verification; nothing of it is shown."""

    _prover: str = ""

    @rx.event(background=True)
    async def prove(self) -> Any:
        """Verifies what the wallet signed."""
        async with self:
            paired, signin = await self.get_state(PairedSignInState), await self.get_state(SignInState)
            cacaos, visitor = paired.get_value("_cacaos"), paired._visitor
            holder, origin = signin._holder, await signin._origin()
            if cacaos is None or not holder or self._prover == PROCESS:
                return
            self._prover = PROCESS
        signed_in = False
        try:
            await deployment().signature_checks.take(holder, min(len(cacaos), MAX_PAIRED_CHAINS))
            with counted_failure():
                proven = await deployment().proofs.prove_pairing(visitor, cacaos, origin=origin)
                await deployment().sign_ins.add_all(proven, holder)
            signed_in = True
        except WalletModalError as error:
            logger.info("what a wallet signed while it paired does not count: %s", error)
        async with self:
            self._prover = ""
            paired, signin = await self.get_state(PairedSignInState), await self.get_state(SignInState)
            if (signin._holder, await signin._origin(), paired.get_value("_cacaos")) != (holder, origin, cacaos):
                # Another page; what was proven is on record, for the page where it was signed.
                return
            followups = await (_on_proven(self) if signed_in else _on_refused(self))
        for event in followups:
            yield event


async def _on_proven(state: rx.State) -> Followups:
    """Goes on with a visitor who is connected and signed in."""
    signin, shell = await state.get_state(SignInState), await state.get_state(ShellState)
    bridge = await state.get_state(BridgeState)
    await (await state.get_state(PairedSignInState))._clear_cacaos()
    (await state.get_state(ToastState))._hide()
    sessions = await paired_sessions(state)
    if not sessions:
        return await signin._sync()
    await on_approved(state, sessions, leads_on=shell.view in WAITING_VIEWS and await shell._is_visible())
    await bridge._publish(events.siwx_auth_success(**await signin._event_properties()))
    return await signin._sync()


async def _on_refused(state: rx.State) -> Followups:
    """Disconnects the wallet and tells the visitor: another signer or message, or nobody can tell."""
    await (await state.get_state(PairedSignInState))._clear_cacaos()
    (await state.get_state(ToastState))._hide()
    pairing = await state.get_state(PairingState)
    await pairing._cancel()
    pairing._asked = False
    return await (await state.get_state(SignInState))._disconnect_unverified()


async def restart_proof(state: rx.State) -> Followups:
    """Restarts a verification whose process died; a nonce that it has used up by then ends the connection."""
    waits = (await state.get_state(PairedSignInState)).get_value("_cacaos") is not None
    return [PairedProofState.prove] if waits and (await state.get_state(PairedProofState))._prover != PROCESS else []
