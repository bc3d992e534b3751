"""Sign-in's handlers: the wallet's reply, changed accounts, calls of the host, the closed modal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, UNSUPPORTED_METHOD
from walletmodal.core.errors.flow import SignInNotEnabledError
from walletmodal.core.protocol.host_calls import SessionCall, SignInCall, SignOutCall
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.missing_features import MISSING_SIGN_IN
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import SIGNATURE_DECLINED
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, run_all, wiring
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.session_lookup import MAX_CALLS, carries_token, logger
from walletmodal.features.signin.state import VIEWS, SignInState, Unproven
from walletmodal.features.signin.wallet_requests import read_signed
from walletmodal.reflex_internals.substates import get_substate


async def sync_sign_in(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Syncs the sign-in with accounts and networks after a snapshot."""
    return await (await state.get_state(SignInState))._sync()


async def on_account_change(state: rx.State) -> Followups:
    """Syncs the sign-in when another account or network is in use."""
    return await (await state.get_state(SignInState))._sync()


async def wait_for_sign_in(state: rx.State) -> bool:
    """Keeps the modal open after connecting, until it is known whether the account is signed in."""
    signin = await state.get_state(SignInState)
    about = await signin._account()
    if await signin._options() is None or about is None:
        return False
    if signin._checked_account == str(about):
        if not signin._session:
            await signin._ask_visitor()
        return not signin._session
    signin._leads_on = True
    return True


async def prompt_sign_in(state: rx.State) -> Followups:
    """Shows the sign-in view in a modal that is opened without the sign-in that it needs."""
    signin = await state.get_state(SignInState)
    about = await signin._account()
    if signin.required and not signin._session and about is not None and signin._checked_account == str(about):
        await signin._ask_visitor()
    return []


async def reject_sign_in_calls(state: rx.State) -> None:
    """Rejects the host's `signIn` calls when the modal closes; a wallet that is asked may still sign."""
    signin = await state.get_state(SignInState)
    signin._leads_on = False
    await signin._reject_calls()


async def reset_sign_in(state: rx.State) -> None:
    """Clears the sign-in of the page before, and the browser: its frame says anew which one it is in."""
    signin: Any = await state.get_state(SignInState)
    signin.reset()
    (await state.get_state(ShellState))._set_sign_in_missing(missing=False)


async def revoke_sign_ins(state: rx.State, accounts: Sequence[str]) -> None:
    """Signs out accounts whose connection was ended, on all their networks."""
    signin = await state.get_state(SignInState)
    ended = {(one.namespace, one.address) for one in map(parse_account_id, accounts)}
    try:
        for session in await deployment().sign_ins.held(signin._holder, await signin._origin()):
            if (session.account.namespace, session.address) in ended:
                await deployment().sign_ins.revoke(session.id)
    except (SQLAlchemyError, OSError):
        logger.exception("the sign-ins of an account could not be ended with its connection")


async def is_browser_known(state: rx.State, reply: Reply, _context: dict[str, Any]) -> bool:
    """Whether the browser has said which it is: a signature counts for the browser that was asked for it."""
    signin = await state.get_state(SignInState)
    return bool(signin._holder) or signin._command != reply.id


async def on_sign_reply(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Handles the wallet's reply: it signed, declined, or cannot sign in that way."""
    signin = await state.get_state(SignInState)
    if signin._command != reply.id:
        return []
    about, options = signin._about, await signin._options()
    signin._command = ""
    if reply.error is not None:
        if context["way"] == "feature" and reply.error.code == UNSUPPORTED_METHOD and options is not None:
            try:
                await signin._ask_wallet(parse_account_id(about), options, "text")
            except WalletModalError as error:
                await signin._on_failed(error.short_message)
            return []
        await signin._on_failed(SIGNATURE_DECLINED)
        return []
    found = read_signed(reply.value, context["way"])
    if found is None:
        await signin._on_failed(SIGNATURE_DECLINED)
        return []
    signin._unproven = Unproven(about, context["nonce"], found)
    return [SignInState.prove]


async def host_sign_in(state: rx.State, call_id: str, _call: SignInCall) -> Followups:
    """Host: `signIn()`; answered with a token once the visitor is signed in."""
    signin, shell = await state.get_state(SignInState), await state.get_state(ShellState)
    bridge, about = await state.get_state(BridgeState), await signin._account()
    if await signin._options() is None:
        error = SignInNotEnabledError()
        await bridge._settle(call_id, code=error.code, message=error.short_message)
        return []
    try:
        found = await signin._find_session(about)
    except WalletModalError as error:
        await bridge._settle(call_id, code=error.code, message=error.short_message)
        return []
    due = found is not None and deployment().rechecks.is_due(found)
    if found is not None and not due:
        signin._checked_account = str(about)
        await signin._settle_token(call_id, found)
        await signin._on_signed_in(found)
        return []
    if len(signin._calls) >= MAX_CALLS:
        await bridge._settle(call_id, code=LIMIT_EXCEEDED, message="Too many calls wait for the visitor")
        return []
    if call_id not in signin._calls:
        signin._calls = (*signin._calls, call_id)
        await bridge._save_record()
    if about is not None:
        if signin._checked_account == str(about) and not due:
            await signin._ask_visitor()
        return [SignInState.check_session(str(about))] if due else await signin._sync()
    connected = (await account(state, await active_namespace(state))).status == "connected"
    await shell._open("UnsupportedChain" if connected else "Connect")
    return await signin._sync()


async def host_session(state: rx.State, call_id: str, _call: SessionCall) -> Followups:
    """Host: `getSession()`."""
    signin = await state.get_state(SignInState)
    if await signin._options() is None:
        bridge = await state.get_state(BridgeState)
        if signin._explained != bridge._epoch:
            signin._explained = bridge._epoch
            await bridge._warn(MISSING_SIGN_IN)
        await bridge._settle(call_id, None)
    elif due := await signin._queue_call("getSession", call_id):
        return [SignInState.check_session(due)]
    return []


async def host_sign_out(state: rx.State, call_id: str, _call: SignOutCall) -> Followups:
    """Host: `signOut()`."""
    signin = await state.get_state(SignInState)
    if await signin._options() is None:
        error = SignInNotEnabledError()
        await (await state.get_state(BridgeState))._settle(call_id, code=error.code, message=error.short_message)
    else:
        await signin._queue_call("signOut", call_id)
    return await run_all(wiring().on_sign_in_change, state)


async def to_record(state: rx.State) -> dict[str, Any] | None:
    """Returns the part of the resume record: what was asked, and who waits; never who is signed in, nor tokens on their way."""
    signin, bridge = await get_substate(state, SignInState), await get_substate(state, BridgeState)
    again = [("getSession", one["params"]["request"]) for one in bridge.get_value("commands") if carries_token(one)]
    waiting = [*signin._waiting, *again][:MAX_CALLS]
    if not signin._command and not signin._calls and not waiting:
        return None
    return {"about": signin._about, "command": signin._command, "calls": signin._calls, "waiting": waiting}


async def restore(state: rx.State, part: Mapping[str, Any]) -> None:
    """Restores what `to_record` returned."""
    signin = await state.get_state(SignInState)
    signin._about, signin._command = part["about"], part["command"]
    signin._calls = tuple(part["calls"])
    signin._waiting = tuple((method, call) for method, call in part["waiting"])
    signin.phase = "signing" if signin._command else "idle"


__all__ = ["VIEWS", "restore", "to_record"]
